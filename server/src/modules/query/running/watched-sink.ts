import { batchOf } from '../../../engines/engine/batches.ts'
import type { Column } from '../../../engines/engine/columns.ts'
import type { ResultRows } from '../../../engines/engine/rows.ts'
import type { RowBatch, RowSink } from '../../../engines/engine/sink.ts'
import { RowsNotWanted, SinkFilling } from '../../../engines/engine/sink-filling.ts'
import type { AnalysedStatement } from '../analysis/analysed-text.ts'
import type { Connection } from '../sessions/connection.ts'
import { cameByMysql } from '../sessions/door-variables.ts'
import { runsPrepared } from '../sessions/prepared.ts'
import { valueOf } from '../sessions/session-variables.ts'
import { lendingWhile, type Lend } from './lent-slot.ts'
import { cancelled, type Ending } from './ending.ts'

/** Rows of the service are handed over in batches of so many. */
const BATCH_ROWS = 1_000

const NOT_READ = 'The client did not read all of its rows.'

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

/** Whatever a client sets: while it reads nothing, it holds a slot that others wait for. */
const MOST_PATIENCE_MS = 60 * 60_000

/** How long a client may take none of its rows; without a limit but for clients of MySQL. */
export function patienceOf(connection: Connection): number {
  if (!cameByMysql(connection)) return Number.POSITIVE_INFINITY
  const asked = Number(valueOf(connection, 'net_write_timeout')) * 1000
  return asked > 0 ? Math.min(asked, MOST_PATIENCE_MS) : MOST_PATIENCE_MS
}

export interface WatchedSinkOptions {
  /** Aborted when the user stops the statement. */
  readonly stop: AbortSignal
  /** Rows beyond so many are left out. */
  readonly mostRows: number
  /** Milliseconds in which rows are to be taken. */
  readonly patienceMs: number
}

/** The sink of one statement, watched: whether rows were handed to it, how many, and whether its reader is gone. */
export class WatchedSink implements RowSink {
  readonly #sink: RowSink
  readonly #stop: AbortSignal
  readonly #mostRows: number
  readonly #patienceMs: number
  hasBegun = false
  /** Set while its statement has a slot, which others may have while no rows are taken. */
  lend: Lend | null = null
  #rows = 0
  #isGone = false

  constructor(sink: RowSink, { stop, mostRows, patienceMs }: WatchedSinkOptions) {
    this.#sink = sink
    this.#stop = stop
    this.#mostRows = mostRows
    this.#patienceMs = patienceMs
  }

  /** Only columns can be cut to the first rows. */
  get takesPacked(): boolean {
    return this.#sink.takesPacked === true && this.#mostRows === Number.POSITIVE_INFINITY
  }

  begin(columns: readonly Column[]): Promise<void> {
    this.hasBegun = true
    return this.#watch(async () => this.#sink.begin(columns))
  }

  async write(batch: RowBatch): Promise<void> {
    const left = this.#mostRows - this.#rows
    if (left <= 0) return
    const taken = batch.rows > left ? firstRows(batch, left) : batch
    await this.#watch(() => this.#inTime(this.#sink.write(taken)))
    this.#rows += taken.rows
  }

  end(): Promise<void> {
    return this.#watch(async () => this.#sink.end?.())
  }

  /** The end of the statement, with the rows that the engine has not handed over itself, as those of the service. */
  async finish(ending: Ending): Promise<Ending> {
    const { result } = ending
    let isCut = false
    try {
      if (ending.state === 'finished' && result && !this.hasBegun && result.columns.length > 0)
        await this.#deliver(result)
    } catch (error) {
      // It has finished, whatever became of its rows.
      if (!(error instanceof RowsNotWanted)) throw error
      isCut = true
    }
    if (this.#isGone && ending.state === 'cancelled' && !this.#stop.aborted) return this.#unread(ending)
    if (!this.hasBegun || !result) return ending
    const notice = [ending.notice, isCut ? NOT_READ : ''].filter(Boolean).join(' ')
    return { ...ending, notice, result: { ...result, rows: [] }, rowsTaken: this.#rows }
  }

  /** The reader went away: nobody asked to stop it, and the history says so. */
  #unread(ending: Ending): Ending {
    const message = `Stopped after ${this.#rows} rows, because the client no longer reads its rows.`
    const { state, error } = cancelled(message)
    return { ...ending, state, error, result: null, kept: null }
  }

  async #deliver({ columns, rows }: ResultRows): Promise<void> {
    const filling = new SinkFilling(this, this.#stop)
    await filling.begin(columns)
    for (let at = 0; at < rows.length; at += BATCH_ROWS)
      await filling.write(batchOf(rows.slice(at, at + BATCH_ROWS), columns.length))
    await filling.end()
  }

  /** A client that reads nothing must not hold a slot and a snapshot for as long as it likes. */
  async #inTime(written: Promise<void>): Promise<void> {
    const taken = this.lend ? lendingWhile(written, this.lend) : written
    if (this.#patienceMs === Number.POSITIVE_INFINITY) return taken
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('The client took no rows in time.')), this.#patienceMs)
    })
    try {
      await Promise.race([taken, late])
    } finally {
      clearTimeout(timer)
    }
  }

  async #watch(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#isGone = true
      throw error
    }
  }
}
