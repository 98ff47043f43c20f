import { DEFAULT_CATALOG } from '@boathouse/contract/schema'
import { quoteIdentifier } from '@boathouse/sql'
import type { Place } from '../tabs/place.ts'

interface Named extends Place {
  readonly name: string
}

/** How a statement that runs at `from` names the table: quoted, and no longer than needed. */
export function nameFrom({ catalog, database, name }: Named, from: Place): string {
  const isNear = catalog === (from.catalog || DEFAULT_CATALOG)
  const isHere = isNear && database === from.database
  const parts = isHere ? [name] : isNear ? [database, name] : [catalog, database, name]
  return parts.map(quoteIdentifier).join('.')
}
