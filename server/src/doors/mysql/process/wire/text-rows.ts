import type { RowBatch } from '../../../../engines/engine/sink.ts'
import type { PacketWriter } from './packet-writer.ts'

const NULL = 0xfb
/** A longer value is copied by a call, which costs as much as so many bytes one by one. */
const SHORT_BYTES = 96

/** Rows as COM_QUERY gets them. This is where the time of a large result goes: nothing is allocated for a value. */
export function writeTextRows({ rows, columns }: RowBatch, out: PacketWriter): void {
  const count = columns.length
  const datas = columns.map(({ data }) => data)
  const ends = columns.map((column) => column.ends)
  const nulls = columns.map(({ isNull }) => isNull)
  const starts = new Uint32Array(count)
  for (let row = 0; row < rows; row++) {
    let size = 0
    for (let column = 0; column < count; column++) {
      const length = ((ends[column] as Uint32Array)[row] as number) - (starts[column] as number)
      size += length < 0xfb ? length + 1 : length + 9
    }
    out.begin(size)
    const buffer = out.buffer
    let at = out.at
    for (let column = 0; column < count; column++) {
      const isNull = nulls[column] as Uint8Array | null
      if (isNull !== null && isNull[row] === 1) {
        buffer[at++] = NULL
        continue
      }
      const start = starts[column] as number
      const end = (ends[column] as Uint32Array)[row] as number
      const length = end - start
      const data = datas[column] as Uint8Array
      starts[column] = end
      if (length < 0xfb) buffer[at++] = length
      else at = writeLength(buffer, at, length)
      if (length > SHORT_BYTES) {
        buffer.set(data.subarray(start, end), at)
        at += length
      } else for (let from = start; from < end; from++) buffer[at++] = data[from] as number
    }
    out.at = at
    out.end()
  }
}

/** Of 251 bytes and more. Gives where what follows begins. */
export function writeLength(buffer: Buffer, at: number, length: number): number {
  if (length < 0x1_0000) {
    buffer[at] = 0xfc
    return buffer.writeUInt16LE(length, at + 1)
  }
  if (length < 0x100_0000) {
    buffer[at] = 0xfd
    return buffer.writeUIntLE(length, at + 1, 3)
  }
  buffer[at] = 0xfe
  return buffer.writeBigUInt64LE(BigInt(length), at + 1)
}
