import { type Catalog, DEFAULT_CATALOG } from '@boathouse/contract'

/** CATALOG-03 */
export const CATALOGS: readonly Catalog[] = [{ name: DEFAULT_CATALOG, type: 'Internal' }]
