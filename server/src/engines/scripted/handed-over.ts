import { batchOf } from '../engine/batches.ts'
import { type Column, columnOf } from '../engine/columns.ts'
import type { Cell, LongCell, ResultRows } from '../engine/rows.ts'
import type { ExecuteOptions } from '../engine/run.ts'
import { SinkFilling } from '../engine/sink-filling.ts'
import type { RowSink } from '../engine/sink.ts'
import { VALUE_TYPES } from './evaluate.ts'
import type { Selected } from './select.ts'
import type { Value } from './statements.ts'

const textOf = (value: Value): Cell => (value === null ? null : String(value))

const ROWS_OF_BATCH = 1024

/** All rows go to a sink, and none is handed over. */
export async function fillSink(
  selected: Selected,
  sink: RowSink,
  stop: AbortSignal,
): Promise<{ result: ResultRows; bytes: number; sinkRows: number }> {
  const columns = columnsOf(selected)
  const filling = new SinkFilling(sink, stop)
  await filling.begin(columns)
  let rows: Cell[][] = []
  const write = async () => {
    if (rows.length > 0) await filling.write(batchOf(rows, columns.length))
    rows = []
  }
  for await (const row of selected.rows()) {
    rows.push(row.map(textOf))
    if (rows.length === ROWS_OF_BATCH) await write()
  }
  await write()
  await filling.end()
  const result = { columns, rows: [], truncated: false, rowsChanged: null }
  return { result, bytes: filling.bytes, sinkRows: filling.rows }
}

export const columnsOf = ({ columns }: Pick<Selected, 'columns'>): Column[] =>
  columns.map(({ name, type }) => columnOf(name, type, VALUE_TYPES[type]))

/** All that is read of a statement: what is shown of it and what may be kept. */
export interface ReadRows {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
  /** More rows existed than were read. */
  readonly hasMore: boolean
}

export async function readRows(selected: Selected, { maxRows, keep }: ExecuteOptions): Promise<ReadRows> {
  const most = Math.max(maxRows, keep?.maxRows ?? 0)
  const rows: Cell[][] = []
  let hasMore = false
  for await (const row of selected.rows()) {
    hasMore = rows.length === most
    if (hasMore) break
    rows.push(row.map(textOf))
  }
  return { columns: columnsOf(selected), rows, hasMore }
}

/** The first rows, with long cells cut, and how many bytes the whole of them has. */
export function handOver(
  { columns, rows, hasMore }: ReadRows,
  { maxRows, longestCell = Number.POSITIVE_INFINITY }: ExecuteOptions,
): { result: ResultRows; bytes: number } {
  const longCells: LongCell[] = []
  let bytes = 0
  const shown = rows.slice(0, maxRows).map((cells, row) =>
    cells.map((cell, column) => {
      if (cell === null) return null
      bytes += Buffer.byteLength(cell)
      if (cell.length <= longestCell) return cell
      longCells.push({ row, column, length: cell.length })
      return cell.slice(0, longestCell)
    }),
  )
  const truncated = hasMore || rows.length > maxRows
  const result = { columns, rows: shown, truncated, rowsChanged: null }
  return { result: longCells.length > 0 ? { ...result, longCells } : result, bytes }
}
