/** Builds a small packet field by field. */
export class PayloadBuilder {
  #bytes = Buffer.allocUnsafe(256)
  #at = 0

  byte(value: number): this {
    this.#bytes.writeUInt8(value, this.#room(1))
    return this
  }

  uint16(value: number): this {
    this.#bytes.writeUInt16LE(value, this.#room(2))
    return this
  }

  uint32(value: number): this {
    this.#bytes.writeUInt32LE(value, this.#room(4))
    return this
  }

  bytes(value: Uint8Array): this {
    this.#bytes.set(value, this.#room(value.length))
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
    this.#bytes.writeBigUInt64LE(BigInt(value), this.#room(8))
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
