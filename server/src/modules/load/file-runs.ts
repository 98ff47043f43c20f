import { CONN_NEW } from '@boathouse/contract'
import type { Outcome } from '../../engines/engine/outcome.ts'
import type { FileOrder } from '../../engines/engine/files.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { StatementAnswer } from '../query/answers/answer.ts'
import type { Origin } from '../query/connections/origin.ts'
import type { Requester } from '../query/requester.ts'
import type { Queries } from '../query/service.ts'
import type { KeptConnections } from './kept-connections.ts'

export interface FileRunParts {
  readonly queries: Pick<Queries, 'submit'>
  readonly kept: Pick<KeptConnections, 'take' | 'isOfOthers' | 'give' | 'end'>
  /** Who somebody is and what they may do now; undefined when they are gone. */
  readonly actorOf: (userId: string) => Promise<Actor | undefined>
}

interface Sender extends Origin, Pick<Requester, 'now'> {}

export interface FileRun {
  readonly requestId: string
  /** What the history says of it. */
  readonly text: string
  readonly order: FileOrder
  readonly catalog: string
  readonly database: string
  readonly warehouseId: string
  /** Who has sent it, where that is a program; missing: the service itself, for its user. */
  readonly sender?: Sender
  onAnswer(answer: StatementAnswer): void
}

/** How a run ended: the answer to every listener, and the engine's report on the file if it ran just now. */
export interface FileEnd {
  readonly answer: StatementAnswer
  readonly outcome: Outcome | null
}

/**
 * Work on files is an ordinary statement: recorded before it runs, in a slot of a warehouse, metered, shown and stopped
 * in Activity, with the privileges of its user, and run once however often it is sent.
 */
export function createFileRuns({ queries, kept, actorOf }: FileRunParts) {
  async function now({ userId }: Actor): Promise<Actor> {
    const found = await actorOf(userId)
    if (!found) throw new AppError('LoginRequired', 'The user of this request no longer exists.')
    return found
  }

  /** Throws an AppError when it is refused as a whole. */
  return async function run(actor: Actor, { order, onAnswer, sender, ...asked }: FileRun): Promise<FileEnd> {
    let outcome: Outcome | null = null
    let last: StatementAnswer | null = null
    const { catalog, database, warehouseId } = asked
    const place = { catalog, database, warehouseId }
    const taken = kept.take(actor, place)

    const submitOn = (connectionId: number): Promise<void> =>
      queries.submit(
        { known: actor, now: sender ? (version) => sender.now(version) : () => now(actor) },
        {
          requestId: asked.requestId,
          sql: asked.text,
          connectionId,
          previousConnectionId: 0,
          place,
          clientId: 'load',
          clientIp: sender?.clientIp ?? null,
          door: sender?.door ?? 'service',
          ...(sender?.program !== undefined && { program: sender.program }),
          file: { order, onOutcome: (reported) => (outcome = reported) },
        },
        (answer) => {
          last = answer
          onAnswer(answer)
        },
      )

    /** The connection is used again after a run that has finished, and closed after any other. */
    function leave(): void {
      const used = last?.connectionId ?? taken ?? CONN_NEW
      if (taken !== null && used !== taken) kept.end(actor, taken)
      if (used === CONN_NEW || kept.isOfOthers(used, taken)) return
      if (outcome?.state === 'finished') kept.give(actor, place, used)
      else kept.end(actor, used)
    }

    try {
      await submitOn(taken ?? CONN_NEW).catch((error: unknown) => {
        // Somebody has closed it since its last load. Nothing was accepted.
        if (taken !== null && isLost(error)) return submitOn(CONN_NEW)
        throw error
      })
    } finally {
      leave()
    }
    if (!last) throw new AppError('Internal', 'This request has no result.')
    return { answer: last, outcome }
  }
}

const isLost = (error: unknown): boolean => error instanceof AppError && error.code === 'ConnectionLost'

export type RunFile = ReturnType<typeof createFileRuns>
