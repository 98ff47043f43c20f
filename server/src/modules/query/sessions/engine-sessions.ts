import { DEFAULT_CATALOG, DEFAULT_DATABASE } from '@boathouse/contract'
import type { Engine } from '../../../engines/engine/engine.ts'
import { type EngineSession, NOTHING_TO_LOSE, SessionRefused } from '../../../engines/engine/session.ts'
import type { Connection } from './connection.ts'
import type { SessionLoss } from './session-loss.ts'
import { timeZoneOf } from './session-variables.ts'

interface Opened {
  readonly session: EngineSession
  readonly missingDatabase: string | null
  readonly missingCatalog: string | null
}

interface OpenSession {
  readonly engine: Engine
  readonly opened: Promise<Opened>
  /** Kept until its user is told. */
  lost: SessionLoss['lost']
}

export interface Entered extends SessionLoss {
  readonly session: EngineSession
}

const hasCatalog = ({ attachments }: Engine, catalog: string): boolean =>
  catalog === DEFAULT_CATALOG || attachments?.named(catalog) != null

const FOUND = { missingDatabase: null, missingCatalog: null }

/** In the connection's database; in `main` when that is gone, so that there is a way out of it. */
async function openIn(engine: Engine, connection: Connection, user: string): Promise<Opened> {
  const { catalog, database } = connection
  const state = { catalog, database, timeZone: timeZoneOf(connection), variables: {}, user }
  const main = { ...state, catalog: DEFAULT_CATALOG, database: DEFAULT_DATABASE }
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

/**
 * One engine session for each query connection, rebuilt from the connection's data when the engine is another. `onClosed` is
 * told of each that was closed, with what was not committed in it.
 */
export function createEngineSessions(onClosed: (connectionId: number) => void = () => undefined) {
  const open = new Map<number, OpenSession>()

  async function close(connectionId: number): Promise<void> {
    const known = open.get(connectionId)
    open.delete(connectionId)
    await known?.opened.then(({ session }) => session.close()).finally(() => onClosed(connectionId))
  }

  return {
    /** For the user to whom the connection belongs. */
    async enter(engine: Engine, connection: Connection, user: string): Promise<Entered> {
      const known = open.get(connection.id)
      if (known?.engine === engine) {
        const { session, missingDatabase, missingCatalog } = await known.opened
        const isThere =
          (missingDatabase === null || missingDatabase !== connection.database) &&
          (missingCatalog === null || missingCatalog !== connection.catalog) &&
          hasCatalog(engine, connection.catalog) &&
          !session.hasEnded
        if (isThere) return { session, lost: known.lost, ...FOUND }
        // It was dropped, may have been created again, or the session ended.
        await close(connection.id)
      }
      const { inTransaction, hasTemporary } = connection
      const entry: OpenSession = {
        engine,
        opened: openIn(engine, connection, user),
        lost: { inTransaction, hasTemporary },
      }
      open.set(connection.id, entry)
      entry.opened.catch(() => open.get(connection.id) === entry && open.delete(connection.id))
      return { ...(await entry.opened), lost: entry.lost }
    },

    lossTold(connectionId: number): void {
      const known = open.get(connectionId)
      if (known) known.lost = NOTHING_TO_LOSE
    },

    close,
  }
}

export type EngineSessions = ReturnType<typeof createEngineSessions>
