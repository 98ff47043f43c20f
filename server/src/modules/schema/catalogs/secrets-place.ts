/** For which place the secrets of a catalog are sealed. */
export const secretsPlace = (catalogId: string): string => `external catalog ${catalogId}`
