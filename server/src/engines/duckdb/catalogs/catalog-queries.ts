import { foldedName } from '../../../kernel/same-name.ts'
import { quoteString } from '@boathouse/sql'
import type { DatabasePlace, NamedObject, NamePage, Seen, TableType } from '../../engine/names.ts'
import { foldedText } from '../folded-text.ts'
import { describedTable } from './description-queries.ts'
import { among, HIDDEN_DATABASES, pageOf } from './name-lists.ts'

/** The texts of `catalogs.ts`. A database is a schema here. */

const isNamed = (column: string, name: string): string =>
  `${foldedText(column)} = ${quoteString(foldedName(name))}`

/** In one column `name`. */
const databasesIn = (catalog: string): string =>
  `SELECT schema_name AS name FROM information_schema.schemata
   WHERE ${isNamed('catalog_name', catalog)} AND schema_name NOT IN (${HIDDEN_DATABASES})`

export const databases = (catalog: string, seen: Seen): string =>
  `${among(databasesIn(catalog), seen)} ORDER BY 1`

export const databaseNamed = ({ catalog, database }: DatabasePlace): string =>
  `SELECT name FROM (${databasesIn(catalog)}) AS databases WHERE ${isNamed('name', database)}`

/** Of a database in a page of them. */
const sizesIn = (catalog: string): string =>
  `, CASE WHEN page.name IS NULL THEN NULL ELSE (SELECT count(*) FROM information_schema.tables
   WHERE ${isNamed('table_catalog', catalog)} AND table_schema = page.name) END`

/** How many there are, a name, how many tables and views it has. */
export const databasePage = (catalog: string, page: NamePage): string =>
  pageOf(databasesIn(catalog), page, sizesIn(catalog))

/** In the words of `information_schema`. */
export const TABLE_TYPES = { table: 'BASE TABLE', view: 'VIEW' } as const

/** Of one type, in one column `name`. */
const tablesIn = (place: DatabasePlace, type: TableType): string =>
  `SELECT table_name AS name FROM information_schema.tables
   WHERE ${isNamed('table_catalog', place.catalog)} AND table_schema = (${databaseNamed(place)})
     AND table_type = ${quoteString(TABLE_TYPES[type])}`

interface SeenTables {
  readonly seen: Readonly<Record<TableType, Seen>>
  readonly limit: number | null
}

/** Of both types. */
export function tables(place: DatabasePlace, { seen, limit }: SeenTables): string {
  const lists = [among(tablesIn(place, 'table'), seen.table), among(tablesIn(place, 'view'), seen.view)]
  return `${lists.join(' UNION ALL ')} ORDER BY 1${limit === null ? '' : ` LIMIT ${limit}`}`
}

/** How many there are, a name. */
export const tablePage = (place: DatabasePlace, type: TableType, page: NamePage): string =>
  pageOf(tablesIn(place, type), page)

/** Database, name, type. */
export const allTables = (catalog: string): string =>
  `SELECT table_schema, table_name, table_type FROM information_schema.tables
   WHERE ${isNamed('table_catalog', catalog)} ORDER BY 1, 2`

/** By DuckDB's list, of which all is made before one is picked. */
export function listedName({ catalog, database }: DatabasePlace, { type, name }: NamedObject): string {
  const column = `${type}_name`
  const more = type === 'view' ? ' AND NOT internal' : ''
  return `SELECT ${column} AS name FROM duckdb_${type}s() WHERE ${isNamed(column, name)}
    AND ${isNamed('schema_name', database)} AND ${isNamed('database_name', catalog)}${more} LIMIT 1`
}

/** Of a table, without that list. No row: there is none. A row without a name: the list alone says whether there is. */
export const boundName = (place: DatabasePlace, name: string): string =>
  `SELECT name FROM ${describedTable({ ...place, name })}`
