import type { RowBatch } from './sink.ts'

/**
 * Rows as text, one behind the other, so that a door sends them without a copy of any value. A row is `LEAD_BYTES` that mean
 * nothing, which the door writes over, and then its values. A value is its length in one byte and its text; `PACKED_NULL`
 * stands for NULL, and behind `PACKED_LONG` the length has `LONG_DIGITS` decimal digits.
 */
export const LEAD_BYTES = 4
export const PACKED_NULL = 126
export const PACKED_LONG = 127
export const LONG_DIGITS = 8

/** Every reader of packed rows checks each of them: they come from another process. */
export function requireWithin(end: number, { length }: Uint8Array): void {
  if (!(end <= length)) throw new RangeError('Packed rows end too early.')
}

/** The length behind `PACKED_LONG`, whose digits begin at `at`. */
export function longLength(packed: Uint8Array, at: number): number {
  let length = 0
  for (let digit = at; digit < at + LONG_DIGITS; digit++)
    length = length * 10 + ((packed[digit] ?? 0x30) - 0x30)
  return length
}

/** Of each value in its order: which column, where its text begins and ends. NULL ends before it begins. */
function eachValue(
  { rows, packed = NO_BYTES }: RowBatch,
  columns: number,
  value: (column: number, from: number, end: number) => void,
): void {
  let at = 0
  for (let row = 0; row < rows; row++) {
    at += LEAD_BYTES
    for (let column = 0; column < columns; column++) {
      const tag = packed[at++] ?? PACKED_NULL
      const isLong = tag === PACKED_LONG
      const length = tag === PACKED_NULL ? -1 : isLong ? longLength(packed, at) : tag
      if (isLong) at += LONG_DIGITS
      value(column, at, at + length)
      at += Math.max(0, length)
    }
    requireWithin(at, packed)
  }
}

const NO_BYTES = new Uint8Array()

/** The same rows column by column. */
export function unpacked(batch: RowBatch, columnCount: number): RowBatch {
  const { rows, packed = NO_BYTES } = batch
  const sizes = new Uint32Array(columnCount)
  eachValue(
    batch,
    columnCount,
    (column, from, end) => void (sizes[column] = (sizes[column] ?? 0) + Math.max(0, end - from)),
  )
  const columns = Array.from(sizes, (size) => ({
    data: new Uint8Array(size),
    ends: new Uint32Array(rows),
    isNull: new Uint8Array(rows),
    length: 0,
    row: 0,
    nulls: 0,
  }))
  eachValue(batch, columnCount, (at, from, end) => {
    const column = columns[at]
    if (!column) return
    if (end < from) column.nulls += column.isNull[column.row] = 1
    else {
      column.data.set(packed.subarray(from, end), column.length)
      column.length += end - from
    }
    column.ends[column.row++] = column.length
  })
  return {
    rows,
    columns: columns.map(({ data, ends, isNull, nulls }) => ({
      data,
      ends,
      isNull: nulls > 0 ? isNull : null,
    })),
  }
}
