import { type Column, TEXT, type ValueType } from '../../../../engines/engine/columns.ts'
import type { Charset } from '../../link/messages.ts'
import { NO_COLLATION, collationOf, encodeText, widestCharacter } from './charsets.ts'
import { PayloadBuilder } from './payload-builder.ts'

/** MySQL's numbers of the types that columns and parameters have. */
export const TYPE = {
  decimal: 0x00,
  tiny: 0x01,
  short: 0x02,
  long: 0x03,
  float: 0x04,
  double: 0x05,
  null: 0x06,
  timestamp: 0x07,
  longLong: 0x08,
  int24: 0x09,
  date: 0x0a,
  time: 0x0b,
  dateTime: 0x0c,
  year: 0x0d,
  varChar: 0x0f,
  bit: 0x10,
  json: 0xf5,
  newDecimal: 0xf6,
  enum: 0xf7,
  set: 0xf8,
  tinyBlob: 0xf9,
  mediumBlob: 0xfa,
  longBlob: 0xfb,
  blob: 0xfc,
  varString: 0xfd,
  string: 0xfe,
  geometry: 0xff,
} as const

const FLAG = { blob: 16, unsigned: 32, binary: 128 } as const
/** Drivers of ODBC make room for as many bytes. */
const LONG_TEXT = 65_535
/** A number that has as many digits behind the point as it needs. */
const ANY_DECIMALS = 31

export interface WireType {
  readonly type: number
  readonly length: number
  readonly decimals: number
  readonly flags: number
  /** Its length is in characters, and it is sent in the client's character set. */
  readonly isText: boolean
}

const number = (type: number, length: number, isSigned = true): WireType => ({
  type,
  length,
  decimals: 0,
  flags: FLAG.binary | (isSigned ? 0 : FLAG.unsigned),
  isText: false,
})

const temporal = (type: number, length: number, digits: number): WireType => {
  const decimals = Math.min(digits, 6)
  return {
    type,
    length: length + (decimals > 0 ? decimals + 1 : 0),
    decimals,
    flags: FLAG.binary,
    isText: false,
  }
}

const text = (length: number): WireType => ({
  type: TYPE.varString,
  length,
  decimals: 0,
  flags: 0,
  isText: true,
})

const bytes = (type: number): WireType => ({
  type,
  length: LONG_TEXT * 4,
  decimals: 0,
  flags: FLAG.blob | FLAG.binary,
  isText: false,
})

function integer(bits: number | null, isSigned: boolean): WireType {
  if (bits === 8) return number(TYPE.tiny, isSigned ? 4 : 3, isSigned)
  if (bits === 16) return number(TYPE.short, isSigned ? 6 : 5, isSigned)
  if (bits === 32) return number(TYPE.long, isSigned ? 11 : 10, isSigned)
  if (bits === 64) return number(TYPE.longLong, 20, isSigned)
  return number(TYPE.newDecimal, bits === 128 ? 41 : 67, isSigned)
}

/** How values of a type travel: as text in what MySQL has no type for. */
export function wireTypeOf(valueType: ValueType): WireType {
  switch (valueType.kind) {
    case 'boolean':
      return number(TYPE.tiny, 1)
    case 'integer':
      return integer(valueType.bits, valueType.isSigned)
    case 'decimal':
      return {
        ...number(TYPE.newDecimal, valueType.precision + 2),
        decimals: valueType.scale,
      }
    case 'float':
      return {
        ...(valueType.bits === 32 ? number(TYPE.float, 12) : number(TYPE.double, 22)),
        decimals: ANY_DECIMALS,
      }
    case 'date':
      return temporal(TYPE.date, 10, 0)
    case 'time':
      // An offset has no place in MySQL's type.
      return valueType.isZoned ? text(32) : temporal(TYPE.time, 10, valueType.precision)
    case 'timestamp':
      return temporal(TYPE.dateTime, 19, valueType.precision)
    case 'binary':
      return bytes(TYPE.blob)
    case 'json':
    case 'list':
    case 'map':
    case 'struct':
      return bytes(TYPE.json)
    case 'uuid':
      return text(36)
    case 'text':
      return text(Math.min(valueType.length ?? LONG_TEXT, LONG_TEXT))
    case 'bits':
    case 'enum':
    case 'geometry':
    case 'interval':
    case 'union':
    case 'variant':
    case 'unknown':
      return text(LONG_TEXT)
  }
}

export const valueTypeOf = (column: Column): ValueType => column.valueType ?? TEXT

export interface DefinitionOptions {
  readonly charset: Charset
  /** COM_FIELD_LIST sends a default with each column. */
  readonly hasDefault?: boolean
}

/** How a result describes one of its columns. */
export function columnPacket(column: Column, { charset, hasDefault = false }: DefinitionOptions): Buffer {
  const { type, length, decimals, flags, isText } = wireTypeOf(valueTypeOf(column))
  const name = encodeText(column.name, charset)
  const packet = new PayloadBuilder()
    .lengthEncodedText('def')
    // Of schema and table a result knows nothing.
    .zeros(3)
    .lengthEncodedBytes(name)
    .lengthEncodedBytes(name)
    .lengthEncoded(0x0c)
    .uint16(isText ? collationOf(charset) : NO_COLLATION)
    .uint32(isText ? length * widestCharacter(charset) : length)
    .byte(type)
    .uint16(flags)
    .byte(decimals)
    .zeros(2)
  return (hasDefault ? packet.byte(0xfb) : packet).build()
}

/** Of a parameter nothing is known: it is a text. */
export const parameterPacket = (charset: Charset): Buffer =>
  columnPacket({ name: '?', type: '', family: 'text', valueType: TEXT }, { charset })
