import { DEFAULT_CATALOG } from '@boathouse/contract'
import type { DatabasePlace } from '../../../engines/engine/names.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { trueName } from './database-names.ts'
import type { SessionTools } from './session-tools.ts'

const selected = (database: string | null): string => {
  if (database !== null) return database
  throw new AppError('QueryFailed', 'No database is selected. Write USE database first.')
}

/**
 * The place that the name of a database means on a connection. A client that knows no catalogs writes both as one name,
 * `catalog.database`, as it gave it when it connected; a database that has this whole name comes first.
 */
export async function placeNamed(
  parts: readonly string[],
  tools: Pick<SessionTools, 'connection' | 'catalogNamed' | 'lookInEngine'>,
): Promise<DatabasePlace> {
  const { connection, catalogNamed } = tools
  const [written, outer] = parts.toReversed()
  const database = written ?? selected(connection.database)
  const dot = database.indexOf('.')
  if (outer === undefined && dot > 0) {
    const isWhole = (await trueName({ catalog: connection.catalog, database }, tools)) !== null
    if (!isWhole)
      return { catalog: await catalogNamed(database.slice(0, dot)), database: database.slice(dot + 1) }
  }
  return { catalog: await catalogNamed(outer ?? connection.catalog), database }
}

/** The name of a database for clients that know no catalogs: with that of its catalog, unless it is the first one. */
export const nameForMysql = ({ catalog, database }: DatabasePlace): string =>
  catalog === DEFAULT_CATALOG ? database : `${catalog}.${database}`
