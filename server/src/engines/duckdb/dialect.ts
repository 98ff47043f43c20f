import { foldedName } from '../../kernel/same-name.ts'
import { quoteIdentifier, quoteString } from '@boathouse/sql'
import type { Catalogs } from '../engine/catalogs.ts'
import type { DatabasePlace, NamedObject, TableType } from '../engine/names.ts'
import type { Dialect } from '../engine/dialect.ts'
import type { Engine } from '../engine/engine.ts'
import { FILE_FORMATS } from '../engine/files.ts'
import { SESSION_SETTINGS } from '../engine/session-settings.ts'
import { describedTable, DESCRIPTIONS } from './descriptions.ts'
import { among, HIDDEN_DATABASES, pageOf } from './name-lists.ts'
import { literalOf } from './session/applied-variables.ts'
import { sampleData } from './samples/sample-data.ts'
import { foldedText } from './folded-text.ts'

const isNamed = (column: string, name: string): string =>
  `${foldedText(column)} = ${quoteString(foldedName(name))}`

const pathOf = ({ catalog, database }: DatabasePlace): string =>
  `${quoteIdentifier(catalog)}.${quoteIdentifier(database)}`

/** In one column `name`. */
const databasesIn = (catalog: string): string =>
  `SELECT schema_name AS name FROM information_schema.schemata
   WHERE ${isNamed('catalog_name', catalog)} AND schema_name NOT IN (${HIDDEN_DATABASES})`

const databaseNamed = ({ catalog, database }: DatabasePlace): string =>
  `SELECT name FROM (${databasesIn(catalog)}) AS databases WHERE ${isNamed('name', database)}`

/** Of both types, or of one, in one column `name`. */
function tablesIn(place: DatabasePlace, type?: TableType): string {
  const ofType = type ? ` AND table_type = ${quoteString(type)}` : ''
  return `SELECT table_name AS name FROM information_schema.tables
   WHERE ${isNamed('table_catalog', place.catalog)} AND table_schema = (${databaseNamed(place)})${ofType}`
}

const isIn = ({ catalog, database }: DatabasePlace): string =>
  `${isNamed('schema_name', database)} AND ${isNamed('database_name', catalog)}`

/** By DuckDB's list, of which all is made before one is picked. */
function objectNamed(place: DatabasePlace, { type, name }: NamedObject): string {
  const column = `${type}_name`
  const more = type === 'view' ? ' AND NOT internal' : ''
  return `SELECT ${column} AS name FROM duckdb_${type}s() WHERE ${isNamed(column, name)} AND ${isIn(place)}${more} LIMIT 1`
}

/** Of a database in a page of them. */
const sizesIn = (catalog: string): string =>
  `, CASE WHEN page.name IS NULL THEN NULL ELSE (SELECT count(*) FROM information_schema.tables
   WHERE ${isNamed('table_catalog', catalog)} AND table_schema = page.name) END`

/** A database is a schema here. */
const CATALOGS: Catalogs = {
  databases: (catalog, seen) => `${among(databasesIn(catalog), seen)} ORDER BY 1`,
  databasePage: (catalog, page) => pageOf(databasesIn(catalog), page, sizesIn(catalog)),
  databaseNamed,
  tables: (place, { table, view }, limit) => {
    const lists = [among(tablesIn(place, 'BASE TABLE'), table), among(tablesIn(place, 'VIEW'), view)]
    return `${lists.join(' UNION ALL ')} ORDER BY 1${limit === undefined ? '' : ` LIMIT ${limit}`}`
  },
  tablePage: (place, type, page) => pageOf(tablesIn(place, type), page),
  objectNamed,
  tableTold: (place, name) => `SELECT name FROM ${describedTable({ ...place, name })}`,
  allTables: (catalog) =>
    `SELECT table_schema, table_name, table_type FROM information_schema.tables
     WHERE ${isNamed('table_catalog', catalog)} ORDER BY 1, 2`,
  createDatabase: (place, { ifNotExists }) =>
    `CREATE SCHEMA ${ifNotExists ? 'IF NOT EXISTS ' : ''}${pathOf(place)}`,
  dropDatabase: (place, { ifExists, cascade }) =>
    `DROP SCHEMA ${ifExists ? 'IF EXISTS ' : ''}${pathOf(place)}${cascade ? ' CASCADE' : ''}`,
  enter: (place) => `USE ${pathOf(place)}`,
  permanent: new Set(['main', 'information_schema', 'pg_catalog']),
  reserved: new Set([
    'information_listed',
    'boathouse_internal',
    'boathouse_results',
    'system',
    'temp',
    'pg_temp',
    'memory',
  ]),
}

const DIALECT: Dialect = {
  setTimeZone: (zone) => `SET TimeZone = ${quoteString(zone)}`,
  valueOf: (variable) => `SELECT ${literalOf(variable)}`,
  settings: new Set(Object.keys(SESSION_SETTINGS)),
  valueAndType: { before: 'SELECT CAST(v AS VARCHAR), typeof(v) FROM (', after: ')' },
  useCollation: (name) => `SELECT 'a' COLLATE ${name.split('.').map(quoteIdentifier).join('.')}`,
  sampleData,
}

/** All that is said of DuckDB wherever it runs. */
export const DUCKDB_WORDS: Pick<
  Engine,
  'dialect' | 'catalogs' | 'descriptions' | 'explain' | 'profiling' | 'describing' | 'files'
> = {
  dialect: DIALECT,
  catalogs: CATALOGS,
  descriptions: DESCRIPTIONS,
  explain: (sql) => sql,
  profiling: { of: 'plan' },
  describing: { of: 'statement' },
  files: { formats: FILE_FORMATS },
}
