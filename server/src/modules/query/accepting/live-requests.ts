import { CONN_NEW } from '@boathouse/contract'
import type { RowSink } from '../../../engines/engine/sink.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { AnalysedStatement, AnalysedText } from '../analysis/analysed-text.ts'
import type { Analyses } from '../analysis/analyses.ts'
import { idTaken } from '../answers/answered-before.ts'
import type { Listener } from '../answers/request-answers.ts'
import { LiveRequest, type LiveRequestParts } from '../live-request.ts'
import type { Requester } from '../requester.ts'
import type { Connections } from '../sessions/connections.ts'
import { requireValues } from '../sessions/named-values.ts'
import type { ParameterValue } from '../sessions/parameters.ts'
import type { Submission } from './accepted-rows.ts'
import { createConnectionQueue, NO_QUEUE, type QueueEntry } from './connection-queue.ts'
import { quotesFor, requireSameForFile } from './reading.ts'
import { createRunningLimits } from './running-limits.ts'

export type LiveRequestsParts = LiveRequestParts & {
  readonly analyses: Pick<Analyses, 'analyse'>
  readonly connections: Pick<Connections, 'before'>
}

/** A request that runs here, and how far it is. */
export interface BegunRequest {
  readonly request: LiveRequest
  /** Resolves when it is written down, or when it has ended before that. Never rejects. */
  readonly begun: Promise<void>
  /** Resolves when its last end is written; rejects with an `AppError` when it is refused as a whole. */
  readonly ended: Promise<void>
}

export interface BeginOptions {
  readonly listener: Listener
  /** Takes the rows of its statements as they come; without it they come with the answers, up to a limit. */
  readonly sink?: RowSink | undefined
  /** Values for the parameters of its one statement. */
  readonly parameters?: readonly ParameterValue[] | undefined
  /** Refuses a text of several statements before any of them runs. */
  readonly isSingle?: boolean | undefined
  /** For a request that may have been sent before: answers it then, and says whether it has. */
  readonly answerAgain?: (statements: readonly AnalysedStatement[]) => Promise<boolean>
}

const severalWithParameters = (count: number) =>
  new AppError('BadInput', `Values can be sent for one statement; this text has ${count}.`)

const severalAtOnce = (count: number) =>
  new AppError('BadInput', `Only one statement can be sent at once; this text has ${count}.`)

interface Marks {
  onBegun(): void
  /** Gives its place within the limits to others. */
  free(): void
}

const NEVER_BEFORE = async (): Promise<boolean> => false

/** False when the request was written before and has been answered again, whatever became of its connection. */
async function isAccepted(
  { request, analysed, entry }: { request: LiveRequest; analysed: AnalysedText; entry: QueueEntry },
  again: () => Promise<boolean>,
): Promise<boolean> {
  try {
    if (await request.accept(analysed, entry)) return true
  } catch (error) {
    if (await again()) return false
    throw error
  }
  // The database says that it was written: then somebody can answer it, or the id is another request's.
  if (!(await again())) throw idTaken()
  return false
}

const queueKey = ({ userId }: Pick<Actor, 'userId'>, connectionId: number): string =>
  `${userId}/${connectionId}`

/** The requests that run or wait in this server: within the limits, and one after the other on each connection. */
export function createLiveRequests(parts: LiveRequestsParts) {
  const live = new Map<LiveRequest, BegunRequest>()
  const limits = createRunningLimits()
  const queue = createConnectionQueue()

  async function runOnce(
    request: LiveRequest,
    options: BeginOptions,
    { onBegun, free }: Marks,
  ): Promise<void> {
    const { submission, requester } = request
    const { known } = requester
    const isNew = submission.connectionId === CONN_NEW
    const entry = isNew ? NO_QUEUE : queue.take(queueKey(known, submission.connectionId))
    try {
      const quotes = await quotesFor(parts.connections, known, submission)
      const analysed = await parts.analyses.analyse(known, submission.sql, quotes)
      requireSameForFile(submission, analysed)
      requireValues(submission.values, analysed.statements)
      if (options.parameters?.length && analysed.count !== 1) throw severalWithParameters(analysed.count)
      if (options.isSingle && analysed.count > 1) throw severalAtOnce(analysed.count)
      const again = () => (options.answerAgain ?? NEVER_BEFORE)(analysed.statements)
      // Before a new connection is opened for it, which a request sent again does not need.
      if (isNew && (await again())) return
      if (!(await isAccepted({ request, analysed, entry }, again))) return
      onBegun()
      await request.run(entry)
    } finally {
      entry.end()
      // Nothing of it runs any more, even where its end is still to be written.
      free()
    }
    await request.written
  }

  return {
    /** Begins to run a request; throws at once when the account or the user has too many that run. */
    begin(requester: Requester, submission: Submission, options: BeginOptions): BegunRequest {
      const free = limits.reserve(requester.known)
      const request = new LiveRequest(parts, { ...options, requester, submission })
      request.answers.attach(options.listener)
      let begin: (() => void) | undefined
      const isWritten = new Promise<void>((resolve) => (begin = resolve))
      const onBegun = () => begin?.()
      const ended = runOnce(request, options, { onBegun, free }).finally(() => {
        live.delete(request)
        free()
      })
      // Why it ended before that is for those who wait for its end.
      const begun = Promise.race([isWritten, ended.catch(() => undefined)])
      const one = { request, begun, ended }
      live.set(request, one)
      return one
    },

    /**
     * Does something with a connection while no request of it runs, and within the same limits. Those that come later
     * wait for it.
     */
    async exclusively<T>(actor: Actor, connectionId: number, work: () => Promise<T>): Promise<T> {
      const free = limits.reserve(actor)
      const entry = queue.take(queueKey(actor, connectionId))
      try {
        await entry.comes
        return await work()
      } finally {
        entry.end()
        free()
      }
    },

    ofAccount: (accountId: string): LiveRequest[] =>
      [...live.keys()].filter((request) => request.accountId === accountId),

    ofConnection: (actor: Actor, connectionId: number): LiveRequest[] =>
      [...live.keys()].filter(
        (request) => request.userId === actor.userId && request.connectionId === connectionId,
      ),

    detach(listener: Listener): void {
      for (const request of live.keys()) request.answers.detach(listener)
    },

    takeActive: limits.takeActive,

    /** Stops everything that runs; resolves when the last end is written. */
    async close(): Promise<void> {
      const unfinished = [...live.values()]
      await Promise.all(unfinished.map(({ request }) => request.cancel()))
      await Promise.allSettled(unfinished.map(({ ended }) => ended))
    },
  }
}

export type LiveRequests = ReturnType<typeof createLiveRequests>
