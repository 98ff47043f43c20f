import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBMaterializedResult,
  type DuckDBResult,
  ResultReturnType,
} from '@duckdb/node-api'
import type { ResultRows } from '../../engine/rows.ts'
import { RowsNotWanted, SinkFilling } from '../../engine/sink-filling.ts'
import type { RowSink } from '../../engine/sink.ts'
import { StatementInterrupted, readReport } from '../errors.ts'
import type { ReadyStatement } from '../session/statement.ts'
import { NotSmall } from './kept-rows.ts'
import { PassedChunks } from './passed-chunks.ts'
import { isNullAt, rawVector } from './raw-vector.ts'
import { changedRows, column } from './result-rows.ts'
import { RowsMissing, endStream } from './row-source.ts'
import { type RowRange, TextBatches } from './text-batches.ts'
import { ZoneOffsets } from './zone-offsets.ts'

export interface SinkRun {
  readonly connection: DuckDBConnection
  /** One that can be asked something while rows flow. */
  readonly other: DuckDBConnection
  /** Of the session. */
  readonly timeZone: string
  readonly sink: RowSink
  /** Aborted when the statement is to end. */
  readonly stop: AbortSignal
  /** It is a CREATE TABLE. */
  readonly makesTable: boolean
  /** DuckDB has given its last row. */
  onRan(): void
}

export interface SinkRows {
  /** Without rows. */
  readonly result: ResultRows
  readonly sinkRows: number
  readonly bytes: number
}

/**
 * Runs a statement whose rows all go to a sink. A select is streamed: DuckDB computes no further than its own small
 * buffer while the sink is busy. What else has rows has few, or has written them; a select that gave few the last time is
 * one of them, unless it turns out to have more.
 */
export async function runIntoSink(ready: ReadyStatement, run: SinkRun): Promise<SinkRows> {
  const { prepared, isMarked, isCounted } = ready
  // All rows are computed before the first one comes out. They are not wanted: it was to fail, and did not.
  if (isCounted) {
    await endStream(await prepared.stream(), run.connection)
    throw new RowsMissing()
  }
  return orInterrupted(run, isMarked ? streamed(ready, run) : held(ready, run))
}

async function orInterrupted({ stop }: SinkRun, rows: Promise<SinkRows>): Promise<SinkRows> {
  try {
    return await rows
  } catch (error) {
    throw stop.aborted || error instanceof RowsNotWanted ? new StatementInterrupted() : error
  }
}

async function streamed({ prepared, names }: ReadyStatement, run: SinkRun): Promise<SinkRows> {
  const { connection, stop, onRan } = run
  const stream = await prepared.stream()
  const marker = stream.columnCount - 1
  const passed = new PassedChunks()
  let [isMarked, isEnded] = [false, false]
  let next: Fetched | null = null
  try {
    const filling = await begun({ result: stream, names, columns: marker }, run)
    next = readAhead(stream)
    while (!isEnded) {
      const chunk = await next
      stop.throwIfAborted()
      isEnded = !chunk || chunk.rowCount === 0
      if (!chunk || isEnded) break
      // Computed while this one becomes text.
      next = readAhead(stream)
      const mark = markedRow(chunk, marker)
      isMarked ||= mark < chunk.rowCount
      await filling.add(chunk, { from: 0, to: mark })
      await filling.add(chunk, { from: mark + 1, to: chunk.rowCount })
      passed.release(chunk)
    }
    if (!isMarked || (await hasFailed(connection))) throw new RowsMissing()
    onRan()
    return await filling.done(null)
  } finally {
    if (!isEnded && !(await isEndOf(next))) await endStream(stream, connection)
  }
}

type Fetched = ReturnType<DuckDBResult['fetchChunk']>

/** May fail while the sink is busy, before anything waits for it: that must not end the process. */
function readAhead(stream: DuckDBResult): Fetched {
  const next = stream.fetchChunk()
  next.catch(() => undefined)
  return next
}

/** Whether what was read ahead, and is not wanted any more, is the end of the stream. */
async function isEndOf(next: Fetched | null): Promise<boolean> {
  if (!next) return false
  try {
    return ((await next)?.rowCount ?? 0) === 0
  } catch {
    // As unknown as before: the stream is ended like any other.
    return false
  }
}

/**
 * A stream that failed has ended without a word, and has taken its transaction with it. Only the mildest failures leave
 * that as it was; of most statements those show by the row that is missing behind the others.
 */
async function hasFailed(connection: DuckDBConnection): Promise<boolean> {
  try {
    // Any other statement would replace the profile of the one that ran.
    await connection.run('PRAGMA disable_profiling')
    return false
  } catch (error) {
    if (readReport(error).type === 'TransactionContext') return true
    throw error
  }
}

/** What is run in one call, for all of its rows. */
export interface HeldStatement extends Pick<ReadyStatement, 'names' | 'cap'> {
  readonly prepared: { run(): Promise<DuckDBMaterializedResult> }
  /** Refuses a result before anything of it is handed over. */
  check?(result: DuckDBResult): void
}

/** Runs a statement whose rows are few; throws `NotSmall`, and has handed over nothing, when they are not. */
export const runHeld = (statement: HeldStatement, run: SinkRun): Promise<SinkRows> =>
  orInterrupted(run, held(statement, run))

async function held({ prepared, names, cap, check }: HeldStatement, run: SinkRun): Promise<SinkRows> {
  const result = await prepared.run()
  if (result.rowCount >= cap) throw new NotSmall()
  check?.(result)
  run.onRan()
  const rowsChanged = changedRows(result, run.makesTable)
  if (result.returnType !== ResultReturnType.QUERY_RESULT)
    return { result: { columns: [], rows: [], truncated: false, rowsChanged }, sinkRows: 0, bytes: 0 }
  const filling = await begun({ result, names, columns: result.columnCount }, run)
  for (let at = 0; at < result.chunkCount; at++) {
    const chunk = result.getChunk(at)
    await filling.add(chunk, { from: 0, to: chunk.rowCount })
  }
  return filling.done(rowsChanged)
}

/**
 * The row that has something in the column of the mark, or the one behind the last. Where a statement has no order of its
 * own, it may come anywhere.
 */
function markedRow(chunk: DuckDBDataChunk, marker: number): number {
  // Each time it is asked, the driver asks the engine.
  const { rowCount } = chunk
  const vector = rawVector(chunk, marker, 1)
  let row = 0
  while (row < rowCount && isNullAt(vector, row)) row++
  return row
}

interface Filled {
  readonly result: DuckDBResult
  readonly names: readonly string[] | null
  /** How many of them the sink gets. */
  readonly columns: number
}

/** Tells the sink the columns, and then takes chunks for it. */
async function begun({ result, names, columns: count }: Filled, run: SinkRun) {
  const { sink, stop, timeZone, other } = run
  const types = result.columnTypes().slice(0, count)
  const fields = result.columnNames()
  const columns = types.map((type, at) => column(names?.[at] ?? fields[at] ?? '', type))
  const batches = new TextBatches(types, new ZoneOffsets(timeZone, other))
  const filling = new SinkFilling(sink, stop)

  await filling.begin(columns)
  return {
    async add(chunk: DuckDBDataChunk, rows: RowRange): Promise<void> {
      const made = sink.takesPacked ? batches.packed(chunk, rows) : batches.of(chunk, rows)
      for await (const batch of made) await filling.write(batch)
    },
    async done(rowsChanged: number | null): Promise<SinkRows> {
      await filling.end()
      const result = { columns, rows: [], truncated: false, rowsChanged }
      return { result, sinkRows: filling.rows, bytes: filling.bytes }
    },
  }
}
