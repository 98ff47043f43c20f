import type { StatementAnswer } from './answer.ts'
import type { Again } from './answers-again.ts'

export type Listener = (answer: StatementAnswer) => void

/** What is known of a request so far, one answer for each of its statements, and who wants to hear the next. */
export class RequestAnswers {
  readonly #listeners = new Map<Listener, Listener>()
  readonly #latest = new Map<number, StatementAnswer>()

  /** Sends what is known so far, then everything that follows. */
  attach(listener: Listener): void {
    this.#listen(listener, listener)
  }

  /** The same for a listener that comes later, with each answer as it may be sent again. Resolves when all are sent. */
  attachLater(listener: Listener, again: Again): () => Promise<void> {
    let sent: Promise<void> = Promise.resolve()
    this.#listen(listener, (answer) => {
      sent = sent.then(async () => listener(await again(answer)))
    })
    return () => sent
  }

  detach(listener: Listener): void {
    this.#listeners.delete(listener)
  }

  publish(answer: StatementAnswer): void {
    this.#latest.set(answer.index, answer)
    for (const tell of this.#listeners.values()) tell(answer)
  }

  all(): StatementAnswer[] {
    return [...this.#latest.values()]
  }

  #listen(listener: Listener, tell: Listener): void {
    for (const answer of this.#latest.values()) tell(answer)
    this.#listeners.set(listener, tell)
  }
}
