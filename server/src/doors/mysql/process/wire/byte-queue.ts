/** Above this a piece costs far more than the object that holds it. */
const SMALL_BYTES = 16 * 1024

/** Bytes in the order in which they came. Small pieces are joined as they come: a byte alone costs a byte, not an object. */
export class ByteQueue {
  #pieces: Buffer[] = []
  #length = 0

  get length(): number {
    return this.#length
  }

  get pieces(): number {
    return this.#pieces.length
  }

  push(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#pieces.push(bytes)
    this.#length += bytes.length
    this.#joinSmall()
  }

  /** The next bytes, of which there are so many, without taking them. */
  peek(count: number): Buffer {
    const [first] = this.#pieces
    if (first && first.length >= count) return first.subarray(0, count)
    const taken = this.take(count)
    this.#pieces.unshift(taken)
    this.#length += count
    return taken
  }

  /** So many of the bytes that are there: as they lie, where they lie in one piece. */
  take(count: number): Buffer {
    this.#length -= count
    const [first] = this.#pieces
    if (first && first.length > count) {
      this.#pieces[0] = first.subarray(count)
      return first.subarray(0, count)
    }
    if (first?.length === count) return this.#pieces.shift() ?? first
    return this.#gathered(count)
  }

  #gathered(count: number): Buffer {
    const taken = Buffer.allocUnsafe(count)
    let at = 0
    let used = 0
    for (; at < count; used++) {
      const piece = this.#pieces[used]
      if (!piece) break
      const copied = piece.copy(taken, at)
      at += copied
      if (copied === piece.length) continue
      this.#pieces[used] = piece.subarray(copied)
      break
    }
    this.#pieces.splice(0, used)
    return taken
  }

  /** Each is longer than the one behind it, so that a byte is copied no more often than it has bits in its place. */
  #joinSmall(): void {
    for (;;) {
      const [before, last] = this.#pieces.slice(-2)
      if (!before || !last || last.length < before.length || last.length > SMALL_BYTES) return
      this.#pieces.splice(-2, 2, Buffer.concat([before, last]))
    }
  }
}
