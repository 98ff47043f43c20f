const GIB = 1024 ** 3

type Kind = 'memory' | 'file'
type Bytes = Readonly<Record<Kind, number>>

/** Where there is no memory left, rows are in files. */
const OF_PROCESS: Bytes = { memory: 64 * 1024 * 1024, file: 16 * GIB }
const OF_CONNECTION: Bytes = { memory: 8 * 1024 * 1024, file: 4 * GIB }

/** What cursors may hold together: a client can open many, and leave them. */
export class SpoolSpace {
  readonly #most: Bytes
  readonly #whole: SpoolSpace | null
  readonly #taken: Record<Kind, number> = { memory: 0, file: 0 }

  constructor(most: Bytes = OF_PROCESS, whole: SpoolSpace | null = null) {
    this.#most = most
    this.#whole = whole
  }

  /** A part of it, for one connection: it leaves something to others. */
  forConnection(most: Bytes = OF_CONNECTION): SpoolSpace {
    return new SpoolSpace(most, this)
  }

  /** Whether there was room. */
  take(kind: Kind, bytes: number): boolean {
    if (this.#taken[kind] + bytes > this.#most[kind]) return false
    if (this.#whole && !this.#whole.take(kind, bytes)) return false
    this.#taken[kind] += bytes
    return true
  }

  give(kind: Kind, bytes: number): void {
    this.#taken[kind] -= bytes
    this.#whole?.give(kind, bytes)
  }
}
