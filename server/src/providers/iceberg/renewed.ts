export interface Good<T> {
  readonly value: T
  /** In milliseconds since 1970. */
  readonly until: number
}

/** Something that is good for a while: asked for once for all who want it, and again when it has ended or failed. */
export class Renewed<T> {
  #last: Promise<Good<T>> | null = null

  constructor(private readonly now: () => number) {}

  /** What was asked for last, to be given up if it turns out not to be good. */
  get last(): unknown {
    return this.#last
  }

  async value(ask: () => Promise<Good<T>>): Promise<T> {
    for (;;) {
      const before = this.#last
      const known = await before?.catch(() => null)
      if (known && this.now() < known.until) return known.value
      if (this.#last !== before) continue
      const asked = ask()
      this.#last = asked
      return (await asked).value
    }
  }

  giveUp(last: unknown): void {
    if (this.#last === last) this.#last = null
  }
}
