import { OutsideRefused } from '../../kernel/outside.ts'

/**
 * Thrift's binary protocol, as far as a Hive metastore needs it: https://github.com/apache/thrift, doc/specs. Values are read
 * into structs by the numbers of their fields, since a newer server may send more than is known here.
 */
export const TYPE = {
  stop: 0,
  bool: 2,
  byte: 3,
  double: 4,
  i16: 6,
  i32: 8,
  i64: 10,
  text: 11,
  struct: 12,
  map: 13,
  set: 14,
  list: 15,
} as const

const CALL = 0x80010001 | 0
const REPLY = 0x80010002 | 0
const EXCEPTION = 0x80010003 | 0

export type Struct = ReadonlyMap<number, Value>
export type Value =
  | boolean
  | number
  | bigint
  | string
  | Struct
  | readonly Value[]
  | ReadonlyMap<string, Value>

/** What is sent: few kinds of values are. */
type Sent =
  | { readonly i16: number }
  | string
  | readonly string[]
  | { readonly i32s: readonly number[] }
  | { readonly struct: Fields }
type Fields = Readonly<Record<number, Sent>>

export interface Call {
  readonly name: string
  readonly fields: Fields
}

function i32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeInt32BE(value)
  return bytes
}

const text = (value: string): Buffer[] => {
  const bytes = Buffer.from(value)
  return [i32(bytes.length), bytes]
}

const listOf = (type: number, length: number): Buffer => Buffer.concat([Buffer.of(type), i32(length)])

function written(value: Sent): readonly [type: number, parts: readonly Buffer[]] {
  if (typeof value === 'string') return [TYPE.text, text(value)]
  if (isTexts(value)) return [TYPE.list, [listOf(TYPE.text, value.length), ...value.flatMap(text)]]
  if ('i32s' in value) return [TYPE.list, [listOf(TYPE.i32, value.i32s.length), ...value.i32s.map(i32)]]
  if ('struct' in value) return [TYPE.struct, fieldsWritten(value.struct)]
  const bytes = Buffer.allocUnsafe(2)
  bytes.writeInt16BE(value.i16)
  return [TYPE.i16, [bytes]]
}

const isTexts = (value: Sent): value is readonly string[] => Array.isArray(value)

const fieldsWritten = (fields: Fields): Buffer[] => [
  ...Object.entries(fields).flatMap(([id, value]) => {
    const [type, parts] = written(value)
    const head = Buffer.of(type, 0, 0)
    head.writeInt16BE(Number(id), 1)
    return [head, ...parts]
  }),
  Buffer.of(TYPE.stop),
]

/** A connection has one question at a time, so that all have the same number. */
export const callWritten = ({ name, fields }: Call): Buffer =>
  Buffer.concat([i32(CALL), ...text(name), i32(0), ...fieldsWritten(fields)])

export const nonsense = (what: string): OutsideRefused =>
  new OutsideRefused('nonsense', `the answer of the Hive metastore is ${what}`)

/** Reads a whole message; its form was looked at by `MessageEnd`. */
class Reading {
  #at = 0

  constructor(private readonly bytes: Buffer) {}

  i32(): number {
    this.#at += 4
    return this.bytes.readInt32BE(this.#at - 4)
  }

  text(): string {
    const length = this.i32()
    this.#at += length
    return this.bytes.toString('utf8', this.#at - length, this.#at)
  }

  struct(): Struct {
    const fields = new Map<number, Value>()
    for (;;) {
      const type = this.#byte()
      if (type === TYPE.stop) return fields
      this.#at += 2
      const id = this.bytes.readInt16BE(this.#at - 2)
      fields.set(id, this.#value(type))
    }
  }

  #byte(): number {
    return this.bytes.readUInt8(this.#at++)
  }

  #value(type: number): Value {
    switch (type) {
      case TYPE.bool:
        return this.#byte() !== 0
      case TYPE.byte:
        return this.#byte()
      case TYPE.i16:
        this.#at += 2
        return this.bytes.readInt16BE(this.#at - 2)
      case TYPE.i32:
        return this.i32()
      case TYPE.i64:
        this.#at += 8
        return this.bytes.readBigInt64BE(this.#at - 8)
      case TYPE.double:
        this.#at += 8
        return this.bytes.readDoubleBE(this.#at - 8)
      case TYPE.text:
        return this.text()
      case TYPE.struct:
        return this.struct()
      case TYPE.map:
        return this.#map()
      default:
        return this.#list()
    }
  }

  #list(): Value[] {
    const type = this.#byte()
    const length = this.i32()
    return Array.from({ length }, () => this.#value(type))
  }

  /** Maps of a metastore have texts as keys. */
  #key(type: number): string {
    const key = this.#value(type)
    if (typeof key !== 'string') throw nonsense('not the one that was asked for')
    return key
  }

  #map(): ReadonlyMap<string, Value> {
    const [keys, values] = [this.#byte(), this.#byte()]
    const length = this.i32()
    const map = new Map<string, Value>()
    for (let count = 0; count < length; count++) map.set(this.#key(keys), this.#value(values))
    return map
  }
}

export type Answer =
  | { readonly kind: 'result'; readonly fields: Struct }
  /** The server knows no such call, or could not answer it. */
  | { readonly kind: 'failure'; readonly isUnknownCall: boolean }

const UNKNOWN_CALL = 1

export function answerRead(message: Buffer, name: string): Answer {
  const reading = new Reading(message)
  const kind = reading.i32()
  const said = reading.text()
  reading.i32()
  const fields = reading.struct()
  if (kind === EXCEPTION) return { kind: 'failure', isUnknownCall: fields.get(2) === UNKNOWN_CALL }
  if (kind !== REPLY || said !== name) throw nonsense(`not one to ${name}`)
  return { kind: 'result', fields }
}
