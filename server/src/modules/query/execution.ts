import { type Statement, splitStatements } from '@boathouse/sql'
import type { Purpose, QueryRun } from '../../engines/engine.ts'
import { aborted } from '../../kernel/aborted.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { timeOrderedId } from '../../kernel/time-ordered-id.ts'
import { acceptedRows, requireStatements, type Submission } from './accepted-rows.ts'
import type { Asker } from './asker.ts'
import { answerOf, type SessionPlace, type Told } from './answer.ts'
import type { Turn } from './connection-turns.ts'
import { type Connection, isMoved } from './connections.ts'
import { cancelled, type Ending, endingOfError, failed } from './ending.ts'
import { giveHeadStart, runInWarehouse } from './engine-statement.ts'
import { type Analysis, analyse, judgeAnalysed, type Verdict } from './gate.ts'
import { RequestAnswers } from './request-answers.ts'
import { runInService } from './service-statement.ts'
import type { QueryParts } from './service.ts'
import { actorIn } from './session-roles.ts'
import { SESSION_STATEMENTS } from './session-statements.ts'
import { wantsProfile } from './session-variables.ts'
import { statementEnd } from './statement-end.ts'
import type { StatementEnd } from './store.ts'

/** Most statements have ended by then, and only their end is told. */
const FIRST_PROGRESS_MS = 100
const PROGRESS_MS = 500

/** Told how a statement comes to run. */
interface Waiting {
  onQueued(place: number): void
  onAdmitted(): Promise<void>
}

/**
 * One request from acceptance to its last answer. Listeners come and go with channels; the run does not notice.
 * The end of a statement that leaves something behind is written before it is told.
 */
export class Execution {
  readonly answers = new RequestAnswers()
  readonly #parts: QueryParts
  readonly #asker: Asker
  #actor: Actor
  readonly #submission: Submission
  readonly #statements: Statement[]
  readonly #queryIds: string[]
  readonly #analyses = new Map<Statement, Analysis>()
  #connection: Connection | null = null
  #identityVersion: number | undefined
  #written: Promise<unknown> = Promise.resolve()
  #run: QueryRun | null = null
  #queuePlace: number | null = null
  readonly #stop = new AbortController()

  constructor(parts: QueryParts, asker: Asker, submission: Submission) {
    this.#parts = parts
    this.#asker = asker
    this.#actor = asker.known
    this.#submission = submission
    this.#statements = splitStatements(submission.sql)
    this.#queryIds = this.#statements.map(() => timeOrderedId())
  }

  get userId(): string {
    return this.#actor.userId
  }

  get sql(): string {
    return this.#submission.sql
  }

  /** Ends that were told before they were written are written after this. */
  get written(): Promise<unknown> {
    return this.#written
  }

  async cancel(): Promise<void> {
    this.#stop.abort()
    await this.#run?.cancel()
  }

