import type { Catalog, Found } from '@boathouse/contract'
import type { CatalogName } from '../../../engines/engine/descriptions.ts'
import type { UseEngine } from '../../../engines/engine/engine.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { BoundedMap } from '../../../kernel/bounded-map.ts'
import type { Events } from '../../../kernel/events.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Authority } from '../../access/authority.ts'
import { viewKey } from '../../query/gate/authorize-statement.ts'
import { createLooking } from '../objects/looking.ts'
import { type AllNames, createNameIndex, type FoundColumn, type NameIndex } from './name-index.ts'
import { sightOf } from './name-sight.ts'

export interface SearchParts {
  readonly useServiceEngine: UseEngine
  readonly authority: Pick<Authority, 'holdsAll' | 'listed'>
  /** By `viewKey`: engines take them for tables. */
  readonly materialized: { keysOf(accountId: string): Promise<ReadonlySet<string>> }
  /** Those that somebody may see. */
  readonly catalogsOf: (actor: Actor) => Promise<readonly Catalog[]>
  readonly events: Pick<Events, 'on'>
  readonly log: Log
}

/** Of all accounts together; what was read first is read again when it is next asked for. */
const REMEMBERED_NAMES = 2_000_000
/** A catalog with more names is read in more than a moment: until it is, it is searched as it was. */
const QUICKLY_READ = 10_000
/** Of one catalog. */
const MOST_NAMES = 1_000_000

const CHANGES = new Set(['GlobalEventTypeDatabaseChanged', 'GlobalEventTypeCatalogChanged'])

interface SearchOrder {
  readonly search: string
  readonly limit: number
}

interface Known {
  readonly index: NameIndex
  /** Something was created, dropped or altered since. */
  isOld: boolean
}

/** The first so many, and whether there are more. */
function first<T>(found: Iterable<T>, most: number): { list: T[]; more: boolean } {
  const list: T[] = []
  for (const one of found) {
    if (list.length === most) return { list, more: true }
    list.push(one)
  }
  return { list, more: false }
}

interface InCatalog {
  readonly objects: readonly Found[]
  readonly columns: readonly Found[]
  readonly more: boolean
}

function ofColumn(catalog: string, { names }: NameIndex, { name, of }: FoundColumn): Found[] {
  const object = names[of]
  if (!object || object.type === 'database') return []
  const { database, type } = object
  return [
    { type: 'column', name, catalog, catalogType: 'Internal', database, object: { type, name: object.name } },
  ]
}

/** The same, as a materialized view if it is one: the engine lists those as tables. */
function withMaterialized(
  catalog: string,
  one: CatalogName,
  views: ReadonlySet<string>,
): AllNames['names'][number] {
  const { type, database, name } = one
  const isView = type === 'table' && views.has(viewKey({ catalog, database, name }))
  return isView ? { ...one, type: 'materialized_view' } : one
}

/** Names in the account's own catalogs, read once and looked through until something changes. */
export function createNameSearch(parts: SearchParts) {
  const { useServiceEngine, authority, materialized, catalogsOf, events, log } = parts

  const look = createLooking({ useServiceEngine })
  const indexes = new BoundedMap<Known>(REMEMBERED_NAMES)
  const reading = new Map<string, Promise<NameIndex>>()
  /** Catalogs of which something may have changed while their names were read. */
  const changed = new Set<string>()
  /** Of an account: under which keys its catalogs are remembered. */
  const keysOf = new Map<string, ReadonlySet<string>>()

  events.on('announced', ({ accountId, type }) => {
    if (!CHANGES.has(type)) return
    for (const key of keysOf.get(accountId) ?? []) {
      const known = indexes.get(key)
      if (known) known.isOld = true
      if (reading.has(key)) changed.add(key)
    }
  })

  async function read(actor: Actor, catalog: string, key: string): Promise<NameIndex> {
    const index = await look(actor, async ({ descriptions }) => {
      const listed = (await descriptions?.names(catalog, MOST_NAMES)) ?? []
      const views = await materialized.keysOf(actor.accountId)
      const names = views.size === 0 ? listed : listed.map((one) => withMaterialized(catalog, one, views))
      const columns = (await descriptions?.columnNames(catalog, MOST_NAMES)) ?? []
      return createNameIndex(catalog, { names, columns })
    })
    indexes.set(key, { index, isOld: changed.has(key) }, index.size + 1)
    return index
  }

  function readOnce(actor: Actor, catalog: string, key: string): Promise<NameIndex> {
    const begun = reading.get(key)
    if (begun) return begun
    const begin = read(actor, catalog, key).finally(() => {
      reading.delete(key)
      changed.delete(key)
    })
    reading.set(key, begin)
    keysOf.set(actor.accountId, new Set([...(keysOf.get(actor.accountId) ?? []), key]))
    return begin
  }

  async function indexOf(actor: Actor, catalog: string): Promise<NameIndex> {
    const key = JSON.stringify([actor.accountId, catalog])
    const known = indexes.get(key)
    if (!known) return readOnce(actor, catalog, key)
    if (!known.isOld) return known.index
    const renewed = readOnce(actor, catalog, key)
    if (known.index.size <= QUICKLY_READ) return renewed
    renewed.catch((error: unknown) => log.warn({ err: error }, 'the names of an account could not be read'))
    return known.index
  }

  async function findIn(actor: Actor, catalog: string, order: SearchOrder): Promise<InCatalog> {
    const index = await indexOf(actor, catalog)
    const listed = authority.holdsAll(actor) ? 'all' : await authority.listed(actor)
    const sees = sightOf(catalog, index, listed)
    const objects = first(index.find(order.search, sees), order.limit)
    const columns = first(index.findColumns(order.search, sees), order.limit)
    return {
      objects: objects.list.flatMap((at): Found[] => {
        const one = index.names[at]
        if (!one) return []
        const { type, database, name } = one
        return [{ type, name, catalog, catalogType: 'Internal', database }]
      }),
      columns: columns.list.flatMap((one) => ofColumn(catalog, index, one)),
      more: objects.more || columns.more,
    }
  }

  return async function search(actor: Actor, order: SearchOrder): Promise<{ list: Found[]; more: boolean }> {
    const { search: text, limit } = order
    const catalogs = await catalogsOf(actor)
    const inside: InCatalog[] = []
    for (const { name, type } of catalogs)
      if (type === 'Internal') inside.push(await findIn(actor, name, order))
    const objects: Found[] = [
      ...catalogs
        .filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
        .map(({ name, type }): Found => ({ type: 'catalog', name, catalog: name, catalogType: type })),
      ...inside.flatMap((one) => one.objects),
    ]
    const columns = inside.flatMap((one) => one.columns)
    // Columns are at the end, and still there where many tables have such a name.
    const ofObjects = limit - Math.min(columns.length, Math.floor(limit / 4))
    const list = [...objects.slice(0, ofObjects), ...columns].slice(0, limit)
    const isCut = list.length < objects.length + columns.length
    return { list, more: isCut || inside.some(({ more }) => more) }
  }
}

export type NameSearch = ReturnType<typeof createNameSearch>
