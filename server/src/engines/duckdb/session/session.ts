import type { Rewriting } from '@boathouse/sql'
import { type DuckDBConnection, StatementType } from '@duckdb/node-api'
import {
  type EngineSession,
  type SessionFacts,
  type SessionState,
  NOTHING_TO_LOSE,
} from '../../engine/session.ts'
import { type ExecuteOptions, type QueryRun, PROGRESS_UNKNOWN } from '../../engine/run.ts'
import type { Outcome } from '../../engine/outcome.ts'
import type { RowSink } from '../../engine/sink.ts'
import { inWritten } from '../../engine/written.ts'
import { toldInTheirWords } from '../rendering/mysql/messages.ts'
import { runText } from '../rendering/run-text.ts'
import { firstWord, makesTable } from '../guard/first-words.ts'
import { CATALOG } from '../guard/sandbox.ts'
import { keepingForeignKeys } from '../guard/foreign-keys.ts'
import { systemRows } from '../guard/system-tables.ts'
import { type RunOptions, boundStatement } from './bound-statement.ts'
import { mayDraw } from './select-cache.ts'
import { refuseMistaken } from '../guard/purpose.ts'
import { NotSmall } from '../rows/kept-rows.ts'
import { runKeptSelect } from './kept-select.ts'
import { runIntoSink } from '../rows/sink-rows.ts'
import { Visit } from '../account/visit.ts'
import { shownPlan } from '../plans/read-plan.ts'
import { Profiler } from './profile.ts'
import { progressOf } from './progress.ts'
import { RowsMissing } from '../rows/row-source.ts'
import { readResult, sessionZone } from '../rows/result-rows.ts'
import { CleanSession } from './clean-session.ts'
import { runFollowing } from './following.ts'
import { withoutConflicts } from './keyless-inserts.ts'
import { requireNumberedRows } from './numbered-rows.ts'
import { savepointIn } from './savepoints.ts'
import { SessionObjects } from './session-objects.ts'
import { SessionSight } from './session-sight.ts'
import type { SessionWorld } from './session-world.ts'
import { shownFailure } from './shown-failure.ts'
import { type GivesUp, givenUp, orGivenUp } from './uninterruptible.ts'
import { type FileOrderParts, knownOfFile, runFileOrder } from './file-order.ts'
import { failureOf } from './failure.ts'
import { FailedIn, hasParameters, type ReadyStatement } from './statement.ts'
import { type Asked, DEFINES, GIVE_UP_AFTER_MS, INTERRUPT_EVERY_MS, READS } from './asked.ts'
import { describeStatement } from './describe.ts'
import { handedOver, type Ran, RAN_NOTHING } from './ran.ts'
import { TemporaryObjects } from './temporary.ts'
import { AppliedSession } from './applied-session.ts'
import { type Acting, SessionTransaction, UNDOES } from './transaction.ts'
import { canRunWhole, runWhole } from './whole-select.ts'
import { measuredOf, newRunState, ranIn, sessionClosed, type RunState } from './run-state.ts'

/** One DuckDB connection: its statements run one after the other. */
export class DuckDbSession implements EngineSession {
  private closed = false
  /** With a statement that does not stop. */
  hasEnded = false
  private last: Promise<unknown> = Promise.resolve()
  private readonly running = new Map<QueryRun, GivesUp>()
  private readonly user: string
  private readonly transaction: SessionTransaction
  private readonly temporary: TemporaryObjects
  private readonly objects: SessionObjects
  private readonly profiler: Profiler
  private readonly sight: SessionSight
  private readonly applied: AppliedSession
  private readonly visit = new Visit({
    catalog: () => this.sight.catalog,
    databaseIn: (catalog) => this.sight.databaseIn(catalog),
    renamed: (...change) => this.renamed(...change),
  })
  /** Of the statement that runs now. */
  private remarks: Rewriting['remarks']
  /** Null when a statement may have changed it, as none does that writes to tables. */
  private timeZone: string | null

  constructor(
    private readonly world: SessionWorld,
    private readonly connection: DuckDBConnection,
    state: SessionState,
  ) {
    const { timeZone, catalog, user = '' } = state
    this.timeZone = timeZone
    this.user = user
    this.transaction = new SessionTransaction(connection)
    this.profiler = new Profiler(connection, world.temporary)
    this.temporary = new TemporaryObjects(connection)
    this.sight = new SessionSight(connection, catalog)
    this.applied = new AppliedSession(connection)
    const tableOf = (file: string) => world.attached.tableOf(file)
    const shown = () => this.sight.state()
    this.objects = new SessionObjects(connection, {
      transaction: this.transaction,
      known: world.definitions,
      names: world.names,
      sight: this.sight,
      hasTemporary: () => this.temporary.mayExist,
      tableOf,
      clean: (version) => new CleanSession({ instance: world.instance, state, tableOf, version, shown }),
      underWays: (settings, work) => this.applied.bind(settings, work),
    })
    world.attached.enter(this.visit)
  }

