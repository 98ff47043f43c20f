import { type DuckDBConnection, quotedIdentifier } from '@duckdb/node-api'
import type { FileColumn, LoadOrder, NulledColumn, Rejection, WidenedColumn } from '../../engine/files.ts'
import { foldedName } from '../../../kernel/same-name.ts'
import { StatementRefused } from '../errors.ts'
import { tableText, targetColumns } from './target-table.ts'

export interface Loaded {
  readonly rowsChanged: number
  readonly rejected: readonly Rejection[]
  readonly widened: readonly WidenedColumn[]
  /** Where values that do not fit were loaded as NULL. */
  readonly nulled?: readonly NulledColumn[]
}

/** More rows could not be read than may be left out. Nothing was loaded. */
export class TooManyRejected extends StatementRefused {
  constructor(
    readonly rejected: readonly Rejection[],
    mostRejected: number,
  ) {
    const [first] = rejected
    const where = first?.line == null ? '' : ` The first is line ${first.line}: ${first.reason}`
    const most = mostRejected === 0 ? 'Rows cannot be read' : `More than ${mostRejected} rows cannot be read`
    super({ kind: 'data', message: `${most}, so nothing was loaded.${where}` })
  }
}

export type Mapped = FileColumn & { readonly into: string }

/** Values of it that do not fit are loaded as NULL. */
export const isNulled = ({ misfits }: Pick<FileColumn, 'misfits'>): boolean => misfits === 'null'

export const mappedOf = ({ columns }: LoadOrder): Mapped[] =>
  columns.filter((column): column is Mapped => column.into !== null)

export function createTableText(order: LoadOrder): string {
  const lines = mappedOf(order).map(({ into, type }) => `${quotedIdentifier(into)} ${type}`)
  return `CREATE TABLE ${tableText(order)} (${lines.join(', ')})`
}

/** Read as the types of the existing table: rows that do not fit them are left out and reported. */
export async function asTableHasThem(connection: DuckDBConnection, order: LoadOrder): Promise<LoadOrder> {
  const found = await targetColumns(connection, order)
  const types = new Map(found.map(({ name, type }) => [foldedName(name), type]))
  const columns = order.columns.map((column) =>
    column.into === null
      ? { ...column, type: 'VARCHAR', isGuessed: false }
      : { ...column, type: types.get(foldedName(column.into)) ?? column.type, isGuessed: false },
  )
  return { ...order, columns }
}

export const insertInto = (order: LoadOrder, select: string): string =>
  `INSERT INTO ${tableText(order)} (${mappedOf(order)
    .map(({ into }) => quotedIdentifier(into))
    .join(', ')}) ${select}`
