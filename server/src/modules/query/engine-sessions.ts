import type { Engine, EngineSession } from '../../engines/engine.ts'
import type { Connection } from './connections.ts'

export interface EngineSource {
  /** The account's running engine, started when it is not. */
  engineFor(accountId: string): Promise<Engine>
}

interface OpenSession {
  readonly engine: Engine
  readonly session: Promise<EngineSession>
}

/** One engine session for each query connection, rebuilt from the connection's data when the engine is another. */
export function createEngineSessions(source: EngineSource) {
  const open = new Map<number, OpenSession>()

  return {
    async sessionFor(accountId: string, connection: Connection): Promise<EngineSession> {
      const engine = await source.engineFor(accountId)
      const known = open.get(connection.id)
      if (known?.engine === engine) return known.session
      const session = engine.openSession({
        catalog: connection.catalog,
        database: connection.database,
        timeZone: 'UTC',
        variables: {},
      })
      open.set(connection.id, { engine, session })
      session.catch(() => open.delete(connection.id))
      return session
    },

    async close(connectionId: number): Promise<void> {
      const known = open.get(connectionId)
      open.delete(connectionId)
      await known?.session.then((session) => session.close())
    },
  }
}

export type EngineSessions = ReturnType<typeof createEngineSessions>
