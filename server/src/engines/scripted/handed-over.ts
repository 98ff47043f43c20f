import type { KeptRows } from '../../results/keep-rows.ts'
import { batchOf } from '../engine/batches.ts'
import { type Column, columnOf } from '../engine/columns.ts'
import type { Cell, LongCell, ResultRows } from '../engine/rows.ts'
import type { FinishedOutcome } from '../engine/outcome.ts'
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

/** The first rows are handed over, with long cells cut, and as many as may be are kept. */
export async function handOver(
  selected: Selected,
  { maxRows, longestCell = Number.POSITIVE_INFINITY, keep }: ExecuteOptions,
  keeping: KeptRows | null,
): Promise<Pick<FinishedOutcome, 'result' | 'bytes' | 'kept'>> {
  const columns = columnsOf(selected)
  const most = Math.max(maxRows, keep?.maxRows ?? 0)
  const shown: Cell[][] = []
  let rows: Cell[][] = []
  let [count, hasMore] = [0, false]
  const write = async () => {
    if (rows.length > 0) await keeping?.write(batchOf(rows, columns.length))
    rows = []
  }
  try {
    keeping?.begin(columns)
    for await (const row of selected.rows()) {
      hasMore = count === most
      if (hasMore) break
      const cells = row.map(textOf)
      if (count++ < maxRows) shown.push(cells)
      if (rows.push(cells) === ROWS_OF_BATCH) await write()
    }
    await write()
    const kept = (await keeping?.finish({ hasMore })) ?? null
    const truncated = hasMore || count > maxRows
    return { ...shownRows({ columns, rows: shown, truncated, rowsChanged: null }, longestCell), kept }
  } finally {
    await keeping?.abandon()
  }
}

/** The same with long cells cut, and how many bytes the whole of it has. */
function shownRows(whole: ResultRows, longestCell: number): { result: ResultRows; bytes: number } {
  const longCells: LongCell[] = []
  let bytes = 0
  const rows = whole.rows.map((cells, row) =>
    cells.map((cell, column) => {
      if (cell === null) return null
      bytes += Buffer.byteLength(cell)
      if (cell.length <= longestCell) return cell
      longCells.push({ row, column, length: cell.length })
      return cell.slice(0, longestCell)
    }),
  )
  return { result: { ...whole, rows, ...(longCells.length > 0 && { longCells }) }, bytes }
}
