import { type EngineSession, SessionRefused, type SessionState } from '../../engine/session.ts'
import { Visit } from '../account/visit.ts'
import { engineError } from '../errors.ts'
import { refuseInternalNames } from './effects.ts'
import { entering } from './entering.ts'
import type { SessionWorld } from './session-world.ts'
import { DuckDbSession } from './session.ts'

/** In its place, or refused when that is not there. */
export async function openDuckDbSession(world: SessionWorld, state: SessionState): Promise<EngineSession> {
  const { attached } = world
  const connection = await world.instance.connect()
  const catalog = () => state.catalog
  const nowhere = { databaseIn: async () => null, renamed: async () => undefined }
  const visit = new Visit({ catalog, ...nowhere })
  attached.enter(visit)
  try {
    refuseInternalNames(state.database ?? '')
    await attached.ready('', catalog, visit)
    await connection.run(entering(state))
    return new DuckDbSession(world, connection, state)
  } catch (error) {
    connection.closeSync()
    throw new SessionRefused(engineError(error, { sql: '', shift: 0 }, world.mask))
  } finally {
    attached.leave(visit)
  }
}
