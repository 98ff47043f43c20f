import { inflateRawSync } from 'node:zlib'

/** The bytes are no such file, or one that is not read here; a sentence without its end. */
export class AvroFault extends Error {
  override readonly name = 'AvroFault'
}

/** Records are objects, maps too; whole numbers of 64 bits are `bigint`. */
export type AvroValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly AvroValue[]
  | { readonly [name: string]: AvroValue }

type Reader = (bytes: Bytes) => AvroValue

const MAGIC = Buffer.from('Obj\u0001', 'latin1')
const SYNC = 16
/** Of one block, unpacked. */
const LONGEST_BLOCK = 64 * 1024 * 1024
/** Of all blocks of a file, unpacked. */
const LONGEST_FILE = 256 * 1024 * 1024
/** Of things in a file: values, and what they are made of, also where these take no byte of it. */
const MOST_VALUES = 20_000_000
const DEEPEST = 32

const broken = (cause?: unknown): AvroFault => new AvroFault('it is no whole Avro file', { cause })

class Bytes {
  at = 0
  /** Of values in values of their own type. */
  depth = 0

  constructor(
    readonly all: Buffer,
    private readonly budget: { left: number },
  ) {}

  take(length: number): Buffer {
    if (!Number.isSafeInteger(length) || length < 0 || this.at + length > this.all.length) throw broken()
    this.spend()
    this.at += length
    return this.all.subarray(this.at - length, this.at)
  }

  long(): bigint {
    this.spend()
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.all[this.at++]
      if (byte === undefined) throw broken()
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n))
    }
    throw broken()
  }

  /** A number that counts something. */
  int(): number {
    const value = this.long()
    if (value > BigInt(Number.MAX_SAFE_INTEGER) || value < -BigInt(Number.MAX_SAFE_INTEGER)) throw broken()
    return Number(value)
  }

  text(): string {
    return this.take(this.int()).toString('utf8')
  }

  spend(): void {
    if (this.budget.left-- === 0) throw new AvroFault('it has far too many values')
  }
}

/** Arrays and maps come in blocks, the last one empty; a negative number has a length behind it. */
function blocks(bytes: Bytes, one: () => void): void {
  for (;;) {
    let count = bytes.int()
    if (count === 0) return
    if (count < 0) {
      count = -count
      bytes.int()
    }
    for (let index = 0; index < count; index++) {
      bytes.spend()
      one()
    }
  }
}

const PRIMITIVES: Readonly<Record<string, Reader>> = {
  null: (bytes) => {
    bytes.spend()
    return null
  },
  boolean: (bytes) => bytes.take(1)[0] === 1,
  int: (bytes) => bytes.int(),
  long: (bytes) => bytes.long(),
  float: (bytes) => bytes.take(4).readFloatLE(),
  double: (bytes) => bytes.take(8).readDoubleLE(),
  bytes: (bytes) => bytes.take(bytes.int()),
  string: (bytes) => bytes.text(),
}

type Schema = string | readonly Schema[] | { readonly [key: string]: unknown }

/** Makes readers out of what a file says of itself. */
class Compiler {
  private readonly named = new Map<string, Reader>()

  reader(schema: Schema, depth = 0): Reader {
    if (depth > DEEPEST) throw new AvroFault('its schema is far too deep')
    if (typeof schema === 'string') return this.byName(schema)
    if (Array.isArray(schema)) return this.union(schema as readonly Schema[], depth)
    const { type } = schema as { type?: Schema }
    if (typeof type !== 'string') return this.reader(type ?? '', depth + 1)
    return this.complex(type, schema as Record<string, unknown>, depth)
  }

  private byName(name: string): Reader {
    const primitive = Object.hasOwn(PRIMITIVES, name) ? PRIMITIVES[name] : undefined
    if (primitive) return primitive
    // It may be named inside of itself, before it is there.
    return (bytes) => {
      const reader = this.named.get(name)
      if (!reader) throw new AvroFault('its schema names a type that it does not have')
      if (++bytes.depth > DEEPEST) throw new AvroFault('it is far too deep')
      bytes.spend()
      const value = reader(bytes)
      bytes.depth--
      return value
    }
  }

