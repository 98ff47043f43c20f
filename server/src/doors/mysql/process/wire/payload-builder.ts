/** Builds a small packet field by field. */
export class PayloadBuilder {
  #bytes = Buffer.allocUnsafe(256)
  #at = 0

  byte(value: number): this {
    const at = this.#room(1)
    this.#bytes.writeUInt8(value, at)
    return this
  }

  uint16(value: number): this {
    const at = this.#room(2)
    this.#bytes.writeUInt16LE(value, at)
    return this
  }

  uint32(value: number): this {
    const at = this.#room(4)
    this.#bytes.writeUInt32LE(value, at)
    return this
  }

  bytes(value: Uint8Array): this {
    const at = this.#room(value.length)
    this.#bytes.set(value, at)
    return this
  }

  zeros(count: number): this {
    const from = this.#room(count)
    this.#bytes.fill(0, from, from + count)
    return this
  }

  lengthEncoded(value: number): this {
    if (value < 0xfb) return this.byte(value)
    if (value < 0x1_0000) return this.byte(0xfc).uint16(value)
    if (value < 0x100_0000)
      return this.byte(0xfd)
        .uint16(value & 0xffff)
        .byte(value >>> 16)
    this.byte(0xfe)
    const at = this.#room(8)
    this.#bytes.writeBigUInt64LE(BigInt(value), at)
    return this
  }

  lengthEncodedBytes(value: Uint8Array): this {
    return this.lengthEncoded(value.length).bytes(value)
  }

  lengthEncodedText(value: string): this {
    return this.lengthEncodedBytes(Buffer.from(value))
  }

  zeroEndedText(value: string): this {
    return this.bytes(Buffer.from(value)).byte(0)
  }

  build(): Buffer {
    return this.#bytes.subarray(0, this.#at)
  }

  /** Where so many bytes have room. They may be others than before: ask first, then write. */
  #room(count: number): number {
    const from = this.#at
    this.#at += count
    if (this.#at > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#at, 2 * this.#bytes.length))
      this.#bytes.copy(larger, 0, 0, from)
      this.#bytes = larger
    }
    return from
  }
}
