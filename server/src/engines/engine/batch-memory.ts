/** Smaller pieces are not kept: they cost little. */
const [LEAST_BYTES, MOST_BYTES] = [16 * 1024, 1024 * 1024]
/** Of pieces that nobody has: as much as a statement may have on its way, twice. */
const MOST_FREE_BYTES = 2 * 1024 * 1024

/** Bytes that belong to the reader that took them, until it gives them back. */
export interface TakenBytes {
  readonly bytes: Uint8Array
  /** From then on they are written over. Without it, the collector of garbage finds them some time. */
  readonly release: () => void
}

/**
 * Memory for batches on their way through a process. Each new piece of it makes V8 look through the heap sooner, and a million
 * rows need some hundred, so that pieces are used again: those of one reader only, whose rows are of one account.
 */
export class BatchMemory {
  readonly #free = new Map<number, ArrayBufferLike[]>()
  #freeBytes = 0

  /** What is in it is of no meaning: all of it is to be written over. */
  take(length: number): TakenBytes {
    if (length < LEAST_BYTES || length > MOST_BYTES)
      return { bytes: unwritten(length), release: () => undefined }
    const size = 2 ** Math.ceil(Math.log2(length))
    const piece = this.#free.get(size)?.pop()
    if (piece) this.#freeBytes -= size
    const buffer = piece ?? unwritten(size).buffer
    let isTaken = true
    const release = (): void => {
      if (isTaken) this.#put(buffer)
      isTaken = false
    }
    return { bytes: new Uint8Array(buffer, 0, length), release }
  }

  /** Keeps nothing for later. */
  clear(): void {
    this.#free.clear()
    this.#freeBytes = 0
  }

  #put(buffer: ArrayBufferLike): void {
    const size = buffer.byteLength
    if (this.#freeBytes + size > MOST_FREE_BYTES) return
    this.#freeBytes += size
    const free = this.#free.get(size)
    if (free) free.push(buffer)
    else this.#free.set(size, [buffer])
  }
}

/** Without zeros, which a million rows would take 10 ms for. */
const unwritten = (length: number): Uint8Array => new Uint8Array(Buffer.allocUnsafeSlow(length).buffer)
