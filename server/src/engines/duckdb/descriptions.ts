import { quoteIdentifier, quoteString } from '@boathouse/sql'
import type { DatabasePlace, Descriptions, NewColumn, ObjectPlace } from '../dialect.ts'

const pathOf = ({ catalog, database, name }: DatabasePlace & { name: string }): string =>
  [catalog, database, name].map(quoteIdentifier).join('.')

const WORDS = { table: 'TABLE', view: 'VIEW' } as const
const LISTS = { table: 'duckdb_tables()', view: 'duckdb_views()' } as const

/** In one of DuckDB's lists of what is in a database. */
const isIn = ({ catalog, database }: DatabasePlace): string =>
  `database_name = ${quoteString(catalog)} AND schema_name = ${quoteString(database)}`

const isOne = (place: ObjectPlace): string =>
  `${isIn(place)} AND ${place.type}_name = ${quoteString(place.name)}`

/** DuckDB takes no comment for one that is empty. */
const textOf = (comment: string): string => (comment === '' ? 'NULL' : quoteString(comment))

/** Of others DuckDB gives the bits of a number. */
const ofDecimals = (column: string): string => `CASE WHEN data_type LIKE 'DECIMAL%' THEN ${column} END`

function columns(place: ObjectPlace, { offset, limit }: { offset: number; limit: number }): string {
  return `WITH keys AS (SELECT unnest(constraint_column_names) AS name FROM duckdb_constraints()
     WHERE ${isIn(place)} AND table_name = ${quoteString(place.name)} AND constraint_type = 'PRIMARY KEY')
   SELECT column_name, data_type, is_nullable, column_name IN (SELECT name FROM keys), column_default,
     character_maximum_length, ${ofDecimals('numeric_precision')}, ${ofDecimals('numeric_scale')}, comment
   FROM duckdb_columns() WHERE ${isIn(place)} AND table_name = ${quoteString(place.name)}
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

export const DESCRIPTIONS: Descriptions = {
  object: (place) =>
    `SELECT coalesce(comment, ''), column_count, ${place.type === 'table' ? 'estimated_size' : 'NULL'}
     FROM ${LISTS[place.type]} WHERE ${isOne(place)}`,
  columns,
  definition: (place) => `SELECT sql FROM ${LISTS[place.type]} WHERE ${isOne(place)}`,
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
  drop: (place) => `DROP ${WORDS[place.type]} ${pathOf(place)}`,
  rename: (place, to) => `ALTER ${WORDS[place.type]} ${pathOf(place)} RENAME TO ${quoteIdentifier(to)}`,
  comment: (place, comment, column) =>
    column === null
      ? `COMMENT ON ${WORDS[place.type]} ${pathOf(place)} IS ${textOf(comment)}`
      : `COMMENT ON COLUMN ${pathOf(place)}.${quoteIdentifier(column)} IS ${textOf(comment)}`,
  createTable,
}
