import type { KeptRows } from '../../../results/keep-rows.ts'
import { batchOf } from '../../engine/batches.ts'
import { type Column, columnOf } from '../../engine/columns.ts'
import type { FinishedOutcome } from '../../engine/outcome.ts'
import type { Cell } from '../../engine/rows.ts'
import type { ExecuteOptions } from '../../engine/run.ts'
import { shownRows } from '../../engine/shown-rows.ts'
import { SinkFilling } from '../../engine/sink-filling.ts'
import type { RowSink } from '../../engine/sink.ts'
import { parseTypeName } from '../../engine/type-names.ts'
import type { AnsweredColumn } from '../protocol/answer.ts'
import { valueText } from './values.ts'

const DEFAULTS = { timePrecision: 3, decimal: { precision: 38, scale: 0 } }
/** Of the texts in one batch, unless a single row has more. */
const BATCH_CHARACTERS = 256 * 1024

export type HandedOver = Pick<FinishedOutcome, 'result' | 'bytes' | 'kept' | 'sinkRows'>

/** The columns of a result, and its rows page by page. */
export interface Pages {
  readonly columns: readonly AnsweredColumn[]
  pages(): AsyncIterable<readonly (readonly unknown[])[]>
  /** While somebody is busy with rows, so that no page is asked for. */
  keptAlive<T>(work: Promise<T>): Promise<T>
  /** No further rows are wanted. */
  enough(): Promise<void>
}

export const columnsOf = (columns: readonly AnsweredColumn[]): Column[] =>
  columns.map(({ name, type }) => columnOf(name, type, parseTypeName(type, DEFAULTS)))

function rowTexts(columns: readonly Column[]): (row: readonly unknown[]) => Cell[] {
  const texts = columns.map(({ valueType = { kind: 'unknown' } }) => valueText(valueType))
  return (row) => texts.map((text, at) => text(row[at]))
}

/** All rows go to a sink, and none is handed over. */
export async function fillSink(source: Pages, sink: RowSink, stop: AbortSignal): Promise<HandedOver> {
  const columns = columnsOf(source.columns)
  const textsOf = rowTexts(columns)
  const filling = new SinkFilling(sink, stop)
  await source.keptAlive(filling.begin(columns))
  for await (const page of source.pages())
    for (const rows of batchesOf(page, textsOf))
      await source.keptAlive(filling.write(batchOf(rows, columns.length)))
  await source.keptAlive(filling.end())
  const result = { columns, rows: [], truncated: false, rowsChanged: null }
  return { result, bytes: filling.bytes, sinkRows: filling.rows, kept: null }
}

function* batchesOf(
  page: readonly (readonly unknown[])[],
  textsOf: (row: readonly unknown[]) => Cell[],
): Iterable<Cell[][]> {
  let rows: Cell[][] = []
  let characters = 0
  for (const values of page) {
    const cells = textsOf(values)
    rows.push(cells)
    for (const cell of cells) characters += cell?.length ?? 0
    if (characters < BATCH_CHARACTERS) continue
    yield rows
    rows = []
    characters = 0
  }
  if (rows.length > 0) yield rows
}

/** How many rows a statement is asked for: one more than are shown or kept says that there are more. */
export const mostRows = ({ maxRows, keep }: Pick<ExecuteOptions, 'maxRows' | 'keep'>): number =>
  Math.max(maxRows, keep?.maxRows ?? 0)

/** The first rows are handed over, with long cells cut, and as many as may be are kept. */
export async function handOver(
  source: Pages,
  options: Pick<ExecuteOptions, 'maxRows' | 'longestCell' | 'keep'>,
  keeping: KeptRows | null,
): Promise<HandedOver> {
  const { maxRows, longestCell = Number.POSITIVE_INFINITY } = options
  const columns = columnsOf(source.columns)
  const textsOf = rowTexts(columns)
  const most = mostRows(options)
  const shown: Cell[][] = []
  let [count, hasMore] = [0, false]
  try {
    keeping?.begin(columns)
    for await (const page of source.pages()) {
      hasMore = count + page.length > most
      const taken = hasMore ? page.slice(0, most - count) : page
      for (const rows of batchesOf(taken, textsOf)) {
        if (count < maxRows) shown.push(...rows.slice(0, maxRows - count))
        count += rows.length
        if (keeping) await source.keptAlive(keeping.write(batchOf(rows, columns.length)))
      }
      if (hasMore) break
    }
    if (hasMore) await source.enough()
    const kept = (await keeping?.finish({ hasMore })) ?? null
    const truncated = hasMore || count > maxRows
    return { ...shownRows({ columns, rows: shown, truncated, rowsChanged: null }, longestCell), kept }
  } finally {
    await keeping?.abandon()
  }
}
