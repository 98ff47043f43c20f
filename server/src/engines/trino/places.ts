import type { DatabasePlace } from '../engine/names.ts'

/** Where every session begins, whatever its engine; the catalog is that of the engine which has the account's own data. */
const HOME_CATALOG = 'default_catalog'
export const FIRST_DATABASE = 'main'

/** The same place in a cluster: its first catalog stands for one that it does not have, as names are there. */
export function placeIn(catalogs: readonly string[], { catalog, database }: DatabasePlace): DatabasePlace {
  const [first = HOME_CATALOG] = catalogs
  const isHome = catalog.toLowerCase() === HOME_CATALOG && !catalogs.includes(HOME_CATALOG)
  return { catalog: isHome ? first : catalog.toLowerCase(), database: database.toLowerCase() }
}
