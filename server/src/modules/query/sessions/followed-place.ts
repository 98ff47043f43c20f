import { randomUUID } from 'node:crypto'
import { DEFAULT_CATALOG, DEFAULT_DATABASE } from '@boathouse/contract'
import { type Engine, EngineUnavailable } from '../../../engines/engine/engine.ts'
import { type EngineSession, SessionRefused } from '../../../engines/engine/session.ts'
import type { EngineError } from '../../../engines/engine/outcome.ts'

/** What of a connection a session in an engine has taken on. */
export interface Place {
  readonly catalog: string
  readonly database: string | null
  readonly timeZone: string
}

export const MAIN = { catalog: DEFAULT_CATALOG, database: DEFAULT_DATABASE }

/** Null when the engine has done it. */
async function say(session: EngineSession, sql: string): Promise<EngineError | null> {
  const queryId = randomUUID()
  const options = {
    takenFor: null,
    authorize: 'all',
    maxRows: 0,
    queryId,
    keep: null,
    profile: null,
  } as const
  const outcome = await session.execute(sql, options).outcome
  if (outcome.state === 'lost') throw new EngineUnavailable(`The engine has ended: ${outcome.reason}`)
  return outcome.state === 'failed' ? outcome.error : null
}

async function mustSay(session: EngineSession, sql: string): Promise<void> {
  const error = await say(session, sql)
  if (error) throw new SessionRefused(error)
}

/**
 * USE and SET time_zone run in the home engine. A session in another engine is brought to the same place before the next
 * statement runs in it, and keeps its transaction and its temporary tables. Gives where it is then: in `main` when the
 * engine has no such database.
 */
export async function follow(
  { dialect, catalogs }: Pick<Engine, 'dialect' | 'catalogs'>,
  session: EngineSession,
  { from, to }: { readonly from: Place; readonly to: Place },
): Promise<Place> {
  if (from.timeZone !== to.timeZone) await mustSay(session, dialect.setTimeZone(to.timeZone))
  const { catalog, database } = to
  const isSame = from.catalog === catalog && from.database === database
  if (isSame || database === null || !catalogs) return to
  const error = await say(session, catalogs.statements.enter({ catalog, database }))
  if (!error) return to
  if (error.kind !== 'missing') throw new SessionRefused(error)
  await mustSay(session, catalogs.statements.enter(MAIN))
  return { ...to, ...MAIN }
}
