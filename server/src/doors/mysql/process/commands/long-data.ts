/** A value that arrives in parts. They are joined as they come: a part of one byte costs one byte, not an object. */
export class LongData {
  #room = Buffer.alloc(0)
  #length = 0

  get bytes(): Buffer {
    return this.#room.subarray(0, this.#length)
  }

  append(part: Uint8Array): void {
    const length = this.#length + part.length
    if (length > this.#room.length) {
      const wider = Buffer.allocUnsafeSlow(Math.max(length, this.#room.length * 2))
      wider.set(this.bytes)
      this.#room = wider
    }
    this.#room.set(part, this.#length)
    this.#length = length
  }
}
