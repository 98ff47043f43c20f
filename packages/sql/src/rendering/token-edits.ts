/** What is written instead of some tokens of a statement, by their indices. */
export class TokenEdits {
  readonly #texts = new Map<number, { text: string; last: number }>()

  /** Instead of one token. */
  set(at: number, text: string): void {
    this.replace(at, at, text)
  }

  /** Instead of several, and of what is between them. */
  replace(first: number, last: number, text: string): void {
    this.#texts.set(first, { text, last })
  }

  has(at: number): boolean {
    return this.#texts.has(at)
  }

  get(at: number): { readonly text: string; readonly last: number } | undefined {
    return this.#texts.get(at)
  }
}
