import type { Log } from './kernel/log.ts'
import { type ConnectionParts, createConnections } from './modules/query/sessions/connections.ts'
import { createEngineSessions } from './modules/query/sessions/engine-sessions.ts'

interface SessionParts extends Pick<ConnectionParts, 'store' | 'homeEngine' | 'clock' | 'limits'> {
  /** The user's session of a connection is gone, with what was not committed in it. */
  readonly onSessionClosed: (connectionId: number) => void
  readonly log: Log
}

/** Wires connections and their sessions in engines; a part of `build`. */
export function buildSessions({ store, homeEngine, clock, limits, onSessionClosed, log }: SessionParts) {
  const sessions = createEngineSessions(onSessionClosed)
  const logged = (closing: Promise<void>): unknown =>
    closing.catch((error: unknown) => log.warn({ err: error }, 'a session of the engine was not closed'))
  const connections = createConnections({
    store,
    homeEngine,
    clock,
    limits,
    onClosed: (ids) => {
      for (const id of ids) logged(sessions.close(id))
    },
    onEngineChosen: (id, engine) => logged(sessions.leave(id, engine)),
  })
  return { sessions, connections }
}
