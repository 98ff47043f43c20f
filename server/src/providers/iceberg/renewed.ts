export interface Good<T> {
  readonly value: T
  /** In milliseconds since 1970. */
  readonly until: number
}

/** A value that expires: loaded once for all callers, and again when it has expired or failed. */
export class Renewed<T> {
  #last: Promise<Good<T>> | null = null

  constructor(private readonly now: () => number) {}

  /** The last value, to be given up if it turns out to be invalid. */
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
