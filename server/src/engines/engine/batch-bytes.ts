import { LEAD_BYTES, requireWithin } from './packed-rows.ts'
import type { TakenBytes } from './batch-memory.ts'
import type { RowBatch, TextColumn } from './sink.ts'

/**
 * A batch of rows as bytes, for processes of one machine: the number of its rows and of its columns; for each column the
 * length of its texts and whether some are NULL; and then for each column where its texts end, which of them are NULL,
 * and the texts. Every part begins at a multiple of 4 bytes, so that it is used where it lies. All numbers are as both
 * processes have them. Packed rows are their number, `PACKED` in place of that of columns, and their bytes.
 */

const PACKED = 0xffff_ffff

/** The parts of a batch, to be written one behind the other. */
export function batchParts({ rows, columns, packed }: RowBatch): Uint8Array[] {
  if (packed) return [bytesOf(Uint32Array.of(rows, PACKED)), packed]
  const facts = new Uint32Array(2 + 2 * columns.length)
  facts.set([rows, columns.length])
  columns.forEach(({ data, isNull }, at) => facts.set([data.length, isNull ? 1 : 0], 2 + 2 * at))
  const parts = columns.flatMap(({ data, ends, isNull }) => [
    bytesOf(ends),
    ...(isNull ? padded(isNull) : []),
    ...padded(data),
  ])
  return [bytesOf(facts), ...parts]
}

/** How many bytes those have together. */
export function batchLength({ columns, packed }: RowBatch): number {
  if (packed) return 8 + packed.length
  let length = 8 + 8 * columns.length
  for (const { data, ends, isNull } of columns)
    length +=
      ends.byteLength +
      data.length +
      paddingOf(data.length) +
      (isNull ? isNull.length + paddingOf(isNull.length) : 0)
  return length
}

/** The same in memory of their own. */
export const batchBytes = (batch: RowBatch): Uint8Array => Buffer.concat(batchParts(batch))

export const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

const PADDING = new Uint8Array(3)
const paddingOf = (length: number): number => (4 - (length % 4)) % 4

function padded(bytes: Uint8Array): Uint8Array[] {
  const padding = paddingOf(bytes.length)
  return padding === 0 ? [bytes] : [bytes, PADDING.subarray(0, padding)]
}

/** The batch that was written so, in the memory of `bytes`. Throws a RangeError when they are not a batch. */
export function readBatch(bytes: Uint8Array): RowBatch {
  let at = bytes.byteOffset
  const words = (count: number): Uint32Array => {
    at += count * 4
    return new Uint32Array(bytes.buffer, at - count * 4, count)
  }
  const some = (count: number): Uint8Array => {
    at += count + paddingOf(count)
    return new Uint8Array(bytes.buffer, at - count - paddingOf(count), count)
  }
  const [rows = 0, count = 0] = words(2)
  if (count === PACKED) {
    const packed = bytes.subarray(8)
    requireWithin(rows * LEAD_BYTES, packed)
    return { rows, columns: [], packed }
  }
  const facts = words(2 * count)
  const columns = Array.from({ length: count }, (_, column): TextColumn => {
    const ends = words(rows)
    const isNull = facts[2 * column + 1] === 0 ? null : some(rows)
    return { data: some(facts[2 * column] ?? 0), ends, isNull }
  })
  return { rows, columns }
}

/** The batch in memory that its reader may give back. */
export const lentBatch = ({ bytes, release }: TakenBytes): RowBatch => ({ ...readBatch(bytes), release })
