import { asksForProfile } from '@boathouse/sql'
import type { QueryRun } from '../../../engines/engine/run.ts'
import type { RowSink } from '../../../engines/engine/sink.ts'
import { aborted } from '../../../kernel/aborted.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { engineFor } from '../accepting/accepted-rows.ts'
import type { AcceptedRequest, AcceptedStatement } from '../accepting/accepting.ts'
import { whyReadOtherwise } from '../accepting/reading.ts'
import type { AnalysedStatement } from '../analysis/analysed-text.ts'
import type { Requester } from '../requester.ts'
import type { QueueEntry } from '../accepting/connection-queue.ts'
import type { Underway } from '../history/activity.ts'
import type { Connection } from '../sessions/connection.ts'
import type { ExecutionParts } from './execution-parts.ts'
import { ENGINE_DEFINES, type ExecutionOptions, type InEngine, orderIn, type Way } from './execution-ways.ts'
import { cancelled, type Ending, endingOfError, failed, refused, withError } from './ending.ts'
import { runInWarehouse } from './engine-statement.ts'
import { withMeantWord } from './meant-word.ts'
import { type LikeParts, likeTable } from './like-table.ts'
import { setUserVariable, type ValueQuery } from './set-user-variable.ts'
import { stoppedByOther } from './stopped-by.ts'
import { commitWhenTurnedOn, controlTransaction, type TransactionHands } from './transaction-control.ts'
import { beginsTransaction } from './transaction-plan.ts'
import { type Waiting, waitingOf } from './waiting.ts'
import { patienceOf, takenRowsOf, WatchedSink } from './watched-sink.ts'
import { judge, judgeOfFile } from '../gate/gate.ts'
import { runInService } from './service-statement.ts'
import { actorIn } from '../sessions/session-roles.ts'
import type { ParameterValue } from '../sessions/parameters.ts'
import type { Executed } from '../sessions/prepared.ts'
import { performedStatement } from './performed-statement.ts'
import { refusedAsReader } from '../gate/looking.ts'
import { questionAnswer, sessionFunctions, sessionQuestion } from '../sessions/session-questions.ts'
import { SESSION_STATEMENTS } from '../sessions/session-statements.ts'
import type { Answer } from '../sessions/session-tools.ts'
import { variableOf, wantsProfile } from '../sessions/session-variables.ts'
import { countOf } from '../sessions/warnings.ts'
import { systemRowsFor, systemTablesIn } from '../system-tables.ts'
import { RequestNotifier } from '../answers/notifier.ts'
import { writtenOn } from './written-on.ts'

/** The run of an accepted request, from its first statement to its last end. */
export class Execution {
  readonly #parts: ExecutionParts
  readonly #request: AcceptedRequest
  readonly #requester: Requester
  readonly #notifier: RequestNotifier
  readonly #stop: AbortSignal
  readonly #sink: RowSink | undefined
  readonly #parameters: readonly ParameterValue[] | undefined
  #actor: Actor
  #connection: Connection
  #current: AcceptedStatement | null = null
  #run: QueryRun | null = null
  #queuePlace: number | null = null
  #timeUsedMs: () => number = () => 0

  constructor(parts: ExecutionParts, options: ExecutionOptions) {
    const { request, requester, answers, stop } = options
    this.#parts = parts
    this.#request = request
    this.#requester = requester
    this.#notifier = new RequestNotifier(parts, answers, request)
    this.#stop = stop
    this.#sink = options.sink
    this.#parameters = options.parameters
    this.#actor = requester.known
    this.#connection = request.connection
  }

  /** Resolves when the engine has stopped the running statement. */
  async cancel(): Promise<void> {
    await this.#run?.cancel()
  }

