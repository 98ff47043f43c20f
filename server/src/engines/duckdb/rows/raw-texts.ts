import { type DuckDBType, DuckDBDecimalType, DuckDBTypeId } from '@duckdb/node-api'
import { doubleText, singleText } from '../../engine/float-text.ts'
import { type RawVector, TEXT_BYTES, VectorTexts, lengthsOf } from './raw-vector.ts'
import { dateText, timestampText } from './temporal-text.ts'
import { NINE_DIGITS, writeAscii, writeDigits, writeInteger, writePair, writeScaled } from './written-text.ts'

/** Writes the text of a row's value, which is not NULL, from `at` on; gives where it ends. */
type WriteText = (row: number, out: DataView, at: number) => number

/** Writes values straight from DuckDB's memory: the same texts as `valueText` gives of the values. */
export interface RawTexts {
  readonly bytesPerValue: number
  of(vector: RawVector): WriteText
  /** Of the text of a value, at most; a function of the row where it is not the same for all values. */
  readonly longest: number | ((vector: RawVector) => (row: number) => number)
}

interface TypedArrayOf<T> {
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): T
  readonly BYTES_PER_ELEMENT: number
}

const valuesOf = <T>({ bytes }: RawVector, Items: TypedArrayOf<T>): T =>
  new Items(bytes.buffer, bytes.byteOffset, bytes.length / Items.BYTES_PER_ELEMENT)

type Numbers = Int8Array | Int16Array | Int32Array | Uint8Array | Uint16Array | Uint32Array

const whole = (Items: TypedArrayOf<Numbers>): RawTexts => ({
  bytesPerValue: Items.BYTES_PER_ELEMENT,
  longest: 11,
  of(vector) {
    const values = valuesOf(vector, Items)
    return (row, out, at) => writeInteger(out, at, values[row] as number)
  },
})

const TWO_32 = 2 ** 32
/** High halves of numbers that are exact as a JavaScript number. */
const EXACT_HIGH = 2 ** 21

/** Reads 64 bits as a number where that is exact; NaN: it must be read as a bigint. */
function numbersOf(vector: RawVector): (row: number) => number {
  const [low, high] = [valuesOf(vector, Uint32Array), valuesOf(vector, Int32Array)]
  return (row) => {
    const upper = high[2 * row + 1] as number
    return upper >= -EXACT_HIGH && upper < EXACT_HIGH ? upper * TWO_32 + (low[2 * row] as number) : Number.NaN
  }
}

const LONG: RawTexts = {
  bytesPerValue: 8,
  longest: 20,
  of(vector) {
    const [exact, values] = [numbersOf(vector), valuesOf(vector, BigInt64Array)]
    return (row, out, at) => {
      const value = exact(row)
      return value === value ? writeInteger(out, at, value) : writeAscii(out, at, String(values[row]))
    }
  },
}

const UNSIGNED_LONG: RawTexts = {
  ...LONG,
  of(vector) {
    const [exact, values] = [numbersOf(vector), valuesOf(vector, BigUint64Array)]
    return (row, out, at) => {
      const value = exact(row)
      return value >= 0 ? writeInteger(out, at, value) : writeAscii(out, at, String(values[row]))
    }
  },
}

const BOOLEAN: RawTexts = {
  bytesPerValue: 1,
  longest: 5,
  of({ bytes: values }) {
    return (row, out, at) => writeAscii(out, at, values[row] === 0 ? 'false' : 'true')
  },
}

/** Between these, DuckDB and JavaScript write a number in the same way, but for a whole one. */
const [PLAIN_FROM, PLAIN_TO] = [1e-4, 1e16]

const DOUBLE: RawTexts = {
  bytesPerValue: 8,
  longest: 24,
  of(vector) {
    const values = valuesOf(vector, Float64Array)
    return (row, out, at) => {
      const value = values[row] as number
      const absolute = Math.abs(value)
      if (!(absolute >= PLAIN_FROM && absolute < PLAIN_TO)) return writeAscii(out, at, doubleText(value))
      const end = writeAscii(out, at, String(value))
      return Number.isInteger(value) ? writeAscii(out, end, '.0') : end
    }
  },
}

const FLOAT: RawTexts = {
  bytesPerValue: 4,
  longest: 24,
  of(vector) {
    const values = valuesOf(vector, Float32Array)
    return (row, out, at) => writeAscii(out, at, singleText(values[row] as number))
  },
}