  private union(schemas: readonly Schema[], depth: number): Reader {
    const readers = schemas.map((schema) => this.reader(schema, depth + 1))
    return (bytes) => {
      const reader = readers[bytes.int()]
      if (!reader) throw broken()
      return reader(bytes)
    }
  }

  private complex(type: string, schema: Record<string, unknown>, depth: number): Reader {
    switch (type) {
      case 'record':
        return this.remembered(schema, this.record(schema, depth))
      case 'fixed': {
        const size = Number(schema['size'])
        return this.remembered(schema, (bytes) => bytes.take(size))
      }
      case 'enum': {
        const symbols = (schema['symbols'] ?? []) as readonly string[]
        return this.remembered(schema, (bytes) => symbols[bytes.int()] ?? null)
      }
      case 'array': {
        const item = this.reader(schema['items'] as Schema, depth + 1)
        return (bytes) => {
          const items: AvroValue[] = []
          blocks(bytes, () => items.push(item(bytes)))
          return items
        }
      }
      case 'map': {
        const value = this.reader(schema['values'] as Schema, depth + 1)
        return (bytes) => {
          const entries: [string, AvroValue][] = []
          blocks(bytes, () => entries.push([bytes.text(), value(bytes)]))
          return Object.fromEntries(entries)
        }
      }
      default:
        return this.byName(type)
    }
  }

  private record(schema: Record<string, unknown>, depth: number): Reader {
    const fields = schema['fields']
    if (!Array.isArray(fields)) throw broken()
    const readers = (fields as { name: string; type: Schema }[]).map(
      ({ name, type }) => [name, this.reader(type, depth + 1)] as const,
    )
    return (bytes) => {
      bytes.spend()
      return Object.fromEntries(readers.map(([name, reader]) => [name, reader(bytes)]))
    }
  }

  private remembered(schema: Record<string, unknown>, reader: Reader): Reader {
    const { name, namespace } = schema
    if (typeof name === 'string') {
      this.named.set(name, reader)
      if (typeof namespace === 'string') this.named.set(`${namespace}.${name}`, reader)
    }
    return reader
  }
}

/** At most so many bytes, when it is packed. */
function unpacked(block: Buffer, codec: string, most: number): Buffer {
  if (codec === 'null') return block
  if (codec !== 'deflate')
    throw new AvroFault(
      `it is packed by ${/^\w{1,20}$/.test(codec) ? codec : 'nobody knows what'}, and deflate is read`,
    )
  try {
    return inflateRawSync(block, { maxOutputLength: Math.min(most, LONGEST_BLOCK) })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new AvroFault('it is far too long when it is unpacked', { cause: error })
    throw broken(error)
  }
}

function headOf(bytes: Bytes): { schema: Schema; codec: string; sync: Buffer } {
  if (!bytes.take(MAGIC.length).equals(MAGIC)) throw broken()
  const meta = new Map<string, string>()
  blocks(bytes, () => void meta.set(bytes.text(), bytes.text()))
  const sync = bytes.take(SYNC)
  const schema = JSON.parse(meta.get('avro.schema') ?? '') as Schema
  return { schema, codec: meta.get('avro.codec') ?? 'null', sync }
}

function* valuesOf(file: Buffer, most: number): Generator<AvroValue> {
  const budget = { left: most }
  let bytesLeft = LONGEST_FILE
  const bytes = new Bytes(file, budget)
  const { schema, codec, sync } = headOf(bytes)
  const reader = new Compiler().reader(schema)
  while (bytes.at < file.length) {
    const count = bytes.int()
    // Zlib takes no bound below one byte.
    const block = new Bytes(unpacked(bytes.take(bytes.int()), codec, Math.max(bytesLeft, 1)), budget)
    bytesLeft -= block.all.length
    for (let index = 0; index < count; index++) {
      block.spend()
      yield reader(block)
    }
    if (block.at !== block.all.length || !bytes.take(SYNC).equals(sync)) throw broken()
  }
}

/**
 * What an Avro file holds, by the schema that it has in it. It is written here since the bytes are of somebody else: there
 * is a bound to all of it, and no code is made of them, as libraries do. Throws an `AvroFault`, whatever is
 * wrong.
 */
export function* readAvro(file: Buffer, most = MOST_VALUES): Generator<AvroValue> {
  try {
    yield* valuesOf(file, most)
  } catch (error) {
    throw error instanceof AvroFault ? error : broken(error)
  }
}
