import { quoteIdentifier, quoteString } from '@boathouse/sql'
import type { DatabaseStatements } from '../../engine/catalogs.ts'
import type { NamedPlace, NewColumn, TableStatements } from '../../engine/descriptions.ts'
import type { DatabasePlace } from '../../engine/names.ts'

const WORDS = { table: 'TABLE', view: 'VIEW' } as const

const schemaPath = ({ catalog, database }: DatabasePlace): string =>
  `${quoteIdentifier(catalog)}.${quoteIdentifier(database)}`

const pathOf = (place: NamedPlace): string => `${schemaPath(place)}.${quoteIdentifier(place.name)}`

export const DATABASE_STATEMENTS: DatabaseStatements = {
  createDatabase: (place, { ifNotExists }) =>
    `CREATE SCHEMA ${ifNotExists ? 'IF NOT EXISTS ' : ''}${schemaPath(place)}`,
  dropDatabase: (place, { ifExists, cascade }) =>
    `DROP SCHEMA ${ifExists ? 'IF EXISTS ' : ''}${schemaPath(place)}${cascade ? ' CASCADE' : ''}`,
  enter: (place) => `USE ${schemaPath(place)}`,
}

/** DuckDB has no empty comments, only none. */
const textOf = (comment: string): string => (comment === '' ? 'NULL' : quoteString(comment))

/** A value that is a number, true, false or NULL is written as it is, and everything else as a text. */
const LITERAL = /^(?:[+-]?\d+(?:\.\d+)?|true|false|null|current_timestamp|current_date)$/i
const literal = (value: string): string => (LITERAL.test(value.trim()) ? value.trim() : quoteString(value))

function columnText({ name, type, nullable, default: value }: NewColumn): string {
  const parts = [quoteIdentifier(name), type]
  if (value !== '') parts.push(`DEFAULT ${literal(value)}`)
  if (!nullable) parts.push('NOT NULL')
  return parts.join(' ')
}

function createTable(place: NamedPlace, columns: readonly NewColumn[]): string {
  const keys = columns.filter(({ primaryKey }) => primaryKey).map(({ name }) => quoteIdentifier(name))
  const lines = columns.map(columnText)
  if (keys.length > 0) lines.push(`PRIMARY KEY (${keys.join(', ')})`)
  return `CREATE TABLE ${pathOf(place)} (\n  ${lines.join(',\n  ')}\n)`
}

export const TABLE_STATEMENTS: TableStatements = {
  drop: (place) => `DROP ${WORDS[place.type]} ${pathOf(place)}`,
  dropIfThere: (place) => `DROP ${WORDS[place.type]} IF EXISTS ${pathOf(place)}`,
  rename: (place, to) => `ALTER ${WORDS[place.type]} ${pathOf(place)} RENAME TO ${quoteIdentifier(to)}`,
  comment: (place, comment, column) =>
    column === null
      ? `COMMENT ON ${WORDS[place.type]} ${pathOf(place)} IS ${textOf(comment)}`
      : `COMMENT ON COLUMN ${pathOf(place)}.${quoteIdentifier(column)} IS ${textOf(comment)}`,
  createTable,
  materialize: (place, query, how) =>
    `CREATE ${how === 'again' ? 'OR REPLACE ' : ''}TABLE ${pathOf(place)} AS\n${query}${how === 'empty' ? '\nWITH NO DATA' : ''}`,
  tidy: () => null,
}
