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

const PAGE_BYTES = 4096
const MOST_BYTES_AT_ONCE = 256 * 1024
const TWO_32 = 2 ** 32

const pageOf = (address: number): number => Math.floor(address / PAGE_BYTES)

/** Finds the texts of a vector, best row after row: where the last one lies is kept here, so that none makes an object. */
export class VectorTexts {
  /** The bytes in which the text lies, where among them it begins, and how many it has. */
  bytes: Uint8Array
  from = 0
  length = 0
  private readonly vector: RawVector
  private readonly words: Uint32Array
  private run: { readonly begin: number; readonly end: number; readonly bytes: Uint8Array }

  constructor(vector: RawVector) {
    const { bytes } = vector
    this.vector = vector
    this.words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
    this.bytes = bytes
    this.run = { begin: 0, end: 0, bytes }
  }

  find(row: number): void {
    const length = this.words[4 * row] as number
    this.length = length
    if (length <= INLINED) {
      this.bytes = this.vector.bytes
      this.from = row * TEXT_BYTES + 4
      return
    }
    const address = this.addressOf(row)
    if (address < this.run.begin || address + length > this.run.end) this.run = this.fetchFrom(row)
    this.bytes = this.run.bytes
    this.from = address - this.run.begin
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
    return { begin, end, bytes: duckdb.get_data_from_pointer(buffer as ArrayBuffer, place, end - begin) }
  }

  private addressOf(row: number): number {
    return (this.words[4 * row + 2] ?? 0) + (this.words[4 * row + 3] ?? 0) * TWO_32
  }
}
