import { quoteIdentifier } from '@boathouse/sql'
import { DiskRoom } from '../../results/disk-space.ts'
import type { ClusterNode, ClusterSpace } from '../engine/cluster-space.ts'
import { type Engine, EngineUnavailable } from '../engine/engine.ts'
import { FILE_FORMATS, type FileReaders } from '../engine/files.ts'
import type { EngineSize } from '../engine/provider.ts'
import { type EngineSession, SessionRefused, type SessionState } from '../engine/session.ts'
import { countRows } from './ask.ts'
import { catalogsOf } from './catalogs.ts'
import { TRINO_DIALECT } from './dialect.ts'
import { engineError, QueryFailed } from './errors.ts'
import { isThere } from './guard/is-there.ts'
import { FIRST_DATABASE, placeIn } from './places.ts'
import { NonsenseAnswer } from './protocol/answer.ts'
import { ClusterClient, type ClientOptions, ContactLost, RequestRefused } from './protocol/client.ts'
import { endQuery } from './protocol/end-query.ts'
import { SessionHeaders } from './protocol/session-headers.ts'
import { StatementRefused } from './refused.ts'
import { SERVICE_USER, TrinoSession } from './session.ts'
import { requireZone } from './time-zone.ts'

/** They are read by the engine that has the account's own data. */
const STREAMS: FileReaders = { formats: FILE_FORMATS, does: new Set(['stream']) }

/** Statements go to a cluster, which its provisioner has started and watches. */
export class TrinoEngine implements Engine {
  readonly dialect = TRINO_DIALECT
  // A statement is analyzed by a request of its own, before it is sent.
  readonly usesAre = 'as of a moment before'
  readonly descriptions = null
  readonly explain = (sql: string): string => sql
  readonly profiling = { of: 'plan' } as const
  readonly describing = { of: 'statement' } as const
  readonly attachments = null
  readonly files: FileReaders | null
  readonly tableSizes = null
  readonly effects = null
  readonly lost: Promise<string>
  readonly #client: ClusterClient
  readonly #room: DiskRoom
  readonly #sessions = new Set<TrinoSession>()
  #lostWith: string | null = null
  #closed: Promise<void> | null = null

  constructor(
    readonly kind: string,
    private readonly space: ClusterSpace,
    options: ClientOptions,
  ) {
    this.#client = new ClusterClient(space.cluster, options)
    this.#room = new DiskRoom(space.resultsDirectory)
    this.files = space.staging ? STREAMS : null
    this.lost = space.cluster.lost.then((reason) => this.#lose(reason))
  }

  /** Those over data elsewhere come and go. */
  get catalogs() {
    return catalogsOf(this.space.cluster.catalogs)
  }

  readonly resize = (size: EngineSize): Promise<void> => this.space.cluster.resize(size)

  readonly cpuMs = (): Promise<number | null> => this.space.cluster.cpuMs()

  readonly nodes = (): readonly ClusterNode[] => this.space.cluster.nodes()

  async endStatement(remoteId: string): Promise<void> {
    this.#requireRunning()
    if (await this.#asking(() => endQuery(this.#client, remoteId, SERVICE_USER))) return
    throw new EngineUnavailable('The cluster still works on this statement.')
  }

  async openSession(state: SessionState): Promise<EngineSession> {
    this.#requireRunning()
    const { accountId, cluster, resultsDirectory, notes = null, staging = null } = this.space
    const { catalog, database } = placeIn(cluster.catalogs, {
      ...state,
      database: state.database ?? FIRST_DATABASE,
    })
    const place = {
      catalog,
      schema: database,
      timeZone: await this.#asking(async () => requireZone(state.timeZone)),
    }
    await this.#requirePlace(place)
    const scene = {
      client: this.#client,
      cluster,
      resultsDirectory,
      room: this.#room,
      notes,
      loads: staging && { staging, accountId },
      lost: () => this.#lostWith,
    }
    const session = new TrinoSession(scene, new SessionHeaders(place), state)
    this.#sessions.add(session)
    return {
      execute: (sql, options) => session.execute(sql, options),
      close: () => {
        this.#sessions.delete(session)
        return session.close()
      },
    }
  }

  /** Rows are on disk before they are handed over. */
  settled(): Promise<void> {
    return Promise.resolve()
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close())
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#sessions].map((session) => session.close()))
    await this.space.cluster.stop()
  }

  #lose(reason: string): string {
    this.#lostWith = reason
    this.#client.giveUp(reason)
    return reason
  }

  #requireRunning(): void {
    if (this.#lostWith !== null) throw new EngineUnavailable(`The engine has ended: ${this.#lostWith}`)
    if (this.#closed) throw new EngineUnavailable('The engine is closed.')
  }

  /** Has the database that every session begins in, in the catalog of the account's own tables. */
  async prepare(): Promise<void> {
    const { catalogs, hides } = this.space.cluster
    const [first] = catalogs
    if (first === undefined || hides) return
    const place = { catalog: first, schema: FIRST_DATABASE, timeZone: 'UTC' }
    await this.#asking(() =>
      countRows(
        `CREATE SCHEMA IF NOT EXISTS ${quoteIdentifier(first)}.${FIRST_DATABASE}`,
        this.#question(place),
      ),
    )
  }

  async #requirePlace(place: Place): Promise<void> {
    const { catalog, schema: database } = place
    if (await this.#asking(() => isThere({ catalog, database, name: null }, this.#question(place)))) return
    const message = `There is no database ${catalog}.${database} in this engine.`
    throw new SessionRefused({ kind: 'missing', message, code: 'missing-database' })
  }

  #question(place: Place) {
    return {
      client: this.#client,
      session: new SessionHeaders(place),
      user: SERVICE_USER,
      queryId: 'session',
    }
  }

  async #asking<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask()
    } catch (error) {
      if (error instanceof QueryFailed) throw new SessionRefused(engineError(error))
      if (error instanceof StatementRefused) throw new SessionRefused(error.error)
      if (error instanceof ContactLost || error instanceof RequestRefused || error instanceof NonsenseAnswer)
        throw new EngineUnavailable(error.message, { cause: error })
      throw error
    }
  }
}

interface Place {
  readonly catalog: string
  readonly schema: string
  readonly timeZone: string
}
