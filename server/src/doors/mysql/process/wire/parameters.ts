import type { Charset, SentParameter } from '../../link/messages.ts'
import { decodeText, isTextOf } from './charsets.ts'
import { TYPE } from './column-definition.ts'
import type { PayloadReader } from './payload-reader.ts'
import { malformed } from './protocol-error.ts'

/** The type that a client gives a parameter. */
export interface ParameterType {
  readonly type: number
  readonly isUnsigned: boolean
}

const UNSIGNED = 0x80
const NULL: SentParameter = { type: 'null' }

/** Of a statement, or of the attributes of a text, as in MySQL. */
export const MOST_PARAMETERS = 0xffff

/** With names where they can have some. */
export function readTypes(reader: PayloadReader, count: number, hasNames: boolean): ParameterType[] {
  if (count > MOST_PARAMETERS) throw malformed()
  const types: ParameterType[] = []
  for (let at = 0; at < count; at++) {
    const type = reader.byte()
    types.push({ type, isUnsigned: (reader.byte() & UNSIGNED) !== 0 })
    if (hasNames) reader.lengthEncodedBytes()
  }
  return types
}

export interface ValueOptions {
  readonly types: readonly ParameterType[]
  readonly nulls: Buffer
  readonly charset: Charset
  /** What was sent ahead, by position. */
  readonly longData: ReadonlyMap<number, { readonly bytes: Buffer }>
}

export function readValues(reader: PayloadReader, options: ValueOptions): SentParameter[] {
  const { types, nulls, charset, longData } = options
  return types.map((type, at) => {
    const ahead = longData.get(at)
    if (ahead) return fromBytes(type.type, ahead.bytes, charset)
    const isNull = (((nulls[at >>> 3] ?? 0) >>> (at & 7)) & 1) === 1
    return isNull ? NULL : readValue(reader, type, charset)
  })
}

/** CLIENT_QUERY_ATTRIBUTES: what a client says about a text. Nobody asks for it here, but the text is behind it. */
export function skipQueryAttributes(reader: PayloadReader): void {
  const count = reader.lengthEncoded()
  // Of sets of them, of which there is one.
  reader.lengthEncoded()
  if (count === 0) return
  const nulls = reader.bytes((count + 7) >>> 3)
  if (reader.byte() !== 1) throw malformed()
  const types = readTypes(reader, count, true)
  readValues(reader, { types, nulls, charset: 'utf8mb4', longData: new Map() })
}

function readValue(
  reader: PayloadReader,
  { type, isUnsigned }: ParameterType,
  charset: Charset,
): SentParameter {
  switch (type) {
    case TYPE.null:
      return NULL
    case TYPE.tiny:
      return whole(isUnsigned ? reader.byte() : reader.int8(), isUnsigned)
    case TYPE.short:
    case TYPE.year:
      return whole(isUnsigned ? reader.uint16() : reader.int16(), isUnsigned)
    case TYPE.long:
    case TYPE.int24:
      return whole(isUnsigned ? reader.uint32() : reader.int32(), isUnsigned)
    case TYPE.longLong:
      return whole(isUnsigned ? reader.uint64() : reader.int64(), isUnsigned)
    case TYPE.float:
      return { type: 'double', text: singleText(reader.float()) }
    case TYPE.double:
      return { type: 'double', text: String(reader.double()) }
    case TYPE.date:
    case TYPE.dateTime:
    case TYPE.timestamp:
      return readDate(reader, type === TYPE.date)
    case TYPE.time:
      return readTime(reader)
    default:
      return fromBytes(type, reader.lengthEncodedBytes(), charset)
  }
}

const whole = (value: number | bigint, isUnsigned: boolean): SentParameter => ({
  type: isUnsigned ? 'unsigned' : 'integer',
  text: String(value),
})

/** The fewest digits that are the same number of 32 bits. */
function singleText(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const text = value.toPrecision(digits)
    if (Math.fround(Number(text)) === value) return String(Number(text))
  }
  return String(value)
}

const BINARY_TYPES: ReadonlySet<number> = new Set([
  TYPE.tinyBlob,
  TYPE.mediumBlob,
  TYPE.longBlob,
  TYPE.blob,
  TYPE.bit,
  TYPE.geometry,
])
const TEXT_TYPES: ReadonlySet<number> = new Set([
  TYPE.varChar,
  TYPE.varString,
  TYPE.string,
  TYPE.enum,
  TYPE.set,
  TYPE.json,
])

function fromBytes(type: number, bytes: Buffer, charset: Charset): SentParameter {
  // Some clients say of all bytes that they are a text.
  if (BINARY_TYPES.has(type) || (TEXT_TYPES.has(type) && !isTextOf(bytes, charset)))
    return { type: 'bytes', bytes: Uint8Array.from(bytes) }
  if (TEXT_TYPES.has(type)) return { type: 'text', text: decodeText(bytes, charset) }
  if (type === TYPE.decimal || type === TYPE.newDecimal)
    return { type: 'decimal', text: bytes.toString('latin1') }
  throw malformed()
}

const two = (number: number): string => String(number).padStart(2, '0')
const fractionText = (micros: number): string => (micros === 0 ? '' : `.${String(micros).padStart(6, '0')}`)

function readDate(reader: PayloadReader, isDate: boolean): SentParameter {
  const length = reader.byte()
  if (length !== 0 && length !== 4 && length !== 7 && length !== 11) throw malformed()
  const [year, month, day] = length > 0 ? [reader.uint16(), reader.byte(), reader.byte()] : [0, 0, 0]
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
  const clock = length > 4 ? [reader.byte(), reader.byte(), reader.byte()] : [0, 0, 0]
  const micros = length > 7 ? reader.uint32() : 0
  if (isDate) return { type: 'date', text: date }
  return { type: 'timestamp', text: `${date} ${clock.map(two).join(':')}${fractionText(micros)}` }
}

function readTime(reader: PayloadReader): SentParameter {
  const length = reader.byte()
  if (length === 0) return { type: 'time', text: '00:00:00' }
  if (length !== 8 && length !== 12) throw malformed()
  const isNegative = reader.byte() === 1
  const days = reader.uint32()
  const [hours, minutes, seconds] = [reader.byte(), reader.byte(), reader.byte()]
  const micros = length > 8 ? reader.uint32() : 0
  const clock = [days * 24 + hours, minutes, seconds].map(two).join(':')
  return { type: 'time', text: `${isNegative ? '-' : ''}${clock}${fractionText(micros)}` }
}
