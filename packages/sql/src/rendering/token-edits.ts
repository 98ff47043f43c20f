import type { Remarks } from '../text/text-edits.ts'

interface Around {
  readonly before: string
  readonly after: string
}

/** What is written instead of some tokens of a statement, and around them, by their indices. */
export class TokenEdits {
  readonly #texts = new Map<number, { text: string; last: number }>()
  readonly #inside = new Surroundings()
  readonly #outside = new Surroundings()
  readonly #warnings = new Set<string>()
  readonly #numbered = new Set<string>()
  readonly #behind: string[] = []
  #keyed: string | undefined

  /** Says something to who wrote the statement. */
  warn(message: string): void {
    this.#warnings.add(message)
  }

  /** Rows of this table are named by the number that the engine gives them. */
  numbersRows(table: string): void {
    this.#numbered.add(table)
  }

  /** What happens to a row of this table depends on whether its key is there. */
  looksAtKeys(table: string): void {
    this.#keyed = table
  }

  /** Has a text of the engine's run behind this statement, in the same transaction. */
  runBehind(text: string): void {
    this.#behind.push(text)
  }

  /** Missing when nothing is to be said. */
  get remarks(): Remarks | undefined {
    const keyed = this.#keyed === undefined ? {} : { keyed: this.#keyed }
    const isEmpty = this.#warnings.size + this.#numbered.size + this.#behind.length === 0
    if (isEmpty && this.#keyed === undefined) return undefined
    return { warnings: [...this.#warnings], numbered: [...this.#numbered], behind: this.#behind, ...keyed }
  }

  /** Instead of one token. */
  set(at: number, text: string): void {
    this.replace(at, at, text)
  }

  /** Instead of several, and of what is between them. */
  replace(first: number, last: number, text: string): void {
    this.#texts.set(first, { text, last })
  }

  /** Around several tokens: what is noted later stands outside of what was noted before. */
  wrap(first: number, last: number, { before, after }: Around): void {
    this.#inside.add(first, last, { before, after })
  }

  /** Around several tokens, and around everything that `wrap` has put around the same ones, before or later. */
  enclose(first: number, last: number, { before, after }: Around): void {
    this.#outside.add(first, last, { before, after })
  }

  has(at: number): boolean {
    return this.#texts.has(at)
  }

  get(at: number): { readonly text: string; readonly last: number } | undefined {
    return this.#texts.get(at)
  }

  beforeOf(at: number): string {
    return this.#outside.beforeOf(at) + this.#inside.beforeOf(at)
  }

  afterOf(at: number): string {
    return this.#inside.afterOf(at) + this.#outside.afterOf(at)
  }
}

class Surroundings {
  readonly #before = new Map<number, string>()
  readonly #after = new Map<number, string>()

  add(first: number, last: number, { before, after }: Around): void {
    this.#before.set(first, before + this.beforeOf(first))
    this.#after.set(last, this.afterOf(last) + after)
  }

  beforeOf(at: number): string {
    return this.#before.get(at) ?? ''
  }

  afterOf(at: number): string {
    return this.#after.get(at) ?? ''
  }
}