const TEXT: RawTexts = {
  bytesPerValue: TEXT_BYTES,
  longest: lengthsOf,
  of(vector) {
    const texts = new VectorTexts(vector)
    return (row, out, at) => texts.copy(row, out, at)
  },
}

/** Of the days since 1970, those from the year 1 to the year 9999. */
const [FIRST_DAY, LAST_DAY] = [-719_162, 2_932_896]
const DASH = 0x2d

/** The calendar by whole numbers alone, from a year that begins in March, so that its last day may be the 29th. */
function writeDate(out: DataView, at: number, days: number): number {
  if (days < FIRST_DAY || days > LAST_DAY) return writeAscii(out, at, dateText(days))
  const fromMarch = days + 719_468
  const era = Math.floor(fromMarch / 146_097)
  const dayOfEra = fromMarch - era * 146_097
  const leapDays = ((dayOfEra / 1460) | 0) - ((dayOfEra / 36_524) | 0) + ((dayOfEra / 146_096) | 0)
  const yearOfEra = ((dayOfEra - leapDays) / 365) | 0
  const dayOfYear = dayOfEra - (365 * yearOfEra + ((yearOfEra / 4) | 0) - ((yearOfEra / 100) | 0))
  const fifths = ((5 * dayOfYear + 2) / 153) | 0
  const month = fifths < 10 ? fifths + 3 : fifths - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  const century = (year / 100) | 0
  writePair(out, at, century)
  writePair(out, at + 2, year - century * 100)
  out.setUint8(at + 4, DASH)
  writePair(out, at + 5, month)
  out.setUint8(at + 7, DASH)
  return writePair(out, at + 8, dayOfYear - (((153 * fifths + 2) / 5) | 0) + 1)
}

/** Of the text of a date, at most. */
const DATE_BYTES = 18

const DATE: RawTexts = {
  bytesPerValue: 4,
  longest: DATE_BYTES,
  of(vector) {
    const values = valuesOf(vector, Int32Array)
    return (row, out, at) => writeDate(out, at, values[row] as number)
  },
}

const MICROS = 1_000_000
const MICROS_OF_DAY = 86_400 * MICROS
const [COLON, POINT, SPACE] = [0x3a, 0x2e, 0x20]
const FRACTIONS = Array.from({ length: 7 }, (_, digits) => writeDigits(digits))

function writeClock(out: DataView, at: number, seconds: number): number {
  const minutes = (seconds / 60) | 0
  const hours = (minutes / 60) | 0
  writePair(out, at, hours)
  out.setUint8(at + 2, COLON)
  writePair(out, at + 3, minutes - hours * 60)
  out.setUint8(at + 5, COLON)
  return writePair(out, at + 6, seconds - minutes * 60)
}

function writeFraction(out: DataView, at: number, micros: number): number {
  let [fraction, digits] = [micros, 6]
  for (; fraction % 10 === 0; fraction = (fraction / 10) | 0) digits--
  out.setUint8(at, POINT)
  return (FRACTIONS[digits] ?? writeInteger)(out, at + 1, fraction)
}

/** A date and the space behind it, in whole words. */
const DAY_BYTES = 20

/** Microseconds since 1970, with something behind them. */
const timestamp = (after: string): RawTexts => ({
  bytesPerValue: 8,
  longest: 40,
  of(vector) {
    const values = valuesOf(vector, BigInt64Array)
    const [low, high] = [valuesOf(vector, Uint32Array), valuesOf(vector, Int32Array)]
    // Rows beside each other are mostly of one day.
    const dayText = new DataView(new ArrayBuffer(DAY_BYTES))
    let [dayBegin, dayLength] = [Number.NaN, 0]
    return (row, out, at) => {
      const upper = high[2 * row + 1] as number
      if (upper < -EXACT_HIGH || upper >= EXACT_HIGH) {
        const text = timestampText(values[row] as bigint, BigInt(MICROS))
        return writeAscii(out, at, text.endsWith('infinity') ? text : text + after)
      }
      const micros = upper * TWO_32 + (low[2 * row] as number)
      if (!(micros >= dayBegin && micros < dayBegin + MICROS_OF_DAY)) {
        const days = Math.floor(micros / MICROS_OF_DAY)
        dayBegin = days * MICROS_OF_DAY
        dayLength = writeDate(dayText, 0, days) + 1
        dayText.setUint8(dayLength - 1, SPACE)
      }
      // Four at a time; what is more than the day is written over.
      for (let from = 0; from < dayLength; from += 4) out.setUint32(at + from, dayText.getUint32(from))
      const inDay = micros - dayBegin
      // Functions that are given whole numbers of 32 bits make no objects of them.
      const seconds = (inDay / MICROS) | 0
      const fraction = (inDay - seconds * MICROS) | 0
      let end = writeClock(out, at + dayLength, seconds)
      if (fraction !== 0) end = writeFraction(out, end, fraction)
      return after === '' ? end : writeAscii(out, end, after)
    }
  },
})