  execute(text: string, options: ExecuteOptions): QueryRun {
    const runState = newRunState()
    const { sql, rendering, informs } = runText(text, options.written, this.sight.catalog)
    const interrupt = () => runState.isRunning && !runState.isSettling && this.connection.interrupt()
    const ended = this.underLock(async () => {
      this.sight.informs = informs
      this.remarks = rendering?.remarks
      const outcome = inWritten(await this.take(runState, sql, options), rendering)
      return toldInTheirWords(outcome, text, options.written)
    })
    const { outcome, giveUp } = orGivenUp(ended)
    const run: QueryRun = {
      outcome,
      progress: () => (runState.isRunning ? progressOf(this.connection) : PROGRESS_UNKNOWN),
      cancel: async () => {
        runState.isCancelled = true
        runState.stopping.abort()
        interrupt()
        const again = setInterval(interrupt, INTERRUPT_EVERY_MS)
        void ended.then(() => clearInterval(again))
        const patience = setTimeout(() => this.giveUp(runState, run, ended), GIVE_UP_AFTER_MS)
        await outcome
        clearTimeout(patience)
      },
    }
    this.running.set(run, giveUp)
    void outcome.then(() => this.running.delete(run))
    return run
  }

  /**
   * Ends the session for a statement that does not stop, unless what it did is being committed. It cannot be from now
   * on: `SessionTransaction.write` asks whether it was cancelled, and a transaction of the user's ends with the connection.
   */
  private giveUp(runState: RunState, run: QueryRun, ended: Promise<unknown>): void {
    const { uninterruptible } = this.world
    if (!runState.isRunning || runState.isSettling || this.hasEnded || !uninterruptible.hasRoom) return
    this.hasEnded = true
    const session = this.facts()
    uninterruptible.add(this.user, ended)
    void this.underLock(async () => this.leave())
    for (const [one, giveUp] of this.running) giveUp(givenUp(session, one === run))
  }

  private leave(): void {
    if (this.closed) return
    this.world.attached.leave(this.visit)
    this.objects.close()
    this.connection.closeSync()
    this.closed = true
  }

  async close(): Promise<void> {
    await Promise.all([...this.running.keys()].map((run) => run.cancel()))
    if (!this.hasEnded) await this.underLock(async () => this.leave())
  }

  private underLock<T>(task: () => Promise<T>): Promise<T> {
    const done = this.last.then(task)
    this.last = done.catch(() => undefined)
    return done
  }

  private async take(runState: RunState, sql: string, options: ExecuteOptions): Promise<Outcome> {
    if (this.closed || this.hasEnded)
      return { state: 'failed', error: sessionClosed(), session: NOTHING_TO_LOSE }
    const refused = this.world.uninterruptible.refusal(this.user)
    if (refused) return { state: 'failed', error: refused, session: this.facts() }
    if (runState.isCancelled) return { state: 'cancelled', session: this.facts() }
    runState.isRunning = true
    runState.at.begun = performance.now()
    const memory = this.world.memory.begin()
    try {
      const ran = await this.run(runState, sql, options).catch((error: unknown) =>
        this.whyMissing(error, { runState, sql, options }),
      )
      const defining = this.objects.ended(!UNDOES.has(firstWord(sql)))
      const figures = { peakMemoryBytes: memory.peakBytes, measured: measuredOf(runState, memory) }
      return { state: 'finished', ...handedOver(ran), ...figures, session: this.facts(), ...defining }
    } catch (error) {
      this.objects.ended(false)
      const { connection, sight, world } = this
      const parts = { connection, sight, attached: world.attached, sql, authorize: options.authorize }
      const shown = await shownFailure(
        failureOf(error, sql, { ...world, facts: this.facts(), hides: this.objects.hides }),
        parts,
      )
      const file = knownOfFile(error)
      return { ...shown, ...file, peakMemoryBytes: memory.peakBytes, measured: measuredOf(runState, memory) }
    } finally {
      runState.isRunning = false
      if (!this.transaction.isOpen) this.visit.end()
      this.world.memory.end(memory)
    }
  }

