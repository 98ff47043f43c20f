import type { EndedRow } from './statement-writes-store.ts'

/** Ends that are gathered wait no longer than this. */
const GATHERING_MS = 50
/** Nor for more than so many. */
const MOST_TOGETHER = 200

interface Gathered {
  readonly end: EndedRow
  resolve(written: Promise<void>): void
}

/**
 * Ends that were sent before they are written. To write one takes the database as long as to run a small
 * statement takes the engine; those of a moment are written together.
 */
export class GatheredEnds {
  readonly #write: (ends: readonly EndedRow[]) => Promise<void>
  #gathered: Gathered[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(write: (ends: readonly EndedRow[]) => Promise<void>) {
    this.#write = write
  }

  /** Resolves when it is written. */
  add(end: EndedRow): Promise<void> {
    const written = new Promise<void>((resolve) => this.#gathered.push({ end, resolve }))
    if (this.#gathered.length >= MOST_TOGETHER) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), GATHERING_MS)
    return written
  }

  /** Somebody wants to read them: they are on their way when this returns. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const gathered = this.#gathered
    if (gathered.length === 0) return
    this.#gathered = []
    const written = this.#write(gathered.map(({ end }) => end))
    for (const { resolve } of gathered) resolve(written)
  }
}
