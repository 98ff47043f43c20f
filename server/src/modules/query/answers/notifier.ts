import { PREVIEW_PROGRAM } from '@boathouse/contract'
import type { Statement, StatementKind } from '@boathouse/sql'
import type { Progress } from '../../../engines/engine/run.ts'
import type { ObjectChange } from '../../../engines/engine/objects.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { AcceptedRequest, AcceptedStatement } from '../accepting/accepting.ts'
import { endedAnswer, runningAnswer, type StatementAnswer } from './answer.ts'
import { type Connection, isMoved } from '../sessions/connection.ts'
import type { Connections } from '../sessions/connections.ts'
import type { QueryStore } from '../store.ts'
import type { Definitions } from '../running/definitions.ts'
import type { EndedIn, Ending } from '../running/ending.ts'
import type { ChangeAnnouncements } from './change-announcements.ts'
import type { RequestAnswers } from './request-answers.ts'
import { endedRow } from '../history/ended-row.ts'

/** Most statements have ended by then, and only their end is sent. */
const FIRST_PROGRESS_MS = 100
const PROGRESS_MS = 500

export interface NotifierParts {
  readonly store: Pick<QueryStore, 'end'>
  readonly connections: Pick<Connections, 'move'>
  /** What a statement created, dropped or renamed, and who did it. */
  readonly objectsChanged: (actor: Actor, changes: readonly ObjectChange[]) => Promise<void>
  /** Records in the audit log what statements define. */
  readonly definitions: Pick<Definitions, 'ended'>
  /** After every statement, before the next one of its connection and before open consoles are notified. */
  readonly writeWatch: { ended(ended: EndedIn): Promise<void> }
  readonly changes: ChangeAnnouncements
  /** Counts which tables are used; nothing waits for it. */
  readonly tableUses: { note(used: UsedTables): void }
  /** Called with the state of every end, for the counters. */
  readonly onEnded: (state: string) => void
  readonly clock: Clock
  readonly log: Log
}

/** A statement that ended, for the count of which tables it used. */
interface UsedTables {
  readonly accountId: string
  readonly userId: string
  readonly queryId: string
  readonly acceptedAt: Date
  readonly statement: Statement
  readonly ending: Ending
  readonly catalog: string
  readonly database: string | null
}

export interface Ended {
  readonly actor: Actor
  /** As the statement found it. */
  readonly connection: Connection
  readonly ending: Ending
  /** Null: its turn never came. */
  readonly timeUsedMs: number | null
}

interface EndedWith extends Pick<Ended, 'actor' | 'ending'> {
  readonly statement: Statement
  readonly before: Connection
}

/** Of a transaction that ended beside what its statement is. */
export interface TransactionEnd extends Pick<Ended, 'actor' | 'connection' | 'ending'> {
  /** Under which its engine remembers it. */
  readonly queryId: string
  readonly kind: StatementKind
}

export interface Running {
  readonly connection: Connection
  readonly progress: Progress | null
  readonly queuePlace: number | null
}

/** Notifies listeners of the progress and the ends of the statements of one request, and writes the ends down. */
export class RequestNotifier {
  readonly #parts: NotifierParts
  readonly #answers: RequestAnswers
  readonly #request: AcceptedRequest
  #written: Promise<unknown> = Promise.resolve()

  constructor(parts: NotifierParts, answers: RequestAnswers, request: AcceptedRequest) {
    this.#parts = parts
    this.#answers = answers
    this.#request = request
  }

  /** Resolves when those ends are written and announced that were sent before. */
  get written(): Promise<unknown> {
    return this.#written
  }

