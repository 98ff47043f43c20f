import {
  LEAD_BYTES,
  LONG_DIGITS,
  PACKED_NULL,
  longLength,
  requireWithin,
} from '../../../../engines/engine/packed-rows.ts'
import type { RowBatch } from '../../../../engines/engine/sink.ts'
import { LONGEST_PART } from '../wire/packet-reader.ts'
import type { PacketWriter } from '../wire/packet-writer.ts'
import { writeLength } from '../wire/text-rows.ts'
import type { Passing } from './mysql-texts.ts'

const NULL = 0xfb

/** Whether its rows become packets where they lie: one that is too long for a packet does not. */
export const isPackedShort = ({ packed }: RowBatch): boolean =>
  packed !== undefined && packed.length < LONGEST_PART

/** Of a column, what writes its values in no more bytes than they have; null where they stay. */
type Writers = readonly (((value: Passing) => void) | null)[]

/**
 * Makes packets of packed rows where they lie, and sends them as they are: MySQL has the same form for short values, one
 * byte for NULL too, and a shorter one for the length of others. Nothing is copied unless something before it got shorter.
 */
export function writePackedRows(
  { rows, packed = new Uint8Array(), release }: RowBatch,
  writers: Writers,
  out: PacketWriter,
): void {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.length)
  const value: Passing = { data: bytes, from: 0, end: 0, target: bytes, at: 0 }
  let [from, to] = [0, 0]
  for (let row = 0; row < rows; row++) {
    const head = to
    from += LEAD_BYTES
    to += LEAD_BYTES
    for (const write of writers) {
      const tag = bytes[from] as number
      if (tag < PACKED_NULL && write !== null) {
        value.from = from + 1
        value.end = from + 1 + tag
        value.at = to + 1
        from = value.end
        if (tag > 0) write(value)
        bytes[to] = value.at - to - 1
        to = value.at
      } else if (tag < PACKED_NULL) {
        const size = tag + 1
        if (to !== from) bytes.copyWithin(to, from, from + size)
        from += size
        to += size
      } else if (tag === PACKED_NULL) {
        bytes[to++] = NULL
        from++
      } else {
        const length = longLength(bytes, from + 1)
        from += 1 + LONG_DIGITS
        if (length < NULL) bytes[to++] = length
        else to = writeLength(bytes, to, length)
        bytes.copyWithin(to, from, from + length)
        from += length
        to += length
      }
    }
    requireWithin(from, bytes)
    const length = to - head - LEAD_BYTES
    bytes[head] = length
    bytes[head + 1] = length >>> 8
    bytes[head + 2] = length >>> 16
    bytes[head + 3] = out.nextNumber()
  }
  out.packets(bytes.subarray(0, to), () => release?.())
}
