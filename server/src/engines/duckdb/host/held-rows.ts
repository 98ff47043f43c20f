import type { Column } from '../../engine/columns.ts'
import { batchBytes, batchLength } from '../../engine/batch-bytes.ts'
import type { RowBatch, RowSink } from '../../engine/sink.ts'

/** Of rows that wait for the end of their statement. */
const MOST_BYTES = 64 * 1024
/** Rows of a statement that runs on are sent by then. */
const MOST_MS = 10

/** What of a result goes with its answer; null: it has no rows. */
export interface AnsweredRows {
  readonly batch: Uint8Array | null
}

/**
 * Holds the rows of a small result until its statement has ended, so that they go with its answer: one message in place of
 * columns, rows, an end and what grants each of them. What is larger, or takes longer, is passed to the sink behind it.
 */
export class HeldRows implements RowSink {
  #columns: readonly Column[] | null = null
  #batch: RowBatch | null = null
  #timer: NodeJS.Timeout | null = null
  /** Resolves when what was held has gone on; null while it is held. */
  #passed: Promise<void> | null = null

  constructor(private readonly behind: RowSink) {}

  get takesPacked(): boolean {
    return this.behind.takesPacked ?? false
  }

  begin(columns: readonly Column[]): void {
    this.#columns = columns
    // The next write fails for the same reason.
    this.#timer = setTimeout(() => void this.#pass().catch(() => undefined), MOST_MS)
  }

  async write(batch: RowBatch): Promise<void> {
    if (!this.#passed && !this.#batch && batchLength(batch) <= MOST_BYTES) {
      this.#batch = batch
      return
    }
    await this.#pass()
    await this.behind.write(batch)
  }

  async end(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    if (!this.#passed) return
    await this.#passed
    await this.behind.end?.()
  }

  /** Behind the end of the statement: what goes with its answer; null when all has gone before, or there is no result. */
  take(): AnsweredRows | null {
    if (this.#timer) clearTimeout(this.#timer)
    if (this.#passed || !this.#columns) return null
    return { batch: this.#batch && batchBytes(this.#batch) }
  }

  #pass(): Promise<void> {
    return (this.#passed ??= this.#handOn())
  }

  async #handOn(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    if (this.#columns) await this.behind.begin(this.#columns)
    if (this.#batch) await this.behind.write(this.#batch)
    this.#batch = null
  }
}
