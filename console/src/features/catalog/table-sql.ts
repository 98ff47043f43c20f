import { quoteIdentifier, quoteString } from '@boathouse/sql'
import type { TypedColumn } from './create-table.tsx'

interface Draft {
  readonly catalog: string
  readonly database: string
  readonly tableName: string
  readonly columns: readonly TypedColumn[]
}

const LITERAL = /^(?:[+-]?\d+(?:\.\d+)?|true|false|null|current_timestamp|current_date)$/i

function columnSql({ name, type, default: value, nullable }: TypedColumn): string {
  const said = LITERAL.test(value.trim()) ? value.trim() : quoteString(value)
  return [
    quoteIdentifier(name || 'column_name'),
    type,
    ...(value === '' ? [] : [`DEFAULT ${said}`]),
    ...(nullable ? [] : ['NOT NULL']),
  ].join(' ')
}

/** The statement that a form stands for, to be changed and run in the editor. */
export function tableSql({ catalog, database, tableName, columns }: Draft): string {
  const path = [catalog, database, tableName || 'table_name'].map(quoteIdentifier).join('.')
  const keys = columns.filter(({ primaryKey }) => primaryKey).map(({ name }) => quoteIdentifier(name))
  const lines = columns.map(columnSql)
  if (keys.length > 0) lines.push(`PRIMARY KEY (${keys.join(', ')})`)
  return `CREATE TABLE ${path} (\n  ${lines.join(',\n  ')}\n);`
}
