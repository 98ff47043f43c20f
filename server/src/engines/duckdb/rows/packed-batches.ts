import type { DuckDBDataChunk } from '@duckdb/node-api'
import { LEAD_BYTES, LONG_DIGITS, PACKED_LONG, PACKED_NULL } from '../../engine/packed-rows.ts'
import type { BatchMemory } from '../../engine/batch-memory.ts'
import type { RowBatch } from '../../engine/sink.ts'
import type { RawTexts } from './raw-texts.ts'
import { type RawVector, isNullAt, rawVector } from './raw-vector.ts'
import type { RowRange } from './text-batches.ts'
import type { TextWriter } from './text-writer.ts'
import { writeDigits } from './written-text.ts'

/** What stands before a value at most. */
const TAG_BYTES = 1 + LONG_DIGITS
const writeLength = writeDigits(LONG_DIGITS)

interface PackedColumn {
  readonly vector: RawVector
  readonly write: ReturnType<RawTexts['of']>
}

/** Where rows are written, and where the batch is taken. */
export interface PackedTarget {
  readonly out: TextWriter
  readonly memory: BatchMemory
}

/** Some rows of a chunk, packed: all columns are written straight from DuckDB's memory. */
export class PackedChunk {
  private readonly columns: readonly PackedColumn[]
  /** Of a row, at most, without the texts of columns that have no bound. */
  private readonly fixedBytes: number
  /** Of those, by row. */
  private readonly varying: readonly ((row: number) => number)[]

  constructor(chunk: DuckDBDataChunk, raw: readonly RawTexts[]) {
    const vectors = raw.map(({ bytesPerValue }, at) => rawVector(chunk, at, bytesPerValue))
    const varying: ((row: number) => number)[] = []
    let fixedBytes = LEAD_BYTES
    this.columns = vectors.map((vector, at) => {
      const { longest, of } = raw[at] as RawTexts
      fixedBytes += TAG_BYTES + (typeof longest === 'number' ? longest : 0)
      if (typeof longest !== 'number') varying.push(longest(vector))
      return { vector, write: of(vector) }
    })
    this.fixedBytes = fixedBytes
    this.varying = varying
  }

  /** Of a row that is packed, at most. */
  bytesAt(row: number): number {
    let bytes = this.fixedBytes
    for (const bytesAt of this.varying) bytes += bytesAt(row)
    return bytes
  }

  take({ from, to }: RowRange, { out, memory }: PackedTarget): RowBatch {
    let most = 0
    for (let row = from; row < to; row++) most += this.bytesAt(row)
    out.reserve(most)
    const { columns } = this
    const { view } = out
    let at = 0
    for (let row = from; row < to; row++) {
      at += LEAD_BYTES
      for (const { vector, write } of columns) {
        if (vector.validity !== null && isNullAt(vector, row)) {
          view.setUint8(at++, PACKED_NULL)
          continue
        }
        const end = write(row, view, at + 1)
        const length = end - at - 1
        if (length < PACKED_NULL) view.setUint8(at, length)
        else makeLong(view, at, length)
        at = length < PACKED_NULL ? end : end + LONG_DIGITS
      }
    }
    out.length = at
    const { bytes: packed, release } = out.takeInto(memory)
    return { rows: to - from, columns: [], packed, release }
  }
}

/** Puts the digits of the length before a text that was written behind one byte. */
function makeLong(out: DataView, at: number, length: number): void {
  new Uint8Array(out.buffer).copyWithin(at + 1 + LONG_DIGITS, at + 1, at + 1 + length)
  out.setUint8(at, PACKED_LONG)
  writeLength(out, at + 1, length)
}
