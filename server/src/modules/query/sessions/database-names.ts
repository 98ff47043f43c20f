import { nearest } from '@boathouse/sql'
import type { DatabasePlace } from '../../../engines/engine/names.ts'
import { DidNotFinish, failed, withError } from '../running/ending.ts'
import { inCatalogs, type SessionTools } from './session-tools.ts'

/** Those of the catalog that the actor may see. */
export async function seenDatabases(
  catalog: string,
  { lookInEngine, visible }: SessionTools,
): Promise<readonly string[]> {
  const seen = await visible({ type: 'database', catalog })
  return lookInEngine(inCatalogs((lists) => lists.databases(catalog, seen)))
}

export const proposal = (name: string, names: readonly string[]): string => {
  const meant = nearest(name, names)
  return meant === null ? '' : ` Did you mean ${meant}?`
}

/** Clients with a command `use` of their own send the first word behind it as the database, also of USE WAREHOUSE. */
const warehouseHint = (database: string): string =>
  database.toLowerCase() === 'warehouse' ? ' To choose a warehouse, send SET WAREHOUSE = name.' : ''

export function databaseMissing({ database }: DatabasePlace, others: readonly string[]): DidNotFinish {
  const hint = warehouseHint(database) || proposal(database, others)
  const message = `The database ${database} does not exist. SHOW DATABASES lists those that do.${hint}`
  return new DidNotFinish(
    withError(failed('QueryFailed', message), { kind: 'missing', detail: 'missing-database' }),
  )
}

/** As it was written when the database was created: engines ignore the case of names, clients may not. */
export const trueName = (
  place: DatabasePlace,
  { lookInEngine }: Pick<SessionTools, 'lookInEngine'>,
): Promise<string | null> => lookInEngine(inCatalogs((lists) => lists.databaseNamed(place)))
