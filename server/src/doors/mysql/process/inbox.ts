import type { RowBatch } from '../../../engines/engine/sink.ts'
import type { SqlError, ToDoor } from '../link/messages.ts'

/** What the server says to one client. */
export type Answer =
  | Exclude<ToDoor, { readonly kind: 'settings' | 'stop' | 'hang-up' | 'file-granted' }>
  | { readonly kind: 'rows'; readonly batch: RowBatch; readonly bytes: number }

export type AnswerOf<Kind extends Answer['kind']> = Extract<Answer, { readonly kind: Kind }>

/** Answers of the server in their order. There are never more than the window of a client holds. */
export class Inbox {
  readonly #answers: Answer[] = []
  #waiting: { resolve(answer: Answer): void; reject(error: Error): void } | null = null
  #failure: Error | null = null

  get isEmpty(): boolean {
    return this.#answers.length === 0
  }

  get isWaiting(): boolean {
    return this.#waiting !== null
  }

  put(answer: Answer): void {
    const waiting = this.#waiting
    this.#waiting = null
    if (waiting) waiting.resolve(answer)
    else this.#answers.push(answer)
  }

  /** There will be no more. */
  fail(error: Error): void {
    this.#failure ??= error
    this.#waiting?.reject(this.#failure)
    this.#waiting = null
  }

  next(): Promise<Answer> {
    if (this.#failure) return Promise.reject(this.#failure)
    const answer = this.#answers.shift()
    if (answer) return Promise.resolve(answer)
    return new Promise((resolve, reject) => (this.#waiting = { resolve, reject }))
  }
}

/** The server wants the connection to end. */
export class HungUp extends Error {
  constructor(readonly error: SqlError) {
    super(error.message)
  }
}
