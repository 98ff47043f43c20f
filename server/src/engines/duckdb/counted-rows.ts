import type { DuckDBConnection, DuckDBDataChunk, DuckDBPreparedStatement } from '@duckdb/node-api'
import type { Cell, ExecuteOptions, KeptResult, ResultRows } from '../engine.ts'
import { StatementInterrupted, StatementRefused } from './errors.ts'
import { column, columnTexts, readChunk, sessionZone } from './result-rows.ts'
import type { Delivery } from './shelf/delivery.ts'
import type { Shelf } from './shelf/shelf.ts'
import { canBeStored, storedColumn } from './shelf/stored-columns.ts'
import type { ReadyStatement } from './statement.ts'
import type { ValueText } from './values.ts'

export interface CountedRun {
  readonly connection: DuckDBConnection
  readonly shelf: Shelf
  readonly options: ExecuteOptions & { readonly keep: NonNullable<ExecuteOptions['keep']> }
  isCancelled(): boolean
}

/** Runs a counted statement: the first rows are handed over, all of them go to the shelf. */
export async function runCounted(
  { prepared, names }: ReadyStatement,
  run: CountedRun,
): Promise<{ result: ResultRows; kept: KeptResult | null }> {
  const { options, shelf } = run
  const origins = columnOrigins(prepared, names)
  const types = origins.map(({ type }) => type)
  // Asked before the rows flow: another question on this connection would stop them.
  const timeZone = await sessionZone(run.connection, types)
  const stream = await prepared.stream()
  const first = await stream.fetchChunk()
  const total = countOf(first)
  const { keep, maxRows, queryId } = options
  const rows = Math.min(total, keep.maxRows)
  const facts = { columns: origins.map(storedColumn), rows, complete: rows === total, timeZone }
  const delivery = types.every(canBeStored)
    ? await shelf.receive({ queryId, keep, types, facts, shownRows: maxRows })
    : null
  try {
    const texts = columnTexts(types, timeZone)
    const shown = await readShown(first, () => stream.fetchChunk(), { texts, maxRows, total, delivery })
    // Only when the end itself has been asked for does DuckDB tell how the statement ran.
    if (options.profile) await stream.fetchChunk()
    const columns = origins.map(({ name, type }) => column(name, type))
    const result = { columns, rows: shown, truncated: total > maxRows, rowsChanged: null }
    return { result, kept: (await delivery?.finish(textLength(shown))) ?? null }
  } catch (error) {
    delivery?.abandon()
    throw run.isCancelled() && error instanceof RowsMissing ? new StatementInterrupted() : error
  }
}

function columnOrigins(prepared: DuckDBPreparedStatement, names: readonly string[] | null) {
  return Array.from({ length: prepared.columnCount - 1 }, (_, at) => {
    const field = prepared.columnName(at + 1)
    return { field, name: names?.[at] ?? field, type: prepared.columnType(at + 1) }
  })
}

function countOf(first: DuckDBDataChunk | null): number {
  const count = first && first.rowCount > 0 ? first.getColumnVector(0).getItem(0) : null
  if (count === null) throw new RowsMissing()
  return Number(count)
}

interface Reading {
  readonly texts: readonly ValueText[]
  readonly maxRows: number
  readonly total: number
  readonly delivery: Delivery | null
}

/** Hands every chunk on, and gives the first rows as text. */
async function readShown(
  first: DuckDBDataChunk | null,
  next: () => Promise<DuckDBDataChunk | null>,
  { texts, maxRows, total, delivery }: Reading,
): Promise<Cell[][]> {
  const shown: Cell[][] = []
  let read = -1
  for (let chunk = first; chunk && chunk.rowCount > 0; chunk = await next()) {
    const skippedRows = read < 0 ? 1 : 0
    read += chunk.rowCount
    if (shown.length < maxRows)
      shown.push(
        ...readChunk(chunk, texts, { maxRows: maxRows - shown.length, skippedRows, skippedColumns: 1 }),
      )
    delivery?.add(chunk)
    const isWanted = delivery !== null || shown.length < maxRows
    if (read === total || !isWanted) return shown
  }
  throw new RowsMissing()
}

function textLength(rows: readonly (readonly Cell[])[]): number {
  let length = 0
  for (const row of rows) for (const cell of row) length += cell?.length ?? 0
  return length
}

/** The rows ended before all had come, and DuckDB does not say why: it was interrupted, or lost what it held. */
class RowsMissing extends StatementRefused {
  constructor() {
    const message =
      'The rows of the result could not be read to their end: memory or disk may have been short. Run it again.'
    super({ kind: 'resource', message })
  }
}
