import { quoteIdentifier, quoteString } from '@boathouse/sql'
import type { ColumnRange, NamedPlace } from '../../engine/descriptions.ts'
import type { DatabasePlace, NamePage, ObjectPlace } from '../../engine/names.ts'
import { foldedText } from '../folded-text.ts'
import { DESCRIBED_TABLE } from '../guard/described-table.ts'
import { COLUMN_KEYS, columnKeys, INDEXED } from './column-keys.ts'
import { HIDDEN_DATABASES, pageOf } from './name-lists.ts'

/** The texts of `descriptions.ts`. */

const pathOf = ({ catalog, database, name }: NamedPlace): string =>
  [catalog, database, name].map(quoteIdentifier).join('.')

const LISTS = { table: 'duckdb_tables()', view: 'duckdb_views()' } as const

/** In one of DuckDB's lists of what is in a database. */
const isIn = ({ catalog, database }: DatabasePlace): string =>
  `database_name = ${quoteString(catalog)} AND schema_name = ${quoteString(database)}`

const isOne = (place: ObjectPlace): string =>
  `${isIn(place)} AND ${place.type}_name = ${quoteString(place.name)}`

/** What DuckDB knows of one table, without its list of all. */
export const describedTable = ({ catalog, database, name }: NamedPlace): string =>
  `${DESCRIBED_TABLE}(${[catalog, database, name].map(quoteString).join(', ')})`

/** Comment, number of columns: by the name of a table alone. No row where only the list knows it. */
export const boundObject = (place: ObjectPlace): string =>
  `SELECT coalesce(comment, ''), column_count FROM ${describedTable(place)} WHERE name IS NOT NULL`

/** The same by DuckDB's list, of which all is made before one is picked. */
export const listedObject = (place: ObjectPlace): string =>
  `SELECT coalesce(comment, ''), column_count FROM ${LISTS[place.type]} WHERE ${isOne(place)}`

/** DuckDB keeps no length of texts; of its types, arrays have one. */
const lengthIn = (type: string): string =>
  String.raw`try_cast(regexp_extract(${type}, '\[(\d+)\]$', 1) AS BIGINT)`

/** Of other types DuckDB gives the bits of a number. */
const ofDecimals = (column: string): string => `CASE WHEN data_type LIKE 'DECIMAL%' THEN ${column} END`

const inDecimal = (part: 1 | 2): string =>
  `TRY_CAST(regexp_extract(of.type, '^DECIMAL\\((\\d+),(\\d+)\\)$', ${part}) AS INTEGER)`

/** The keys of one table, without DuckDB's list of all. */
const boundKeys = (place: ObjectPlace): string => {
  const { catalog, database, name } = place
  const [inCatalog, inDatabase, named] = [catalog, database, name].map(quoteString)
  const constraints = `(SELECT ${inCatalog} AS database_name, ${inDatabase} AS schema_name, ${named} AS table_name, one.*
    FROM (SELECT unnest(constraints) AS one FROM ${describedTable(place)}))`
  return `SELECT lower_name, key FROM (${columnKeys(constraints)}) WHERE ${isIn(place)} AND table_name = ${named}`
}

/** `pragma_table_info` takes a name with quotes around it, and none within. */
export const canBeBound = ({ catalog, database, name }: ObjectPlace): boolean =>
  ![catalog, database, name].some((part) => part.includes('"'))

/** Name, type, nullable, key, default, length, precision, scale, comment: by the name of a table alone. */
export const boundColumns = (place: ObjectPlace, { offset, limit }: ColumnRange): string =>
  `SELECT of.name, of.type, NOT of."notnull", coalesce(key, ''), of.dflt_value, ${lengthIn('of.type')}, ${inDecimal(1)}, ${inDecimal(2)},
     bound.column_comments[of.cid + 1]
   FROM (SELECT *, ${foldedText('name')} AS lower_name FROM pragma_table_info(${quoteString(pathOf(place))})) AS of
   LEFT JOIN ${describedTable(place)} AS bound ON true LEFT JOIN (${boundKeys(place)}) USING (lower_name)
   ORDER BY of.cid LIMIT ${limit} OFFSET ${offset}`

/** The same by DuckDB's list. */
export const listedColumns = (place: ObjectPlace, { offset, limit }: ColumnRange): string =>
  `SELECT column_name, data_type, is_nullable, coalesce(key, ''), column_default,
     coalesce(character_maximum_length, ${lengthIn('data_type')}), ${ofDecimals('numeric_precision')}, ${ofDecimals('numeric_scale')}, comment
   FROM (SELECT *, ${foldedText('column_name')} AS lower_name FROM duckdb_columns()) LEFT JOIN (${COLUMN_KEYS})
   USING (database_name, schema_name, table_name, lower_name)
   WHERE ${isIn(place)} AND table_name = ${quoteString(place.name)}
   ORDER BY column_index LIMIT ${limit} OFFSET ${offset}`

const ofTable = (place: ObjectPlace): string => `${isIn(place)} AND table_name = ${quoteString(place.name)}`

const asText = (list: string): string => `to_json(${list})::VARCHAR`

