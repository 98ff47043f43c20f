import type { Cell, Column, ResultRows } from '../../../engines/engine/rows.ts'
import type { RowBatch, RowSink, TextColumn } from '../../../engines/engine/sink.ts'
import { aborted } from '../../../kernel/aborted.ts'
import type { AnalysedStatement } from '../analysis/analysed-text.ts'
import type { Connection } from '../sessions/connection.ts'
import { runsPrepared } from '../sessions/prepared.ts'
import { cancelled, type Ending } from './ending.ts'

/** Rows of the service are handed over in batches of so many. */
const BATCH_ROWS = 1_000

const NOT_READ = 'The client did not read all of its rows.'

function textColumn(cells: readonly Cell[]): TextColumn {
  const texts = cells.map((cell) => Buffer.from(cell ?? ''))
  const ends = new Uint32Array(cells.length)
  let end = 0
  for (const [at, text] of texts.entries()) ends[at] = end += text.length
  const isNull = cells.includes(null) ? Uint8Array.from(cells, (cell) => (cell === null ? 1 : 0)) : null
  return { data: Buffer.concat(texts), ends, isNull }
}

const batchOf = (columns: readonly Column[], rows: ResultRows['rows']): RowBatch => ({
  rows: rows.length,
  columns: columns.map((_, at) => textColumn(rows.map((row) => row[at] ?? null))),
})

/** The first rows of a batch. */
const firstRows = ({ columns }: RowBatch, rows: number): RowBatch => ({
  rows,
  columns: columns.map(({ data, ends, isNull }) => ({
    data: data.subarray(0, ends[rows - 1]),
    ends: ends.subarray(0, rows),
    isNull: isNull && isNull.subarray(0, rows),
  })),
})

/** So many rows a sink takes: all of them, unless the client has set a limit for what is selected. */
export const takenRowsOf = ({ variables }: Connection, statement: AnalysedStatement): number =>
  statement.class === 'reads' || runsPrepared(statement)
    ? Number(variables.sql_select_limit ?? Number.POSITIVE_INFINITY)
    : Number.POSITIVE_INFINITY

export interface WatchedSinkOptions {
  /** Aborted when the user stops the statement. */
  readonly stop: AbortSignal
  /** Rows beyond so many are left out. */
  readonly mostRows: number
}

/** The sink of one statement, watched: whether rows were handed to it, how many, and whether its reader is gone. */
export class WatchedSink implements RowSink {
  readonly #sink: RowSink
  readonly #stop: AbortSignal
  readonly #mostRows: number
  hasBegun = false
  #rows = 0
  #isGone = false

  constructor(sink: RowSink, { stop, mostRows }: WatchedSinkOptions) {
    this.#sink = sink
    this.#stop = stop
    this.#mostRows = mostRows
  }

  async begin(columns: readonly Column[]): Promise<void> {
    this.hasBegun = true
    await this.#taken(Promise.resolve(this.#sink.begin(columns)))
  }

  async write(batch: RowBatch): Promise<void> {
    const left = this.#mostRows - this.#rows
    if (left <= 0) return
    const taken = batch.rows > left ? firstRows(batch, left) : batch
    await this.#taken(this.#sink.write(taken))
    this.#rows += taken.rows
  }

  /** The end of the statement, with the rows that the engine has not handed over itself, as those of the service. */
  async finish(ending: Ending): Promise<Ending> {
    const { result } = ending
    try {
      if (ending.state === 'finished' && result && !this.hasBegun && result.columns.length > 0)
        await this.#deliver(result)
    } catch (error) {
      // It has finished, whatever became of its rows.
      if (!this.#isGone && !this.#stop.aborted) throw error
    }
    if (this.#isGone && ending.state === 'cancelled' && !this.#stop.aborted) return this.#unread(ending)
    if (!this.hasBegun || !result) return ending
    const isWhole = ending.state !== 'finished' || (!this.#isGone && !this.#stop.aborted)
    const notice = [ending.notice, isWhole ? '' : NOT_READ].filter(Boolean).join(' ')
    return { ...ending, notice, result: { ...result, rows: [] }, rowsTaken: this.#rows }
  }

  /** The reader went away: nobody asked to stop it, and the history says so. */
  #unread(ending: Ending): Ending {
    const message = `Stopped after ${this.#rows} rows, because the client no longer reads its rows.`
    const { state, error } = cancelled(message)
    return { ...ending, state, error, result: null, kept: null }
  }

  async #deliver({ columns, rows }: ResultRows): Promise<void> {
    await this.begin(columns)
    for (let at = 0; at < rows.length; at += BATCH_ROWS)
      await this.write(batchOf(columns, rows.slice(at, at + BATCH_ROWS)))
  }

  /** A reader that never takes what it is handed does not keep a statement from being stopped. */
  async #taken(taking: Promise<void>): Promise<void> {
    const ended = taking.then(
      () => true,
      (error: unknown) => {
        this.#isGone = true
        throw error
      },
    )
    if ((await Promise.race([ended, aborted(this.#stop)])) === null)
      throw new Error('The statement is stopped.')
  }
}