const TIME: RawTexts = {
  bytesPerValue: 8,
  longest: 15,
  of(vector) {
    const exact = numbersOf(vector)
    return (row, out, at) => {
      const micros = exact(row)
      const seconds = (micros / MICROS) | 0
      const fraction = (micros - seconds * MICROS) | 0
      const end = writeClock(out, at, seconds)
      return fraction === 0 ? end : writeFraction(out, end, fraction)
    }
  },
}

/** DuckDB writes no zero where the type has no digit before the point. */
function decimal({ width, scale }: DuckDBDecimalType): RawTexts | null {
  if (width > 18) return null
  const Items = width <= 4 ? Int16Array : width <= 9 ? Int32Array : null
  const hasWhole = width > scale
  const unit = 10 ** scale
  const [writeSmall, writeScale] = [writeScaled(scale, hasWhole), writeDigits(scale)]
  const write = (out: DataView, at: number, value: number): number => {
    if (value >= 0 && value < NINE_DIGITS) return writeSmall(out, at, value | 0)
    if (value < 0) {
      out.setUint8(at, DASH)
      return write(out, at + 1, -value)
    }
    if (scale === 0) return writeInteger(out, at, value)
    if (scale > 9) return writeAscii(out, at, longDecimal(BigInt(value), { scale, hasWhole }))
    const units = Math.floor(value / unit)
    const point = writeInteger(out, at, units)
    out.setUint8(point, POINT)
    return writeScale(out, point + 1, value - units * unit)
  }
  return {
    bytesPerValue: Items?.BYTES_PER_ELEMENT ?? 8,
    longest: 21,
    of(vector) {
      if (Items) {
        const values: Numbers = valuesOf<Numbers>(vector, Items)
        return (row, out, at) => write(out, at, values[row] as number)
      }
      const [exact, values] = [numbersOf(vector), valuesOf(vector, BigInt64Array)]
      return (row, out, at) => {
        const value = exact(row)
        return value === value
          ? write(out, at, value)
          : writeAscii(out, at, longDecimal(values[row] as bigint, { scale, hasWhole }))
      }
    },
  }
}

/** Of more digits than a JavaScript number holds. */
function longDecimal(value: bigint, { scale, hasWhole }: { scale: number; hasWhole: boolean }): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + (hasWhole ? 1 : 0), '0')
  const point = digits.length - scale
  const fraction = scale === 0 ? '' : `.${digits.slice(point)}`
  return `${value < 0n ? '-' : ''}${digits.slice(0, point)}${fraction}`
}

const BY_TYPE: Partial<Record<DuckDBTypeId, RawTexts>> = {
  [DuckDBTypeId.BOOLEAN]: BOOLEAN,
  [DuckDBTypeId.TINYINT]: whole(Int8Array),
  [DuckDBTypeId.SMALLINT]: whole(Int16Array),
  [DuckDBTypeId.INTEGER]: whole(Int32Array),
  [DuckDBTypeId.BIGINT]: LONG,
  [DuckDBTypeId.UTINYINT]: whole(Uint8Array),
  [DuckDBTypeId.USMALLINT]: whole(Uint16Array),
  [DuckDBTypeId.UINTEGER]: whole(Uint32Array),
  [DuckDBTypeId.UBIGINT]: UNSIGNED_LONG,
  [DuckDBTypeId.FLOAT]: FLOAT,
  [DuckDBTypeId.DOUBLE]: DOUBLE,
  [DuckDBTypeId.VARCHAR]: TEXT,
  [DuckDBTypeId.DATE]: DATE,
  [DuckDBTypeId.TIME]: TIME,
  [DuckDBTypeId.TIMESTAMP]: timestamp(''),
}

const INSTANT_IN_UTC = timestamp('+00')

/** Null for a type whose values are read one by one. */
export function rawTexts(type: DuckDBType, isUtc: boolean): RawTexts | null {
  if (type instanceof DuckDBDecimalType) return decimal(type)
  if (type.typeId === DuckDBTypeId.TIMESTAMP_TZ) return isUtc ? INSTANT_IN_UTC : null
  return BY_TYPE[type.typeId] ?? null
}
