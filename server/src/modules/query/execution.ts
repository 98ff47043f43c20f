import { randomUUID } from 'node:crypto'
import { requoteBackticks, type Statement, splitStatements } from '@boathouse/sql'
import { EngineUnavailable, type QueryRun, type ResultRows } from '../../engines/engine.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { EMPTY_RESULT, NOT_MOVED, type SessionPlace, type StatementAnswer } from './answer.ts'
import type { Connection, ConnectionRequest } from './connections.ts'
import { cancelled, type Ending, endingOf, failed, finished } from './ending.ts'
import { disagreement, judge, type Verdict } from './gate.ts'
import type { QueryParts } from './service.ts'
import { SESSION_STATEMENTS, selectLimitOf } from './session-statements.ts'
import type { StatementEnd } from './store.ts'

const PROGRESS_MS = 500
const MAX_STATEMENTS = 500

export interface Submission extends ConnectionRequest {
  readonly requestId: string
  readonly sql: string
  readonly door: 'channel' | 'service'
  readonly clientIp: string | null
}

export type Listener = (answer: StatementAnswer) => void

/**
 * One request from acceptance to its last answer. Listeners come and go with channels; the run does not notice.
 * A statement's end is written before it is told.
 */
export class Execution {
  readonly #parts: QueryParts
  readonly #actor: Actor
  readonly #submission: Submission
  readonly #statements: Statement[]
  readonly #queryIds: string[]
  readonly #listeners = new Set<Listener>()
  readonly #answers = new Map<number, StatementAnswer>()
  #connection: Connection | null = null
  #run: QueryRun | null = null
  #isCancelled = false

  constructor(parts: QueryParts, actor: Actor, submission: Submission) {
    this.#parts = parts
    this.#actor = actor
    this.#submission = submission
    this.#statements = splitStatements(submission.sql)
    this.#queryIds = this.#statements.map(() => randomUUID())
  }

  get userId(): string {
    return this.#actor.userId
  }

