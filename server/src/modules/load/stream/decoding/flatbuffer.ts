import { BrokenData } from './byte-source.ts'

/** A table of a flatbuffer: fields by their number, each with what it is when it was left out. Reads nothing outside of its bytes. */
export class FlatTable {
  constructor(
    private readonly bytes: Buffer,
    private readonly start: number,
  ) {}

  static root(bytes: Buffer): FlatTable {
    return inside(() => new FlatTable(bytes, bytes.readUInt32LE(0)))
  }

  byte = (field: number): number => this.#read(field, 0, (at) => this.bytes.readUInt8(at))
  short = (field: number, otherwise = 0): number =>
    this.#read(field, otherwise, (at) => this.bytes.readInt16LE(at))
  int = (field: number, otherwise = 0): number =>
    this.#read(field, otherwise, (at) => this.bytes.readInt32LE(at))
  /** As a number: what is larger than numbers can say is too large for everything here. */
  long = (field: number): number => this.#read(field, 0, (at) => Number(this.bytes.readBigInt64LE(at)))

  text(field: number): string {
    return this.#read(field, '', (at) => {
      const start = this.#follow(at)
      return this.#slice(start + 4, this.bytes.readUInt32LE(start)).toString()
    })
  }

  table(field: number): FlatTable | null {
    return this.#read(field, null, (at) => new FlatTable(this.bytes, this.#follow(at)))
  }

  tables(field: number): FlatTable[] {
    return this.#read(field, [], (at) => {
      const start = this.#follow(at)
      const places = this.#slice(start + 4, this.bytes.readUInt32LE(start) * 4)
      return Array.from(
        { length: places.length / 4 },
        (_, index) => new FlatTable(this.bytes, this.#follow(start + 4 + index * 4)),
      )
    })
  }

  /** Structs of two longs each. */
  pairs(field: number): [number, number][] {
    return this.#read(field, [], (at) => {
      const start = this.#follow(at)
      const pairs = this.#slice(start + 4, this.bytes.readUInt32LE(start) * 16)
      return Array.from({ length: pairs.length / 16 }, (_, index) => [
        Number(pairs.readBigInt64LE(index * 16)),
        Number(pairs.readBigInt64LE(index * 16 + 8)),
      ])
    })
  }

  #read<T>(field: number, otherwise: T, read: (at: number) => T): T {
    return inside(() => {
      const fields = this.start - this.bytes.readInt32LE(this.start)
      const place = 4 + field * 2
      const offset = place < this.bytes.readUInt16LE(fields) ? this.bytes.readUInt16LE(fields + place) : 0
      return offset === 0 ? otherwise : read(this.start + offset)
    })
  }

  #follow = (at: number): number => at + this.bytes.readUInt32LE(at)

  #slice(start: number, length: number): Buffer {
    if (start + length > this.bytes.length) throw new RangeError('It reaches over the end.')
    return this.bytes.subarray(start, start + length)
  }
}

function inside<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw new BrokenData('The metadata is broken.', { cause: error })
    throw error
  }
}
