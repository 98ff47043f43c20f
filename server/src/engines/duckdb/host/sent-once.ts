/** A value that the other side keeps, by its number: it is there the first time, and what is no longer meant is named. */
export interface Sent<T> {
  readonly id: number
  readonly value?: T
  readonly forget?: readonly number[]
}

interface Weighed {
  readonly weight: number
}

/**
 * Values that are sent again and again and never change, as the names that somebody may see: 50,000 of them take longer
 * to be sent than to be used. The same object is sent once, as long as what is kept does not become too much.
 */
export class SentOnce<T extends object> {
  private readonly ids = new WeakMap<T, number>()
  /** What the other side has, the one that was used last at the end. */
  private readonly held = new Map<number, Weighed>()
  private last = 0
  private total = 0

  constructor(
    private readonly weightOf: (value: T) => number,
    private readonly most: number,
  ) {}

  of(value: T): Sent<T> {
    const id = this.ids.get(value) ?? ++this.last
    this.ids.set(value, id)
    const known = this.held.get(id)
    if (known) {
      this.held.delete(id)
      this.held.set(id, known)
      return { id }
    }
    const weight = this.weightOf(value) + 1
    this.held.set(id, { weight })
    this.total += weight
    const forget = this.tooMuch(id)
    return { id, value, ...(forget.length > 0 && { forget }) }
  }

  private tooMuch(newest: number): number[] {
    const forget: number[] = []
    for (const [id, { weight }] of this.held) {
      if (this.total <= this.most || id === newest) break
      this.held.delete(id)
      this.total -= weight
      forget.push(id)
    }
    return forget
  }
}

/** The other side of it. */
export class KeptOnce<T extends object> {
  private readonly kept = new Map<number, T>()

  take({ id, value, forget = [] }: Sent<T>): T {
    for (const one of forget) this.kept.delete(one)
    if (value) this.kept.set(id, value)
    const kept = this.kept.get(id)
    if (!kept) throw new Error('A value is meant that was never sent.')
    return kept
  }
}
