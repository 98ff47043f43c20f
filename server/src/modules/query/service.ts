import { createHash } from 'node:crypto'
import { CONN_NEW, LIMITS } from '@boathouse/contract'
import type { StatementKind } from '@boathouse/sql'
import type { UseEngine } from '../../engines/engine/engine.ts'
import { type Actor, requireOpenAccount } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { BoundedMap } from '../../kernel/bounded-map.ts'
import type { Clock } from '../../kernel/clock.ts'
import { historyBegins, monthOf } from '../../kernel/history-time.ts'
import type { Log } from '../../kernel/log.ts'
import { inBatches } from '../../store/in-batches.ts'
import { jsonText } from '../../store/json-text.ts'
import type { AnalysedStatement, AnalysedText } from './analysis/analysed-text.ts'
import type { Analyses } from './analysis/analyses.ts'
import type { Requester } from './requester.ts'
import type { StatementAnswer } from './answers/answer.ts'
import { againFor } from './answers/answers-again.ts'
import type { ChangeAnnouncements } from './answers/change-announcements.ts'
import { createConnectionQueue, NO_QUEUE, type QueueEntry } from './accepting/connection-queue.ts'
import type { Connections } from './sessions/connections.ts'
import type { ObjectChange } from '../../engines/engine/objects.ts'
import type { Privileges } from './gate/authorize-statement.ts'
import type { Underway } from './history/activity.ts'
import type { Effects } from './running/effects.ts'
import { StoppedBy } from './running/execution.ts'
import type { EngineSessions } from './sessions/engine-sessions.ts'
import type { Admission, WriteWatch } from './running/engine-statement.ts'
import { keptText, type Submission } from './accepting/accepted-rows.ts'
import { quotesFor, requireSameForFile } from './accepting/reading.ts'
import { LiveRequest } from './live-request.ts'
import type { Listener } from './answers/request-answers.ts'
import type { Definitions } from './running/definitions.ts'
import type { SecondRuns } from './running/second-run.ts'
import type { Answer } from './sessions/session-tools.ts'
import type { Warnings } from './sessions/warnings.ts'
import type { SystemSources } from './system-tables.ts'
import { storedAnswers } from './answers/stored-answers.ts'
import type { QueryStore, StatementRow } from './store.ts'

