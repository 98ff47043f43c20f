import { type DuckDBType, DuckDBDecimalType, DuckDBTypeId } from '@duckdb/node-api'
import { doubleText, singleText } from '../../engine/float-text.ts'
import { type RawVector, TEXT_BYTES, VectorTexts, lengthsOf } from './raw-vector.ts'
import { dateText, timestampText } from './temporal-text.ts'
import { TextWriter } from './text-writer.ts'

/** Writes the text of a row's value, which is not NULL. */
type WriteText = (row: number, out: TextWriter) => void

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
    return (row, out) => out.integer(values[row] ?? 0)
  },
})

const TWO_32 = 2 ** 32
/** High halves of numbers that are exact as a JavaScript number. */
const EXACT_HIGH = 2 ** 21

/** Reads 64 bits as a number where that is exact; null: it must be read as a bigint. */
function numbersOf(vector: RawVector): (row: number) => number | null {
  const [low, high] = [valuesOf(vector, Uint32Array), valuesOf(vector, Int32Array)]
  return (row) => {
    const upper = high[2 * row + 1] ?? 0
    return upper >= -EXACT_HIGH && upper < EXACT_HIGH ? upper * TWO_32 + (low[2 * row] ?? 0) : null
  }
}

const LONG: RawTexts = {
  bytesPerValue: 8,
  longest: 20,
  of(vector) {
    const [exact, values] = [numbersOf(vector), valuesOf(vector, BigInt64Array)]
    return (row, out) => {
      const value = exact(row)
      if (value === null) out.ascii(String(values[row]))
      else out.integer(value)
    }
  },
}

const UNSIGNED_LONG: RawTexts = {
  ...LONG,
  of(vector) {
    const [exact, values] = [numbersOf(vector), valuesOf(vector, BigUint64Array)]
    return (row, out) => {
      const value = exact(row)
      if (value === null || value < 0) out.ascii(String(values[row]))
      else out.integer(value)
    }
  },
}

const BOOLEAN: RawTexts = {
  bytesPerValue: 1,
  longest: 5,
  of({ bytes }) {
    return (row, out) => out.ascii(bytes[row] === 0 ? 'false' : 'true')
  },
}

/** Between these, DuckDB and JavaScript write a number in the same way, but for a whole one. */
const [PLAIN_FROM, PLAIN_TO] = [1e-4, 1e16]

const DOUBLE: RawTexts = {
  bytesPerValue: 8,
  longest: 24,
  of(vector) {
    const values = valuesOf(vector, Float64Array)
    return (row, out) => {
      const value = values[row] ?? 0
      const absolute = Math.abs(value)
      if (!(absolute >= PLAIN_FROM && absolute < PLAIN_TO)) return out.ascii(doubleText(value))
      out.ascii(String(value))
      if (Number.isInteger(value)) out.ascii('.0')
    }
  },
}

const FLOAT: RawTexts = {
  bytesPerValue: 4,
  longest: 24,
  of(vector) {
    const values = valuesOf(vector, Float32Array)
    return (row, out) => out.ascii(singleText(values[row] ?? 0))
  },
}

const TEXT: RawTexts = {
  bytesPerValue: TEXT_BYTES,
  longest: lengthsOf,
  of(vector) {
    const texts = new VectorTexts(vector)
    return (row, out) => {
      texts.find(row)
      out.copy(texts.bytes, texts.from, texts.length)
    }
  },
}

/** Of the days since 1970, those from the year 1 to the year 9999. */
const [FIRST_DAY, LAST_DAY] = [-719_162, 2_932_896]
const DASH = 0x2d

