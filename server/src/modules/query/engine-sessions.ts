import { type Engine, type EngineSession, NOTHING_TO_LOSE, type SessionFacts } from '../../engines/engine.ts'
import type { Connection } from './connections.ts'
import { timeZoneOf } from './session-variables.ts'

interface OpenSession {
  readonly engine: Engine
  readonly session: Promise<EngineSession>
  /** Kept until its user is told. */
  lost: SessionFacts
}

export interface Entered {
  readonly session: EngineSession
  /** What the connection had in an engine that is no more. */
  readonly lost: SessionFacts
}

/** One engine session for each query connection, rebuilt from the connection's data when the engine is another. */
export function createEngineSessions() {
  const open = new Map<number, OpenSession>()

  return {
    async enter(engine: Engine, connection: Connection): Promise<Entered> {
      const known = open.get(connection.id)
      if (known?.engine === engine) return { session: await known.session, lost: known.lost }
      const { catalog, database, inTransaction, hasTemporary } = connection
      const session = engine.openSession({
        catalog,
        database,
        timeZone: timeZoneOf(connection),
        variables: {},
      })
      const lost = { inTransaction, hasTemporary }
      open.set(connection.id, { engine, session, lost })
      session.catch(() => open.delete(connection.id))
      return { session: await session, lost }
    },

    lossTold(connectionId: number): void {
      const known = open.get(connectionId)
      if (known) known.lost = NOTHING_TO_LOSE
    },

    async close(connectionId: number): Promise<void> {
      const known = open.get(connectionId)
      open.delete(connectionId)
      await known?.session.then((session) => session.close())
    },
  }
}

export type EngineSessions = ReturnType<typeof createEngineSessions>