  /**
   * DuckDB does not say why a stream ended too early. Computed as a whole, the same statement fails with a reason; unless
   * its transaction has failed with it, or it would draw from a sequence once more.
   */
  private async whyMissing(error: unknown, { runState, sql, options }: Omit<Asked, 'onRan'>): Promise<Ran> {
    const isMissing = error instanceof FailedIn && error.cause instanceof RowsMissing
    if (!isMissing || !options.sink || this.transaction.isOpen || mayDraw(sql)) throw error
    runState.isSettling = false
    return this.run(runState, sql, { ...options, findsFailure: true })
  }

  private async run(runState: RunState, text: string, options: RunOptions): Promise<Ran> {
    this.objects.begin()
    const system = options.system ? systemRows(options.system) : null
    try {
      await this.applied.tell(options)
      await this.world.attached.ready(text, () => this.sight.catalog, this.visit)
      const sql = await withoutConflicts(this.connection, text, this.remarks?.keyed)
      const whole = await this.runWhole(runState, sql, options)
      if (whole) return whole
      await this.transaction.enter()
      const wrote = () => this.world.selects.wrote()
      if (options.file)
        return await runFileOrder(this.fileParts(runState), options.file, options).finally(wrote)
      if (system) await this.connection.run(system.set)
      const savepoint = savepointIn(sql)
      if (savepoint) return await this.transaction.save(savepoint).then(() => RAN_NOTHING)
      if (options.describe) return await this.described(runState, sql, options)
      const stop = runState.stopping.signal
      const bound = await this.objects.decided({ sql, options, stop }, () => this.ready(sql, options))
      await requireNumberedRows(this.connection, this.remarks?.numbered ?? [])
      runState.at.compiled = performance.now()
      return await this.runReady(bound, { sql, options, runState })
    } finally {
      runState.isSettling = true
      await this.transaction.leave()
      await this.sight.asUsual()
      if (system) await this.connection.run(system.reset)
      await this.profiler.stop()
    }
  }

  /** In one call, where that can be done. Null: it is to be run as any other. */
  private async runWhole(runState: RunState, sql: string, options: RunOptions): Promise<Ran | null> {
    const [{ selects }, { sink }, isInTransaction] = [this.world, options, this.transaction.isOpen]
    if (!sink || !canRunWhole(sql, options, { selects, isInTransaction })) return null
    const seenAfter = selects.writes
    const onRan = ranIn(runState, () => void (runState.isSettling = true))
    const run = { ...(await this.sinkParts(runState, sink)), makesTable: false, onRan }
    const ran = await this.objects.described({ sql, options, stop: run.stop }, () =>
      this.applied.bind(options, () => runWhole(sql, run)),
    )
    if (ran) selects.sunk(sql, { ...ran, keepsNames: true }, seenAfter)
    else selects.forget(sql)
    return ran && { ...ran, kept: null, rowsChanged: null, profile: null }
  }

  private async sinkParts({ stopping }: RunState, sink: RowSink) {
    const { connection, world } = this
    this.timeZone ??= await sessionZone(connection)
    return { connection, other: world.own, timeZone: this.timeZone, sink, stop: stopping.signal }
  }

  /** Bound and decided on as if it ran, and not run. */
  private async described(runState: RunState, sql: string, options: ExecuteOptions): Promise<Ran> {
    const describe = () => describeStatement(this.connection, sql, options.takenFor)
    const asked = { sql, options, stop: runState.stopping.signal }
    const bind = () => this.applied.bind(options, describe)
    return { ...RAN_NOTHING, described: await this.objects.described(asked, bind) }
  }

  private async runReady(ready: ReadyStatement, asked: Omit<Asked, 'onRan'>): Promise<Ran> {
    const { prepared, text, type, writes } = ready
    const { sql, options, runState } = asked
    const acting = {
      queryId: options.queryId,
      act: (onRan: () => void) => this.actWhole(ready, { ...asked, onRan: ranIn(runState, onRan) }),
      isCancelled: () => runState.isCancelled,
      settle: () => void (runState.isSettling = true),
    }
    try {
      if (firstWord(sql) === 'USE') this.objects.moves()
      refuseMistaken(type, options.takenFor)
      if (prepared.parameterCount > 0) throw hasParameters()
      const catalog = writes ? await this.objects.writtenCatalog(sql, this.world.attached) : CATALOG
      const done: Acting<Ran> = { ...acting, catalog }
      await this.objects.running(sql, ready, options)
      if (!writes && READS.has(type)) return await this.transaction.read(done)
      if (type !== StatementType.TRANSACTION) this.transaction.savepoints.changed()
      const result = await (writes ? this.transaction.write(done) : this.actAlone(type, sql, done))
      this.world.selects.wrote()
      acting.settle()
      if (!writes) this.timeZone = null
      if (firstWord(sql) === 'USE') await this.sight.moved()
      await this.temporary.look(sql, prepared.statementType, this.transaction.isOpen)
      return result
    } catch (error) {
      throw new FailedIn(error, text)
    } finally {
      prepared.destroySync()
    }
  }

