import { malformed } from './protocol-error.ts'

const NO_BYTES = Buffer.alloc(0)

/** Reads the fields of a packet one behind the other, and never beyond its end. */
export class PayloadReader {
  readonly #bytes: Buffer
  #at: number

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes
    this.#at = at
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#take(1))
  }

  uint16(): number {
    return this.#bytes.readUInt16LE(this.#take(2))
  }

  uint32(): number {
    return this.#bytes.readUInt32LE(this.#take(4))
  }

  int8(): number {
    return this.#bytes.readInt8(this.#take(1))
  }

  int16(): number {
    return this.#bytes.readInt16LE(this.#take(2))
  }

  int32(): number {
    return this.#bytes.readInt32LE(this.#take(4))
  }

  int64(): bigint {
    return this.#bytes.readBigInt64LE(this.#take(8))
  }

  uint64(): bigint {
    return this.#bytes.readBigUInt64LE(this.#take(8))
  }

  float(): number {
    return this.#bytes.readFloatLE(this.#take(4))
  }

  double(): number {
    return this.#bytes.readDoubleLE(this.#take(8))
  }

  bytes(count: number): Buffer {
    const from = this.#take(count)
    return this.#bytes.subarray(from, from + count)
  }

  /** A number of one to nine bytes. */
  lengthEncoded(): number {
    const first = this.byte()
    if (first < 0xfb) return first
    if (first === 0xfc) return this.uint16()
    if (first === 0xfd) return this.uint16() + this.byte() * 0x10000
    if (first !== 0xfe) throw malformed()
    const number = this.uint64()
    if (number > BigInt(Number.MAX_SAFE_INTEGER)) throw malformed()
    return Number(number)
  }

  lengthEncodedBytes(): Buffer {
    return this.bytes(this.lengthEncoded())
  }

  /** Up to a zero, which is read too, or to the end of the packet. */
  zeroEnded(): Buffer {
    const end = this.#bytes.indexOf(0, this.#at)
    if (end < 0) return this.rest()
    const found = this.#bytes.subarray(this.#at, end)
    this.#at = end + 1
    return found
  }

  rest(): Buffer {
    return this.left === 0 ? NO_BYTES : this.bytes(this.left)
  }

  #take(count: number): number {
    const from = this.#at
    if (count > this.#bytes.length - from) throw malformed()
    this.#at = from + count
    return from
  }
}
