import { BrokenData, type ByteSource } from './byte-source.ts'

/** Bits of a stream, the highest of each byte first. `fill` is asked for what is read without waiting after it. */
export class BitReader {
  readonly #source: ByteSource
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0
  #bits = 0
  #count = 0

  constructor(source: ByteSource) {
    this.#source = source
  }

  /** So many bytes can be read now, unless the stream ends before. */
  async fill(least: number): Promise<void> {
    if (this.#bytes.length - this.#at >= least) return
    this.#source.skip(this.#at)
    this.#at = 0
    this.#bytes = await this.#source.peek(least)
  }

  /** At most 24 at once. */
  read(count: number): number {
    while (this.#count < count) {
      const byte = this.#bytes[this.#at]
      if (byte === undefined) throw new BrokenData('The data ends too early.')
      this.#at++
      // What was read before may fall out at the top: only the lowest bits count.
      this.#bits = (this.#bits << 8) | byte
      this.#count += 8
    }
    this.#count -= count
    return (this.#bits >>> this.#count) & ((1 << count) - 1)
  }

  /** Up to the next whole byte. */
  align(): void {
    this.#count -= this.#count % 8
  }

  async hasEnded(): Promise<boolean> {
    await this.fill(1)
    return this.#count < 8 && this.#at >= this.#bytes.length
  }
}
