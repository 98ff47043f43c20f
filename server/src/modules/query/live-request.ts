import type { RowSink } from '../../engines/engine/sink.ts'
import type { Submission } from './accepting/accepted-rows.ts'
import { acceptRequest, type AcceptingParts } from './accepting/accepting.ts'
import type { QueueEntry } from './accepting/connection-queue.ts'
import type { AnalysedText } from './analysis/analysed-text.ts'
import { RequestAnswers } from './answers/request-answers.ts'
import type { Requester } from './requester.ts'
import type { ParameterValue } from './sessions/parameters.ts'
import { Execution } from './running/execution.ts'
import type { ExecutionParts } from './running/execution-parts.ts'
import type { StoppedBy } from './running/stopped-by.ts'

/** What a request is accepted and run with. */
export type LiveRequestParts = AcceptingParts & ExecutionParts

export interface LiveRequestOptions {
  readonly requester: Requester
  readonly submission: Submission
  /** Takes the rows of its statements as they come. */
  readonly sink?: RowSink | undefined
  /** Values for the parameters of its one statement. */
  readonly parameters?: readonly ParameterValue[] | undefined
}

/**
 * One request from its arrival to its last answer: accepted (`accepting/`), run (`running/`) and
 * answered (`answers/`). Listeners come and go with channels; the run does not depend on them.
 */
export class LiveRequest {
  readonly answers = new RequestAnswers()
  readonly requester: Requester
  readonly submission: Submission
  readonly #parts: LiveRequestParts
  readonly #options: LiveRequestOptions
  readonly #stop = new AbortController()
  #execution: Execution | null = null

  constructor(parts: LiveRequestParts, options: LiveRequestOptions) {
    this.#parts = parts
    this.#options = options
    this.requester = options.requester
    this.submission = options.submission
  }

  get userId(): string {
    return this.requester.known.userId
  }

  get accountId(): string {
    return this.requester.known.accountId
  }

  /** Of a new connection, only after acceptance. */
  get connectionId(): number {
    return this.#execution?.connectionId ?? this.submission.connectionId
  }

  /** False of one that was refused, or was answered from an earlier run. */
  get hasRun(): boolean {
    return this.#execution !== null
  }

  /** Resolves when those ends are written that were sent before they were. */
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
    const { requester, submission, answers } = this
    const actor = requester.known
    const request = await acceptRequest(this.#parts, { actor, submission, analysed, isFirst })
    if (!request) return false
    const { sink, parameters } = this.#options
    const stop = this.#stop.signal
    this.#execution = new Execution(this.#parts, { request, requester, answers, stop, sink, parameters })
    return true
  }

  async run(entry: QueueEntry): Promise<void> {
    await this.#execution?.run(entry)
  }
}