  private fileParts(runState: RunState): FileOrderParts {
    const { world, connection, objects, transaction, timeZone: zone } = this
    return { world, connection, objects, transaction, runState, zone }
  }

  /** What is of the session or of the engine, and not in a transaction of ours. */
  private async actAlone(type: StatementType, sql: string, acting: Acting<Ran>): Promise<Ran> {
    await this.transaction.leave()
    return type === StatementType.TRANSACTION
      ? this.transaction.control(sql, acting)
      : acting.act(() => undefined)
  }

  private ready(sql: string, options: RunOptions): Promise<ReadyStatement> {
    const parts = { connection: this.connection, selects: this.world.selects }
    return this.applied.bind(options, () => boundStatement(parts, sql, options))
  }

  /** With what runs behind it. */
  private async actWhole(ready: ReadyStatement, asked: Asked): Promise<Ran> {
    const { connection, objects, transaction } = this
    const act = () => this.actAnew(ready, asked)
    const defines = ready.writes && DEFINES.has(ready.type)
    const ran = await (defines ? keepingForeignKeys(connection, asked.sql, act) : act())
    const next = (sql: string) => this.ready(sql, asked.options)
    await runFollowing({ connection, objects, transaction, ready: next }, this.remarks?.behind ?? [], asked)
    return ran
  }

  /** What turns out to be larger than was thought has done nothing yet, and is bound once more. */
  private async actAnew(ready: ReadyStatement, asked: Asked): Promise<Ran> {
    const { sql, options } = asked
    const isProfiled = options.profile && ready.type !== StatementType.TRANSACTION
    const act = (one: ReadyStatement) => (isProfiled ? this.actProfiled(one, asked) : this.act(one, asked))
    try {
      return await act(ready)
    } catch (error) {
      if (!(error instanceof NotSmall)) throw error
    }
    this.world.selects.forget(sql)
    const again = await this.ready(sql, options)
    return act(again).finally(() => again.prepared.destroySync())
  }

  private async act(ready: ReadyStatement, { sql, options, runState, onRan }: Asked): Promise<Ran> {
    const { connection, world } = this
    const { keep, maxRows, longestCell } = options
    if (options.sink) return this.fill(ready, options.sink, { sql, options, runState, onRan })
    if (ready.isCapped && keep) {
      // Before the rows flow: another question on this connection would stop them.
      this.timeZone ??= await sessionZone(connection)
      const parts = { connection, world, timeZone: this.timeZone }
      return runKeptSelect(parts, ready, { sql, options: { ...options, keep }, runState, onRan })
    }
    const result = await ready.prepared.run()
    onRan()
    const reading = { names: ready.names, maxRows, longestCell, makesTable: makesTable(sql) }
    const ran = await readResult(connection, result, reading)
    const shown = ready.type === StatementType.EXPLAIN ? shownPlan(ran.result) : { profile: null }
    return { ...ran, ...shown, kept: null, rowsChanged: ran.result.rowsChanged }
  }

  /** All rows go to the sink. */
  private async fill(ready: ReadyStatement, sink: RowSink, { sql, runState, onRan }: Asked): Promise<Ran> {
    const { selects } = this.world
    const { writes: seenAfter } = selects
    const sunk = { ...(await this.sinkParts(runState, sink)), onRan, makesTable: makesTable(sql) }
    const ran = await runIntoSink(ready, sunk)
    if (ready.isOneSelect) selects.sunk(sql, { ...ran, keepsNames: ready.names === null }, seenAfter)
    return { ...ran, kept: null, rowsChanged: ran.result.rowsChanged, profile: null }
  }

  private async actProfiled(ready: ReadyStatement, asked: Asked): Promise<Ran> {
    const { value, profile } = await this.profiler.run({
      isFramed: ready.isCounted || ready.isMarked,
      // The profile would otherwise be that of a statement that follows at once.
      act: () => this.act(ready, { ...asked, onRan: () => undefined }),
      settle: () => (asked.runState.isSettling = true),
    })
    return { ...value, profile: value.profile ?? profile }
  }

  private async renamed(from: string, to: string, database: string | null): Promise<void> {
    this.transaction.renamed(from)
    if (database !== null) await this.sight.renamed(to, database)
  }

  private facts(): SessionFacts {
    return { inTransaction: this.transaction.isOpen, hasTemporary: this.temporary.exist }
  }
}
