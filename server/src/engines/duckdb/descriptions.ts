import { quoteIdentifier, quoteString } from '@boathouse/sql'
import type { DatabasePlace, ObjectPlace } from '../engine/names.ts'
import type { Descriptions, NewColumn } from '../engine/descriptions.ts'
import { COLUMN_KEYS, columnKeys } from './column-keys.ts'
import { DESCRIBED_TABLE } from './guard/described-table.ts'
import { HIDDEN_DATABASES, pageOf } from './name-lists.ts'
import { foldedText } from './folded-text.ts'

const pathOf = ({ catalog, database, name }: DatabasePlace & { name: string }): string =>
  [catalog, database, name].map(quoteIdentifier).join('.')

const WORDS = { table: 'TABLE', view: 'VIEW' } as const
const LISTS = { table: 'duckdb_tables()', view: 'duckdb_views()' } as const

/** In one of DuckDB's lists of what is in a database. */
const isIn = ({ catalog, database }: DatabasePlace): string =>
  `database_name = ${quoteString(catalog)} AND schema_name = ${quoteString(database)}`

const isOne = (place: ObjectPlace): string =>
  `${isIn(place)} AND ${place.type}_name = ${quoteString(place.name)}`

/** What DuckDB says of one table, without its list of all. */
export const describedTable = ({ catalog, database, name }: DatabasePlace & { name: string }): string =>
  `${DESCRIBED_TABLE}(${[catalog, database, name].map(quoteString).join(', ')})`

/** DuckDB takes no comment for one that is empty. */
const textOf = (comment: string): string => (comment === '' ? 'NULL' : quoteString(comment))

/** Of others DuckDB gives the bits of a number. */
/** DuckDB keeps no length of texts; of its types, arrays have one. */
const lengthIn = (type: string): string =>
  String.raw`try_cast(regexp_extract(${type}, '\[(\d+)\]$', 1) AS BIGINT)`
const ofDecimals = (column: string): string => `CASE WHEN data_type LIKE 'DECIMAL%' THEN ${column} END`

const inDecimal = (part: 1 | 2): string =>
  `TRY_CAST(regexp_extract(of.type, '^DECIMAL\\((\\d+),(\\d+)\\)$', ${part}) AS INTEGER)`

/** The function takes a name with quotes around it, and none within. */
const isTold = ({ isTold: told, catalog, database, name }: ObjectPlace): boolean =>
  told === true && ![catalog, database, name].some((part) => part.includes('"'))

interface ColumnPage {
  readonly offset: number
  readonly limit: number
}

/** The keys of one table, without DuckDB's list of all. */
const toldKeys = (place: ObjectPlace): string => {
  const { catalog, database, name } = place
  const [inCatalog, inDatabase, named] = [catalog, database, name].map(quoteString)
  const constraints = `(SELECT ${inCatalog} AS database_name, ${inDatabase} AS schema_name, ${named} AS table_name, one.*
    FROM (SELECT unnest(constraints) AS one FROM ${describedTable(place)}))`
  return `SELECT lower_name, key FROM (${columnKeys(constraints)}) WHERE ${isIn(place)} AND table_name = ${named}`
}

const toldColumns = (place: ObjectPlace, { offset, limit }: ColumnPage): string =>
  `SELECT of.name, of.type, NOT of."notnull", coalesce(key, ''), of.dflt_value, ${lengthIn('of.type')}, ${inDecimal(1)}, ${inDecimal(2)},
     told.column_comments[of.cid + 1]
   FROM (SELECT *, ${foldedText('name')} AS lower_name FROM pragma_table_info(${quoteString(pathOf(place))})) AS of
   LEFT JOIN ${describedTable(place)} AS told ON true LEFT JOIN (${toldKeys(place)}) USING (lower_name)
   ORDER BY of.cid LIMIT ${limit} OFFSET ${offset}`

function columns(place: ObjectPlace, page: ColumnPage): string {
  if (isTold(place)) return toldColumns(place, page)
  const { offset, limit } = page
  return `SELECT column_name, data_type, is_nullable, coalesce(key, ''), column_default,
     coalesce(character_maximum_length, ${lengthIn('data_type')}), ${ofDecimals('numeric_precision')}, ${ofDecimals('numeric_scale')}, comment
   FROM (SELECT *, ${foldedText('column_name')} AS lower_name FROM duckdb_columns()) LEFT JOIN (${COLUMN_KEYS})
   USING (database_name, schema_name, table_name, lower_name)
   WHERE ${isIn(place)} AND table_name = ${quoteString(place.name)}
   ORDER BY column_index LIMIT ${limit} OFFSET ${offset}`
}

/** A value that is a number, true, false or NULL is written as it is, and everything else as a text. */
const LITERAL = /^(?:[+-]?\d+(?:\.\d+)?|true|false|null|current_timestamp|current_date)$/i
const literal = (value: string): string => (LITERAL.test(value.trim()) ? value.trim() : quoteString(value))

function columnText({ name, type, nullable, default: value }: NewColumn): string {
  const parts = [quoteIdentifier(name), type]
  if (value !== '') parts.push(`DEFAULT ${literal(value)}`)
  if (!nullable) parts.push('NOT NULL')
  return parts.join(' ')
}

