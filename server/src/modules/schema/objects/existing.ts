import { foldedName, objectOf, type TableLike } from '@boathouse/contract'
import type { Actor } from '../../../kernel/actor.ts'
import { isFirst } from '../../../kernel/first-catalog.ts'
import type { Authority } from '../../access/authority.ts'
import { viewKey } from '../../query/gate/authorize-statement.ts'
import type { Looking } from './looking.ts'
import type { ViewPlace } from './materialized-views.ts'

export interface PlacedObject extends ViewPlace {
  readonly type: TableLike
}

export interface Onlooker {
  readonly actor: Actor
  readonly authority: Pick<Authority, 'visible' | 'may'>
  readonly materialized: { keysOf(accountId: string): Promise<ReadonlySet<string>> }
}

async function trueName({ lists, hasCatalog, catalogNamed }: Looking, place: ViewPlace) {
  if (!hasCatalog(place.catalog)) return null
  const catalog = catalogNamed(place.catalog)
  const database = await lists.databaseNamed({ catalog, database: place.database })
  if (database === null) return null
  for (const type of ['table', 'view'] as const) {
    const name = await lists.objectNamed({ catalog, database }, { type, name: place.name })
    if (name !== null) return { type, catalog, database, name }
  }
  return null
}

/** Of these names those that are tables or views, and that somebody may see. */
export async function existingOf(
  looking: Looking,
  places: readonly ViewPlace[],
  { actor, authority, materialized }: Onlooker,
): Promise<PlacedObject[]> {
  const views = await materialized.keysOf(actor.accountId)
  const found: PlacedObject[] = []
  for (const place of places) {
    const named = await trueName(looking, place)
    if (!named) continue
    const { catalog, database, name } = named
    if (!isFirst(catalog) && !(await authority.may(actor, 'USAGE', objectOf('catalog', { catalog }))))
      continue
    const isMaterialized = named.type === 'table' && views.has(viewKey(named))
    const type = isMaterialized ? 'materialized_view' : named.type
    const seen = await authority.visible(actor, { type, catalog, database })
    if (seen === 'all' || seen.has(foldedName(name))) found.push({ ...named, type })
  }
  return found
}
