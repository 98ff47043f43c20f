import { DEFAULT_CATALOG, DEFAULT_DATABASE } from '@boathouse/contract'
import type { StatementKind } from '@boathouse/sql'
import { type Engine, EngineUnavailable } from '../../../engines/engine/engine.ts'
import type { ExecuteOptions } from '../../../engines/engine/run.ts'
import { type EngineSession, NOTHING_TO_LOSE, SessionRefused } from '../../../engines/engine/session.ts'
import type { Connection } from './connection.ts'
import { follow, MAIN, type Place } from './followed-place.ts'
import type { Part, SessionLoss } from './session-loss.ts'
import { timeZoneOf } from './session-variables.ts'

type Missing = Pick<SessionLoss, 'missingDatabase' | 'missingCatalog'>

interface Opened extends Missing {
  readonly session: EngineSession
}

interface OpenSession {
  readonly engine: Engine
  readonly opened: Promise<Opened>
  /** The user's statements run in it. Otherwise only those of the service do, and it holds nothing of the user's. */
  readonly isUsers: boolean
  /** Statements of the service run in it, which move it themselves. */
  isMoved: boolean
  /** Where it is, unless it is moved. */
  place: Place
  /** Kept until its user knows. */
  lost: SessionLoss['lost']
}

export interface Entered extends SessionLoss {
  readonly session: EngineSession
}

/** The statement that is to run. */
export interface Entering {
  readonly connection: Connection
  /** To whom the connection belongs. */
  readonly user: string
  readonly part: Part
  readonly kind: StatementKind
}

const hasCatalog = ({ attachments, catalogs }: Engine, catalog: string): boolean =>
  catalog === DEFAULT_CATALOG ||
  attachments?.named(catalog) != null ||
  catalogs?.own?.has(catalog.toLowerCase()) === true

const FOUND: Missing = { missingDatabase: null, missingCatalog: null }

/** Statements that mean the same wherever the session is. */
const ANYWHERE: ReadonlySet<StatementKind> = new Set(['begin', 'commit', 'rollback'])

/** A statement of ours, which writes nothing. */
const ROLLING_BACK: ExecuteOptions = {
  takenFor: 'session',
  authorize: 'all',
  maxRows: 0,
  queryId: '',
  keep: null,
  profile: null,
}

async function isRolledBack({ opened }: OpenSession): Promise<boolean> {
  const { session } = await opened
  return (await session.execute('ROLLBACK', ROLLING_BACK).outcome).state === 'finished'
}

const placeOf = (connection: Connection): Place => ({
  catalog: connection.catalog,
  database: connection.database,
  timeZone: timeZoneOf(connection),
})

const factsOf = ({ inTransaction, hasTemporary }: Connection) => ({ inTransaction, hasTemporary })

/** What the connection has is in the engine of its warehouse. */
export const isOfUser = (engine: Pick<Engine, 'kind'>, connection: Pick<Connection, 'engine'>): boolean =>
  engine.kind === connection.engine

/** In the connection's database; in `main` when that is gone, so that there is a way out of it. */
async function openIn(engine: Engine, { connection, user }: Entering): Promise<Opened> {
  const { catalog, database } = connection
  const state = { ...placeOf(connection), variables: {}, user }
  const main = { ...state, ...MAIN }
  if (!hasCatalog(engine, catalog))
    return { session: await engine.openSession(main), missingDatabase: null, missingCatalog: catalog }
  try {
    return { session: await engine.openSession(state), ...FOUND }
  } catch (error) {
    const isMissing = error instanceof SessionRefused && error.error.kind === 'missing'
    if (!isMissing || database === null || database === DEFAULT_DATABASE) throw error
    return { session: await engine.openSession(main), missingDatabase: database, missingCatalog: null }
  }
}

/** Null when it cannot be used any more: its place was dropped, may have been created again, or it ended. */
async function enterKnown(known: OpenSession, { connection, part, kind }: Entering): Promise<Entered | null> {
  const { session, missingDatabase, missingCatalog } = await known.opened
  const isThere =
    (missingDatabase === null || missingDatabase !== connection.database) &&
    (missingCatalog === null || missingCatalog !== connection.catalog) &&
    hasCatalog(known.engine, connection.catalog) &&
    !session.hasEnded
  if (!isThere) return null
  const entered = { session, lost: known.lost, ...FOUND }
  known.isMoved ||= part !== 'user'
  if (known.isMoved || ANYWHERE.has(kind)) return entered
  const to = placeOf(connection)
  known.place = await follow(known.engine, session, { from: known.place, to })
  return known.place.database === to.database ? entered : { ...entered, missingDatabase: to.database }
}

/**
 * The sessions of query connections, one for each engine that statements of a connection run in. The user's statements
 * run in the engine of the connection's warehouse, where open transactions and temporary tables are. Those of the
 * service, such as SHOW and USE, run in the home engine: in the same session where that is the same engine, and
 * otherwise in another one. A session is rebuilt from the connection's data when its engine was started again.
 *
 * `onClosed` is called with each connection whose user's session was closed, with what was not committed in it.
 */
