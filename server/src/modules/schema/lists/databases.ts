import { type Catalog, type CommonSearch, type Database, foldedName } from '@boathouse/contract'
import type { Actor } from '../../../kernel/actor.ts'
import { type Listing, pageOf, seenCatalog, seenCatalogs } from './listing.ts'

export async function listCatalogs(
  listing: Listing,
  actor: Actor,
  { orders: [order], offset, limit, search }: CommonSearch,
): Promise<{ list: Catalog[]; total: number }> {
  const all = await seenCatalogs(listing, actor)
  const found = all.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
  const sorted = found.toSorted((a, b) => (a.name < b.name ? -1 : 1) * (order?.desc ? -1 : 1))
  return { list: sorted.slice(offset, offset + limit), total: sorted.length }
}

interface DatabasePage {
  readonly list: Omit<Database, 'databaseId'>[]
  readonly total: number
}

export function listDatabases(
  listing: Listing,
  actor: Actor,
  asked: { readonly catalog: string; readonly search: CommonSearch },
): Promise<DatabasePage> {
  return listing.look(actor, async (looking) => {
    const { permanent } = looking.catalogs
    const catalog = await seenCatalog(listing, actor, { looking, name: asked.catalog })
    const seen = await listing.authority.visible(actor, { type: 'database', catalog })
    const page = { ...pageOf(asked.search), seen }
    const { list, total } = await looking.soon(looking.lists.databasePage(catalog, page))
    const shown = list.map(({ name, tables }) => ({
      name,
      ...(seen === 'all' && tables !== undefined ? { tables } : {}),
      ...(permanent.has(foldedName(name)) ? { permanent: true as const } : {}),
    }))
    return { list: shown, total }
  })
}
