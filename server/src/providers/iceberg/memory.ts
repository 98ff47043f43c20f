import { OutsideRefused } from '../../kernel/outside.ts'

/** In millions of characters; a catalog alone remembers a part of it. */
const MOST_MB = 256

interface Kept {
  readonly length: number
  letGo(): void
}

/**
 * The memory of the cache of all catalogs together, and of answers while they are read. The least recently used entries
 * are evicted to make room; a read waits when even that is not enough.
 */
export class Memory {
  /** In the order of their last use. */
  readonly #kept = new Map<object, Kept>()
  readonly #waiting = new Set<() => void>()
  #used = 0

  constructor(private readonly most = MOST_MB * 1024 * 1024) {}

  /** So much room for as long as the work takes. */
  async during<T>(wanted: number, stop: AbortSignal, work: () => Promise<T>): Promise<T> {
    const length = Math.min(wanted, this.most)
    while (!this.#makeRoom(length)) await this.#change(stop)
    this.#used += length
    try {
      return await work()
    } finally {
      this.#used -= length
      this.#wake()
    }
  }

  /** Only if there is space; the owner must be able to do without it at any time. */
  keep(one: object, length: number, letGo: () => void): void {
    this.release(one)
    if (length > this.most || !this.#makeRoom(length)) return letGo()
    this.#kept.set(one, { length, letGo })
    this.#used += length
  }

  /** It is wanted again. */
  use(one: object): void {
    const kept = this.#kept.get(one)
    if (!kept) return
    this.#kept.delete(one)
    this.#kept.set(one, kept)
  }

  release(one: object): void {
    const kept = this.#kept.get(one)
    if (!kept) return
    this.#kept.delete(one)
    this.#used -= kept.length
    this.#wake()
  }

  #makeRoom(length: number): boolean {
    for (const [one, { letGo }] of this.#kept) {
      if (this.#used + length <= this.most) break
      this.release(one)
      letGo()
    }
    return this.#used + length <= this.most
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
  }

  #change(stop: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (then: () => void) => () => {
        this.#waiting.delete(wake)
        stop.removeEventListener('abort', stopped)
        then()
      }
      const wake = end(resolve)
      const stopped = end(() =>
        reject(new OutsideRefused('unreachable', 'too much is read of other catalogs at this moment')),
      )
      this.#waiting.add(wake)
      stop.addEventListener('abort', stopped)
      if (stop.aborted) stopped()
    })
  }
}
