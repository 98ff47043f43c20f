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

/** Of a text, in bytes. */
export function lengthsOf({ bytes }: RawVector): (row: number) => number {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  return (row) => words[row * 4] ?? 0
}

/** The bytes in which a text lies, and where among them it begins. */
export interface FoundText {
  readonly bytes: Uint8Array
  readonly from: number
}

const PAGE_BYTES = 4096
const MOST_BYTES_AT_ONCE = 256 * 1024

const pageOf = (address: number): number => Math.floor(address / PAGE_BYTES)

/** Finds the texts of a vector, best row after row. */
export function textsOf(vector: RawVector): (row: number, length: number) => FoundText {
  const { bytes } = vector
  const { buffer, byteOffset } = bytes
  const words = new Uint32Array(buffer, byteOffset, bytes.length / 4)
  const rows = bytes.length / TEXT_BYTES
  const addressOf = (row: number) => (words[4 * row + 2] ?? 0) + (words[4 * row + 3] ?? 0) * 2 ** 32
  const isLong = (row: number) => (words[4 * row] ?? 0) > INLINED && !isNullAt(vector, row)
  let run = { begin: 0, end: 0, bytes }

  /**
   * Of a long text and those behind it, which are mostly those of the next rows: fetching each one separately takes
   * longer than copying it. All memory that is read is in pages that contain a text, or between two of them.
   */
  function fetchFrom(first: number): typeof run {
    const begin = addressOf(first)
    let end = begin + (words[4 * first] ?? 0)
    for (let row = first + 1; row < rows && end - begin < MOST_BYTES_AT_ONCE; row++) {
      if (!isLong(row)) continue
      const address = addressOf(row)
      if (address < end || pageOf(address) > pageOf(end - 1) + 1) break
      end = address + (words[4 * row] ?? 0)
    }
    const place = byteOffset + first * TEXT_BYTES + 8
    return { begin, end, bytes: duckdb.get_data_from_pointer(buffer as ArrayBuffer, place, end - begin) }
  }

  return (row, length) => {
    if (length <= INLINED) return { bytes, from: row * TEXT_BYTES + 4 }
    const address = addressOf(row)
    if (address < run.begin || address + length > run.end) run = fetchFrom(row)
    return { bytes: run.bytes, from: address - run.begin }
  }
}
