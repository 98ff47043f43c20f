import type { DuckDBDataChunk } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'

/**
 * A column of a chunk as it lies in DuckDB's memory, which is valid for as long as the chunk is. Values that become text
 * at once need no objects of their own: of a million rows those would take longer than everything else.
 */
export interface RawVector {
  readonly bytes: Uint8Array
  /** A bit for each row that is not NULL, the first of them lowest; null when no row is NULL. */
  readonly validity: Uint8Array | null
}

export function rawVector(chunk: DuckDBDataChunk, column: number, bytesPerValue: number): RawVector {
  const { rowCount } = chunk
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, column)
  // There is none when all values are valid, whatever the type says.
  const validity = duckdb.vector_get_validity(vector, Math.ceil(rowCount / 64) * 8) as Uint8Array | null
  return { bytes: duckdb.vector_get_data(vector, rowCount * bytesPerValue), validity: validity ?? null }
}

export const isNullAt = ({ validity }: RawVector, row: number): boolean =>
  validity !== null && ((validity[row >> 3] ?? 0) & (1 << (row & 7))) === 0

/** Texts of up to so many bytes lie in the vector itself, longer ones somewhere else. */
const INLINED = 12
export const TEXT_BYTES = 16

/** Of a text, in bytes; what lies in the place of a NULL means nothing. */
export function lengthsOf(vector: RawVector): (row: number) => number {
  const { bytes } = vector
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  return (row) => (isNullAt(vector, row) ? 0 : (words[row * 4] as number))
}

/** Up to this length a loop is faster than a call that copies. */
const SHORT = 40
const PAGE_BYTES = 4096
const MOST_BYTES_AT_ONCE = 256 * 1024
const TWO_32 = 2 ** 32

const pageOf = (address: number): number => Math.floor(address / PAGE_BYTES)

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength)

const asBytes = ({ buffer, byteOffset, byteLength }: DataView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** Finds the texts of a vector, best row after row: where the last one lies is kept here, so that none makes an object. */
export class VectorTexts {
  private readonly vector: RawVector
  private readonly words: Uint32Array
  private readonly inlined: DataView
  private run: { readonly begin: number; readonly end: number; readonly bytes: DataView }

  constructor(vector: RawVector) {
    const { bytes } = vector
    this.vector = vector
    this.words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
    this.inlined = viewOf(bytes)
    this.run = { begin: 0, end: 0, bytes: this.inlined }
  }

  /** Writes the text of a row from `at` on; gives where it ends. */
  copy(row: number, out: DataView, at: number): number {
    const { words } = this
    const length = words[4 * row] as number
    let bytes = this.inlined
    let from = row * TEXT_BYTES + 4
    if (length > INLINED) {
      const address = this.addressOf(row)
      if (address < this.run.begin || address + length > this.run.end) this.run = this.fetchFrom(row)
      bytes = this.run.bytes
      from = address - this.run.begin
    }
    if (length > SHORT) asBytes(out).set(asBytes(bytes).subarray(from, from + length), at)
    else {
      // Four at a time, as long as there are four.
      let copied = 0
      for (; copied + 4 <= length; copied += 4) out.setUint32(at + copied, bytes.getUint32(from + copied))
      for (; copied < length; copied++) out.setUint8(at + copied, bytes.getUint8(from + copied))
    }
    return at + length
  }

  /**
   * Of a long text and those behind it, which are mostly those of the next rows: fetching each one separately takes
   * longer than copying it. All memory that is read is in pages that contain a text, or between two of them.
   */
  private fetchFrom(first: number): typeof this.run {
    const { words, vector } = this
    const rows = vector.bytes.length / TEXT_BYTES
    const begin = this.addressOf(first)
    let end = begin + (words[4 * first] ?? 0)
    for (let row = first + 1; row < rows && end - begin < MOST_BYTES_AT_ONCE; row++) {
      if ((words[4 * row] ?? 0) <= INLINED || isNullAt(vector, row)) continue
      const address = this.addressOf(row)
      if (address < end || pageOf(address) > pageOf(end - 1) + 1) break
      end = address + (words[4 * row] ?? 0)
    }
    const { buffer, byteOffset } = vector.bytes
    const place = byteOffset + first * TEXT_BYTES + 8
    const bytes = duckdb.get_data_from_pointer(buffer as ArrayBuffer, place, end - begin)
    return { begin, end, bytes: viewOf(bytes) }
  }

  private addressOf(row: number): number {
    return (this.words[4 * row + 2] as number) + (this.words[4 * row + 3] as number) * TWO_32
  }
}
