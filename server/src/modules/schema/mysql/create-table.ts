import { findTopLevel, readStatement } from '@boathouse/sql'
import type { DescribedColumn, DescribedKey } from '../../../engines/engine/descriptions.ts'
import { isText, mysqlType } from './column-types.ts'
import { defaultValue } from './default-value.ts'
import { requoted } from './requoted.ts'

const named = (name: string): string => `\`${name.replaceAll('`', '``')}\``

/** As MySQL's own texts have them: clients read these line by line. */
const literal = (text: string): string =>
  `'${text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "''")
    .replaceAll('\n', String.raw`\n`)}'`

const commented = (comment: string): string => (comment === '' ? '' : ` COMMENT ${literal(comment)}`)

/** An index has expressions among its columns, which stand in parentheses already. */
const keyPart = (column: string): string => (column.startsWith('(') ? column : named(column))

const list = (columns: readonly string[]): string => `(${columns.map(keyPart).join(',')})`

function columnLine(column: DescribedColumn): string {
  const type = mysqlType(column.type)
  const value = defaultValue(column.default)
  const collated = isText(type) ? ' COLLATE utf8mb4_bin' : ''
  const given = value && (value.isExpression ? `(${value.text})` : literal(value.text))
  const isNull = column.nullable ? (given === null ? ' DEFAULT NULL' : '') : ' NOT NULL'
  const defaults = given === null ? '' : ` DEFAULT ${given}`
  return `${named(column.name)} ${type}${collated}${isNull}${defaults}${commented(column.comment)}`
}

function keyLine({ kind, name, columns, references }: DescribedKey): string {
  if (kind === 'primary') return `PRIMARY KEY ${list(columns)}`
  if (kind === 'unique') return `UNIQUE KEY ${named(name)} ${list(columns)}`
  if (kind === 'index' || !references) return `KEY ${named(name)} ${list(columns)}`
  return `CONSTRAINT ${named(name)} FOREIGN KEY ${list(columns)} REFERENCES ${named(references.table)} ${list(references.columns)}`
}

export interface TableDefinition {
  readonly name: string
  readonly comment: string
  readonly columns: readonly DescribedColumn[]
  readonly keys: readonly DescribedKey[]
}

/** SHOW CREATE TABLE as MySQL writes it: clients take columns, keys and comments from its lines. */
export function createTable({ name, comment, columns, keys }: TableDefinition): string {
  const lines = [...columns.map(columnLine), ...keys.map(keyLine)].map((line) => `  ${line}`)
  const options = comment === '' ? '' : ` COMMENT=${literal(comment)}`
  return `CREATE TABLE ${named(name)} (\n${lines.join(',\n')}\n) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin${options}`
}

/** SHOW CREATE VIEW as MySQL writes it, around the query in the words of the engine, so that it can be sent again. */
export function createView(name: string, definition: string): string {
  const statement = readStatement(definition.trim().replace(/;$/, ''))
  const as = findTopLevel(statement, statement.first, 'AS')
  const opening = findTopLevel(statement, statement.first, '(')
  const columns = opening >= 0 && opening < as ? ` ${requoted(statement, opening, as)}` : ''
  const query = requoted(statement, as + 1, statement.until)
  return `CREATE ALGORITHM=UNDEFINED SQL SECURITY DEFINER VIEW ${named(name)}${columns} AS ${query}`
}
