import type { TextColumn } from '../../engines/engine/sink.ts'
import { varint } from './thrift.ts'

/** Rows of a batch, from the first to the one behind the last. */
export interface ColumnPart {
  readonly column: TextColumn
  readonly from: number
  readonly to: number
}

/** A page of Parquet with the texts of a column: which rows have one, and then each with its length before it. */
export function textPage(parts: readonly ColumnPart[]): Buffer {
  const rows = parts.reduce((sum, { from, to }) => sum + to - from, 0)
  const bits = Buffer.alloc(Math.ceil(rows / 8))
  let at = 0
  let bytes = 0
  for (const { column, from, to } of parts)
    for (let row = from; row < to; row++, at++) {
      if (column.isNull?.[row]) continue
      bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7))
      bytes += 4 + lengthAt(column, row)
    }
  const levels = levelsOf(bits)
  const page = Buffer.allocUnsafe(levels.length + bytes)
  levels.copy(page)
  let place = levels.length
  for (const { column, from, to } of parts)
    for (let row = from; row < to; row++) {
      if (column.isNull?.[row]) continue
      const length = lengthAt(column, row)
      const end = column.ends[row] ?? 0
      place = page.writeUInt32LE(length, place)
      page.set(column.data.subarray(end - length, end), place)
      place += length
    }
  return page
}

const lengthAt = ({ ends }: TextColumn, row: number): number =>
  (ends[row] ?? 0) - (row === 0 ? 0 : (ends[row - 1] ?? 0))

/** One run of packed bits, behind its length. */
function levelsOf(bits: Buffer): Buffer {
  const head = Buffer.from(varint(bits.length * 2 + 1))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(head.length + bits.length)
  return Buffer.concat([length, head, bits])
}
