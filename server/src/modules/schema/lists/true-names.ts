import { type AccessObject, isSameName } from '@boathouse/contract'
import type { NamedObject } from '../../../engines/engine/names.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { viewKey } from '../../query/gate/authorize-statement.ts'
import { type Listing, seenCatalogs } from './listing.ts'

const typeOf = ({ type }: AccessObject): NamedObject['type'] =>
  type === 'view' || type === 'function' ? type : 'table'

/** An object of data by its true name, or null when it is not there; empty parts stand for all. */
export async function trueNames(
  listing: Listing,
  actor: Actor,
  object: AccessObject,
): Promise<AccessObject | null> {
  if (object.catalog === '') return object
  const all = await seenCatalogs(listing, actor)
  const catalog = all.find(({ name }) => isSameName(name, object.catalog))?.name
  if (catalog === undefined) return null
  if (object.database === '') return { ...object, catalog }
  return listing.look(actor, async ({ lists, hasCatalog }) => {
    // What is in it this engine does not know.
    if (!hasCatalog(catalog)) return null
    const database = await lists.databaseNamed({ catalog, database: object.database })
    if (database === null) return null
    if (object.name === '') return { ...object, catalog, database }
    const type = typeOf(object)
    const name = await lists.objectNamed({ catalog, database }, { type, name: object.name })
    if (name === null) return null
    const keys = await listing.materialized.keysOf(actor.accountId)
    const isMaterialized = type === 'table' && keys.has(viewKey({ catalog, database, name }))
    return isMaterialized === (object.type === 'materialized_view')
      ? { ...object, catalog, database, name }
      : null
  })
}