/** Kind, name, columns, the table that is referred to, its columns; lists as JSON. */
export const keys = (place: ObjectPlace): string =>
  `SELECT kind, name, columns, of_table, of_columns FROM (
     SELECT CASE constraint_type WHEN 'PRIMARY KEY' THEN 'primary' WHEN 'UNIQUE' THEN 'unique' ELSE 'foreign' END AS kind,
       constraint_name AS name, ${asText('constraint_column_names')} AS columns, referenced_table AS of_table,
       ${asText('referenced_column_names')} AS of_columns
     FROM duckdb_constraints() WHERE ${ofTable(place)} AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')
     UNION ALL SELECT CASE WHEN is_unique THEN 'unique' ELSE 'index' END, index_name, ${asText(INDEXED)}, NULL, NULL
     FROM duckdb_indexes() WHERE ${ofTable(place)})
   ORDER BY kind <> 'primary', name`

/** Name, type, number of rows, comment. */
export const tables = (place: DatabasePlace, most: number): string =>
  `SELECT table_name AS name, 'table', estimated_size, coalesce(comment, '') FROM ${LISTS.table} WHERE ${isIn(place)}
   UNION ALL SELECT view_name, 'view', NULL, coalesce(comment, '') FROM ${LISTS.view} WHERE ${isIn(place)} AND NOT internal
   ORDER BY 1 LIMIT ${most}`

export const estimate = (place: ObjectPlace): string =>
  `SELECT estimated_size FROM ${LISTS.table} WHERE ${isOne(place)} LIMIT 1`

export const definition = (place: ObjectPlace): string =>
  `SELECT sql FROM ${LISTS[place.type]} WHERE ${isOne(place)} LIMIT 1`

export const countRows = (place: ObjectPlace): string => `SELECT count(*) FROM ${pathOf(place)}`

export const sample = (place: ObjectPlace, limit: number): string =>
  `SELECT * FROM ${pathOf(place)} LIMIT ${limit}`

/** What a user created, in one of DuckDB's lists of a whole catalog. */
const madeIn = (catalog: string): string =>
  `database_name = ${quoteString(catalog)} AND NOT internal AND schema_name NOT IN (${HIDDEN_DATABASES})`

/** One row: types, ids, databases and names, each a list as JSON. A row for each name would be 100,000 of them. */
export const names = (catalog: string, most: number): string =>
  `SELECT ${['type', 'id::VARCHAR', 'database', 'name'].map((column) => `to_json(list(${column} ORDER BY place))::VARCHAR`).join(', ')}
   FROM (SELECT *, row_number() OVER (ORDER BY lower(name), database) AS place FROM (
     SELECT 'table' AS type, table_oid AS id, schema_name AS database, table_name AS name FROM duckdb_tables()
     WHERE ${madeIn(catalog)}
     UNION ALL SELECT 'view', view_oid, schema_name, view_name FROM duckdb_views() WHERE ${madeIn(catalog)}
     UNION ALL SELECT 'database', NULL, schema_name, schema_name FROM duckdb_schemas()
     WHERE database_name = ${quoteString(catalog)} AND schema_name NOT IN (${HIDDEN_DATABASES})
   ) AS names QUALIFY place <= ${most}) AS numbered`

/** Name, ids with commas between them. */
export const columnNames = (catalog: string, most: number): string =>
  `SELECT column_name, string_agg(table_oid::VARCHAR, ',') FROM duckdb_columns()
   WHERE ${madeIn(catalog)} GROUP BY column_name ORDER BY lower(column_name) LIMIT ${most}`

const functionsIn = (place: DatabasePlace): string =>
  `SELECT DISTINCT function_name AS name FROM duckdb_functions()
   WHERE ${isIn(place)} AND NOT internal AND function_type IN ('macro', 'table_macro')`

export const functionPage = (place: DatabasePlace, page: NamePage): string => pageOf(functionsIn(place), page)

/** Database, name, type. */
export const mayUse = ({ catalog, database, name }: ObjectPlace, limit: number): string =>
  `SELECT schema_name, view_name, 'view' FROM duckdb_views()
   WHERE database_name = ${quoteString(catalog)} AND NOT internal
     AND contains(lower(sql), lower(${quoteString(name)}))
   UNION ALL SELECT DISTINCT schema_name, table_name, 'table' FROM duckdb_constraints()
   WHERE database_name = ${quoteString(catalog)} AND schema_name = ${quoteString(database)}
     AND constraint_type = 'FOREIGN KEY' AND referenced_table = ${quoteString(name)}
     AND table_name <> ${quoteString(name)}
   ORDER BY 1, 2 LIMIT ${limit}`

/** Catalog, database, name. */
export function mayNameCatalog(catalog: string, limit: number): string {
  const isNamed = (text: string) =>
    `NOT internal AND regexp_matches(${text}, ${quoteString(`(^|[^a-z0-9_])"?${catalog}"?\\s*\\.`)}, 'i')`
  return `SELECT database_name, schema_name, view_name FROM duckdb_views() WHERE ${isNamed('sql')}
    UNION SELECT database_name, schema_name, function_name FROM duckdb_functions()
    WHERE ${isNamed('macro_definition')} ORDER BY ALL LIMIT ${limit}`
}