  /** Writes the request down. False when it was written before: then it must not run again. */
  async accept({ isFirst }: Pick<Turn, 'isFirst'>): Promise<boolean> {
    const { connections, store, clock } = this.#parts
    requireStatements(this.#submission.sql, this.#statements.length)
    const connection = await connections.resolve(this.#actor, this.#submission)
    this.#connection = connection
    if (isFirst) this.#giveHeadStart()
    const acceptance = await store.accept(
      acceptedRows({
        actor: this.#actor,
        connection,
        submission: this.#submission,
        statements: this.#statements.map((statement, index) => ({
          queryId: this.#queryId(index),
          sql: statement.text,
          verdict: this.#judge(statement),
        })),
        at: clock.now(),
        startsAtOnce: isFirst,
      }),
    )
    this.#identityVersion = acceptance?.identityVersion
    return acceptance !== null
  }

  /** Judged by what is known of the roles; whether it runs is judged by those of this moment. */
  #giveHeadStart(): void {
    const [statement] = this.#statements
    if (!statement) return
    const verdict = this.#judge(statement)
    if (!verdict.allowed || verdict.class === 'service' || this.#answerOf(verdict)) return
    giveHeadStart(this.#parts, this.#bound(statement, 0, verdict.class))
  }

  #bound(statement: Statement, index: number, purpose: Purpose) {
    const connection = this.#requireConnection()
    return {
      connection,
      queryId: this.#queryId(index),
      sql: statement.text,
      purpose,
      profile: wantsProfile(connection),
    }
  }

  /** Runs the accepted statements in order and stops at the first that does not finish. */
  async run(turn: Turn): Promise<void> {
    const refused = await this.#awaitTurn(turn)
    let stoppedBy: number | null = null
    for (const [index, statement] of this.#statements.entries()) {
      const skipped =
        stoppedBy === null
          ? refused
          : cancelled(`Not run, because statement ${stoppedBy + 1} did not finish.`)
      const state = skipped
        ? await this.#conclude(statement, index, { ending: skipped, timeUsedMs: 0 })
        : await this.#runOne(statement, index, turn)
      if (state !== 'finished') stoppedBy ??= index
    }
  }

  /** Goes on from where the requests before it left the connection. Gives the end of a request that cannot. */
  async #awaitTurn({ isFirst, comes }: Turn): Promise<Ending | null> {
    try {
      this.#actor = await this.#asker.now(this.#identityVersion)
      if (isFirst) return null
      await Promise.race([comes, aborted(this.#stop.signal)])
      if (this.#stop.signal.aborted) return cancelled('Stopped at your request, before it ran.')
      const { id: connectionId } = this.#requireConnection()
      this.#connection = await this.#parts.connections.resolve(this.#actor, {
        ...this.#submission,
        connectionId,
      })
      return null
    } catch (error) {
      return this.#endingOfError(error)
    }
  }

  /** Every write here is done before the statement runs, or is not needed at all. */
  #waiting(index: number, tellProgress: () => void): Waiting {
    const { store, log } = this.#parts
    let queued: Promise<unknown> | null = null
    return {
      onQueued: (place) => {
        this.#queuePlace = place
        tellProgress()
        queued ??= store
          .wait(this.#queryId(index))
          .catch((error: unknown) =>
            log.warn({ err: error }, 'the history does not show that a statement waits'),
          )
      },
      onAdmitted: async () => {
        if (!queued) return
        await queued
        await this.#start(index)
      },
    }
  }

  async #start(index: number): Promise<void> {
    const { store, clock } = this.#parts
    await store.start(this.#queryId(index), clock.now(), this.#place())
  }

  async #runOne(
    statement: Statement,
    index: number,
    { isFirst }: Pick<Turn, 'isFirst'>,
  ): Promise<StatementEnd['state']> {
    const startedAt = performance.now()
    const timeUsedMs = () => performance.now() - startedAt

    try {
      if (index > 0 || !isFirst) await this.#start(index)
    } catch (error) {
      return this.#conclude(statement, index, {
        ending: this.#endingOfError(error),
        timeUsedMs: timeUsedMs(),
      })
    }
    const tellProgress = (): void => this.#tellProgress(statement, index, timeUsedMs())
    let timer = setTimeout(() => {
      tellProgress()
      timer = setInterval(tellProgress, PROGRESS_MS)
    }, FIRST_PROGRESS_MS)
    const waiting = this.#waiting(index, tellProgress)
    const ending = await this.#perform(statement, index, waiting).finally(() => clearTimeout(timer))
    return this.#conclude(statement, index, { ending, timeUsedMs: timeUsedMs() })
  }

  /** Writes the end down and tells it. */
  async #conclude(
    statement: Statement,
    index: number,
    { ending, timeUsedMs }: { ending: Ending; timeUsedMs: number },
  ): Promise<StatementEnd['state']> {
    const isToldFirst = this.#isSimplyRead(statement, ending)
    if (!isToldFirst) await this.#writeDown(index, ending)
    this.#parts.onEnded(ending.state)
    const before = this.#requireConnection()
    const { move } = ending
    if (move) this.#connection = { ...before, ...move }
    this.#tell(statement, index, {
      state: ending.state === 'finished' ? 'finished' : 'failed',
      code: ending.code,
      message: ending.message,
      errorKind: ending.errorKind,
      errorOffset: ending.offset === null ? null : statement.start + ending.offset,
      result: ending.result,
      timeUsedMs,
      notice: ending.notice,
      isKept: ending.kept !== null,
      moved: {
        catalog: move?.catalog !== undefined && move.catalog !== before.catalog,
        database: move?.database !== undefined && move.database !== before.database,
        warehouse: move?.warehouse !== undefined,
      },
    })
    if (isToldFirst) this.#written = Promise.all([this.#written, this.#writeDown(index, ending)])
    await this.#parts.changes.ended({
      accountId: this.#actor.accountId,
      sql: statement.text,
      classification: this.#analyse(statement).classification,
      ending,
      before,
      after: this.#requireConnection(),
    })
    return ending.state
  }

  /** It finished and left nothing behind: told before it is written, no crash makes what was told untrue (ADR 17). */
  #isSimplyRead(statement: Statement, { state, move }: Ending): boolean {
    const leavesNothing = !move || !isMoved(this.#requireConnection(), move)
    return state === 'finished' && leavesNothing && this.#judge(statement).class === 'reads'
  }

  #tellProgress(statement: Statement, index: number, timeUsedMs: number): void {
    const progress = this.#run?.progress() ?? null
    this.#tell(statement, index, { state: 'running', timeUsedMs, progress, queuePlace: this.#queuePlace })
  }

  async #perform(statement: Statement, index: number, waiting: Waiting): Promise<Ending> {
    if (this.#stop.signal.aborted) return cancelled('Stopped at your request, before it ran.')
    const verdict = this.#judge(statement)
    if (!verdict.allowed) {
      const { code, message, offset } = verdict.refusal
      return failed(code, message, offset)
    }
    try {
      const answer = this.#answerOf(verdict)
      return answer
        ? await runInService(this.#parts, answer, {
            actor: this.#actorNow(),
            wholeActor: this.#actor,
            connection: this.#requireConnection(),
            queryId: this.#queryId(index),
            sql: statement.text,
            kind: verdict.kind,
            stop: this.#stop.signal,
            onRun: (run) => (this.#run = run),
          })
        : await this.#runInEngine(statement, { index, verdict, waiting })
    } catch (error) {
      return this.#endingOfError(error)
    } finally {
      this.#run = null
      this.#queuePlace = null
    }
  }

  #endingOfError(error: unknown): Ending {
    const known = endingOfError(error)
    if (known) return known
    const { requestId } = this.#submission
    this.#parts.log.error({ err: error, requestId }, 'a statement failed for a reason not foreseen')
    return failed('Internal', 'Something went wrong in the service. It was logged; try again.')
  }

  /** With the roles that SET ROLE left to this connection. */
  #actorNow(): Actor {
    return actorIn(this.#connection, this.#actor)
  }

  #judge(statement: Statement): Verdict {
    return judgeAnalysed(this.#actorNow(), this.#analyse(statement))
  }

  /** Once for each statement: it takes longer than all else that is done with its text. */
  #analyse(statement: Statement): Analysis {
    const analysis = this.#analyses.get(statement) ?? analyse(statement.text)
    this.#analyses.set(statement, analysis)
    return analysis
  }

  #answerOf({ kind }: Verdict) {
    return SESSION_STATEMENTS[kind] ?? this.#parts.statements[kind]
  }

  async #runInEngine(
    statement: Statement,
    { index, verdict, waiting }: { index: number; verdict: Verdict & { allowed: true }; waiting: Waiting },
  ): Promise<Ending> {
    const { class: purpose } = verdict
    if (purpose === 'service') {
      const words = verdict.kind.replaceAll('-', ' ').toUpperCase()
      return failed('QueryFailed', `${words} is not available in this version.`, 0)
    }
    return runInWarehouse(this.#parts, {
      ...this.#bound(statement, index, purpose),
      actor: this.#actorNow(),
      stop: this.#stop.signal,
      ...waiting,
      onRun: (run) => {
        this.#run = run
        this.#queuePlace = null
      },
    })
  }

  async #writeDown(index: number, ending: Ending): Promise<void> {
    const { store, connections, clock } = this.#parts
    const connection = this.#requireConnection()
    if (ending.move && isMoved(connection, ending.move)) await connections.move(connection.id, ending.move)
    await store.end(statementEnd(this.#queryId(index), ending, clock.now()))
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

  #tell(statement: Statement, index: number, told: Told): void {
    const known = {
      requestId: this.#submission.requestId,
      queryId: this.#queryId(index),
      connectionId: this.#requireConnection().id,
      index,
      count: this.#statements.length,
      place: this.#place(),
    }
    this.answers.publish(answerOf(statement, known, told))
  }
}
