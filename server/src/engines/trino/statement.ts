import type { KeptRows } from '../../results/keep-rows.ts'
import type { Cluster, WriteNotes } from '../engine/cluster-space.ts'
import { EngineUnavailable } from '../engine/engine.ts'
import { decisionOf, type HiddenValues, isDenial } from '../engine/objects.ts'
import type { FinishedOutcome, Measured } from '../engine/outcome.ts'
import type { ExecuteOptions } from '../engine/run.ts'
import { QueryFailed } from './errors.ts'
import { createAnalyze } from './guard/analyze.ts'
import { changesOf } from './guard/changes.ts'
import { isThere } from './guard/is-there.ts'
import { type FoundUses, findUses, leavesSnapshot, requireListed, targetOf } from './guard/object-uses.ts'
import { limited, purposeOf, type ReadStatement } from './guard/statement-kind.ts'
import { profileOf } from './profile.ts'
import type { ClusterClient } from './protocol/client.ts'
import { RemoteQuery } from './protocol/remote-query.ts'
import type { SessionHeaders } from './protocol/session-headers.ts'
import { refused } from './refused.ts'
import { requireZone, zoneIn } from './time-zone.ts'
import { columnsOf, fillSink, type HandedOver, handOver, mostRows, type Pages } from './rows/hand-over.ts'

interface StatementScene {
  readonly client: ClusterClient
  readonly cluster: Pick<Cluster, 'requireWorkers'>
  readonly session: SessionHeaders
  readonly user: string
  readonly options: ExecuteOptions
  readonly keeping: KeptRows | null
  readonly notes: WriteNotes | null
  /** Aborted when it is to end. */
  readonly stop: AbortSignal
}

/** It was asked to end before anything of it ran. */
export class Stopped extends Error {}

type Done = HandedOver & Pick<FinishedOutcome, 'profile' | 'changed' | 'defined' | 'described'>

const NO_ROWS: HandedOver = {
  result: { columns: [], rows: [], truncated: false, rowsChanged: null },
  bytes: 0,
  kept: null,
}

/** One statement of a session, which has been read. */
export class TrinoStatement {
  readonly #scene: StatementScene
  readonly #statement: ReadStatement
  #query: RemoteQuery | null = null
  /** The statement itself, and not what was asked about it. */
  #own: RemoteQuery | null = null
  #compileMs: number | null = null
  readonly #begunAt = performance.now()
  hides: HiddenValues | null = null

