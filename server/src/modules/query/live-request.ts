import type { Submission } from './accepting/accepted-rows.ts'
import { acceptRequest, type AcceptingParts } from './accepting/accepting.ts'
import type { AnalysedText } from './analysis/analysed-text.ts'
import type { Requester } from './requester.ts'
import type { QueueEntry } from './accepting/connection-queue.ts'
import { Execution, type ExecutionParts, type StoppedBy } from './running/execution.ts'
import { RequestAnswers } from './answers/request-answers.ts'

/** What a request is accepted and run with. */
export type LiveRequestParts = AcceptingParts & ExecutionParts

/**
 * One request from when it came to its last answer: accepted (`accepting/`), run (`running/`) and
 * answered (`answers/`). Listeners come and go with channels; the run does not notice.
 */
export class LiveRequest {
  readonly answers = new RequestAnswers()
  readonly #parts: LiveRequestParts
  readonly #requester: Requester
  readonly #submission: Submission
  readonly #stop = new AbortController()
  #execution: Execution | null = null

  constructor(parts: LiveRequestParts, requester: Requester, submission: Submission) {
    this.#parts = parts
    this.#requester = requester
    this.#submission = submission
  }

  get userId(): string {
    return this.#requester.known.userId
  }

  get sql(): string {
    return this.#submission.sql
  }

  /** Ends that were told before they were written are written after this. */
  get written(): Promise<unknown> {
    return this.#execution?.written ?? Promise.resolve()
  }

  has(queryId: string): boolean {
    return this.#execution?.has(queryId) ?? false
  }

  underway(): ReturnType<Execution['underway']> {
    return this.#execution?.underway() ?? null
  }

  /** What has not run yet never does. */
  async cancel(by?: StoppedBy): Promise<void> {
    this.#stop.abort(by)
    await this.#execution?.cancel()
  }

  /** Writes the request down. False when it was written before: then it must not run again. */
  async accept(analysed: AnalysedText, { isFirst }: Pick<QueueEntry, 'isFirst'>): Promise<boolean> {
    const request = await acceptRequest(this.#parts, {
      actor: this.#requester.known,
      submission: this.#submission,
      analysed,
      isFirst,
    })
    if (!request) return false
    const { answers } = this
    this.#execution = new Execution(this.#parts, {
      request,
      requester: this.#requester,
      answers,
      stop: this.#stop.signal,
    })
    return true
  }

  async run(entry: QueueEntry): Promise<void> {
    await this.#execution?.run(entry)
  }
}
