import {
  asksForProfile,
  engineText,
  originalOffset,
  type Rewriting,
  rewritten,
  type StatementKind,
  systemVariables,
} from '@boathouse/sql'
import type { QueryRun } from '../../../engines/engine/run.ts'
import type { FileOrder } from '../../../engines/engine/files.ts'
import { aborted } from '../../../kernel/aborted.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { AcceptedRequest, AcceptedStatement } from '../accepting/accepting.ts'
import { whyReadOtherwise } from '../accepting/reading.ts'
import { type AnalysedStatement, analyseStatement } from '../analysis/analysed-text.ts'
import type { Requester } from '../requester.ts'
import type { QueueEntry } from '../accepting/connection-queue.ts'
import type { Underway } from '../history/activity.ts'
import type { Connection } from '../sessions/connections.ts'
import { cancelled, type Ending, endingOfError, failed, withError } from './ending.ts'
import { runInWarehouse } from './engine-statement.ts'
import { withMeantWord } from './meant-word.ts'
import { judge, judgeOfFile, type Verdict } from '../gate/gate.ts'
import type { RequestAnswers } from '../answers/request-answers.ts'
import { runInService } from './service-statement.ts'
import type { QueryParts } from '../service.ts'
import { actorIn } from '../sessions/session-roles.ts'
import { executedStatement, runsPrepared } from '../sessions/prepared.ts'
import { NO_ROWS } from '../sessions/own-rows.ts'
import { refusedAsReadOnly } from '../sessions/client-variables.ts'
import { SESSION_STATEMENTS } from '../sessions/session-statements.ts'
import type { Answer } from '../sessions/session-tools.ts'
import { noSuchVariable, variableOf, wantsProfile } from '../sessions/session-variables.ts'
import {
  LONGEST_VALUE,
  ONE_VALUE,
  placeInAssignment,
  readAssignment,
  valueIn,
  valueQuery,
  withVariable,
} from '../sessions/user-variables.ts'
import { countOf } from '../sessions/warnings.ts'
import { systemRowsFor, systemTablesIn } from '../system-tables.ts'
import { RequestNotifier } from '../answers/notifier.ts'

/** The reason with which a request is stopped by somebody else than its user: 'Stopped by admin'. */
export class StoppedBy extends Error {
  override readonly name = 'StoppedBy'
}

/** Whoever sent it is not told that it was their wish. */
function stoppedByOther(ending: Ending, { reason }: AbortSignal): Ending {
  if (!(reason instanceof StoppedBy) || !ending.error) return ending
  const message = ending.error.message.replace(/^Stopped at your request/, reason.message)
  return withError(ending, { message })
}

const inOriginal = (ending: Ending, rewriting: Rewriting): Ending => {
  const offset = ending.error?.offset ?? null
  return offset === null ? ending : withError(ending, { offset: originalOffset(rewriting, offset) })
}

/** A file is loaded into the catalog in which its statement stands, whatever that is called by now. */
const orderIn = ({ catalog }: Connection, order: FileOrder): FileOrder =>
  order.does === 'load' ? { ...order, table: { ...order.table, catalog } } : order

/** Statements of the service that define something in the engine; others are told of where they are made. */
const ENGINE_DEFINES: ReadonlySet<StatementKind> = new Set(['create-database', 'drop-database'])

/** Told how a statement comes to run. */
interface Waiting {
  onQueued(place: number): void
  onAdmitted(): Promise<void>
}

/** A statement that an engine runs. */
interface InEngine {
  readonly statement: AnalysedStatement
  readonly queryId: string
  readonly verdict: Verdict & { allowed: true }
  readonly waiting: Waiting
  readonly forService?: { readonly longestCell: number }
}

export interface ExecutionOptions {
  readonly request: AcceptedRequest
  readonly requester: Requester
  readonly answers: RequestAnswers
  /** Aborted when the user stops it. */
  readonly stop: AbortSignal
}