/** The calendar by whole numbers alone, from a year that begins in March, so that its last day may be the 29th. */
function writeDate(days: number, out: TextWriter): void {
  if (days < FIRST_DAY || days > LAST_DAY) return out.ascii(dateText(days))
  const fromMarch = days + 719_468
  const era = Math.floor(fromMarch / 146_097)
  const dayOfEra = fromMarch - era * 146_097
  const leapDays = ((dayOfEra / 1460) | 0) - ((dayOfEra / 36_524) | 0) + ((dayOfEra / 146_096) | 0)
  const yearOfEra = ((dayOfEra - leapDays) / 365) | 0
  const dayOfYear = dayOfEra - (365 * yearOfEra + ((yearOfEra / 4) | 0) - ((yearOfEra / 100) | 0))
  const fifths = ((5 * dayOfYear + 2) / 153) | 0
  const month = fifths < 10 ? fifths + 3 : fifths - 9
  out.digits(yearOfEra + era * 400 + (month <= 2 ? 1 : 0), 4)
  out.byte(DASH)
  out.pair(month)
  out.byte(DASH)
  out.pair(dayOfYear - (((153 * fifths + 2) / 5) | 0) + 1)
}

/** Of the text of a date, at most. */
const DATE_BYTES = 18

const DATE: RawTexts = {
  bytesPerValue: 4,
  longest: DATE_BYTES,
  of(vector) {
    const values = valuesOf(vector, Int32Array)
    return (row, out) => writeDate(values[row] ?? 0, out)
  },
}

const MICROS = 1_000_000
const MICROS_OF_DAY = 86_400 * MICROS
const COLON = 0x3a

function writeClock(micros: number, out: TextWriter): void {
  const seconds = (micros / MICROS) | 0
  const minutes = (seconds / 60) | 0
  const hours = (minutes / 60) | 0
  out.pair(hours)
  out.byte(COLON)
  out.pair(minutes - hours * 60)
  out.byte(COLON)
  out.pair(seconds - minutes * 60)
  let fraction = micros - seconds * MICROS
  if (fraction === 0) return
  let digits = 6
  for (; fraction % 10 === 0; fraction /= 10) digits--
  out.byte(0x2e)
  out.digits(fraction, digits)
}

/** Microseconds since 1970, with something behind them. */
const timestamp = (after: string): RawTexts => ({
  bytesPerValue: 8,
  longest: 40,
  of(vector) {
    const [exact, values] = [numbersOf(vector), valuesOf(vector, BigInt64Array)]
    // Rows beside each other are mostly of one day.
    const dayWriter = new TextWriter(DATE_BYTES)
    let [day, dayText] = [Number.NaN, new Uint8Array()]
    return (row, out) => {
      const micros = exact(row)
      if (micros === null) {
        const text = timestampText(values[row] ?? 0n, BigInt(MICROS))
        return out.ascii(text.endsWith('infinity') ? text : text + after)
      }
      const days = Math.floor(micros / MICROS_OF_DAY)
      if (days !== day) {
        writeDate(days, dayWriter)
        ;[day, dayText] = [days, dayWriter.take()]
      }
      out.copy(dayText, 0, dayText.length)
      out.byte(0x20)
      writeClock(micros - days * MICROS_OF_DAY, out)
      out.ascii(after)
    }
  },
})

const TIME: RawTexts = {
  bytesPerValue: 8,
  longest: 15,
  of(vector) {
    const exact = numbersOf(vector)
    return (row, out) => writeClock(exact(row) ?? 0, out)
  },
}

/** DuckDB writes no zero where the type has no digit before the point. */
function decimal({ width, scale }: DuckDBDecimalType): RawTexts | null {
  if (width > 18) return null
  const Items = width <= 4 ? Int16Array : width <= 9 ? Int32Array : null
  const unit = 10 ** scale
  const hasWhole = width > scale
  const write = (value: number, out: TextWriter): void => {
    if (value < 0) out.byte(DASH)
    const absolute = Math.abs(value)
    const units = Math.floor(absolute / unit)
    if (hasWhole) out.integer(units)
    if (scale === 0) return
    out.byte(0x2e)
    out.digits(absolute - units * unit, scale)
  }
  return {
    bytesPerValue: Items?.BYTES_PER_ELEMENT ?? 8,
    longest: 21,
    of(vector) {
      if (Items) {
        const values: Numbers = valuesOf<Numbers>(vector, Items)
        return (row, out) => write(values[row] ?? 0, out)
      }
      const [exact, values] = [numbersOf(vector), valuesOf(vector, BigInt64Array)]
      return (row, out) => {
        const value = exact(row)
        if (value === null) out.ascii(longDecimal(values[row] ?? 0n, { scale, hasWhole }))
        else write(value, out)
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
