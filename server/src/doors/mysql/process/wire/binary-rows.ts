import type { RowBatch } from '../../../../engines/engine/sink.ts'
import { TYPE, type WireType } from './column-definition.ts'
import type { PacketWriter } from './packet-writer.ts'
import { writeLength } from './text-rows.ts'

const SHORT_BYTES = 96
/** Of any value that is not a text, and of the length of one. */
const FIXED_BYTES = 13
const [DASH, POINT, SPACE, ZERO] = [0x2d, 0x2e, 0x20, 0x30]

/** The text of one value. */
interface Text {
  data: Uint8Array
  from: number
  end: number
}

type WriteValue = (text: Text, out: PacketWriter) => void

/** From the first to the one behind the last. */
export interface RowRange {
  readonly from: number
  readonly to: number
}

/** Writes rows as prepared statements get them. */
export function binaryRowWriter(
  types: readonly WireType[],
): (batch: RowBatch, out: PacketWriter, range: RowRange) => void {
  const writers = types.map(writerOf)
  const bitmapBytes = (types.length + 9) >>> 3
  const text: Text = { data: new Uint8Array(0), from: 0, end: 0 }
  return ({ columns }, out, { from, to }) => {
    for (let row = from; row < to; row++) {
      let size = 1 + bitmapBytes
      for (const { ends } of columns)
        size += FIXED_BYTES + (ends[row] as number) - (row === 0 ? 0 : (ends[row - 1] as number))
      out.begin(size)
      const bitmap = out.at + 1
      out.buffer.fill(0, out.at, bitmap + bitmapBytes)
      out.at = bitmap + bitmapBytes
      for (const [at, { data, ends, isNull }] of columns.entries()) {
        if (isNull !== null && isNull[row] === 1) {
          const bit = at + 2
          out.buffer[bitmap + (bit >>> 3)] = (out.buffer[bitmap + (bit >>> 3)] as number) | (1 << (bit & 7))
          continue
        }
        text.data = data
        text.from = row === 0 ? 0 : (ends[row - 1] as number)
        text.end = ends[row] as number
        writers[at]?.(text, out)
      }
      out.end()
    }
  }
}

function writerOf({ type }: WireType): WriteValue {
  switch (type) {
    case TYPE.tiny:
      return (text, out) => (out.buffer[out.at++] = integerOf(text))
    case TYPE.short:
      return writeShort
    case TYPE.long:
      return writeLong
    case TYPE.longLong:
      return writeLongLong
    case TYPE.float:
      return (text, out) => (out.at = out.buffer.writeFloatLE(floatOf(text), out.at))
    case TYPE.double:
      return (text, out) => (out.at = out.buffer.writeDoubleLE(floatOf(text), out.at))
    case TYPE.date:
    case TYPE.dateTime:
      return writeDate
    case TYPE.time:
      return writeTime
    default:
      return writeText
  }
}

function writeText({ data, from, end }: Text, out: PacketWriter): void {
  const length = end - from
  const { buffer } = out
  let { at } = out
  if (length < 0xfb) buffer[at++] = length
  else at = writeLength(buffer, at, length)
  if (length > SHORT_BYTES) {
    buffer.set(data.subarray(from, end), at)
    at += length
  } else for (; from < end; from++) buffer[at++] = data[from] as number
  out.at = at
}

/** Exact up to 15 digits. */
function integerOf({ data, from, end }: Text): number {
  const isNegative = data[from] === DASH
  let value = 0
  for (let at = isNegative ? from + 1 : from; at < end; at++) value = value * 10 + (data[at] as number) - ZERO
  return isNegative ? -value : value
}

function writeShort(text: Text, out: PacketWriter): void {
  const value = integerOf(text)
  out.buffer[out.at++] = value
  out.buffer[out.at++] = value >> 8
}

function writeLong(text: Text, out: PacketWriter): void {
  // As 32 bits, whether signed or not.
  out.at = out.buffer.writeInt32LE(integerOf(text) | 0, out.at)
}

const EXACT_DIGITS = 15
const TWO_32 = 2 ** 32

function writeLongLong(text: Text, out: PacketWriter): void {
  if (text.end - text.from > EXACT_DIGITS) {
    out.at = out.buffer.writeBigInt64LE(BigInt.asIntN(64, BigInt(textOf(text))), out.at)
    return
  }
  const value = integerOf(text)
  out.at = out.buffer.writeInt32LE(value | 0, out.at)
  out.at = out.buffer.writeInt32LE(Math.floor(value / TWO_32), out.at)
}

const textOf = ({ data, from, end }: Text): string =>
  Buffer.from(data.buffer, data.byteOffset + from, end - from).toString('latin1')

function floatOf(text: Text): number {
  const written = textOf(text)
  if (written.endsWith('inf')) return written.startsWith('-') ? -Infinity : Infinity
  return Number(written)
}

const digitsOf = (data: Uint8Array, from: number, count: number): number => {
  let value = 0
  for (let at = from; at < from + count; at++) value = value * 10 + (data[at] as number) - ZERO
  return value
}

/** `2026-11-17`, perhaps with a time behind it. What MySQL's calendar does not have is its zero date. */
function writeDate({ data, from, end }: Text, out: PacketWriter): void {
  const { buffer } = out
  const hasForm = end - from >= 10 && data[from + 4] === DASH && data[from + 7] === DASH
  const hasTime = end - from > 10
  if (!hasForm || (hasTime && (data[from + 10] !== SPACE || data[from + 13] !== 0x3a))) {
    buffer[out.at++] = 0
    return
  }
  const start = out.at++
  const year = digitsOf(data, from, 4)
  buffer[out.at++] = year
  buffer[out.at++] = year >> 8
  buffer[out.at++] = digitsOf(data, from + 5, 2)
  buffer[out.at++] = digitsOf(data, from + 8, 2)
  if (hasTime) {
    for (const offset of [11, 14, 17]) buffer[out.at++] = digitsOf(data, from + offset, 2)
    const micros = microsOf(data, from + 19, end)
    if (micros > 0) out.at = buffer.writeUInt32LE(micros, out.at)
  }
  buffer[start] = out.at - start - 1
}

/** Behind a point, or 0. */
function microsOf(data: Uint8Array, from: number, end: number): number {
  if (from >= end || data[from] !== POINT) return 0
  const digits = Math.min(end - from - 1, 6)
  return digitsOf(data, from + 1, digits) * 10 ** (6 - digits)
}

/** `23:59:59.5`, with as many digits of hours as there are. */
function writeTime(text: Text, out: PacketWriter): void {
  const { data, end } = text
  const { buffer } = out
  const isNegative = data[text.from] === DASH
  const from = isNegative ? text.from + 1 : text.from
  const colon = data.indexOf(0x3a, from)
  const hours = digitsOf(data, from, colon - from)
  const micros = microsOf(data, colon + 6, end)
  buffer[out.at++] = micros > 0 ? 12 : 8
  buffer[out.at++] = isNegative ? 1 : 0
  out.at = buffer.writeUInt32LE(Math.floor(hours / 24), out.at)
  buffer[out.at++] = hours % 24
  buffer[out.at++] = digitsOf(data, colon + 1, 2)
  buffer[out.at++] = digitsOf(data, colon + 4, 2)
  if (micros > 0) out.at = buffer.writeUInt32LE(micros, out.at)
}
