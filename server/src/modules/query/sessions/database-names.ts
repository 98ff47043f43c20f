import { nearest } from '@boathouse/sql'
import type { DatabasePlace } from '../../../engines/engine/names.ts'
import { DidNotFinish, failed, withError } from '../running/ending.ts'
import { ofCatalogs, type SessionTools } from './session-tools.ts'

/** Those of the catalog that the actor may see. */
export async function seenDatabases(
  catalog: string,
  { runInEngine, visible }: SessionTools,
): Promise<string[]> {
  const seen = await visible({ type: 'database', catalog })
  const { rows } = await runInEngine(ofCatalogs((catalogs) => catalogs.databases(catalog, seen)))
  return rows.map(([name]) => name ?? '')
}

export const proposal = (name: string, names: readonly string[]): string => {
  const meant = nearest(name, names)
  return meant === null ? '' : ` Did you mean ${meant}?`
}

export function databaseMissing({ database }: DatabasePlace, others: readonly string[]): DidNotFinish {
  const message = `The database ${database} does not exist. SHOW DATABASES lists those that do.${proposal(database, others)}`
  return new DidNotFinish(withError(failed('QueryFailed', message), { kind: 'missing' }))
}

/** As it was written when the database was created: engines ignore the case of names, clients may not. */
export async function trueName(
  place: DatabasePlace,
  runInEngine: SessionTools['runInEngine'],
): Promise<string | null> {
  const { rows } = await runInEngine(ofCatalogs((catalogs) => catalogs.databaseNamed(place)))
  return rows[0]?.[0] ?? null
}