  constructor(scene: StatementScene, statement: ReadStatement) {
    this.#scene = scene
    this.#statement = statement
    scene.stop.addEventListener('abort', () => void this.#cancel().catch(() => undefined), { once: true })
  }

  /** Whether it may have done something. */
  get mayHaveWritten(): boolean {
    return this.#own?.hasBegun === true && purposeOf(this.#statement) !== 'reads'
  }

  get progress(): { percentage: number | null; rows: number | null; totalRows: null } {
    const { percentage = null, rows = null } = this.#own?.stats ?? {}
    return { percentage, rows, totalRows: null }
  }

  get measured(): { peakMemoryBytes: number | null; measured: Measured } {
    const stats = this.#own?.stats
    return {
      peakMemoryBytes: stats?.peakMemoryBytes ?? null,
      measured: {
        compileMs: this.#compileMs,
        fetchMs: null,
        peakSpillBytes: stats?.spilledBytes ?? null,
      },
    }
  }

  async run(): Promise<Done> {
    const { options, cluster, session } = this.#scene
    this.#requirePurpose()
    const zone = zoneIn(this.#statement)
    if (zone !== null) {
      // A header of ours: to set it on the cluster takes a privilege that users do not have.
      session.timeZone = requireZone(zone)
      return { ...NO_ROWS, profile: null }
    }
    await cluster.requireWorkers()
    const found = await this.#findUses()
    if (found) await this.#decide(found)
    this.#throwIfStopped()
    if (options.describe) return this.#described(found)
    const defines = this.#isRun && found?.definition ? found : null
    const wasThere = defines ? await this.#isThere(defines) : false
    const done = await this.#run()
    const changes = defines ? changesOf(defines, wasThere) : {}
    const profile = options.profile ? await this.#profile() : null
    return { ...done, ...changes, profile }
  }

  #requirePurpose(): void {
    const { takenFor } = this.#scene.options
    const purpose = purposeOf(this.#statement)
    if (this.#statement.kind === 'transaction' && (takenFor === null || takenFor === purpose))
      throw refused('data', 'This engine has no transactions: every statement takes effect on its own.')
    if (takenFor === null || takenFor === purpose || (takenFor === 'writes' && purpose === 'reads')) return
    throw refused('permission', 'The engine reads this statement as another kind, so it did not run.')
  }

  /** And not only explained. */
  get #isRun(): boolean {
    const { explains, isAnalyzed } = this.#statement
    return explains === 0 || isAnalyzed
  }

  /** Null where nobody decides and no change is reported. */
  async #findUses(): Promise<FoundUses | null> {
    const { options, session } = this.#scene
    const { kind } = this.#statement
    const isDefining = /^(?:create|drop|alter|comment)/.test(kind)
    if (kind === 'other' || (options.authorize === 'all' && !isDefining && !options.describe)) return null
    const analyze = createAnalyze({ ...this.#asked, onQuery: (query) => this.#isRunning(query) })
    return findUses(this.#statement, { place: session, analyze, mayAll: options.authorize === 'all' })
  }

  get #asked() {
    const { client, session, user, options } = this.#scene
    return { client, session, user, queryId: options.queryId }
  }

  async #decide({ uses }: FoundUses): Promise<void> {
    const { authorize } = this.#scene.options
    if (authorize === 'all' || uses.length === 0) return
    const verdict = await this.#unlessStopped(decisionOf(authorize, uses))
    if (verdict && isDenial(verdict)) throw refused('permission', verdict.message)
    requireListed(uses, verdict?.listed ?? [])
    if (!verdict) return
    this.hides = verdict.hides ?? null
  }

  async #run(): Promise<HandedOver> {
    const { options, keeping, stop } = this.#scene
    const sql = options.sink ? this.#statement.sql : limited(this.#statement, mostRows(options) + 1)
    this.#throwIfStopped()
    const query = await RemoteQuery.announce(this.#scene.client, { ...this.#asked, sql })
    this.#isRunning(query)
    this.#own = query
    await this.#note(query)
    this.#throwIfStopped()
    const first = await this.#firstRows(query, sql)
    this.#compileMs = performance.now() - this.#begunAt
    if (!first) return { ...NO_ROWS, result: { ...NO_ROWS.result, rowsChanged: query.last.updateCount } }
    try {
      return options.sink
        ? await fillSink(first, options.sink, stop)
        : await handOver(first, options, keeping)
    } catch (error) {
      await query.cancel()
      throw error
    }
  }

  /** Before it begins. What it did is then found out by what it has changed, also when contact is lost. */
  async #note(query: RemoteQuery): Promise<void> {
    const { notes, session, options } = this.#scene
    if (!notes || !this.#isRun || purposeOf(this.#statement) === 'reads') return
    const target = targetOf(this.#statement, session)
    if (!target) return
    const write = { queryId: options.queryId, remoteId: query.id, target }
    try {
      await notes.begins({ ...write, leavesSnapshot: leavesSnapshot(this.#statement) })
    } catch (error) {
      await query.cancel()
      const message = 'The service could not note this statement, so it did not run. Run it again.'
      throw new EngineUnavailable(message, { cause: error })
    }
  }

  /** Waits until its columns are known; null when it has none. */
  async #firstRows(query: RemoteQuery, sql: string): Promise<Pages | null> {
    const failIfFailed = (): void => {
      const { error } = query.last
      if (error) throw new QueryFailed(error, { sql, shift: 0 })
    }
    for (let { last } = query; last.nextUri !== null && (!last.columns || last.updateType !== null);)
      last = (await query.next()) ?? last
    failIfFailed()
    const { columns, updateType } = query.last
    if (!columns || updateType !== null) return null
    return {
      columns,
      async *pages() {
        if (query.last.rows.length > 0) yield query.last.rows
        for (let answer = await query.next(); answer; answer = await query.next()) {
          failIfFailed()
          if (answer.rows.length > 0) yield answer.rows
        }
      },
      keptAlive: (work) => query.keptAlive(work),
      enough: () => query.cancel(),
    }
  }

  async #described(found: FoundUses | null): Promise<Done> {
    const columns = columnsOf(found?.columns ?? [])
    return { ...NO_ROWS, profile: null, described: { columns, parameters: [] } }
  }

  /** Whether what it creates or drops is there now. */
  async #isThere({ definition }: FoundUses): Promise<boolean> {
    const { asksFor } = definition ?? {}
    if (!asksFor) return false
    return isThere(asksFor, { ...this.#asked, onQuery: (query) => this.#isRunning(query) })
  }

  async #profile(): Promise<FinishedOutcome['profile']> {
    return this.#own ? profileOf(this.#own) : null
  }

  #isRunning(query: RemoteQuery): void {
    this.#query = query
    if (this.#scene.stop.aborted) void this.#cancel().catch(() => undefined)
  }

  async #cancel(): Promise<void> {
    await this.#query?.cancel()
  }

  #throwIfStopped(): void {
    if (this.#scene.stop.aborted) throw new Stopped()
  }

  async #unlessStopped<T>(work: Promise<T>): Promise<T> {
    const { stop } = this.#scene
    this.#throwIfStopped()
    return new Promise((resolve, reject) => {
      const end = (): void => reject(new Stopped())
      stop.addEventListener('abort', end, { once: true })
      work.then(resolve, reject).finally(() => stop.removeEventListener('abort', end))
    })
  }
}
