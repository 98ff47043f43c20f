import { schema } from '@boathouse/contract/schema'
import type { Query, QueryClient } from '@tanstack/react-query'
import { queryKeyOf } from '../../../lib/api.ts'
import type { Stale } from './refresher.ts'

interface Asked {
  readonly catalog?: string
  readonly databaseName?: string
}

const inputOf = ({ queryKey: [, input] }: Query): Asked => input ?? {}

/** Lists on the screen are loaded again, and stay there until the answer comes; others when they are next opened. */
export async function refreshSchema(queries: QueryClient, { catalogs, places }: Stale): Promise<void> {
  const isIn = (query: Query): boolean => {
    const { catalog, databaseName } = inputOf(query)
    // What was searched for may be anywhere.
    if (catalog === undefined) return true
    const isWanted = (place: { catalog: string; database: string }) =>
      place.catalog === catalog && (databaseName === undefined || place.database === databaseName)
    return places === 'all' || places.some(isWanted)
  }
  await Promise.all([
    catalogs && queries.invalidateQueries({ queryKey: queryKeyOf(schema.catalogs) }),
    ...[
      schema.databases,
      schema.tables,
      schema.views,
      schema.materializedViews,
      schema.columns,
      schema.search,
    ].map((call) => queries.invalidateQueries({ queryKey: queryKeyOf(call), predicate: isIn })),
  ])
}