  /** Nobody waits until the ends of its requests are written, nobody sends them again, and progress has no place in its protocol. */
  get #isOfProgram(): boolean {
    return this.#request.submission.door === 'mysql'
  }

  /** From time to time while it runs, and whenever `notify` is called. */
  progressOf(accepted: AcceptedStatement, look: () => Running) {
    const startedAt = performance.now()
    const timeUsedMs = (): number => performance.now() - startedAt
    if (this.#isOfProgram) return { notify: () => undefined, timeUsedMs, stop: () => undefined }
    const notify = (): void => {
      const { connection, ...running } = look()
      const known = this.#known(accepted, connection)
      this.#answers.publish(runningAnswer(known, { timeUsedMs: timeUsedMs(), ...running }))
    }
    let timer = setTimeout(() => {
      notify()
      timer = setInterval(notify, PROGRESS_MS)
    }, FIRST_PROGRESS_MS)
    return { notify, timeUsedMs, stop: () => clearTimeout(timer) }
  }

  /**
   * Writes an end down and notifies of it; gives the connection as the statement left it. An end that leaves something
   * behind is written before anybody is notified.
   */
  async ended(accepted: AcceptedStatement, ended: Ended): Promise<Connection> {
    const { actor, connection: before, ending } = ended
    const notifiesFirst = isSimplyRead(accepted, ended)
    if (!notifiesFirst) await this.#writeDown(accepted, ended)
    this.#parts.onEnded(ending.state)
    const after = ending.move ? { ...before, ...ending.move } : before
    const timeUsedMs = ended.timeUsedMs ?? 0
    const moved = movedBy(ending, before)
    const { kind } = ending.performed ?? accepted.statement
    this.#answers.publish(endedAnswer(this.#known(accepted, after), ending, { timeUsedMs, moved, kind }))
    if (notifiesFirst)
      this.#written = Promise.all([this.#written, this.#writeDown(accepted, ended, this.#isOfProgram)])
    const statement = ending.performed ?? accepted.statement
    await this.#parts.writeWatch.ended({ statement, ending, after })
    this.#noteTables(accepted, { actor, ending, statement, before })
    // The next statement need not wait until others are notified.
    const announced = this.#parts.changes.ended({
      accountId: actor.accountId,
      statement,
      ending,
      before,
      after,
    })
    this.#written = Promise.all([this.#written, announced])
    return after
  }

  /** Of what the history lists, and is no preview. */
  #noteTables(
    { queryId, acceptedAt }: AcceptedStatement,
    { actor, ending, statement, before }: EndedWith,
  ): void {
    const { notesUses, isUnlisted, program } = this.#request.submission
    if (notesUses || isUnlisted || program === PREVIEW_PROGRAM) return
    const { accountId, userId } = actor
    const { catalog, database } = before
    const place = { catalog, database }
    this.#parts.tableUses.note({ accountId, userId, queryId, acceptedAt, statement, ending, ...place })
  }

  /** A transaction ended beside what its statement is: watchers are notified as of a COMMIT that was sent. */
  async transactionEnded({ queryId, kind, actor, connection, ending }: TransactionEnd): Promise<Connection> {
    const { connections, definitions, writeWatch } = this.#parts
    const after = ending.move ? { ...connection, ...ending.move } : connection
    const statement = { kind }
    await this.#noteChanges(actor, queryId, ending)
    await definitions.ended({ queryId, statement, ending, after })
    if (ending.move && isMoved(connection, ending.move)) await connections.move(connection.id, ending.move)
    await writeWatch.ended({ statement, ending, after })
    return after
  }

  /** The statement did what it did: if this cannot be written, its end is sent all the same. */
  async #noteChanges(actor: Actor, queryId: string, { changed }: Ending): Promise<void> {
    const { objectsChanged, log } = this.#parts
    if (changed)
      await objectsChanged(actor, changed).catch((error: unknown) =>
        log.error(
          { err: error, queryId },
          'grants do not follow what a statement created, dropped or renamed',
        ),
      )
  }

  async #writeDown(accepted: AcceptedStatement, ended: Ended, mayWait = false): Promise<void> {
    const { actor, connection, ending, timeUsedMs } = ended
    const { store, connections, definitions, clock } = this.#parts
    await this.#noteChanges(actor, accepted.queryId, ending)
    const after = ending.move ? { ...connection, ...ending.move } : connection
    const statement = ending.performed ?? accepted.statement
    await definitions.ended({ queryId: accepted.queryId, statement, ending, after })
    if (ending.move && isMoved(connection, ending.move)) await connections.move(connection.id, ending.move)
    await store.end(endedRow(accepted, ending, { at: clock.now(), timeUsedMs }), mayWait)
  }

  #known({ statement: { start, end }, queryId, index }: AcceptedStatement, connection: Connection) {
    const { catalog, database, warehouse } = connection
    return {
      requestId: this.#request.submission.requestId,
      queryId,
      connectionId: connection.id,
      index,
      count: this.#request.statements.length,
      start,
      end,
      place: { catalog, database, warehouse },
    }
  }
}

/** It finished and left nothing behind: sent before it is written, no crash makes the answer untrue (ADR 17). */
function isSimplyRead({ statement }: AcceptedStatement, { connection, ending }: Ended): boolean {
  const leavesNothing = !ending.move || !isMoved(connection, ending.move)
  return ending.state === 'finished' && leavesNothing && statement.class === 'reads'
}

const movedBy = ({ move }: Ending, before: Connection): StatementAnswer['moved'] => ({
  catalog: move?.catalog !== undefined && move.catalog !== before.catalog,
  database: move?.database !== undefined && move.database !== before.database,
  warehouse: move?.warehouse !== undefined,
})
