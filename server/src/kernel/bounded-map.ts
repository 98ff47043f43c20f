/** A map that forgets its oldest entries once their weights add up to more than it may hold. */
export class BoundedMap<V> {
  readonly #entries = new Map<string, { value: V; weight: number }>()
  readonly #maxWeight: number
  #weight = 0

  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight
  }

  get(key: string): V | undefined {
    return this.#entries.get(key)?.value
  }

  set(key: string, value: V, weight: number): void {
    this.delete(key)
    if (weight > this.#maxWeight) return
    this.#entries.set(key, { value, weight })
    this.#weight += weight
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#maxWeight) break
      this.delete(oldest)
    }
  }

  clear(): void {
    this.#entries.clear()
    this.#weight = 0
  }

  delete(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0
    this.#entries.delete(key)
  }
}
