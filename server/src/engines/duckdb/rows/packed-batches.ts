import type { DuckDBDataChunk } from '@duckdb/node-api'
import { LEAD_BYTES, LONG_DIGITS, PACKED_LONG, PACKED_NULL } from '../../engine/packed-rows.ts'
import type { RowBatch } from '../../engine/sink.ts'
import type { RawTexts } from './raw-texts.ts'
import { type RawVector, isNullAt, rawVector } from './raw-vector.ts'
import type { RowRange } from './text-batches.ts'
import type { TextWriter } from './text-writer.ts'

/** What stands before a value at most. */
const TAG_BYTES = 1 + LONG_DIGITS

interface PackedColumn {
  readonly vector: RawVector
  readonly write: ReturnType<RawTexts['of']>
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

  take({ from, to }: RowRange, out: TextWriter): RowBatch {
    let bytes = 0
    for (let row = from; row < to; row++) bytes += this.bytesAt(row)
    out.reserve(bytes)
    const { columns } = this
    for (let row = from; row < to; row++) {
      out.skip(LEAD_BYTES)
      for (const { vector, write } of columns) {
        if (isNullAt(vector, row)) {
          out.byte(PACKED_NULL)
          continue
        }
        const tag = out.length
        out.skip(1)
        write(row, out)
        const length = out.length - tag - 1
        if (length < PACKED_NULL) out.mark(tag, length)
        else writeLong(tag, length, out)
      }
    }
    return { rows: to - from, columns: [], packed: out.take() }
  }
}

function writeLong(tag: number, length: number, out: TextWriter): void {
  out.insert(tag + 1, String(length).padStart(LONG_DIGITS, '0'))
  out.mark(tag, PACKED_LONG)
}
