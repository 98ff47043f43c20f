/** CATALOG-02 */
export const CATALOG_TYPES = ['Internal', 'External'] as const
