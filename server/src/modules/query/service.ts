import { CONN_NEW, LIMITS } from '@boathouse/contract'
import { splitStatements, type StatementKind } from '@boathouse/sql'
import type { Engine } from '../../engines/engine.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { BoundedMap } from '../../kernel/bounded-map.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Asker } from './asker.ts'
import type { StatementAnswer } from './answer.ts'
import type { ChangeAnnouncements } from './change-announcements.ts'
import { createConnectionTurns, NO_LINE, type Turn } from './connection-turns.ts'
import type { Connections } from './connections.ts'
import type { Effects } from './effects.ts'
import type { EngineSessions } from './engine-sessions.ts'
import type { Admission } from './engine-statement.ts'
import type { Submission } from './accepted-rows.ts'
import { Execution } from './execution.ts'
import type { Listener } from './request-answers.ts'
import type { Answer } from './session-statements.ts'
import { storedAnswers } from './stored-answers.ts'
import type { QueryStore } from './store.ts'

/** What the query service is made of. */
export interface QueryParts {
  readonly store: QueryStore
  readonly connections: Connections
  readonly sessions: EngineSessions
  readonly admission: Admission
  readonly effects: Effects
  readonly serviceEngine: (accountId: string) => Promise<Engine>
  readonly warehouses: {
    /** Those this user may use. */
    list(
      actor: Actor,
    ): Promise<readonly { name: string; size: string; status: string; description: string }[]>
  }
  /** Statements that other modules answer. */
  readonly statements: Partial<Record<StatementKind, Answer>>
  readonly changes: ChangeAnnouncements
  /** Told of every end, for the counters. */
  readonly onEnded: (state: string) => void
  readonly clock: Clock
  readonly log: Log
}

/** Finished answers are kept this long by size, so that a request sent again gets its rows again. */
const RECENT_ANSWER_BYTES = 64 * 1024 * 1024

const HISTORY_MS = 90 * 24 * 3_600_000

/** Of an answer without its rows and words, and of a column. */
const ANSWER_BYTES = 2048
const COLUMN_BYTES = 256

function answerBytes({ message, result }: StatementAnswer): number {
  const columns = COLUMN_BYTES * (result?.columns.length ?? 0)
  const rows = (result?.rows ?? []).reduce(
    (sum, row) => sum + row.reduce((n, cell) => n + 2 * (cell?.length ?? 4), 16),
    0,
  )
  return ANSWER_BYTES + 2 * message.length + columns + rows
}

const sizeOf = (answers: readonly StatementAnswer[]): number =>
  answers.reduce((total, answer) => total + answerBytes(answer), 0)

const keyOf = (actor: Actor, requestId: string): string => `${actor.accountId}/${requestId}`
/** Whether these were written for this text, in which half a character is stored as another. */
const areOf = (sql: string, rows: readonly { readonly sql: string }[]): boolean =>
  jsonText(splitStatements(sql).map(({ text }) => text)) === jsonText(rows.map((row) => row.sql))
const taken = () => new AppError('Conflict', 'This request id belongs to another request.')

/** False when the request was written before and has been answered again, whatever became of its connection. */
async function accepted(execution: Execution, turn: Turn, again: () => Promise<boolean>): Promise<boolean> {
  try {
    if (await execution.accept(turn)) return true
  } catch (error) {
    if (await again()) return false
    throw error
  }
  await again()
  return false
}

