import type { DuckDBDataChunk, DuckDBType } from '@duckdb/node-api'
import type { Cell } from '../../engine/rows.ts'
import type { ExecuteOptions } from '../../engine/run.ts'
import type { KeptResult } from '../../engine/outcome.ts'
import { type ResultFacts, cut } from '../../../results/form.ts'
import type { RowBuffer } from './row-buffer.ts'
import { type CellSizes, SMALL_TEXT } from '../rows/cell-sizes.ts'
import { PassedChunks } from '../rows/passed-chunks.ts'
import { canBeStored, isSaidByText } from './stored-columns.ts'

/** A result that a statement asks to have kept. */
export interface KeepOrder {
  readonly queryId: string
  readonly keep: NonNullable<ExecuteOptions['keep']>
  readonly types: readonly DuckDBType[]
  readonly facts: ResultFacts
  /** Of the rows, the first so many are handed over with the outcome. */
  readonly shownRows: number
  /** The first column of the chunks is the number of rows, in a row of its own that comes before them. */
  readonly isCounted: boolean
}

/** The rows of one result, chunk by chunk as they come out of DuckDB. */
export class WriteJob {
  /** The chunks of the rows that were handed over. */
  readonly held: DuckDBDataChunk[] = []
  /** The same as text, when that is the better way to keep them. */
  texts: readonly (readonly Cell[])[] | null = null
  /** There was no room for more than these. */
  isCut = false
  private heldRows = 0
  private readonly passed = new PassedChunks()

  constructor(
    readonly order: KeepOrder,
    public rowBuffer: RowBuffer | null,
    /** False: there is no room for it. */
    private readonly accept: (writeJob: WriteJob) => Promise<boolean>,
  ) {}

  add(chunk: DuckDBDataChunk): void {
    // One more than these, for the row that counts the others may be among them.
    const isHeld = this.heldRows <= this.order.shownRows
    if (isHeld) {
      this.held.push(chunk)
      this.heldRows += chunk.rowCount
    }
    this.pack(chunk)
    if (!isHeld) this.passed.release(chunk)
  }

  /** Null when nothing is kept. Of cells that were cut in `shown`, the chunks have the whole. */
  async finish(
    shown: readonly (readonly Cell[])[],
    { wholeLength, isWhole }: Pick<CellSizes, 'wholeLength' | 'isWhole'>,
  ): Promise<KeptResult | null> {
    const { keep } = this.order
    // More text than that is better compressed.
    const isText = !this.rowBuffer && isWhole && wholeLength <= SMALL_TEXT && this.isSaidByText()
    if (wholeLength > keep.maxBytes || !(isText || this.rowBuffer || this.canBeStored())) {
      this.abandon()
      return null
    }
    if (isText) this.texts = shown.slice(0, this.facts.rows)
    if (isText) this.held.length = 0
    if (!(await this.accept(this))) {
      this.abandon()
      return null
    }
    const { rows, complete } = this.facts
    return { rows, complete, bytes: 0 }
  }

  /** Of what is really kept. */
  get facts(): ResultFacts {
    return this.isCut ? cut(this.order.facts, this.order.shownRows) : this.order.facts
  }

  private isSaidByText(): boolean {
    const { facts, types } = this.order
    return facts.columns.every((column, at) => isSaidByText(column, types[at], facts.timeZone))
  }

  private canBeStored(): boolean {
    return this.order.types.every(canBeStored)
  }

  abandon(): void {
    this.rowBuffer?.close()
    this.rowBuffer = null
  }

  private pack(chunk: DuckDBDataChunk): void {
    try {
      this.rowBuffer?.add(chunk)
    } catch {
      // Out of room, for which DuckDB has many words. The statement itself has gone well.
      this.isCut = true
      this.abandon()
    }
  }
}
