import { isUtf8 } from 'node:buffer'
import { AppError } from '../../../../kernel/app-error.ts'
import { BrokenArrow } from './arrow-messages.ts'
import type { ArrowField, ArrowType } from './arrow-schema.ts'
import { bounded, exact, halfFloat, joined, momentText, quoted, wholeNumber } from './arrow-values.ts'
import type { FlatTable } from './flatbuffer.ts'

/** The values of a column, each as JSON. */
export interface ArrowColumn {
  readonly length: number
  at(index: number): string
}

type Values = (index: number) => string
type Of<Kind extends ArrowType['is']> = Extract<ArrowType, { is: Kind }>

export type Dictionaries = ReadonlyMap<number, ArrowColumn>

/** What a batch says of its columns, taken one after the other: how many values, and where their bytes are. */
export class ArrowBatch {
  readonly length: number
  readonly #nodes: Iterator<[number, number]>
  readonly #buffers: Iterator<[number, number]>

  constructor(
    metadata: FlatTable,
    private readonly body: Buffer,
    private readonly dictionaries: Dictionaries,
  ) {
    if (metadata.table(3))
      throw new AppError('BadInput', 'The record batches are compressed. Compress the body as a whole.')
    this.length = metadata.long(0)
    this.#nodes = metadata.pairs(1)[Symbol.iterator]()
    this.#buffers = metadata.pairs(2)[Symbol.iterator]()
  }

  column(field: ArrowField): ArrowColumn {
    const { value: node, done } = this.#nodes.next()
    const [length, nulls] = done ? [-1, 0] : node
    if (length < 0) throw new BrokenArrow('A column has no length.')
    const { type } = field
    const stored = field.dictionary ? field.dictionary.index : type
    if (stored.is === 'null') return { length, at: () => 'null' }
    const validity = this.#bytes(nulls === 0 ? 0 : Math.ceil(length / 8))
    const values = field.dictionary ? this.#places(field.dictionary, length) : this.#values(type, length)
    if (nulls === 0) return { length, at: values }
    const isNull = (index: number) => ((validity[index >> 3] ?? 0) & (1 << (index & 7))) === 0
    return { length, at: (index) => (isNull(index) ? 'null' : values(index)) }
  }

