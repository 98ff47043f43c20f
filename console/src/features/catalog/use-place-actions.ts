import { schema } from '@boathouse/contract/schema'
import type { PlaceAction } from '@boathouse/contract/schema-places'
import { useCall } from '../../lib/api.ts'

/** What one may do in a catalog, or with a database. Until it is known nothing is taken away: the service decides. */
export function usePlaceActions(catalog: string, database?: string) {
  const { data } = useCall(
    schema.actions,
    { catalog, ...(database === undefined ? {} : { databaseName: database }) },
    { silent: true },
  )
  return {
    /** Whether there is such an action here. */
    has: (action: PlaceAction): boolean => data?.[action] !== undefined,
    whyNot: (action: PlaceAction): string | undefined => data?.[action] || undefined,
  }
}