/** What the query service is made of. */
export interface QueryParts {
  readonly analyses: Pick<Analyses, 'analyse'>
  readonly store: QueryStore
  readonly connections: Connections
  readonly sessions: EngineSessions
  readonly warnings: Warnings
  readonly admission: Admission
  readonly privileges: Privileges
  /** What a statement created, dropped or renamed, by whom. */
  readonly objectsChanged: (actor: Actor, changes: readonly ObjectChange[]) => Promise<void>
  /** What statements define is told in the audit log. */
  readonly definitions: Pick<Definitions, 'begins' | 'ended'>
  readonly secondRuns: SecondRuns
  /** For what is made of tables that are written to. */
  readonly writeWatch: WriteWatch
  readonly effects: Effects
  readonly useServiceEngine: UseEngine
  readonly warehouses: {
    /** Those this user may use. */
    list(actor: Actor): Promise<readonly { warehouse_id: string; name: string }[]>
  }
  /** What `sys` holds. */
  readonly systemTables: SystemSources
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

const CLOSED_CONNECTION_MS = 7 * 24 * 3_600_000

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
const areOf = (
  statements: readonly AnalysedStatement[],
  rows: readonly Pick<StatementRow, 'sql' | 'sql_hash'>[],
): boolean =>
  statements.length === rows.length &&
  rows.every(({ sql, sql_hash }, at) => {
    const text = statements[at] ? keptText(statements[at]) : ''
    // Of one that was shortened, the hash of the whole is kept.
    if (sql_hash) return createHash('sha256').update(text).digest().equals(sql_hash)
    return jsonText(text) === jsonText(sql)
  })
const taken = () => new AppError('Conflict', 'This request id belongs to another request.')

/** ACCOUNT-86: who belongs to a frozen account is told so instead. */
const ofOpenAccount = ({ known, now }: Requester): Requester => ({
  known,
  async now(identityVersion) {
    const actor = await now(identityVersion)
    requireOpenAccount(actor.accountState)
    return actor
  },
})

interface Accepting {
  readonly execution: LiveRequest
  readonly analysed: AnalysedText
  readonly entry: QueueEntry
}

/** False when the request was written before and has been answered again, whatever became of its connection. */
async function accepted(
  { execution, analysed, entry }: Accepting,
  again: () => Promise<boolean>,
): Promise<boolean> {
  try {
    if (await execution.accept(analysed, entry)) return true
  } catch (error) {
    if (await again()) return false
    throw error
  }
  await again()
  return false
}

interface Running {
  readonly execution: LiveRequest
  /** It is written down, or has ended before that. */
  readonly begun: Promise<void>
  readonly ended: Promise<void>
}

interface Analysed {
  readonly submission: Submission
  readonly statements: readonly AnalysedStatement[]
}

export function createQueries(parts: QueryParts) {
  const running = new Map<string, Running>()
  /** How many of those belong to each account, and to each user. */
  const inFlight = new Map<string, number>()
  const recent = new BoundedMap<StatementAnswer[]>(RECENT_ANSWER_BYTES)
  const queue = createConnectionQueue()
  /** Accounts in which a request began or ended since this was last told. */
  const stirred = new Set<string>()

  function requireRoom({ accountId, userId }: Actor): void {
    const count = inFlight.get(accountId) ?? 0
    const own = inFlight.get(`user ${userId}`) ?? 0
    if (own >= LIMITS.statementsInFlightPerUser)
      throw new AppError(
        'LimitReached',
        `You have ${own} running requests, the maximum for one user of the ${LIMITS.statementsInFlightPerAccount} of an account. Wait for some to end.`,
      )
    if (count >= LIMITS.statementsInFlightPerAccount)
      throw new AppError(
        'LimitReached',
        `This account has ${count} running requests, the maximum. Wait for some to end.`,
      )
  }

  function count({ accountId, userId }: Actor, change: 1 | -1): void {
    stirred.add(accountId)
    for (const whose of [accountId, `user ${userId}`]) {
      const now = (inFlight.get(whose) ?? 0) + change
      if (now > 0) inFlight.set(whose, now)
      else inFlight.delete(whose)
    }
  }

  /** Nobody waits for the engine: the connection is gone already. */
  function endSession(connectionId: number): void {
    parts.sessions
      .close(connectionId)
      .catch((error: unknown) => parts.log.warn({ err: error }, 'a session of the engine was not closed'))
  }

  async function tellAgain(
    actor: Actor,
    answers: readonly StatementAnswer[],
    listener: Listener,
  ): Promise<void> {
    const again = againFor(actor, parts.privileges)
    for (const answer of answers) listener(await again(answer))
  }

  /** Answers from what is stored; throws when the stored request is someone else's. */
  async function answerAgain(requester: Requester, request: Analysed, listener: Listener): Promise<boolean> {
    const { submission, statements } = request
    const actor = await requester.now()
    const rows = await parts.store.findRequest(actor.accountId, submission.requestId)
    if (rows.length === 0) return false
    const isOther = rows.some((row) => row.user_id !== actor.userId) || !areOf(statements, rows)
    if (isOther) throw taken()
    if (rows.some((row) => row.effect === 'unknown')) return answerSettled(actor, request, listener)
    const answers = recent.get(keyOf(actor, submission.requestId)) ?? storedAnswers(rows, statements)
    await tellAgain(actor, answers, listener)
    return true
  }

  /** The engine is asked first what became of it; while it cannot be asked, that is the answer. */
  async function answerSettled(
    actor: Actor,
    { submission, statements }: Analysed,
    listener: Listener,
  ): Promise<boolean> {
    await parts.effects
      .settleAccount(actor.accountId)
      .catch((error: unknown) =>
        parts.log.warn({ err: error }, 'the effect of a statement cannot be asked for yet'),
      )
    const rows = await parts.store.findRequest(actor.accountId, submission.requestId)
    const answers = storedAnswers(rows, statements)
    await tellAgain(actor, answers, listener)
    return true
  }

  async function runOnce(
    requester: Requester,
    submission: Submission,
    { execution, onBegun }: { execution: LiveRequest; onBegun: () => void },
  ): Promise<void> {
    const { known } = requester
    const listener: Listener = (answer) => execution.answers.publish(answer)
    const isNew = submission.connectionId === CONN_NEW
    const entry = isNew ? NO_QUEUE : queue.take(`${known.userId}/${submission.connectionId}`)
    try {
      const quotes = await quotesFor(parts.connections, known, submission)
      const analysed = await parts.analyses.analyse(known, submission.sql, quotes)
      requireSameForFile(submission, analysed)
      const again = () => answerAgain(requester, { submission, statements: analysed.statements }, listener)
      // Before a new connection is opened for it, which a request sent again does not need.
      if (isNew && (await again())) return
      if (!(await accepted({ execution, analysed, entry }, again))) return
      onBegun()
      await execution.run(entry)
    } finally {
      entry.end()
    }
    await execution.written
    const answers = execution.answers.all()
    recent.set(keyOf(known, submission.requestId), answers, sizeOf(answers))
  }

  const ownConnection = (actor: Actor, connectionId: number) =>
    parts.connections.resolve(actor, { connectionId, previousConnectionId: 0, clientId: '' })

  return {
    /**
     * Runs a request, or attaches to it when it runs, or answers it again when it has ended: whichever of these, it
     * runs once. Resolves after the last answer; throws AppError when the request is refused as a whole.
     */
    async submit(someone: Requester, submission: Submission, listener: Listener): Promise<void> {
      const requester = ofOpenAccount(someone)
      const actor = requester.known
      const key = keyOf(actor, submission.requestId)
      const known = running.get(key)
      if (known && (known.execution.userId !== actor.userId || known.execution.sql !== submission.sql))
        throw taken()
      if (known) {
        const again = againFor(await requester.now(), parts.privileges)
        const told = known.execution.answers.attachLater(listener, again)
        return known.ended.then(told)
      }
      // Nothing is awaited from here until it is counted: two at the same moment cannot both be the last.
      requireRoom(actor)
      const execution = new LiveRequest(parts, requester, submission)
      execution.answers.attach(listener)
      let begin: (() => void) | undefined
      const isWritten = new Promise<void>((resolve) => (begin = resolve))
      const onBegun = () => begin?.()
      const ended = runOnce(requester, submission, { execution, onBegun }).finally(() => {
        running.delete(key)
        count(actor, -1)
      })
      // Why it ended before that is told to whoever waits for its end.
      const begun = Promise.race([isWritten, ended.catch(() => undefined)])
      running.set(key, { execution, begun, ended })
      count(actor, 1)
      return ended
    },

    /** Resolves when the request that was just submitted is written down, answered again or refused. */
    async begun(actor: Actor, requestId: string): Promise<void> {
      await running.get(keyOf(actor, requestId))?.begun
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

    /** CATALOG-49 */
    async warehouseOf(actor: Actor, connectionId: number): Promise<string> {
      return (await ownConnection(actor, connectionId)).warehouse
    },

    /** CATALOG-48: for the next statement of the connection; one that runs goes on where it is. */
    async setWarehouse(actor: Actor, connectionId: number, name: string): Promise<string> {
      const { id } = await ownConnection(actor, connectionId)
      const warehouses = await parts.warehouses.list(actor)
      const found = warehouses.find((one) => one.name.toLowerCase() === name.toLowerCase())
      if (!found)
        throw new AppError('NotFound', `The warehouse ${name} does not exist, or you may not use it.`)
      await parts.connections.move(id, { warehouseId: found.warehouse_id, warehouse: found.name })
      return found.name
    },

    /** Of the statements that run or wait here, by their query ids. */
    underway(accountId: string): ReadonlyMap<string, Underway> {
      const found = new Map<string, Underway>()
      for (const [key, { execution }] of running) {
        const known = key.startsWith(`${accountId}/`) ? execution.underway() : null
        if (known) found.set(known.queryId, known)
      }
      return found
    },

    /** Whoever calls has found that `by` may. False when nothing of it runs here. */
    async stop(accountId: string, queryId: string, by: Actor): Promise<boolean> {
      for (const [key, { execution }] of running) {
        if (!key.startsWith(`${accountId}/`) || !execution.has(queryId)) continue
        const isOwn = execution.userId === by.userId
        await execution.cancel(isOwn ? undefined : new StoppedBy(`Stopped by ${by.user}`))
        return true
      }
      return false
    },

    /** Open consoles look anew at what runs: once for each account in which something does or just did. */
    tellActivity(tell: (accountId: string) => void): void {
      for (const accountId of new Set([...stirred, ...inFlight.keys()])) tell(accountId)
      stirred.clear()
    },

    keepAlive: (actor: Actor, ids: readonly number[]) => parts.connections.keepAlive(actor, ids),

    /** CHANNEL-26. False when this user has no such connection. */
    async killConnection(actor: Actor, id: number): Promise<boolean> {
      const isClosed = await parts.connections.close(actor, id)
      if (isClosed) endSession(id)
      return isClosed
    },

    /** Whoever's it is; whoever calls has found that they may. */
    async killAnyConnection(accountId: string, id: number): Promise<boolean> {
      const isClosed = await parts.connections.closeOf(accountId, id)
      if (isClosed) endSession(id)
      return isClosed
    },

    async closeIdleConnections(): Promise<void> {
      for (const id of await parts.connections.closeIdle()) await parts.sessions.close(id)
    },

    /** This month and the next: what is written finds its table, also when the service has not been asked for days. */
    async prepareMonths(): Promise<void> {
      const now = parts.clock.now()
      await parts.store.months.add(monthOf(now))
      await parts.store.months.add(monthOf(now, 1))
    },

    /** The history is kept for 90 days, and goes by whole months. */
    async forgetOld(): Promise<void> {
      const before = historyBegins(parts.clock.now())
      await parts.store.months.dropUntil(before)
      await inBatches((most) => parts.store.forgetStatements(before, most))
    },

    /** A console that comes back within a week goes on where its connection stood. */
    forgetClosedConnections: () => {
      const before = new Date(parts.clock.now().getTime() - CLOSED_CONNECTION_MS)
      return inBatches((most) => parts.store.forgetClosedConnections(before, most))
    },

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
