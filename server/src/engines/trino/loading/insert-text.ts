import { quoteIdentifier, quoteString } from '@boathouse/sql'
import type { ValueType } from '../../engine/columns.ts'
import type { Cell } from '../../engine/rows.ts'

/** A column of the table, in the words of the cluster. */
export interface InsertedColumn {
  readonly name: string
  readonly typeName: string
  readonly type: ValueType
}

interface Inserted {
  readonly table: { readonly catalog: string; readonly database: string; readonly name: string }
  readonly columns: readonly InsertedColumn[]
  readonly rows: readonly (readonly Cell[])[]
}

const ZONE = /([+-]\d\d)(?::?(\d\d))?$/

function textOf({ type }: InsertedColumn, cell: string): string {
  const isMoment = type.kind === 'timestamp' && type.isZoned
  return isMoment ? cell.replace(ZONE, (_, hours: string, minutes = '00') => ` ${hours}:${minutes}`) : cell
}

/** A value that was written as text, as what it is. */
const valueOf = ({ type, typeName }: InsertedColumn, at: number): string =>
  type.kind === 'binary' ? `from_hex(c${at})` : `CAST(c${at} AS ${typeName})`

/** One statement that inserts these rows; null where it would be longer than so many characters. */
export function insertText({ table, columns, rows }: Inserted, most: number): string | null {
  const target = [table.catalog, table.database, table.name].map(quoteIdentifier).join('.')
  const names = columns.map(({ name }) => quoteIdentifier(name)).join(', ')
  const values = columns.map(valueOf).join(', ')
  const alias = columns.map((_, at) => `c${at}`).join(', ')
  const before = `INSERT INTO ${target} (${names}) SELECT ${values} FROM (VALUES\n`
  const behind = `\n) AS staged (${alias})`
  const lines: string[] = []
  let length = before.length + behind.length
  for (const row of rows) {
    const cells = columns.map((column, at) => {
      const cell = row[at] ?? null
      return cell === null ? 'NULL' : quoteString(textOf(column, cell))
    })
    const line = `(${cells.join(', ')})`
    length += line.length + 2
    if (length > most) return null
    lines.push(line)
  }
  return `${before}${lines.join(',\n')}${behind}`
}
