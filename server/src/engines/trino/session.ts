import type { DiskRoom } from '../../results/disk-space.ts'
import { placesIn } from '../../results/form.ts'
import { KeptRows } from '../../results/keep-rows.ts'
import type { Cluster, WriteNotes } from '../engine/cluster-space.ts'
import { EngineUnavailable } from '../engine/engine.ts'
import type { FileOrder } from '../engine/files.ts'
import type { EngineError, Outcome } from '../engine/outcome.ts'
import type { Staging } from '../engine/staging.ts'
import { type ExecuteOptions, PROGRESS_UNKNOWN, type QueryRun } from '../engine/run.ts'
import {
  type EngineSession,
  NOTHING_TO_LOSE,
  type SessionState,
  type SessionVariable,
} from '../engine/session.ts'
import { RowsNotWanted } from '../engine/sink-filling.ts'
import { inWritten } from '../engine/written.ts'
import { engineError, isCancelled, missingCatalogIn, QueryFailed } from './errors.ts'
import { readStatement } from './guard/statement-kind.ts'
import { loadStream } from './loading/stream-load.ts'
import { withoutValues } from './hidden-values.ts'
import { NonsenseAnswer } from './protocol/answer.ts'
import { type ClusterClient, ContactLost, RequestRefused } from './protocol/client.ts'
import type { SessionHeaders } from './protocol/session-headers.ts'
import { StatementRefused } from './refused.ts'
import { render } from './render.ts'
import { Stopped, TrinoStatement } from './statement.ts'

interface SessionScene {
  readonly client: ClusterClient
  readonly cluster: Cluster
  readonly resultsDirectory: string
  readonly room: DiskRoom
  readonly notes: WriteNotes | null
  /** Null: no data is loaded. */
  readonly loads: { readonly staging: Staging; readonly accountId: string } | null
  /** Why the engine ended without being asked to; null while it has not. */
  lost(): string | null
}

const failed = (error: EngineError): Outcome => ({ state: 'failed', error, session: NOTHING_TO_LOSE })
const CANCELLED: Outcome = { state: 'cancelled', session: NOTHING_TO_LOSE }

/** All of it is sent with each statement. Its statements run one after the other. */
export class TrinoSession implements EngineSession {
  #isClosed = false
  #last: Promise<unknown> = Promise.resolve()
  readonly #running = new Set<QueryRun>()
  #roles = ''
  #variables: Readonly<Record<string, SessionVariable>>

  constructor(
    private readonly scene: SessionScene,
    private readonly headers: SessionHeaders,
    private readonly state: SessionState,
  ) {
    this.#variables = textsOf(state)
  }

  execute(text: string, options: ExecuteOptions): QueryRun {
    const stop = new AbortController()
    let statement: TrinoStatement | null = null
    const isLate = this.scene.lost() !== null
    const outcome = this.#last.then(() =>
      this.#take(text, { options, isLate, stop: stop.signal, onStatement: (begun) => (statement = begun) }),
    )
    this.#last = outcome
    const run: QueryRun = {
      outcome,
      progress: () => statement?.progress ?? PROGRESS_UNKNOWN,
      async cancel() {
        stop.abort()
        await outcome
      },
    }
    this.#running.add(run)
    void outcome.then(() => this.#running.delete(run))
    return run
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#running].map((run) => run.cancel()))
  }