/** The run of an accepted request, from its first statement to its last end. */
export class Execution {
  readonly #parts: QueryParts
  readonly #request: AcceptedRequest
  readonly #requester: Requester
  readonly #notifier: RequestNotifier
  readonly #stop: AbortSignal
  #actor: Actor
  #connection: Connection
  #current: AcceptedStatement | null = null
  #run: QueryRun | null = null
  #queuePlace: number | null = null
  #timeUsedMs: () => number = () => 0

  constructor(parts: QueryParts, { request, requester, answers, stop }: ExecutionOptions) {
    this.#parts = parts
    this.#request = request
    this.#requester = requester
    this.#notifier = new RequestNotifier(parts, answers, request)
    this.#stop = stop
    this.#actor = requester.known
    this.#connection = request.connection
  }

  /** Resolves when the engine has let go of what runs now. */
  async cancel(): Promise<void> {
    await this.#run?.cancel()
  }

  has(queryId: string): boolean {
    return this.#request.statements.some((accepted) => accepted.queryId === queryId)
  }

  /** The statement that runs or waits now, and how far it is. */
  underway(): (Underway & { readonly queryId: string }) | null {
    if (!this.#current) return null
    const progress = this.#run?.progress() ?? null
    const timeUsedMs = this.#timeUsedMs()
    return { queryId: this.#current.queryId, timeUsedMs, progress, queuePlace: this.#queuePlace }
  }

  /** Runs the statements in order and stops at the first that does not finish; resolves when every end is written. */
  async run(entry: QueueEntry): Promise<void> {
    const refused = await this.#awaitEntry(entry)
    let stoppedBy: number | null = null
    for (const accepted of this.#request.statements) {
      const skipped =
        stoppedBy === null
          ? refused
          : cancelled(`Not run, because statement ${stoppedBy + 1} did not finish.`)
      const state = skipped ? await this.#end(accepted, skipped, null) : await this.#runOne(accepted, entry)
      if (state !== 'finished') stoppedBy ??= accepted.index
    }
  }

  /** Ends that were told before they were written are written after this. */
  get written(): Promise<unknown> {
    return this.#notifier.written
  }

  /** Goes on from where the requests before it left the connection. Gives the end of a request that cannot. */
  async #awaitEntry({ isFirst, comes }: QueueEntry): Promise<Ending | null> {
    try {
      this.#actor = await this.#requester.now(this.#request.identityVersion)
      if (isFirst) return null
      await Promise.race([comes, aborted(this.#stop)])
      if (this.#stop.aborted) return cancelled('Stopped at your request before it ran.')
      this.#connection = await this.#parts.connections.resolve(this.#actor, {
        ...this.#request.submission,
        connectionId: this.#connection.id,
      })
      return null
    } catch (error) {
      return this.#endingOfError(error)
    }
  }

  async #runOne(
    accepted: AcceptedStatement,
    { isFirst }: Pick<QueueEntry, 'isFirst'>,
  ): Promise<Ending['state']> {
    const progress = this.#notifier.progressOf(accepted, () => ({
      connection: this.#connection,
      progress: this.#run?.progress() ?? null,
      queuePlace: this.#queuePlace,
    }))
    let ending: Ending
    this.#timeUsedMs = progress.timeUsedMs
    this.#current = accepted
    try {
      await this.#begin(accepted, accepted.index === 0 && isFirst)
      ending = await this.#perform(accepted, this.#waiting(accepted, progress.notify))
    } catch (error) {
      ending = this.#endingOfError(error)
    } finally {
      progress.stop()
      this.#current = null
      this.#run = null
      this.#queuePlace = null
    }
    return this.#end(accepted, ending, progress.timeUsedMs())
  }

  /** It is written down under its catalog first: whoever renames that either counts it, or is waited for. */
  async #begin(accepted: AcceptedStatement, isWritten: boolean): Promise<void> {
    const { connections } = this.#parts
    const { kind } = accepted.statement
    for (let written = isWritten ? this.#connection.catalog : null; ; written = this.#connection.catalog) {
      await connections.named(this.#actor, this.#connection, { kind, stop: this.#stop })
      this.#connection = await connections.current(this.#actor, this.#connection)
      if (this.#connection.catalog === written) return
      await this.#start(accepted)
    }
  }

  async #end(
    accepted: AcceptedStatement,
    ended: Ending,
    timeUsedMs: number | null,
  ): Promise<Ending['state']> {
    const ending = stoppedByOther(ended, this.#stop)
    // What never had its turn leaves what the one before it has left.
    if (timeUsedMs !== null) this.#parts.warnings.ended(this.#connection.id, accepted.statement, ending)
    this.#connection = await this.#notifier.ended(accepted, {
      actor: this.#actor,
      connection: this.#connection,
      ending,
      timeUsedMs,
    })
    return ending.state
  }

  async #start(accepted: AcceptedStatement): Promise<void> {
    const { store, clock } = this.#parts
    await store.start(accepted, clock.now(), this.#connection)
  }

  /** Every write here is done before the statement runs, or is not needed at all. */
  #waiting(accepted: AcceptedStatement, notifyProgress: () => void): Waiting {
    const { store, log } = this.#parts
    let queued: Promise<unknown> | null = null
    return {
      onQueued: (place) => {
        this.#queuePlace = place
        notifyProgress()
        queued ??= store
          .wait(accepted)
          .catch((error: unknown) =>
            log.warn({ err: error }, 'the history does not show that a statement waits'),
          )
      },
      onAdmitted: async () => {
        if (!queued) return
        await queued
        await this.#start(accepted)
      },
    }
  }

  async #perform(accepted: AcceptedStatement, waiting: Waiting): Promise<Ending> {
    if (this.#stop.aborted) return cancelled('Stopped at your request before it ran.')
    const { statement, queryId } = accepted
    const readOtherwise = whyReadOtherwise(statement, this.#connection)
    if (readOtherwise !== null) return failed('QueryFailed', readOtherwise, 0)
    const actor = await actorIn(this.#connection, this.#actor, this.#parts.privileges)
    const { file } = this.#request.submission
    const verdict = file ? judgeOfFile(statement, file.order) : judge(statement)
    if (!verdict.allowed) {
      const { code, message, offset } = verdict.refusal
      return failed(code, message, offset)
    }
    const readOnly = refusedAsReadOnly(verdict, this.#connection)
    if (readOnly !== null) return failed('QueryFailed', readOnly)
    if (runsPrepared(statement)) return this.#execute(actor, accepted, waiting)
    if (verdict.kind === 'set-user-variable') return this.#setVariable(actor, accepted, waiting)
    const answer = SESSION_STATEMENTS[verdict.kind] ?? this.#parts.statements[verdict.kind]
    if (!answer) return this.#runInEngine(actor, { statement, queryId, verdict, waiting })
    if (ENGINE_DEFINES.has(verdict.kind)) await this.#defines(actor, statement, queryId)
    return this.#answer(actor, accepted, answer)
  }

  /** The service makes a materialized view anew without being asked. */
  async #defines(actor: Actor, statement: AnalysedStatement, queryId: string): Promise<void> {
    const { clientIp, file, refresh } = this.#request.submission
    if (refresh) return
    const connection = this.#connection
    const order = file ? orderIn(connection, file.order) : null
    await this.#parts.definitions.begins({ actor, clientIp, connection, queryId, statement, file: order })
  }

  #answer(actor: Actor, { statement, queryId }: AcceptedStatement, answer: Answer): Promise<Ending> {
    return runInService(this.#parts, answer, {
      actor,
      wholeActor: this.#actor,
      connection: this.#connection,
      warnings: this.#parts.warnings.of(this.#connection.id),
      clientIp: this.#request.submission.clientIp,
      queryId,
      statement,
      stop: this.#stop,
      onRun: (run) => (this.#run = run),
    })
  }

  /** What was prepared, judged and decided on as if it were sent now. A place in it is none in what was sent. */
  async #execute(actor: Actor, { statement, queryId }: AcceptedStatement, waiting: Waiting): Promise<Ending> {
    const performed = executedStatement(statement, this.#connection)
    const verdict = judge(performed)
    if (!verdict.allowed) return failed(verdict.refusal.code, verdict.refusal.message)
    const readOnly = refusedAsReadOnly(verdict, this.#connection)
    if (readOnly !== null) return failed('QueryFailed', readOnly)
    const ending = await this.#runInEngine(actor, { statement: performed, queryId, verdict, waiting })
    return { ...withError(ending, { offset: null }), performed }
  }

  /** The engine works the value out, under the same guard as any query, and the connection keeps it. */
  async #setVariable(actor: Actor, accepted: AcceptedStatement, waiting: Waiting): Promise<Ending> {
    const assignment = readAssignment(accepted.statement)
    const query = analyseStatement(valueQuery(assignment.value ?? ''))
    const verdict = judge(query)
    if (!verdict.allowed || verdict.kind !== 'select')
      return verdict.allowed
        ? failed('QueryFailed', ONE_VALUE, assignment.offset)
        : failed('QueryFailed', verdict.refusal.message, assignment.offset)
    const { queryId } = accepted
    const forService = { longestCell: LONGEST_VALUE }
    const ending = await this.#runInEngine(actor, { statement: query, queryId, verdict, waiting, forService })
    if (ending.state !== 'finished' || !ending.result) {
      const offset = ending.error?.offset ?? null
      // In a text that was written anew, places are others.
      const place =
        offset === null || accepted.statement.rewriting ? null : placeInAssignment(offset, assignment)
      return withError(ending, { offset: place })
    }
    const value = valueIn(ending.result)
    const variables = withVariable(this.#connection, assignment, value)
    const kept = await this.#answer(actor, accepted, async (_, { runInEngine }) => {
      await runInEngine(({ dialect }) => dialect.valueOf(value))
      return { result: NO_ROWS, move: { variables } }
    })
    const { needed, engineId } = ending
    return { ...kept, ...(needed && { needed }), ...(engineId !== undefined && { engineId }) }
  }

  /** The value of `@@name`; null when there is no such variable. */
  #variable(name: string): string | null {
    return countOf(name, this.#parts.warnings.of(this.#connection.id)) ?? variableOf(this.#connection, name)
  }

  async #runInEngine(actor: Actor, asked: InEngine): Promise<Ending> {
    const { statement, queryId, verdict, waiting, forService } = asked
    const { kind, class: purpose } = verdict
    const { file = null, inFull = false, notesUses = false } = this.#request.submission
    if (purpose === 'service') {
      const words = kind.replaceAll('-', ' ').toUpperCase()
      return failed('QueryFailed', `${words} is not available in this version.`, 0)
    }
    const unknown = systemVariables(statement).find(({ name }) => this.#variable(name) === null)
    if (unknown) return failed('QueryFailed', noSuchVariable(unknown.name), unknown.offset)
    const rewriting = statement.text.includes('@@')
      ? rewritten(statement, ({ name }) => this.#variable(name))
      : statement.rewriting
    const system = await systemRowsFor(this.#parts.systemTables, actor, systemTablesIn(statement))
    if (purpose === 'writes') await this.#defines(actor, statement, queryId)
    const ending = await runInWarehouse(this.#parts, {
      actor,
      connection: this.#connection,
      queryId,
      sql: engineText({ ...statement, rewriting }),
      kind,
      draws: statement.draws,
      purpose,
      wantsProfile: wantsProfile(this.#connection) || asksForProfile(statement.text),
      inFull,
      notesUses,
      file: file ? orderIn(this.#connection, file.order) : null,
      ...(forService && { forService }),
      system,
      refresh: this.#request.submission.refresh,
      stop: this.#stop,
      ...waiting,
      onRun: (run) => {
        this.#run = run
        this.#queuePlace = null
        void run?.outcome.then((outcome) => file?.onOutcome(outcome))
      },
    })
    return withMeantWord(rewriting ? inOriginal(ending, rewriting) : ending, statement)
  }

  #endingOfError(error: unknown): Ending {
    const known = endingOfError(error)
    if (known) return known
    const { requestId } = this.#request.submission
    this.#parts.log.error({ err: error, requestId }, 'a statement failed for a reason not foreseen')
    return failed('Internal', 'Something went wrong in the service, and it was logged. Try again.')
  }
}
