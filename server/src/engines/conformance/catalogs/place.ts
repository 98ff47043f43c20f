import type { Engine } from '../../engine/engine.ts'
import type { Seen } from '../../engine/names.ts'
import type { EngineSession } from '../../engine/session.ts'
import { must, openSession, rowsOf, STATE } from '../fixture.ts'

export const place = (database: string) => ({ catalog: STATE.catalog, database })

export const WHOLE = { descending: false, offset: 0, limit: 1000, seen: 'all' as Seen, search: '' }

/** A session in a database that is created for it. */
export async function newDatabase(engine: Engine, name: string): Promise<EngineSession> {
  const { createDatabase } = must(engine.catalogs).statements
  const session = await openSession(engine)
  await rowsOf(session, createDatabase(place(name), { ifNotExists: false }))
  return openSession(engine, { database: name })
}