  async #take(text: string, { options, isLate, stop, onStatement }: Taking): Promise<Outcome> {
    const lost = this.scene.lost()
    if (isLate) return failed({ kind: 'unavailable', message: `The engine has ended: ${lost}` })
    if (lost !== null) return { state: 'lost', reason: lost }
    if (stop.aborted) return CANCELLED
    if (this.#isClosed)
      return failed({ kind: 'unavailable', message: 'This session is closed. Open another one.' })
    if (options.file) return this.#load(options.file, { options, stop, onStatement })
    this.#roles = options.roles ?? this.#roles
    if (options.settings) this.#variables = { ...textsOf(this.state), ...options.settings.variables }
    const session = { variables: this.#variables, roles: this.#roles }
    const rendering = render(text, options.written, session)
    let statement: TrinoStatement | null = null
    try {
      const read = readStatement(rendering?.text ?? text)
      statement = new TrinoStatement({ ...this.#sceneOf(options), stop }, read)
      onStatement(statement)
      const done = await statement.run()
      return inWritten(
        { state: 'finished', ...done, ...statement.measured, session: NOTHING_TO_LOSE },
        rendering,
      )
    } catch (error) {
      return inWritten(this.#failure(error, { statement, stop }), rendering)
    }
  }

  async #load(order: FileOrder, { options, stop, onStatement }: Omit<Taking, 'isLate'>): Promise<Outcome> {
    const { loads, cluster } = this.scene
    if (!loads) return failed({ kind: 'unavailable', message: 'This cluster loads no data.' })
    const { written: _, ...own } = {
      ...options,
      authorize: 'all',
      maxRows: 0,
      file: null,
      keep: null,
    } as const
    return loadStream(order, {
      ...loads,
      user: this.state.user,
      catalog: cluster.catalogs[0] ?? '',
      options,
      stop,
      run: (sql, more) => this.#take(sql, { options: { ...own, ...more }, isLate: false, stop, onStatement }),
    })
  }

  #sceneOf(options: ExecuteOptions) {
    const { client, cluster, notes } = this.scene
    const { keep, queryId, maxRows: shownRows } = options
    const { resultsDirectory, room } = this.scene
    const { results: directory } = placesIn(resultsDirectory)
    const { timeZone } = this.headers
    const keeping =
      keep && !options.sink ? new KeptRows({ directory, room, queryId, keep, shownRows, timeZone }) : null
    return { client, cluster, session: this.headers, user: this.user, options, keeping, notes }
  }

  get user(): string {
    return this.state.user ?? SERVICE_USER
  }

  #failure(error: unknown, { statement, stop }: Failing): Outcome {
    const more = statement?.measured ?? {}
    if (error instanceof StatementRefused) return { ...failed(error.error), ...more }
    if (error instanceof Stopped || error instanceof RowsNotWanted) return { ...CANCELLED, ...more }
    if (error instanceof QueryFailed) {
      if (stop.aborted && isCancelled(error.error)) return { ...CANCELLED, ...more }
      const told = this.#told(error)
      return { ...failed(statement?.hides ? withoutValues(told, statement.hides) : told), ...more }
    }
    if (error instanceof EngineUnavailable) return failed({ kind: 'unavailable', message: error.message })
    if (error instanceof ContactLost || error instanceof NonsenseAnswer || error instanceof RequestRefused)
      return this.#withoutAnswer(error, { statement, stop })
    throw error
  }

  #told(error: QueryFailed): EngineError {
    const catalog = missingCatalogIn(error)
    const why = catalog === null ? null : this.scene.cluster.whyNoCatalog(catalog)
    return why === null ? engineError(error) : { kind: 'missing', message: why }
  }

  /** Nobody knows how it ended, unless it had not begun, or changes nothing anyway. */
  #withoutAnswer(error: Error, { statement, stop }: Failing): Outcome {
    const lost = this.scene.lost()
    if (lost !== null || statement?.mayHaveWritten) return { state: 'lost', reason: lost ?? reasonOf(error) }
    if (stop.aborted) return CANCELLED
    const kind = error instanceof ContactLost ? 'unavailable' : 'internal'
    return failed({ kind, message: reasonOf(error) })
  }
}

/** As whom the service asks on its own behalf. */
export const SERVICE_USER = 'boathouse'

interface Taking {
  readonly options: ExecuteOptions
  /** It was sent when the engine had ended. */
  readonly isLate: boolean
  readonly stop: AbortSignal
  onStatement(statement: TrinoStatement): void
}

interface Failing {
  readonly statement: TrinoStatement | null
  readonly stop: AbortSignal
}

const reasonOf = (error: Error): string =>
  error instanceof NonsenseAnswer
    ? `The cluster gave an answer that makes no sense. ${error.message}`
    : error.message

const textsOf = ({ variables }: SessionState): Readonly<Record<string, SessionVariable>> =>
  Object.fromEntries(
    Object.entries(variables).map(([name, text]) => [name.toLowerCase(), { text, type: 'VARCHAR' }]),
  )