export function createEngineSessions(onClosed: (connectionId: number) => void = () => undefined) {
  /** By connection, then by kind of engine. */
  const open = new Map<number, Map<string, OpenSession>>()
  /** Connections that chose a warehouse of another engine, until their users know what that cost. */
  const hasLeft = new Set<number>()
  /** Connections whose transaction was rolled back, because nothing came for too long, until their users know. */
  const wasIdle = new Set<number>()

  function forget(connectionId: number, kind: string): OpenSession | undefined {
    const sessions = open.get(connectionId)
    const known = sessions?.get(kind)
    sessions?.delete(kind)
    if (sessions?.size === 0) open.delete(connectionId)
    return known
  }

  async function closeIn(connectionId: number, kind: string): Promise<void> {
    const known = forget(connectionId, kind)
    if (!known) return
    try {
      await (await known.opened).session.close()
    } catch (error) {
      // Then it ended with its engine.
      if (!(error instanceof EngineUnavailable)) throw error
    } finally {
      if (known.isUsers) onClosed(connectionId)
    }
  }

  /** The connection has a warehouse of this engine now: the user's session in another engine is closed. */
  async function leave(connectionId: number, engine: string): Promise<void> {
    for (const [kind, { isUsers }] of open.get(connectionId) ?? []) {
      if (!isUsers || kind === engine) continue
      hasLeft.add(connectionId)
      await closeIn(connectionId, kind)
    }
  }

  function openNew(engine: Engine, entering: Entering): OpenSession {
    const { connection, part } = entering
    const isUsers = isOfUser(engine, connection)
    const entry: OpenSession = {
      engine,
      opened: openIn(engine, entering),
      isUsers,
      isMoved: part !== 'user',
      place: placeOf(connection),
      lost: isUsers ? factsOf(connection) : NOTHING_TO_LOSE,
    }
    const sessions = open.get(connection.id) ?? new Map<string, OpenSession>()
    open.set(connection.id, sessions.set(engine.kind, entry))
    entry.opened.catch(() => {
      if (open.get(connection.id)?.get(engine.kind) === entry) forget(connection.id, engine.kind)
    })
    return entry
  }

  async function enter(engine: Engine, entering: Entering): Promise<Entered> {
    const { connection } = entering
    const { kind } = engine
    const isUsers = isOfUser(engine, connection)
    if (isUsers) await leave(connection.id, kind)
    const known = open.get(connection.id)?.get(kind)
    if (known?.engine === engine) {
      // One that was the service's alone has nothing of the user's, and may be elsewhere.
      const entered = known.isUsers === isUsers ? await enterKnown(known, entering) : null
      if (entered) return entered
      await closeIn(connection.id, kind)
    }
    const entry = openNew(engine, entering)
    const opened = await entry.opened
    const isInMain = opened.missingDatabase !== null || opened.missingCatalog !== null
    if (isInMain) entry.place = { ...entry.place, ...MAIN }
    return { ...opened, lost: entry.lost }
  }

  return {
    async enter(engine: Engine, entering: Entering): Promise<Entered> {
      const entered = await enter(engine, entering)
      const { id } = entering.connection
      return {
        ...entered,
        ...(hasLeft.has(id) && { hasLeft: true }),
        ...(wasIdle.has(id) && { wasIdle: true }),
      }
    },

    /** The user knows what the session in this engine has lost. */
    lossTold(connectionId: number, { kind }: Pick<Engine, 'kind'>): void {
      const known = open.get(connectionId)?.get(kind)
      if (known) known.lost = NOTHING_TO_LOSE
      if (!known?.isUsers) return
      hasLeft.delete(connectionId)
      wasIdle.delete(connectionId)
    },

    leave,

    /**
     * Rolls back the open transaction of a connection on which nothing runs, and keeps its session. Its user gets to know
     * with the next statement, unless nothing is lost.
     */
    async rollBack(connectionId: number, { isLoss }: { readonly isLoss: boolean }): Promise<void> {
      const known = [...(open.get(connectionId)?.values() ?? [])].find(({ isUsers }) => isUsers)
      // One that is gone with its engine is what the next statement says.
      if (!known || !(await isRolledBack(known))) return
      onClosed(connectionId)
      if (!isLoss) return
      known.lost = { ...known.lost, inTransaction: true }
      wasIdle.add(connectionId)
    },

    async close(connectionId: number): Promise<void> {
      hasLeft.delete(connectionId)
      wasIdle.delete(connectionId)
      const kinds = [...(open.get(connectionId)?.keys() ?? [])]
      await Promise.all(kinds.map((kind) => closeIn(connectionId, kind)))
    },
  }
}

export type EngineSessions = ReturnType<typeof createEngineSessions>
