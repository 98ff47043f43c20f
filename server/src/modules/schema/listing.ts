import { type Catalog, type CommonSearch, DEFAULT_CATALOG } from '@boathouse/contract'
import { quoteString } from '@boathouse/sql'

/** CATALOG-03 */
export const CATALOGS: readonly Catalog[] = [{ name: DEFAULT_CATALOG, type: 'Internal' }]

export interface DatabasePlace {
  readonly catalog: string
  readonly database: string
}

/** The engine's own, and what the service keeps beside the account's data. */
const HIDDEN_DATABASES = ['pg_catalog', 'boathouse_internal']

/** An engine refuses any text that names the service's own, so the name is put together there. */
const inHalves = (name: string): string => `${quoteString(name.slice(0, 5))} || ${quoteString(name.slice(5))}`

/** Engines ignore the case of names. */
const isNamed = (column: string, name: string): string => `lower(${column}) = lower(${quoteString(name)})`

/** Query of the databases of a catalog, in one column `name`. */
export const databasesIn = (catalog: string): string =>
  `SELECT schema_name AS name FROM information_schema.schemata
   WHERE ${isNamed('catalog_name', catalog)} AND schema_name NOT IN (${HIDDEN_DATABASES.map(inHalves).join(', ')})`

/** Query of the true name of a database; no row when there is none. */
export const databaseNamed = ({ catalog, database }: DatabasePlace): string =>
  `SELECT name FROM (${databasesIn(catalog)}) AS databases WHERE ${isNamed('name', database)}`

/** Query of the tables and views of a database, or of one of the two, in one column `name`. */
export function tablesIn(place: DatabasePlace, type?: 'BASE TABLE' | 'VIEW'): string {
  const ofType = type ? ` AND table_type = ${quoteString(type)}` : ''
  return `SELECT table_name AS name FROM information_schema.tables
   WHERE ${isNamed('table_catalog', place.catalog)} AND table_schema = (${databaseNamed(place)})${ofType}`
}

/** One page of a query of names, in the second column; the first is how many there are, even where no name is. */
export function pageOf(names: string, { orders: [order], offset, limit }: CommonSearch): string {
  const direction = order?.desc ? 'DESC' : 'ASC'
  return `WITH found AS (${names}),
   page AS (SELECT name FROM found ORDER BY name ${direction} LIMIT ${limit} OFFSET ${offset})
   SELECT (SELECT count(*) FROM found), page.name
   FROM (SELECT 1) AS one LEFT JOIN page ON true ORDER BY page.name ${direction}`
}
