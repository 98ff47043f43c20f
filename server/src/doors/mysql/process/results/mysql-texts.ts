import type { ValueType } from '../../../../engines/engine/columns.ts'
import type { TextColumn } from '../../../../engines/engine/sink.ts'
import { nestedJson } from './nested-json.ts'

/** Gives the texts of a column as MySQL writes them. */
export type MysqlTexts = (column: TextColumn) => TextColumn

/** One value on its way: it is read between `from` and `end`, and written at `at`. */
export interface Passing {
  readonly data: Uint8Array
  from: number
  end: number
  readonly target: Uint8Array
  at: number
}

const [DASH, PLUS, POINT, ZERO, ONE, BACKSLASH, SMALL_E, SMALL_T] = [
  0x2d, 0x2b, 0x2e, 0x30, 0x31, 0x5c, 0x65, 0x74,
]

/** Null where the engine's text is MySQL's too. */
export function mysqlTexts(type: ValueType): MysqlTexts | null {
  switch (type.kind) {
    case 'boolean':
    case 'binary':
    case 'float':
    case 'timestamp':
    case 'time': {
      const write = shorterText(type)
      return write && rewritten(0, write)
    }
    case 'decimal':
      return type.precision === type.scale ? rewritten(1, writeFraction) : null
    case 'list':
    case 'map':
    case 'struct':
      return nestedTexts(type)
    case 'integer':
    case 'date':
    case 'text':
    case 'bits':
    case 'interval':
    case 'uuid':
    case 'json':
    case 'enum':
    case 'geometry':
    case 'union':
    case 'variant':
    case 'unknown':
      return null
  }
}

/** Writes a value as MySQL does, in no more bytes than it has; null where it stays, or may grow. */
export function shorterText(type: ValueType): ((value: Passing) => void) | null {
  if (type.kind === 'boolean') return writeBoolean
  if (type.kind === 'binary') return writeBytes
  if (type.kind === 'float') return writeFloat
  if (type.kind === 'timestamp') return type.isZoned || type.precision > 6 ? writeTimestamp : null
  if (type.kind === 'time') return type.precision > 6 && !type.isZoned ? writeTimestamp : null
  return null
}

/** `longer`: by how many bytes a text may grow. */
function rewritten(longer: number, write: (value: Passing) => void): MysqlTexts {
  return ({ data, ends, isNull }) => {
    const value: Passing = {
      data,
      from: 0,
      end: 0,
      target: new Uint8Array(data.length + longer * ends.length),
      at: 0,
    }
    const newEnds = new Uint32Array(ends.length)
    for (let row = 0; row < ends.length; row++) {
      value.from = value.end
      value.end = ends[row] as number
      if (value.end > value.from) write(value)
      newEnds[row] = value.at
    }
    return { data: value.target.subarray(0, value.at), ends: newEnds, isNull }
  }
}

function writeBoolean(value: Passing): void {
  value.target[value.at++] = value.data[value.from] === SMALL_T ? ONE : ZERO
}

/** Bytes that are no plain characters come as `\xAB`. */
function writeBytes(value: Passing): void {
  const { data, end, target } = value
  let { from, at } = value
  while (from < end) {
    const byte = data[from] as number
    if (byte === BACKSLASH && from + 3 < end) {
      target[at++] = (hexDigit(data[from + 2] as number) << 4) | hexDigit(data[from + 3] as number)
      from += 4
    } else {
      target[at++] = byte
      from++
    }
  }
  value.at = at
}

const hexDigit = (character: number): number => (character & 0x0f) + (character > 0x39 ? 9 : 0)

/** `1.0` is 1, and `1e+20` is 1e20. */
function writeFloat(value: Passing): void {
  const { data, target } = value
  let { end } = value
  if (end - value.from > 2 && data[end - 1] === ZERO && data[end - 2] === POINT) end -= 2
  let isExponent = false
  for (let { from } = value; from < end; from++) {
    const byte = data[from] as number
    if (isExponent && (byte === PLUS || (byte === ZERO && from + 1 < end && isSign(data[from - 1])))) continue
    target[value.at++] = byte
    isExponent ||= byte === SMALL_E
  }
}

const isSign = (byte: number | undefined): boolean => byte === PLUS || byte === DASH

/** `.25` is 0.25. */
function writeFraction(value: Passing): void {
  for (let { from } = value; from < value.end; from++) {
    const byte = value.data[from] as number
    if (byte === POINT) value.target[value.at++] = ZERO
    value.target[value.at++] = byte
  }
}

const DATE_LENGTH = 10
const MOST_FRACTION_DIGITS = 6

/** Without its offset, as it is shown in the time zone of the session, and with microseconds at most. */
function writeTimestamp(value: Passing): void {
  const { data, end, target } = value
  let fraction = -1
  for (let { from } = value; from < end; from++) {
    const byte = data[from] as number
    if (from - value.from > DATE_LENGTH && isSign(byte)) return
    if (fraction >= MOST_FRACTION_DIGITS) continue
    if (fraction >= 0) fraction++
    else if (byte === POINT) fraction = 0
    target[value.at++] = byte
  }
}

function nestedTexts(type: ValueType): MysqlTexts {
  const json = nestedJson(type)
  return ({ data, ends, isNull }) => {
    const source = Buffer.from(data.buffer, data.byteOffset, data.length)
    let start = 0
    const texts = Array.from(ends, (end) => {
      const text = source.toString('utf8', start, end)
      start = end
      return Buffer.from(text === '' ? '' : json(text))
    })
    let at = 0
    const newEnds = Uint32Array.from(texts, (text) => (at += text.length))
    return { data: new Uint8Array(Buffer.concat(texts)), ends: newEnds, isNull }
  }
}