  /** Tells what is known so far, then everything that follows. */
  attach(listener: Listener): void {
    for (const answer of this.#answers.values()) listener(answer)
    this.#listeners.add(listener)
  }

  detach(listener: Listener): void {
    this.#listeners.delete(listener)
  }

  /** Tells an answer to everyone who listens, now and later. */
  publish(answer: StatementAnswer): void {
    this.#answers.set(answer.index, answer)
    for (const listener of this.#listeners) listener(answer)
  }

  answers(): StatementAnswer[] {
    return [...this.#answers.values()]
  }

  async cancel(): Promise<void> {
    this.#isCancelled = true
    await this.#run?.cancel()
  }

  /** Writes the request down. False when it was written before: then it must not run again. */
  async accept(): Promise<boolean> {
    const { connections, store, clock } = this.#parts
    const count = this.#statements.length
    if (count === 0) throw new AppError('BadInput', 'There is no statement in this text.')
    if (count > MAX_STATEMENTS)
      throw new AppError(
        'LimitReached',
        `One text holds at most ${MAX_STATEMENTS} statements; this one has ${count}.`,
      )
    const connection = await connections.resolve(this.#actor, this.#submission)
    this.#connection = connection
    const now = clock.now()
    return store.accept(
      this.#statements.map((statement, index) => ({
        query_id: this.#queryIds[index] ?? randomUUID(),
        account_id: this.#actor.accountId,
        user_id: this.#actor.userId,
        connection_id: connection.id,
        request_id: this.#submission.requestId,
        statement_index: index,
        statement_count: count,
        door: this.#submission.door,
        client_ip: this.#submission.clientIp,
        warehouse: connection.warehouse,
        catalog: connection.catalog,
        database_name: connection.database,
        sql: statement.text,
        kind: judge(this.#actor, statement.text).kind,
        // The first one starts at once: no second write needed to say so.
        state: index === 0 ? ('running' as const) : ('accepted' as const),
        accepted_at: now,
        started_at: index === 0 ? now : null,
      })),
    )
  }

  /** Runs the accepted statements in order and stops at the first that does not finish. */
  async run(): Promise<void> {
    let stoppedBy: number | null = null
    for (const [index, statement] of this.#statements.entries()) {
      const skipped =
        stoppedBy === null ? null : cancelled(`Not run, because statement ${stoppedBy + 1} did not finish.`)
      const state = skipped
        ? await this.#conclude(statement, index, { ending: skipped, timeUsedMs: 0 })
        : await this.#runOne(statement, index)
      if (state !== 'finished') stoppedBy ??= index
    }
  }

  async #runOne(statement: Statement, index: number): Promise<StatementEnd['state']> {
    const { store, clock } = this.#parts
    const startedAt = performance.now()
    const timeUsedMs = () => performance.now() - startedAt

    if (index > 0) await store.start(this.#queryId(index), clock.now())
    this.#tell(statement, index, { state: 'running' })
    const timer = setInterval(() => {
      const progress = this.#run?.progress().percentage ?? null
      this.#tell(statement, index, { state: 'running', timeUsedMs: timeUsedMs(), progress })
    }, PROGRESS_MS)
    const ending = await this.#perform(statement).finally(() => clearInterval(timer))
    return this.#conclude(statement, index, { ending, timeUsedMs: timeUsedMs() })
  }

  /** Writes the end down, then tells it. */
  async #conclude(
    statement: Statement,
    index: number,
    { ending, timeUsedMs }: { ending: Ending; timeUsedMs: number },
  ): Promise<StatementEnd['state']> {
    await this.#writeDown(index, ending)
    const before = this.#place()
    const { move } = ending
    if (move) this.#connection = { ...this.#requireConnection(), ...move }
    this.#tell(statement, index, {
      state: ending.state === 'finished' ? 'finished' : 'failed',
      code: ending.code,
      message: ending.message,
      errorOffset: ending.offset === null ? null : statement.start + ending.offset,
      result: ending.result,
      timeUsedMs,
      moved: {
        catalog: move?.catalog !== undefined && move.catalog !== before.catalog,
        database: move?.database !== undefined && move.database !== before.database,
        warehouse: move?.warehouse !== undefined,
      },
    })
    return ending.state
  }

  async #perform(statement: Statement): Promise<Ending> {
    if (this.#isCancelled) return cancelled('Stopped at your request, before it ran.')
    const verdict = judge(this.#actor, statement.text)
    if (!verdict.allowed) {
      const { code, message, offset } = verdict.refusal
      return failed(code, message, offset)
    }
    try {
      return await this.#dispatch(statement, verdict)
    } catch (error) {
      if (error instanceof AppError) return failed(error.code, error.message)
      if (error instanceof EngineUnavailable) return failed('Unavailable', error.message)
      this.#parts.log.error(
        { err: error, requestId: this.#submission.requestId },
        'a statement failed for a reason not foreseen',
      )
      return failed('Internal', 'Something went wrong in the service. It was logged; try again.')
    }
  }

  async #dispatch(statement: Statement, verdict: Verdict & { allowed: true }): Promise<Ending> {
    const connection = this.#requireConnection()
    const answer = SESSION_STATEMENTS[verdict.kind] ?? this.#parts.statements[verdict.kind]
    if (answer) {
      const effect = await answer(statement.text, {
        actor: this.#actor,
        connection,
        runInEngine: (sql) => this.#runOwn(sql),
        warehouses: () => this.#parts.warehouses.list(this.#actor),
      })
      return finished(effect.result, effect.move)
    }
    if (verdict.class === 'service')
      return failed(
        'QueryFailed',
        `${verdict.kind.replaceAll('-', ' ').toUpperCase()} is not available in this version.`,
        0,
      )

    const session = await this.#parts.sessions.sessionFor(this.#actor.accountId, connection)
    // Engines read a backtick as an operator: unchanged, one statement to us could be three to them.
    const sql = requoteBackticks(statement.text)
    const refused = disagreement(verdict.class, await session.analyse(sql))
    if (refused) return failed('QueryFailed', refused.message, refused.offset ?? null)
    if (this.#isCancelled) return cancelled('Stopped at your request, before it ran.')
    this.#run = session.execute(sql, {
      maxRows: selectLimitOf(connection),
      queryId: this.#queryId(this.#statements.indexOf(statement)),
      keep: null,
      profile: false,
    })
    const outcome = await this.#run.outcome
    this.#run = null
    return endingOf(outcome)
  }

  /** A statement of ours on behalf of one of the user's: the engine's refusal becomes the user's answer. */
  async #runOwn(sql: string): Promise<ResultRows> {
    const session = await this.#parts.sessions.sessionFor(this.#actor.accountId, this.#requireConnection())
    const outcome = await session.execute(sql, {
      maxRows: 100_000,
      queryId: randomUUID(),
      keep: null,
      profile: false,
    }).outcome
    if (outcome.state === 'finished') return outcome.result
    throw new AppError('QueryFailed', endingOf(outcome).message)
  }

  async #writeDown(index: number, ending: Ending): Promise<void> {
    const { store, connections, clock } = this.#parts
    if (ending.move) await connections.move(this.#requireConnection().id, ending.move)
    await store.end({
      queryId: this.#queryId(index),
      state: ending.state,
      endedAt: clock.now(),
      rowCount: ending.result ? (ending.result.rowsChanged ?? ending.result.rows.length) : null,
      error:
        ending.code === 'Ok' ? null : { code: ending.code, message: ending.message, offset: ending.offset },
    })
  }

  #queryId(index: number): string {
    return this.#queryIds[index] ?? ''
  }

  #requireConnection(): Connection {
    if (!this.#connection) throw new AppError('ConnectionLost', 'The query connection was lost.')
    return this.#connection
  }

  #place(): SessionPlace {
    const { catalog, database, warehouse } = this.#requireConnection()
    return { catalog, database, warehouse }
  }

  #tell(statement: Statement, index: number, change: Partial<StatementAnswer>): void {
    const answer: StatementAnswer = {
      requestId: this.#submission.requestId,
      queryId: this.#queryId(index),
      connectionId: this.#requireConnection().id,
      index,
      count: this.#statements.length,
      start: statement.start,
      end: statement.end,
      state: 'running',
      code: 'Ok',
      message: '',
      errorOffset: null,
      result: change.state === 'finished' ? EMPTY_RESULT : null,
      timeUsedMs: 0,
      progress: null,
      place: this.#place(),
      moved: NOT_MOVED,
      ...change,
    }
    this.publish(answer)
  }
}
