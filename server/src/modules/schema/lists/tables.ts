import { type CommonSearch, foldedKey, type MaterializedView } from '@boathouse/contract'
import type { DatabasePlace, TableType } from '../../../engines/engine/names.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { type Listing, noSuchDatabase, type Page, pageOf, requireDatabase, seenCatalog } from './listing.ts'

export interface AskedList {
  readonly place: DatabasePlace
  readonly search: CommonSearch
}

/** Of a database, as names are compared. */
function namesIn(keys: ReadonlySet<string>, { catalog, database }: DatabasePlace): ReadonlySet<string> {
  const start = foldedKey([catalog, database]).slice(0, -1)
  return new Set(
    [...keys]
      .filter((key) => key.startsWith(`${start},`))
      .flatMap((key) => (JSON.parse(key) as string[]).slice(2)),
  )
}

/** Tables or views. Materialized views have a list of their own. */
export function listTables(
  listing: Listing,
  actor: Actor,
  { place: asked, search, type }: AskedList & { readonly type: TableType },
): Promise<Page> {
  return listing.look(actor, async (looking) => {
    const place = { ...asked, catalog: await seenCatalog(listing, actor, { looking, name: asked.catalog }) }
    const seen = await listing.authority.visible(actor, {
      ...place,
      type,
    })
    const except = namesIn(await listing.materialized.keysOf(actor.accountId), place)
    const page = { ...pageOf(search), seen, except }
    const { list, total } = await looking.soon(looking.lists.tablePage(place, type, page))
    if (total === 0) await requireDatabase(looking, place)
    return { names: list.map(({ name }) => name), total }
  })
}

/** None where the engine does not describe what it holds. */
export function listFunctions(
  listing: Listing,
  actor: Actor,
  { place: asked, search }: AskedList,
): Promise<Page> {
  return listing.look(actor, async (looking) => {
    const catalog = await seenCatalog(listing, actor, { looking, name: asked.catalog })
    const seen = await listing.authority.visible(actor, { ...asked, catalog, type: 'function' })
    const database = await looking.lists.databaseNamed({ ...asked, catalog })
    if (database === null) throw noSuchDatabase({ ...asked, catalog })
    const page = { ...pageOf(search), seen }
    const found = await looking.descriptions?.functionPage({ catalog, database }, page)
    return { names: found?.list.map(({ name }) => name) ?? [], total: found?.total ?? 0 }
  })
}

/** CATALOG-44: as they are kept here, of a database that is there. */
export function listMaterializedViews(
  listing: Listing,
  actor: Actor,
  { place: asked, search }: AskedList,
): Promise<{ list: MaterializedView[]; total: number }> {
  return listing.look(actor, async (looking) => {
    const place = { ...asked, catalog: await seenCatalog(listing, actor, { looking, name: asked.catalog }) }
    const found = await listing.materialized.list(actor, place, search)
    if (found.total === 0) await requireDatabase(looking, place)
    return found
  })
}
