import { AppError } from '../../../../kernel/app-error.ts'
import { BrokenArrow } from './arrow-messages.ts'
import type { FlatTable } from './flatbuffer.ts'

/** How a value is written as text. */
export type TimeText = 'date' | 'time' | 'timestamp' | 'zoned'

export type ArrowType =
  | { readonly is: 'null' | 'bool' }
  | { readonly is: 'int'; readonly bytes: number; readonly isSigned: boolean }
  | { readonly is: 'float'; readonly bytes: number }
  | { readonly is: 'decimal'; readonly bytes: number; readonly scale: number }
  /** Digits behind the second; of a date in days, null. */
  | { readonly is: 'moment'; readonly text: TimeText; readonly bytes: number; readonly digits: number | null }
  | { readonly is: 'text'; readonly offsetBytes: number }
  | { readonly is: 'list' | 'map'; readonly offsetBytes: number; readonly item: ArrowField }
  | { readonly is: 'fixedList'; readonly count: number; readonly item: ArrowField }
  | { readonly is: 'struct'; readonly fields: readonly ArrowField[] }

export interface ArrowField {
  readonly name: string
  readonly type: ArrowType
  /** Its values are places in this dictionary, of this width. */
  readonly dictionary: { readonly id: number; readonly index: ArrowType } | null
}

const MOST_FIELDS = 10_000
const MOST_DEPTH = 32
/** As many as 256 bits hold. */
const MOST_DIGITS = 76

/** Of seconds, milliseconds, microseconds and nanoseconds. */
const DIGITS = [0, 3, 6, 9]

const digitsOf = (unit: number): number => {
  const digits = DIGITS[unit]
  if (digits === undefined) throw new BrokenArrow('It has an unknown unit of time.')
  return digits
}

function widthOf(bits: number, known: readonly number[]): number {
  if (!known.includes(bits)) throw new BrokenArrow(`It has a number of ${bits} bits.`)
  return bits / 8
}

const intOf = (type: FlatTable): ArrowType => ({
  is: 'int',
  bytes: widthOf(type.int(0), [8, 16, 32, 64]),
  isSigned: type.byte(1) === 1,
})

type Reader = (type: FlatTable, children: readonly ArrowField[]) => ArrowType

function onlyOne(children: readonly ArrowField[]): ArrowField {
  const [item] = children
  if (item === undefined || children.length > 1) throw new BrokenArrow('A list has one kind of item.')
  return item
}

function positive(value: number): number {
  if (value < 0) throw new BrokenArrow('It has a negative width.')
  return value
}

function scaleOf(digits: number): number {
  if (Math.abs(digits) > MOST_DIGITS) throw new BrokenArrow(`A number has ${digits} digits behind its point.`)
  return digits
}

/** By the numbers of Arrow's format. Bytes are not among them: JSON, which rows become, has none. */
const READERS: Readonly<Record<number, Reader>> = {
  1: () => ({ is: 'null' }),
  2: intOf,
  3: (type) => ({ is: 'float', bytes: widthOf([16, 32, 64][type.short(0)] ?? 0, [16, 32, 64]) }),
  5: () => ({ is: 'text', offsetBytes: 4 }),
  6: () => ({ is: 'bool' }),
  7: (type) => ({
    is: 'decimal',
    bytes: widthOf(type.int(2, 128), [32, 64, 128, 256]),
    scale: scaleOf(type.int(1)),
  }),
  8: (type) =>
    type.short(0, 1) === 0
      ? { is: 'moment', text: 'date', bytes: 4, digits: null }
      : { is: 'moment', text: 'date', bytes: 8, digits: 3 },
  9: (type) => ({
    is: 'moment',
    text: 'time',
    bytes: widthOf(type.int(1, 32), [32, 64]),
    digits: digitsOf(type.short(0, 1)),
  }),
  10: (type) => ({
    is: 'moment',
    text: type.text(1) === '' ? 'timestamp' : 'zoned',
    bytes: 8,
    digits: digitsOf(type.short(0)),
  }),
  12: (_, children) => ({ is: 'list', offsetBytes: 4, item: onlyOne(children) }),
  13: (_, fields) => ({ is: 'struct', fields }),
  16: (type, children) => ({ is: 'fixedList', count: positive(type.int(0)), item: onlyOne(children) }),
  17: (_, children) => {
    const item = onlyOne(children)
    if (item.type.is !== 'struct' || item.type.fields.length !== 2)
      throw new BrokenArrow('A map has keys and values.')
    return { is: 'map', offsetBytes: 4, item }
  },
  20: () => ({ is: 'text', offsetBytes: 8 }),
  21: (_, children) => ({ is: 'list', offsetBytes: 8, item: onlyOne(children) }),
}

/** The columns of a stream. What it names that is not read here is refused by the name of its column. */
export function arrowFields(schema: FlatTable): ArrowField[] {
  if (schema.short(0) !== 0)
    throw new AppError('BadInput', 'The numbers are big-endian. Send little-endian ones.')
  let left = MOST_FIELDS
  function fieldOf(field: FlatTable, depth: number): ArrowField {
    // The same part may be named many times: only counting bounds what is read.
    if (--left < 0 || depth > MOST_DEPTH)
      throw new AppError('BadInput', `At most ${MOST_FIELDS} columns, nested at most ${MOST_DEPTH} times.`)
    const name = field.text(0)
    const [kind, type, encoding] = [field.byte(2), field.table(3), field.table(4)]
    const children = field.tables(5).map((child) => fieldOf(child, depth + 1))
    const read = READERS[kind]
    if (!read || !type)
      throw new AppError(
        'BadInput',
        `The column ${name.slice(0, 100)} has an Arrow type that cannot be loaded. Send Parquet.`,
      )
    const index = encoding?.table(1)
    const dictionary = encoding && {
      id: encoding.long(0),
      index: index ? intOf(index) : ({ is: 'int', bytes: 4, isSigned: true } as const),
    }
    return { name, type: read(type, children), dictionary }
  }
  return schema.tables(1).map((field) => fieldOf(field, 0))
}
