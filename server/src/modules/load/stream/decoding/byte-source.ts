/** The data cannot be what it says it is, or ends too early. */
export class BrokenData extends Error {
  override readonly name = 'BrokenData'
}

/** Bytes of a stream, taken in pieces of a size that the reader knows. Holds no more than the largest of them. */
export class ByteSource {
  readonly #chunks: AsyncIterator<Uint8Array>
  #held: Buffer = Buffer.alloc(0)
  #hasEnded = false

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** What is here, at least so much unless the stream ends before. */
  async peek(least: number): Promise<Buffer> {
    if (this.#held.length >= least || this.#hasEnded) return this.#held
    const pieces = [this.#held]
    let length = this.#held.length
    while (length < least) {
      const next = await this.#chunks.next()
      if (next.done) {
        this.#hasEnded = true
        break
      }
      pieces.push(Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength))
      length += next.value.byteLength
    }
    this.#held = Buffer.concat(pieces)
    return this.#held
  }

  skip(count: number): void {
    this.#held = this.#held.subarray(count)
  }

  async take(count: number): Promise<Buffer> {
    const held = await this.peek(count)
    if (held.length < count) throw new BrokenData('The data ends too early.')
    this.skip(count)
    return held.subarray(0, count)
  }

  async hasEnded(): Promise<boolean> {
    return (await this.peek(1)).length === 0
  }
}
