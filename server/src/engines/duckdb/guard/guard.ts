import { type DuckDBConnection, quotedIdentifier, quotedString } from '@duckdb/node-api'
import { findQualified, readStatement } from '@boathouse/sql'
import { StatementRefused } from '../errors.ts'
import type { Informed } from './information-views.ts'
import { GUARD } from './internal-schema.ts'
import { GUARDED, INFORMATION, INFORMATION_OF_MYSQL, SEEN, SYSTEM } from './raise-guard.ts'

/** What the statements of a session list: everything of the account, or only what their user may see. */
export type Sight = 'all' | 'some'

export interface View {
  readonly sight: Sight
  /** It names this `information_schema`; null: none. */
  readonly informs: Informed | null
}

/** For a session that stands in this database, and again whenever it has moved: USE leaves nothing else in the path. */
export function behindGuard(catalog: string, database: string, { sight, informs }: View): string {
  const here = `${quotedIdentifier(catalog)}.${quotedIdentifier(database)}`
  // What has functions of its own comes before those of all sessions.
  const first = informs === 'mysql' ? [INFORMATION_OF_MYSQL] : []
  const last = informs === 'engine' ? [INFORMATION] : []
  const path = [here, ...first, ...(sight === 'some' ? [SEEN] : []), GUARD, SYSTEM, ...last]
  return `SET search_path = ${quotedString(path.join(','))}`
}

/** Where a session stands. */
export async function placeOf(connection: DuckDBConnection): Promise<{ catalog: string; database: string }> {
  const place = await connection.run('SELECT system.main.current_catalog(), system.main.current_schema()')
  const [catalog = '', database = ''] = [0, 1].map((at) =>
    String(place.getChunk(0).getColumnVector(at).getItem(0)),
  )
  return { catalog, database }
}

/** Gives the catalog in which it stands. */
export async function returnBehindGuard(connection: DuckDBConnection, view: View): Promise<string> {
  const { catalog, database } = await placeOf(connection)
  await connection.run(behindGuard(catalog, database, view))
  return catalog
}

/** The schemas and the catalog in which DuckDB's own functions stand. */
const PLACES = new Set(['main', 'system', 'pg_catalog'])
/** Reading a text word by word takes long; most name no such place at all. */
const MAY_NAME_PLACE = /\b(?:main|system|pg_catalog)"?\s*(?:\.|--|\/\*)/i

/** With its place before it, DuckDB's own function would be meant, and not ours. */
export function refuseGuardedPlaces(sql: string): void {
  if (!MAY_NAME_PLACE.test(sql)) return
  const found = findQualified(
    readStatement(sql),
    (outer, inner) => PLACES.has(outer.toLowerCase()) && GUARDED.has(inner.toLowerCase()),
  )
  if (!found) return
  const [outer, inner] = [found.outer.toLowerCase(), found.inner.toLowerCase()]
  const message = `Write ${inner} without the prefix ${outer}.`
  throw new StatementRefused({ kind: 'permission', message, offset: found.offset })
}
