import type { StatementAnswer } from './answer.ts'

export type Listener = (answer: StatementAnswer) => void

/** What is known of a request so far, one answer for each of its statements, and who wants to hear the next. */
export class RequestAnswers {
  readonly #listeners = new Set<Listener>()
  readonly #latest = new Map<number, StatementAnswer>()

  /** Tells what is known so far, then everything that follows. */
  attach(listener: Listener): void {
    for (const answer of this.#latest.values()) listener(answer)
    this.#listeners.add(listener)
  }

  detach(listener: Listener): void {
    this.#listeners.delete(listener)
  }

  publish(answer: StatementAnswer): void {
    this.#latest.set(answer.index, answer)
    for (const listener of this.#listeners) listener(answer)
  }

  all(): StatementAnswer[] {
    return [...this.#latest.values()]
  }
}