function createTable(
  place: DatabasePlace & { readonly name: string },
  newColumns: readonly NewColumn[],
): string {
  const keys = newColumns.filter(({ primaryKey }) => primaryKey).map(({ name }) => quoteIdentifier(name))
  const lines = newColumns.map(columnText)
  if (keys.length > 0) lines.push(`PRIMARY KEY (${keys.join(', ')})`)
  return `CREATE TABLE ${pathOf(place)} (\n  ${lines.join(',\n  ')}\n)`
}

/** What somebody made, in one of DuckDB's lists of a whole catalog. */
const madeIn = (catalog: string): string =>
  `database_name = ${quoteString(catalog)} AND NOT internal AND schema_name NOT IN (${HIDDEN_DATABASES})`

const names = (catalog: string, most: number): string =>
  `SELECT ${['type', 'id::VARCHAR', 'database', 'name'].map((column) => `to_json(list(${column} ORDER BY place))::VARCHAR`).join(', ')}
   FROM (SELECT *, row_number() OVER (ORDER BY lower(name), database) AS place FROM (
     SELECT 'table' AS type, table_oid AS id, schema_name AS database, table_name AS name FROM duckdb_tables()
     WHERE ${madeIn(catalog)}
     UNION ALL SELECT 'view', view_oid, schema_name, view_name FROM duckdb_views() WHERE ${madeIn(catalog)}
     UNION ALL SELECT 'database', NULL, schema_name, schema_name FROM duckdb_schemas()
     WHERE database_name = ${quoteString(catalog)} AND schema_name NOT IN (${HIDDEN_DATABASES})
   ) AS names QUALIFY place <= ${most}) AS numbered`

const columnNames = (catalog: string, most: number): string =>
  `SELECT column_name, string_agg(table_oid::VARCHAR, ',') FROM duckdb_columns()
   WHERE ${madeIn(catalog)} GROUP BY column_name ORDER BY lower(column_name) LIMIT ${most}`

const functionsIn = (place: DatabasePlace): string =>
  `SELECT DISTINCT function_name AS name FROM duckdb_functions()
   WHERE ${isIn(place)} AND NOT internal AND function_type IN ('macro', 'table_macro')`

export const DESCRIPTIONS: Descriptions = {
  names,
  columnNames,
  functionPage: (place, page) => pageOf(functionsIn(place), page),
  object: (place) =>
    `SELECT coalesce(comment, ''), column_count
     FROM ${place.isTold ? `${describedTable(place)} WHERE name IS NOT NULL` : `${LISTS[place.type]} WHERE ${isOne(place)}`}`,
  estimate: (place) => `SELECT estimated_size FROM ${LISTS.table} WHERE ${isOne(place)} LIMIT 1`,
  columns,
  definition: (place) => `SELECT sql FROM ${LISTS[place.type]} WHERE ${isOne(place)} LIMIT 1`,
  countRows: (place) => `SELECT count(*) FROM ${pathOf(place)}`,
  sample: (place, rows) => `SELECT * FROM ${pathOf(place)} LIMIT ${rows}`,
  mayUse: ({ catalog, database, name }, limit) =>
    `SELECT schema_name, view_name, 'view' FROM duckdb_views()
     WHERE database_name = ${quoteString(catalog)} AND NOT internal
       AND contains(lower(sql), lower(${quoteString(name)}))
     UNION ALL SELECT DISTINCT schema_name, table_name, 'table' FROM duckdb_constraints()
     WHERE database_name = ${quoteString(catalog)} AND schema_name = ${quoteString(database)}
       AND constraint_type = 'FOREIGN KEY' AND referenced_table = ${quoteString(name)}
       AND table_name <> ${quoteString(name)}
     ORDER BY 1, 2 LIMIT ${limit}`,
  mayNameCatalog: (catalog, limit) => {
    const names = (text: string) =>
      `NOT internal AND regexp_matches(${text}, ${quoteString(`(^|[^a-z0-9_])"?${catalog}"?\\s*\\.`)}, 'i')`
    return `SELECT database_name, schema_name, view_name FROM duckdb_views() WHERE ${names('sql')}
      UNION SELECT database_name, schema_name, function_name FROM duckdb_functions()
      WHERE ${names('macro_definition')} ORDER BY ALL LIMIT ${limit}`
  },
  drop: (place) => `DROP ${WORDS[place.type]} ${pathOf(place)}`,
  rename: (place, to) => `ALTER ${WORDS[place.type]} ${pathOf(place)} RENAME TO ${quoteIdentifier(to)}`,
  comment: (place, comment, column) =>
    column === null
      ? `COMMENT ON ${WORDS[place.type]} ${pathOf(place)} IS ${textOf(comment)}`
      : `COMMENT ON COLUMN ${pathOf(place)}.${quoteIdentifier(column)} IS ${textOf(comment)}`,
  createTable,
  materialize: (place, query, how) =>
    `CREATE ${how === 'again' ? 'OR REPLACE ' : ''}TABLE ${pathOf(place)} AS\n${query}${how === 'empty' ? '\nWITH NO DATA' : ''}`,
  dropIfThere: (place) => `DROP ${WORDS[place.type]} IF EXISTS ${pathOf(place)}`,
}
