import type { KeptRows } from '../../results/keep-rows.ts'
import { batchOf } from '../engine/batches.ts'
import { type Column, columnOf } from '../engine/columns.ts'
import type { Cell, ResultRows } from '../engine/rows.ts'
import type { FinishedOutcome } from '../engine/outcome.ts'
import type { ExecuteOptions } from '../engine/run.ts'
import { shownRows } from '../engine/shown-rows.ts'
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
