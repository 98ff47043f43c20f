export const CATALOG_TYPES = ['Internal', 'External'] as const
