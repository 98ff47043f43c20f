import {
  type EngineSession,
  NOTHING_TO_LOSE,
  type SessionFacts,
  type SessionSettings,
  type SessionState,
} from '../engine/session.ts'
import { type ExecuteOptions, PROGRESS_UNKNOWN, type QueryRun } from '../engine/run.ts'
import type { FinishedOutcome, Outcome } from '../engine/outcome.ts'
import type { ResultRows } from '../engine/rows.ts'
import { RowsNotWanted } from '../engine/sink-filling.ts'
import { aborted } from '../../kernel/aborted.ts'
import { placesIn } from '../../results/form.ts'
import { KeptRows } from '../../results/keep-rows.ts'
import { decisionOf, isDenial } from '../engine/objects.ts'
import { inWritten } from '../engine/written.ts'
import type { ScriptedAccount } from './account.ts'
import { columnsOf, fillSink, handOver } from './handed-over.ts'
import { list } from './listing.ts'
import { parse } from './parse.ts'
import { refused, Refused } from './refused.ts'
import { render } from './render.ts'
import { play } from './script.ts'
import { runSelect, type Selected, type SelectWorld } from './select.ts'
import { purposeOf, type Statement } from './statements.ts'
import { changesBetween, usesOf } from './uses.ts'
import { findTable, write } from './write.ts'
import { databaseOf, FIRST_DATABASE, type Table, withEffect, type World } from './world.ts'

/** What is done in a transaction, before others see it. */
interface Transaction {
  /** As it was for everyone when the transaction began. */
  readonly base: World
  world: World
  hasFailed: boolean
}

/** What is no text is no value here. */
const textsOf = (variables: SessionSettings['variables']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, { text }]) => (text === null ? [] : [[name, text]])),
  )

class Stopped extends Error {}

/** It has done nothing, not even to its transaction. */
class Denied extends Refused {}

const yieldToOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

type Done = Pick<FinishedOutcome, 'result' | 'bytes' | 'sinkRows' | 'kept' | 'changed' | 'described'>
type Writing = Parameters<typeof write>[0]

interface Asked {
  /** Aborted when the statement is to end. */
  readonly stop: AbortSignal
  readonly options: ExecuteOptions
}

function toldOf(before: World, after: World): Pick<FinishedOutcome, 'changed'> {
  const changed = changesBetween(before, after)
  return changed.length > 0 ? { changed } : {}
}

const NOTHING: ResultRows = { columns: [], rows: [], truncated: false, rowsChanged: null }
const done = (rowsChanged: number | null = null): Done => ({
  result: { ...NOTHING, rowsChanged },
  bytes: 0,
  kept: null,
})

/** It has no parameters, and nothing of it is read. */
const described = ({ columns }: Pick<Selected, 'columns'>): Done => ({
  ...done(),
  described: { columns: columnsOf({ columns }), parameters: [] },
})

function checkZone(zone: string): void {
  try {
    new Date(0).toLocaleString('en', { timeZone: zone })
  } catch {
    throw refused('missing', `There is no time zone ${zone}.`)
  }
}

/** Its statements run one after the other. */
export class ScriptedSession implements EngineSession {
  private isClosed = false
  private last: Promise<unknown> = Promise.resolve()
  private readonly running = new Set<QueryRun>()
  private transaction: Transaction | null = null
  private temporary: ReadonlyMap<string, Table> = new Map()
  private database: string
  private timeZone: string
  private roles = ''
  private applied: SessionSettings['variables'] = {}

  constructor(
    private readonly account: ScriptedAccount,
    private readonly state: SessionState,
    private readonly onFatal: (reason: string) => void,
  ) {
    const database = state.database ?? FIRST_DATABASE
    this.database = databaseOf(account.world, { catalog: state.catalog, database }).name
    checkZone(state.timeZone)
    this.timeZone = state.timeZone
  }

  execute(text: string, options: ExecuteOptions): QueryRun {
    const cancelling = new AbortController()
    const rendering = options.written ? render(text, options.written) : null
    const outcome = this.last.then(async () =>
      inWritten(await this.take(cancelling.signal, rendering?.text ?? text, options), rendering),
    )
    this.last = outcome
    const run: QueryRun = {
      outcome,
      progress: () => PROGRESS_UNKNOWN,
      async cancel() {
        cancelling.abort()
        await outcome
      },
    }
    this.running.add(run)
    void outcome.then(() => this.running.delete(run))
    return run
  }

  async close(): Promise<void> {
    await Promise.all([...this.running].map((run) => run.cancel()))
    this.isClosed = true
  }

  private facts(): SessionFacts {
    return { inTransaction: this.transaction !== null, hasTemporary: this.temporary.size > 0 }
  }

  private async take(stop: AbortSignal, sql: string, options: ExecuteOptions): Promise<Outcome> {
    if (this.isClosed) {
      const error = { kind: 'unavailable', message: 'This session is closed. Open another one.' } as const
      return { state: 'failed', error, session: NOTHING_TO_LOSE }
    }
    // Others have their stop between any two statements, as they have with an engine that is somewhere else.
    await yieldToOthers()
    if (stop.aborted) return { state: 'cancelled', session: this.facts() }
    this.roles = options.roles ?? this.roles
    this.applied = options.settings?.variables ?? this.applied
    try {
      const finished = await this.run(stop, sql, options)
      return {
        state: 'finished',
        ...finished,
        profile: null,
        peakMemoryBytes: null,
        session: this.facts(),
      }
    } catch (error) {
      if (this.transaction && !(error instanceof Denied)) this.transaction.hasFailed = true
      if (error instanceof Stopped || error instanceof RowsNotWanted)
        return { state: 'cancelled', session: this.facts() }
      if (error instanceof Refused) return { state: 'failed', error: error.error, session: this.facts() }
      throw error
    }
  }