export function createQueries(parts: QueryParts) {
  const running = new Map<string, { readonly execution: Execution; readonly ended: Promise<void> }>()
  /** How many of those belong to each account. */
  const inFlight = new Map<string, number>()
  const recent = new BoundedMap<StatementAnswer[]>(RECENT_ANSWER_BYTES)
  const turns = createConnectionTurns()

  function requireRoom({ accountId }: Actor): void {
    const count = inFlight.get(accountId) ?? 0
    if (count >= LIMITS.statementsInFlightPerAccount)
      throw new AppError(
        'LimitReached',
        `This account runs ${count} requests, the most there can be. Wait for some to end.`,
      )
  }

  function count({ accountId }: Actor, change: 1 | -1): void {
    const now = (inFlight.get(accountId) ?? 0) + change
    if (now > 0) inFlight.set(accountId, now)
    else inFlight.delete(accountId)
  }

  /** Answers from what is stored; throws when the stored request is someone else's. */
  async function answerAgain(asker: Asker, submission: Submission, listener: Listener): Promise<boolean> {
    const actor = await asker.now()
    const rows = await parts.store.findRequest(actor.accountId, submission.requestId)
    if (rows.length === 0) return false
    const isOther = rows.some((row) => row.user_id !== actor.userId) || !areOf(submission.sql, rows)
    if (isOther) throw taken()
    if (rows.some((row) => row.effect === 'unknown')) return answerSettled(actor, submission, listener)
    const kept = recent.get(keyOf(actor, submission.requestId))
    for (const answer of kept ?? storedAnswers(rows, submission.sql)) listener(answer)
    return true
  }

  /** The engine is asked first what became of it; while it cannot be asked, that is the answer. */
  async function answerSettled(actor: Actor, submission: Submission, listener: Listener): Promise<boolean> {
    await parts.effects
      .settleAccount(actor.accountId)
      .catch((error: unknown) =>
        parts.log.warn({ err: error }, 'the effect of a statement cannot be asked for yet'),
      )
    const rows = await parts.store.findRequest(actor.accountId, submission.requestId)
    for (const answer of storedAnswers(rows, submission.sql)) listener(answer)
    return true
  }

  async function runOnce(asker: Asker, submission: Submission, execution: Execution): Promise<void> {
    const { known } = asker
    const listener: Listener = (answer) => execution.answers.publish(answer)
    const isNew = submission.connectionId === CONN_NEW
    const turn = isNew ? NO_LINE : turns.take(`${known.userId}/${submission.connectionId}`)
    try {
      // Before a new connection is opened for it, which a request sent again does not need.
      if (isNew && (await answerAgain(asker, submission, listener))) return
      if (await accepted(execution, turn, () => answerAgain(asker, submission, listener)))
        await execution.run(turn)
      else return
    } finally {
      turn.end()
    }
    await execution.written
    const answers = execution.answers.all()
    recent.set(keyOf(known, submission.requestId), answers, sizeOf(answers))
  }

  return {
    /**
     * Runs a request, or attaches to it when it runs, or answers it again when it has ended: whichever of these, it
     * runs once. Resolves after the last answer; throws AppError when the request is refused as a whole.
     */
    async submit(asker: Asker, submission: Submission, listener: Listener): Promise<void> {
      const actor = asker.known
      const key = keyOf(actor, submission.requestId)
      const known = running.get(key)
      if (known && (known.execution.userId !== actor.userId || known.execution.sql !== submission.sql))
        throw taken()
      if (known) {
        await asker.now()
        known.execution.answers.attach(listener)
        return known.ended
      }
      // Nothing is awaited from here until it is counted: two at the same moment cannot both be the last.
      requireRoom(actor)
      const execution = new Execution(parts, asker, submission)
      execution.answers.attach(listener)
      const ended = runOnce(asker, submission, execution).finally(() => {
        running.delete(key)
        count(actor, -1)
      })
      running.set(key, { execution, ended })
      count(actor, 1)
      return ended
    },

    /** The channel closed: its listeners go, the runs go on. */
    detach(listener: Listener): void {
      for (const { execution } of running.values()) execution.answers.detach(listener)
    },

    /** EDITOR-66, CHANNEL-27: stops a running request of this user and keeps its connection. */
    async kill(actor: Actor, requestId: string): Promise<{ stopped: boolean }> {
      const known = running.get(keyOf(actor, requestId))
      if (known?.execution.userId === actor.userId) {
        await known.execution.cancel()
        return { stopped: true }
      }
      const rows = await parts.store.findRequest(actor.accountId, requestId)
      if (!rows.some((row) => row.user_id === actor.userId))
        throw new AppError('NotFound', 'There is no such statement of yours.')
      return { stopped: false }
    },

    keepAlive: (actor: Actor, ids: readonly number[]) => parts.connections.keepAlive(actor, ids),

    /** CHANNEL-26 */
    async killConnection(actor: Actor, id: number): Promise<void> {
      if (await parts.connections.close(actor, id)) await parts.sessions.close(id)
    },

    async closeIdleConnections(): Promise<void> {
      for (const id of await parts.connections.closeIdle()) await parts.sessions.close(id)
    },

    /** Book section 4: the history is kept for 90 days. */
    forgetOld: () => parts.store.forgetBefore(new Date(parts.clock.now().getTime() - HISTORY_MS)),

    /** At start: what the last server left unfinished is told truthfully to whoever asks. */
    interruptUnfinished: () => parts.store.interruptUnfinished(parts.clock.now()),

    /** Stops everything that runs; resolves when the last end is written. */
    async close(): Promise<void> {
      const unfinished = [...running.values()]
      await Promise.all(unfinished.map(({ execution }) => execution.cancel()))
      await Promise.allSettled(unfinished.map(({ ended }) => ended))
    },
  }
}

export type Queries = ReturnType<typeof createQueries>
