/** What is written instead of a text, and how its places are found in that text again. */
export interface Rewriting {
  readonly text: string
  /** Of the parts that have another length, one after the other: where it begins and ends here, and in the text. */
  readonly moves: readonly number[]
  /** What is to be said of it, or asked before it runs. */
  readonly remarks?: Remarks
}

/** What somebody who writes one text instead of another has to say. */
export interface Remarks {
  /** What was left out of it, or is not what it seems, for people. */
  readonly warnings: readonly string[]
  /** Tables whose rows are distinguished by the number that the engine gives them, and not by a column of that name. */
  readonly numbered: readonly string[]
  /** The table that rows are inserted into unless their keys are there; missing where that is not asked for. */
  readonly keyed?: string
  /** What runs behind it, in the same transaction: one statement of the sender's may be several of the engine's. */
  readonly behind: readonly string[]
}

/** Replaces parts of a text, from its beginning to its end. */
export class TextEdits {
  readonly #text: string
  readonly #parts: string[] = []
  readonly #moves: number[] = []
  #copied = 0
  #length = 0

  constructor(text: string) {
    this.#text = text
  }

  replace(start: number, end: number, by: string): void {
    this.#parts.push(this.#text.slice(this.#copied, start), by)
    const begins = this.#length + start - this.#copied
    this.#length = begins + by.length
    if (by.length !== end - start) this.#moves.push(begins, this.#length, start, end)
    this.#copied = end
  }

  /** Null when nothing was replaced. */
  finish(): Rewriting | null {
    if (this.#parts.length === 0) return null
    return { text: this.#parts.join('') + this.#text.slice(this.#copied), moves: this.#moves }
  }
}

/** The place in the text that a place in what was written instead stands for: of a part that was replaced, its beginning. */
export function originalOffset({ moves }: Pick<Rewriting, 'moves'>, offset: number): number {
  let shift = 0
  for (let at = 0; at < moves.length; at += 4) {
    const [begins = 0, ends = 0, start = 0, end = 0] = moves.slice(at, at + 4)
    if (offset < begins) break
    if (offset < ends) return start
    shift = end - ends
  }
  return offset + shift
}
