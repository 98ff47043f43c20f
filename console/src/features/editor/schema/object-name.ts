import { DEFAULT_CATALOG } from '@boathouse/contract/schema'
import { quoteIdentifier } from '@boathouse/sql'
import type { Place } from '../tabs/place.ts'
import type { SchemaRow } from './schema-rows.ts'

type Named = Pick<SchemaRow, 'kind' | 'place' | 'name'>

/** How a statement that runs at `from` names what a row of the tree stands for: quoted, and no longer than needed. */
export function nameFrom({ kind, place, name }: Named, from: Place): string {
  const isNear = place.catalog === (from.catalog || DEFAULT_CATALOG)
  const isHere = isNear && place.database === from.database
  const above = isHere ? [] : isNear ? [place.database] : [place.catalog, place.database]
  const parts =
    kind === 'column' || kind === 'catalog'
      ? [name]
      : kind === 'database'
        ? [...(isNear ? [] : [place.catalog]), name]
        : [...above, name]
  return parts.map(quoteIdentifier).join('.')
}
