/** Types of fields in Thrift's compact protocol, in which Parquet writes what it says of its data. */
const I32 = 5
const I64 = 6
const BINARY = 8
const LIST = 9
const STRUCT = 12

/** Writes one struct; its fields come in the order of their numbers. */
export class ThriftStruct {
  private readonly bytes: number[] = []
  private readonly parts: Buffer[] = []
  private last = 0

  i32(field: number, value: number): this {
    return this.head(field, I32).zigzag(value)
  }

  i64(field: number, value: number): this {
    return this.head(field, I64).zigzag(value)
  }

  text(field: number, value: string): this {
    return this.head(field, BINARY).binary(value)
  }

  struct(field: number, value: ThriftStruct): this {
    return this.head(field, STRUCT).append(value.finish())
  }

  structs(field: number, values: readonly ThriftStruct[]): this {
    this.head(field, LIST).listHead(values.length, STRUCT)
    for (const value of values) this.append(value.finish())
    return this
  }

  i32s(field: number, values: readonly number[]): this {
    this.head(field, LIST).listHead(values.length, I32)
    for (const value of values) this.zigzag(value)
    return this
  }

  texts(field: number, values: readonly string[]): this {
    this.head(field, LIST).listHead(values.length, BINARY)
    for (const value of values) this.binary(value)
    return this
  }

  finish(): Buffer {
    this.bytes.push(0)
    this.flush()
    return Buffer.concat(this.parts)
  }

  private head(field: number, type: number): this {
    this.bytes.push(((field - this.last) << 4) | type)
    this.last = field
    return this
  }

  private listHead(length: number, type: number): void {
    if (length < 15) this.bytes.push((length << 4) | type)
    else this.bytes.push(0xf0 | type, ...varint(length))
  }

  private zigzag(value: number): this {
    this.bytes.push(...varint(value >= 0 ? value * 2 : -value * 2 - 1))
    return this
  }

  private binary(value: string): this {
    const bytes = Buffer.from(value)
    this.bytes.push(...varint(bytes.length))
    return this.append(bytes)
  }

  private append(bytes: Buffer): this {
    this.flush()
    this.parts.push(bytes)
    return this
  }

  private flush(): void {
    this.parts.push(Buffer.from(this.bytes))
    this.bytes.length = 0
  }
}

/** Seven bits in a byte, the lowest first; up to 53 of them. */
export function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  bytes.push(rest)
  return bytes
}