  private async run(stop: AbortSignal, sql: string, options: ExecuteOptions): Promise<Done> {
    const scripted = this.account.script.take(sql)
    if (scripted) return this.handOver(await play(scripted, this.onFatal), { stop, options })
    const statement = parse(sql)
    const { takenFor } = options
    const purpose = purposeOf(statement)
    const isFitting = takenFor === purpose || (takenFor === 'writes' && purpose === 'reads')
    if (takenFor !== null && !isFitting)
      throw refused('permission', 'The engine reads this statement as another kind, so it did not run.')
    if (this.transaction?.hasFailed && statement.kind !== 'rollback' && statement.kind !== 'commit')
      throw refused('data', 'This transaction has failed. End it with ROLLBACK.')
    return this.act(statement, stop, options)
  }

  /** Before anything of it runs, and on the very tables that it will run on. */
  private async decide(statement: Statement, world: World, asked: Asked): Promise<void> {
    const { authorize } = asked.options
    if (authorize === 'all') return
    const uses = usesOf(statement, { world, temporary: this.temporary, here: this.database })
    if (uses.length === 0) return
    const decided = decisionOf(authorize, uses)
    const verdict = await Promise.race([decided, aborted(asked.stop).then(() => null)])
    if (asked.stop.aborted) throw new Stopped()
    if (isDenial(verdict)) throw new Denied({ kind: 'permission', message: verdict.message })
  }

  private async act(statement: Statement, stop: AbortSignal, options: ExecuteOptions): Promise<Done> {
    switch (statement.kind) {
      case 'select': {
        const world = this.seen
        await this.decide(statement, world, { stop, options })
        const selected = runSelect(statement.select, this.selecting(world, stop))
        return options.describe ? described(selected) : this.handOver(selected, { stop, options })
      }
      case 'list databases':
      case 'find database':
      case 'find object':
      case 'list tables':
      case 'list both':
      case 'list all tables':
        return this.handOver(list(statement, this.seen), { stop, options })
      case 'enter':
        this.database = databaseOf(this.seen, statement.place).name
        return done()
      case 'zone':
        checkZone(statement.zone)
        this.timeZone = statement.zone
        return done()
      case 'begin':
        return this.begin()
      case 'commit':
        return this.account.underLock(async () => this.commit(options.queryId))
      case 'rollback':
        if (!this.transaction) throw refused('data', 'There is no transaction to roll back.')
        this.transaction = null
        return done()
      case 'create table':
      case 'create view':
      case 'drop table':
      case 'insert':
      case 'update':
      case 'delete':
      case 'make database':
      case 'unmake database':
        return this.write(statement, { stop, options })
    }
  }

  /** What this session sees. */
  private get seen(): World {
    return this.transaction?.world ?? this.account.world
  }

  private async handOver(selected: Selected, { stop, options }: Asked): Promise<Done> {
    if (options.sink) return { ...(await fillSink(selected, options.sink, stop)), kept: null }
    return handOver(selected, options, this.keeping(options))
  }

  private keeping({ keep, queryId, maxRows: shownRows }: ExecuteOptions): KeptRows | null {
    const { directory, room } = this.account
    const { results } = placesIn(directory)
    const { timeZone } = this
    return keep && new KeptRows({ directory: results, room, queryId, keep, shownRows, timeZone })
  }

  private begin(): Done {
    if (this.transaction) throw refused('data', 'A transaction is already open.')
    const { world } = this.account
    this.transaction = { base: world, world, hasFailed: false }
    return done()
  }

  private commit(queryId: string): Done {
    const { transaction } = this
    if (!transaction) throw refused('data', 'There is no transaction to commit.')
    this.transaction = null
    if (transaction.hasFailed) throw refused('data', 'The transaction had failed, and was rolled back.')
    const { base, world } = transaction
    if (world !== base && this.account.world !== base)
      throw refused('data', 'The transaction was rolled back, because other statements wrote since it began.')
    this.account.commit(withEffect(world === base ? this.account.world : world, queryId, NO_ROWS))
    return { ...done(), ...toldOf(base, world) }
  }

  private async write(statement: Writing, asked: Asked): Promise<Done> {
    if (this.transaction) return this.writeOn(this.transaction, statement, asked)
    return this.account.underLock(async () => {
      const { world } = this.account
      const alone = { world }
      const ended = await this.writeOn(alone, statement, asked)
      this.account.commit(alone.world)
      return { ...ended, ...toldOf(world, alone.world) }
    })
  }

  private async writeOn(
    target: { world: World },
    statement: Writing,
    { stop, options }: Asked,
  ): Promise<Done> {
    const { world: before } = target
    await this.decide(statement, before, { stop, options })
    if (options.describe) return described({ columns: [] })
    const { world, temporary, rowsChanged } = await write(statement, {
      world: before,
      temporary: this.temporary,
      here: this.database,
      selecting: this.selecting(before, stop),
    })
    if (stop.aborted) throw new Stopped()
    target.world = withEffect(world, options.queryId, { rowsChanged })
    this.temporary = temporary
    return done(rowsChanged)
  }

  private selecting(world: World, stop: AbortSignal, here = this.database): SelectWorld {
    return {
      user: this.state.user ?? '',
      roles: this.roles,
      variables: { ...this.state.variables, ...textsOf(this.applied) },
      tableOf: ({ table }) => findTable(table, { world, temporary: this.temporary, here }),
      within: ({ view }) => this.selecting(world, stop, view?.database),
      pause: async () => {
        await yieldToOthers()
        if (stop.aborted) throw new Stopped()
      },
    }
  }
}

const NO_ROWS = { rowsChanged: null }