  get connectionId(): number {
    return this.#connection.id
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

  /** Resolves when those ends are written that were sent before they were. */
  get written(): Promise<unknown> {
    return this.#notifier.written
  }

  /** Waits for earlier requests, and continues where they left the connection. Gives the ending of one that cannot. */
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
      const mostRows = takenRowsOf(this.#connection, accepted.statement)
      const patienceMs = patienceOf(this.#connection)
      const sink = this.#sink && new WatchedSink(this.#sink, { stop: this.#stop, mostRows, patienceMs })
      ending = await this.#perform(accepted, { waiting: this.#waiting(accepted, progress.notify), sink })
      if (sink) ending = await sink.finish(ending)
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

  /** It is written down under its catalog first: a renaming of that either counts it, or it waits for the renaming. */
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
    const engine = this.#engineFor(accepted)
    await store.start(accepted, clock.now(), { ...this.#connection, engine })
  }

  #engineFor({ statement }: AcceptedStatement): string | null {
    return engineFor(statement, this.#connection, this.#parts.connections.homeEngine)
  }

  #waiting(accepted: AcceptedStatement, notifyProgress: () => void): Waiting {
    return waitingOf(this.#parts, accepted, {
      onPlace: (place) => {
        this.#queuePlace = place
        notifyProgress()
      },
      start: () => this.#start(accepted),
      engine: () => this.#engineFor(accepted),
      stop: this.#stop,
    })
  }

  async #perform(accepted: AcceptedStatement, way: Way): Promise<Ending> {
    if (this.#stop.aborted) return cancelled('Stopped at your request before it ran.')
    const { statement, queryId } = accepted
    const readOtherwise = whyReadOtherwise(statement, this.#connection)
    if (readOtherwise !== null) return failed('QueryFailed', readOtherwise, 0)
    const actor = await actorIn(this.#connection, this.#actor, this.#parts.privileges)
    const { file, values } = this.#request.submission
    const verdict = file ? judgeOfFile(statement, file.order) : judge(statement)
    if (!verdict.allowed) return refused(verdict.refusal)
    const readOnly = refusedAsReader(verdict, statement, this.#reader())
    if (readOnly !== null) return refused(readOnly)
    const given = { parameters: this.#parameters, values, connection: this.#connection }
    const performed = performedStatement(statement, given, this.#parts.analyses)
    const hands = this.#hands(actor, way)
    const controlled = await controlTransaction(hands, performed?.statement ?? statement, queryId)
    if (controlled) return controlled
    if (performed) return this.#execute(actor, performed, { queryId, ...way })
    const like = likeTable(this.#likeParts(actor, accepted, way), statement)
    if (like) return like
    if (verdict.kind === 'set-user-variable') return this.#setVariable(actor, accepted, way.waiting)
    const question = sessionQuestion(statement, this.#connection)
    if (question) return this.#answer(actor, accepted, questionAnswer(question))
    const answer = SESSION_STATEMENTS[verdict.kind] ?? this.#parts.statements[verdict.kind]
    if (!answer) return this.#runInEngine(actor, { statement, queryId, verdict, ...way })
    if (ENGINE_DEFINES.has(verdict.kind)) await this.#defines(actor, statement, queryId)
    return commitWhenTurnedOn(hands, await this.#answer(actor, accepted, answer))
  }

  #reader = () => ({ ...this.#request.submission, connection: this.#connection })

  #hands(actor: Actor, way: Way): TransactionHands {
    return {
      connection: () => this.#connection,
      run: (kind, sql, queryId) => {
        const verdict = { allowed: true, kind, class: 'session' } as const
        const statement = this.#parts.analyses.one(sql)
        return this.#runInEngine(actor, { ...way, statement, queryId, verdict })
      },
      ended: async (kind, queryId, ending) => {
        const end = { queryId, kind, actor, connection: this.#connection, ending }
        this.#connection = await this.#notifier.transactionEnded(end)
      },
    }
  }

  /** A refresh of a materialized view is no definition: nobody asked for it. */
  async #defines(actor: Actor, statement: AnalysedStatement, queryId: string): Promise<void> {
    const { clientIp, file, refresh } = this.#request.submission
    if (refresh) return
    const connection = this.#connection
    const order = file ? orderIn(connection, file.order) : null
    const engine = engineFor(statement, connection, this.#parts.connections.homeEngine)
    const begun = { actor, clientIp, connection, queryId, statement, file: order, engine }
    await this.#parts.definitions.begins(begun)
  }

  #answer(actor: Actor, { statement, queryId }: AcceptedStatement, answer: Answer): Promise<Ending> {
    return runInService(this.#parts, answer, {
      actor,
      wholeActor: this.#actor,
      connection: this.#connection,
      ...this.#left(),
      clientIp: this.#request.submission.clientIp,
      queryId,
      statement,
      stop: this.#stop,
      onRun: (run) => (this.#run = run),
    })
  }

  /** By the statement before this one. */
  #left() {
    const { warnings } = this.#parts
    const { id } = this.#connection
    return { warnings: warnings.of(id), counts: warnings.countsOf(id) }
  }

  /** What was prepared is checked as if it were sent now. Offsets in it mean nothing in the text, unless it says so. */
  async #execute(
    actor: Actor,
    { offsetIn = () => null, ...performed }: Executed & Pick<InEngine, 'isInEngineWords'>,
    way: Way & { readonly queryId: string },
  ): Promise<Ending> {
    const verdict = judge(performed.statement)
    const placeOf = (offset: number | null) => (offset === null ? null : offsetIn(offset))
    if (!verdict.allowed) return refused({ ...verdict.refusal, offset: placeOf(verdict.refusal.offset) })
    const readOnly = refusedAsReader(verdict, performed.statement, this.#reader())
    if (readOnly !== null) return refused(readOnly)
    const ending = await this.#runInEngine(actor, { ...performed, verdict, ...way })
    const offset = placeOf(ending.error?.offset ?? null)
    return { ...withError(ending, { offset }), performed: performed.statement }
  }

  #likeParts(actor: Actor, accepted: AcceptedStatement, way: Way): LikeParts {
    const { queryId } = accepted
    return {
      analyses: this.#parts.analyses,
      answer: (answer) => this.#answer(actor, accepted, answer),
      run: (statement) =>
        this.#execute(actor, { statement, variables: {}, isInEngineWords: true }, { queryId, ...way }),
    }
  }

  #setVariable(actor: Actor, accepted: AcceptedStatement, waiting: Waiting): Promise<Ending> {
    const { queryId, statement } = accepted
    const { analyses } = this.#parts
    const parts = {
      analyses,
      connection: this.#connection,
      runQuery: (query: ValueQuery) => this.#runInEngine(actor, { ...query, queryId, waiting }),
      answer: (answer: Answer) => this.#answer(actor, accepted, answer),
    }
    return setUserVariable(parts, statement)
  }

  /** The value of `@@name`; null when there is no such variable. */
  #variable(name: string): string | null {
    return countOf(name, this.#parts.warnings.of(this.#connection.id)) ?? variableOf(this.#connection, name)
  }

  async #runInEngine(actor: Actor, asked: InEngine): Promise<Ending> {
    const { statement, queryId, verdict, waiting, sink, variables = {}, forService, isInEngineWords } = asked
    const { kind, class: purpose } = verdict
    const { file = null, inFull = false, notesUses = false } = this.#request.submission
    if (purpose === 'service') {
      const words = kind.replaceAll('-', ' ').toUpperCase()
      return failed('QueryFailed', `${words} is not available in this version.`, 0)
    }
    const { clientIp } = this.#request.submission
    const session = { ...this.#left(), actor, connection: this.#connection, clientIp }
    const written = writtenOn(statement, variables, {
      variable: (name) => (isInEngineWords && name === 'sql_dialect' ? 'engine' : this.#variable(name)),
      functions: sessionFunctions(statement, session),
    })
    if ('state' in written) return written
    const system = await systemRowsFor(this.#parts.systemTables, {
      actor,
      wholeActor: this.#actor,
      connection: this.#connection,
      tables: systemTablesIn(statement),
    })
    if (purpose === 'writes') await this.#defines(actor, statement, queryId)
    const ending = await runInWarehouse(this.#parts, {
      actor,
      connection: this.#connection,
      queryId,
      sql: statement.text,
      written,
      kind,
      draws: statement.draws,
      purpose,
      begins: !forService && beginsTransaction(statement, this.#connection),
      wantsProfile: wantsProfile(this.#connection) || asksForProfile(statement.text),
      inFull,
      notesUses,
      file: file ? orderIn(this.#connection, file.order) : null,
      ...(forService && { forService }),
      ...(file || forService ? {} : { sink }),
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
    return withMeantWord(ending, statement)
  }

  #endingOfError(error: unknown): Ending {
    const known = endingOfError(error)
    if (known) return known
    const { requestId } = this.#request.submission
    this.#parts.log.error({ err: error, requestId }, 'a statement failed for a reason not foreseen')
    return failed('Internal', 'Something went wrong in the service, and it was logged. Try again.')
  }
}
