import type { DuckDBDataChunk, DuckDBType } from '@duckdb/node-api'
import type { ExecuteOptions, KeptResult } from '../../engine.ts'
import type { Parcel } from './parcel.ts'
import { type ResultFacts, cut } from './result-file.ts'

/** A result that a statement asks to have kept. */
export interface KeepOrder {
  readonly queryId: string
  readonly keep: NonNullable<ExecuteOptions['keep']>
  readonly types: readonly DuckDBType[]
  readonly facts: ResultFacts
  /** Of the rows, the first so many are handed over with the outcome. */
  readonly shownRows: number
}

// Of chunks whose memory is given back by the collector of garbage alone, which does not see how large they are.
const CHUNKS_TO_COLLECT = 32

/** The rows of one result, chunk by chunk as they come out of DuckDB. */
export class Delivery {
  /** The chunks of the rows that were handed over. */
  readonly held: DuckDBDataChunk[] = []
  /** There was no room for more than these. */
  isCut = false
  private heldRows = 0
  private passed = 0

  constructor(
    readonly order: KeepOrder,
    public parcel: Parcel | null,
    private readonly accept: (delivery: Delivery) => Promise<void>,
  ) {}

  add(chunk: DuckDBDataChunk): void {
    // The row that counts the others is among them.
    const isHeld = this.heldRows <= this.order.shownRows
    if (isHeld) {
      this.held.push(chunk)
      this.heldRows += chunk.rowCount
    }
    this.pack(chunk)
    if (isHeld) return
    chunk.reset()
    if (++this.passed % CHUNKS_TO_COLLECT === 0) globalThis.gc?.({ type: 'minor' })
  }

  /** Null when nothing is kept. */
  async finish(textLength: number): Promise<KeptResult | null> {
    const { facts, keep, shownRows } = this.order
    if (textLength > keep.maxBytes) {
      this.abandon()
      return null
    }
    await this.accept(this)
    const { rows, complete } = this.isCut ? cut(facts, shownRows) : facts
    return { rows, complete, bytes: 0 }
  }

  abandon(): void {
    this.parcel?.close()
    this.parcel = null
  }

  private pack(chunk: DuckDBDataChunk): void {
    try {
      this.parcel?.add(chunk)
    } catch {
      // Out of room, for which DuckDB has many words. The statement itself has gone well.
      this.isCut = true
      this.abandon()
    }
  }
}