  /** The next buffer, of which so many bytes are needed. */
  #bytes(least: number): Buffer {
    const { value, done } = this.#buffers.next()
    const [offset, length] = done ? [-1, 0] : value
    const isInside = offset >= 0 && length >= least && offset + length <= this.body.length
    if (!isInside) throw new BrokenArrow('A column has fewer bytes than values.')
    return this.body.subarray(offset, offset + length)
  }

  #values(type: ArrowType, length: number): Values {
    switch (type.is) {
      case 'text':
        return this.#texts(type, length)
      case 'list':
      case 'map':
        return this.#lists(type, length)
      case 'fixedList': {
        const items = this.#items(type.item, length * type.count)
        return (index) => `[${joined(type.count, (at) => items.at(index * type.count + at))}]`
      }
      case 'struct':
        return this.#struct(type, length)
      case 'bool': {
        const bits = this.#bytes(Math.ceil(length / 8))
        return (index) => String(((bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0)
      }
      case 'null':
        return () => 'null'
      case 'int':
      case 'float':
      case 'decimal':
      case 'moment':
        return fixedValues(type, this.#bytes(length * type.bytes))
    }
  }

  #places({ id, index }: NonNullable<ArrowField['dictionary']>, length: number): Values {
    const places = this.#values(index, length)
    const dictionary = this.dictionaries.get(id)
    return (at) => {
      const place = Number(places(at))
      if (!dictionary || !(place >= 0 && place < dictionary.length))
        throw new BrokenArrow('A dictionary has no such value.')
      return dictionary.at(place)
    }
  }

  /** Of a list or a text: where it begins and ends in what all of them have together. */
  #ranges(offsetBytes: number, length: number): (index: number) => [start: number, end: number] {
    const offsets = this.#bytes(length === 0 ? 0 : (length + 1) * offsetBytes)
    const read =
      offsetBytes === 4
        ? (at: number) => offsets.readInt32LE(at * 4)
        : (at: number) => Number(offsets.readBigInt64LE(at * 8))
    return (index) => {
      const [start, end] = [read(index), read(index + 1)]
      if (start < 0 || start > end) throw new BrokenArrow('A value ends before it begins.')
      return [start, end]
    }
  }

  #texts({ offsetBytes }: Of<'text'>, length: number): Values {
    const range = this.#ranges(offsetBytes, length)
    const bytes = this.#bytes(0)
    return (index) => {
      const [start, end] = range(index)
      if (end > bytes.length) throw new BrokenArrow('A text has fewer bytes than it says.')
      bounded(end - start)
      const value = bytes.subarray(start, end)
      if (!isUtf8(value)) throw new AppError('BadInput', 'A text is not valid UTF-8.')
      return quoted(value.toString())
    }
  }

  #items(field: ArrowField, least: number): ArrowColumn {
    const items = this.column(field)
    if (items.length < least) throw new BrokenArrow('A list has fewer items than it says.')
    return items
  }

  #lists({ is, offsetBytes, item }: Of<'list' | 'map'>, length: number): Values {
    const range = this.#ranges(offsetBytes, length)
    const pairs = is === 'map' ? this.#pairs(item) : null
    const items = pairs ?? this.column(item)
    const [open, close] = pairs ? ['{', '}'] : ['[', ']']
    return (index) => {
      const [start, end] = range(index)
      if (end > items.length) throw new BrokenArrow('A list has fewer items than it says.')
      return `${open}${joined(end - start, (at) => items.at(start + at))}${close}`
    }
  }

  /** Keys are texts in JSON. */
  #pairs({ type }: ArrowField): ArrowColumn {
    const { value: node } = this.#nodes.next()
    this.#bytes(0)
    const [length] = node ?? [0, 0]
    const [key, value] = (type as Of<'struct'>).fields.map((field) => this.#items(field, length))
    return {
      length,
      at: (index) => {
        const name = key?.at(index) ?? ''
        return `${name.startsWith('"') ? name : quoted(name)}:${value?.at(index)}`
      },
    }
  }

  #struct({ fields }: Of<'struct'>, length: number): Values {
    const columns = fields.map((field) => ({ name: quoted(field.name), values: this.#items(field, length) }))
    return (index) =>
      `{${joined(columns.length, (at) => `${columns[at]?.name}:${columns[at]?.values.at(index)}`)}}`
  }
}

function fixedValues(type: Of<'int' | 'float' | 'decimal' | 'moment'>, data: Buffer): Values {
  const { bytes } = type
  switch (type.is) {
    case 'int':
      return (index) => String(numberIn(data, index * bytes, type))
    case 'moment':
      return (index) =>
        quoted(momentText(BigInt(numberIn(data, index * bytes, { bytes, isSigned: true })), type))
    case 'decimal':
      return (index) =>
        quoted(exact(wholeNumber(data.subarray(index * bytes, (index + 1) * bytes)), type.scale))
    case 'float':
      return (index) => {
        const number = floatIn(data, index * bytes, bytes)
        return Number.isFinite(number) ? String(number) : quoted(String(number))
      }
  }
}

const floatIn = (data: Buffer, at: number, bytes: number): number =>
  bytes === 8 ? data.readDoubleLE(at) : bytes === 4 ? data.readFloatLE(at) : halfFloat(data.readUInt16LE(at))

function numberIn(
  data: Buffer,
  at: number,
  { bytes, isSigned }: { bytes: number; isSigned: boolean },
): number | bigint {
  if (bytes === 8) return isSigned ? data.readBigInt64LE(at) : data.readBigUInt64LE(at)
  return isSigned ? data.readIntLE(at, bytes) : data.readUIntLE(at, bytes)
}
