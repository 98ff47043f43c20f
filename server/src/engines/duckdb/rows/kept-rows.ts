import { type DuckDBConnection, DuckDBMaterializedResult, type DuckDBResult } from '@duckdb/node-api'
import type { Cell } from '../../engine/rows.ts'
import type { ExecuteOptions } from '../../engine/run.ts'
import type { KeptResult } from '../../engine/outcome.ts'
import { type ReadRows, type ReadingCells, column, readChunk, readingOf } from './result-rows.ts'
import { type RowSource, RowsMissing, materialisedRows, streamedRows } from './row-source.ts'
import type { WriteJob } from '../result-writer/write-job.ts'
import type { ResultWriter } from '../result-writer/result-writer.ts'
import { storedColumn } from '../result-writer/stored-columns.ts'
import type { ReadyStatement } from '../session/statement.ts'
import { ZoneOffsets } from './zone-offsets.ts'

export interface KeptRun {
  readonly connection: DuckDBConnection
  /** One that can be asked something while rows flow. */
  readonly other: DuckDBConnection
  /** Of the session. */
  readonly timeZone: string
  readonly resultWriter: ResultWriter
  readonly options: ExecuteOptions & { readonly keep: NonNullable<ExecuteOptions['keep']> }
  /** Whether all rows fit into memory that DuckDB does not count. */
  readonly isHeld: boolean
  /** Of the rows that there may be. A statement with a smaller cap is thought to have fewer. */
  readonly mostRows: number
  /** All rows are held: DuckDB has done its part. */
  onRan(): void
}

/** There are more rows than was thought, and nothing was done with them. */
export class NotSmall extends Error {
  override readonly name = 'NotSmall'
}

/** Runs a statement whose rows are kept: the first are handed over, all of them go to the result writer. */
export async function runKept(
  { prepared, names, cap, isCounted }: ReadyStatement,
  run: KeptRun,
): Promise<ReadRows & { rows: number; kept: KeptResult | null }> {
  const { options, resultWriter, timeZone } = run
  const result = run.isHeld ? await prepared.run() : await prepared.stream()
  const origins = columnOrigins(result, names, isCounted)
  const types = origins.map(({ type }) => type)
  const source =
    result instanceof DuckDBMaterializedResult
      ? materialisedRows(result, isCounted)
      : await streamedRows(result, run.connection)
  const { total } = source
  if (total >= cap && cap < run.mostRows) throw new NotSmall()
  if (run.isHeld) run.onRan()
  const { keep, maxRows, longestCell, queryId } = options
  const rows = Math.min(total, keep.maxRows)
  const facts = { columns: origins.map(storedColumn), rows, complete: rows === total, timeZone }
  const writeJob = await resultWriter.receive({ queryId, keep, types, facts, shownRows: maxRows, isCounted })
  try {
    const reading = readingOf(types, { zone: new ZoneOffsets(timeZone, run.other), longestCell })
    const { cells } = reading
    const shown = await readShown(source, { ...reading, maxRows, isCounted, writeJob })
    const columns = origins.map(({ name, type }) => column(name, type))
    const handed = { columns, ...cells.finish(shown), truncated: total > maxRows, rowsChanged: null }
    return { result: handed, rows: total, bytes: cells.bytes, kept: await writeJob.finish(shown, cells) }
  } catch (error) {
    writeJob.abandon()
    throw error
  } finally {
    await source.end()
  }
}

/** All of them at once: a prepared statement gives them one by one, which takes longer the more there are. */
function columnOrigins(result: DuckDBResult, names: readonly string[] | null, isCounted: boolean) {
  const skipped = isCounted ? 1 : 0
  const fields = result.columnNames().slice(skipped)
  return result
    .columnTypes()
    .slice(skipped)
    .map((type, at) => {
      const field = fields[at] ?? ''
      return { field, name: names?.[at] ?? field, type }
    })
}

interface Reading extends ReadingCells {
  readonly maxRows: number
  readonly isCounted: boolean
  readonly writeJob: WriteJob
}

/** Hands every chunk on, and gives the first rows as text. */
async function readShown(source: RowSource, reading: Reading): Promise<Cell[][]> {
  const { maxRows, isCounted, writeJob } = reading
  const shown: Cell[][] = []
  const skippedColumns = isCounted ? 1 : 0
  let skippedRows = skippedColumns
  for (let read = 0; read < source.total;) {
    const chunk = await source.next()
    if (!chunk || chunk.rowCount === 0) throw new RowsMissing()
    read += chunk.rowCount - skippedRows
    const window = { into: shown, maxRows, skippedRows, skippedColumns }
    if (shown.length < maxRows) await readChunk(chunk, reading, window)
    skippedRows = 0
    writeJob.add(chunk)
    if (shown.length === maxRows && !writeJob.rowBuffer) return shown
  }
  return shown
}
