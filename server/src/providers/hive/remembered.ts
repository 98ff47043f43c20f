import type { Memory } from '../iceberg/memory.ts'

interface Kept<T> {
  readonly at: number
  readonly value: T
}

/** As text would be, without making it of what is a map. */
const lengthOf = (value: unknown): number =>
  JSON.stringify(value, (_, part: unknown) =>
    part instanceof Map ? [...(part as Map<unknown, unknown>)] : part,
  ).length

/** What was asked for, by a key, within what the memory of all catalogs allows. */
export class Remembered<T> {
  readonly #kept = new Map<string, Kept<T>>()

  constructor(
    private readonly memory: Memory,
    private readonly now: () => number,
  ) {}

  /** Whatever its age. */
  known(key: string): T | undefined {
    const kept = this.#kept.get(key)
    if (kept) this.memory.use(kept)
    return kept?.value
  }

  /** What is remembered, if it is not older than this; else it is asked for. */
  async value(key: string, goodForMs: number, ask: () => Promise<T>): Promise<T> {
    const before = this.#kept.get(key)
    if (before && this.now() - before.at < goodForMs) {
      this.memory.use(before)
      return before.value
    }
    const kept = { at: this.now(), value: await ask() }
    const last = this.#kept.get(key)
    if (last) this.memory.release(last)
    this.#kept.set(key, kept)
    this.memory.keep(kept, lengthOf(kept.value), () => {
      if (this.#kept.get(key) === kept) this.#kept.delete(key)
    })
    return kept.value
  }
}
