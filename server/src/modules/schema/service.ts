import {
  type AccessObject,
  type Catalog,
  type CommonSearch,
  type Database,
  type MaterializedView,
  objectOf,
  foldedKey,
  foldedName,
  isSameName,
} from '@boathouse/contract'
import type { DatabasePlace, NamedObject, NamePage, TableType } from '../../engines/engine/names.ts'
import type { NamesFound } from '../../engines/engine/names.ts'
import type { UseEngine } from '../../engines/engine/engine.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Authority } from '../access/authority.ts'
import { catalogMissing, FIRST_CATALOG, isFirst } from './catalogs/catalogs.ts'
import type { ExternalCatalogs } from './catalogs/external-catalogs.ts'
import { viewKey } from '../query/gate/authorize-statement.ts'
import type { InternalCatalogs } from './catalogs/internal-catalogs.ts'
import { createLookingFor, type Looking } from './objects/looking.ts'
import { findName } from './names/named-object.ts'

export interface SchemaParts {
  readonly useServiceEngine: UseEngine
  /** The names that somebody may see. */
  readonly authority: Pick<Authority, 'visible' | 'may'>
  /** Beside the first. */
  readonly internal: Pick<InternalCatalogs, 'list'>
  readonly external: Pick<ExternalCatalogs, 'list'>
  readonly materialized: {
    /** By `viewKey`: engines take them for tables. */
    keysOf(accountId: string): Promise<ReadonlySet<string>>
    list(
      actor: Actor,
      place: DatabasePlace,
      search: CommonSearch,
    ): Promise<{ list: MaterializedView[]; total: number }>
  }
  readonly busyMs?: number
}

interface Page {
  readonly names: string[]
  readonly total: number
}

interface DatabasePage {
  readonly list: Omit<Database, 'databaseId'>[]
  readonly total: number
}

interface ListOrder {
  readonly type: TableType
  readonly search: CommonSearch
}

const pageOf = ({ orders: [order], offset, limit, search }: CommonSearch): Omit<NamePage, 'seen'> => ({
  descending: order?.desc ?? false,
  offset,
  limit,
  search,
})

/** No functions where the engine does not tell of any. */
const NOTHING: Page = { names: [], total: 0 }

const typeOf = ({ type }: AccessObject): NamedObject['type'] =>
  type === 'view' || type === 'function' ? type : 'table'

const noSuchDatabase = ({ catalog, database }: DatabasePlace) =>
  new AppError('NotFound', `There is no database ${database} in the catalog ${catalog}, or it was dropped.`)

/** Of a database, as names are compared. */
function namesIn(keys: ReadonlySet<string>, { catalog, database }: DatabasePlace): ReadonlySet<string> {
  const start = foldedKey([catalog, database]).slice(0, -1)
  return new Set(
    [...keys]
      .filter((key) => key.startsWith(`${start},`))
      .flatMap((key) => (JSON.parse(key) as string[]).slice(2)),
  )
}

async function tablesOf(
  { names, rows, catalogs }: Looking,
  place: DatabasePlace,
  list: { readonly type: TableType; readonly page: NamePage },
): Promise<Page> {
  const { type, page } = list
  const known = await names({ ...place, of: type, page })
  if (known) return { names: known.list.map(({ name }) => name), total: known.total }
  const found = await rows(catalogs.tablePage(place, type, page), page.limit)
  return { names: found.flatMap(([, name]) => name ?? []), total: Number(found[0]?.[0] ?? 0) }
}

async function databasesOf(
  { names, rows, catalogs }: Looking,
  catalog: string,
  page: NamePage,
): Promise<NamesFound> {
  const known = await names({ catalog, of: 'databases', page })
  if (known) return known
  const found = await rows(catalogs.databasePage(catalog, page), page.limit)
  const list = found.flatMap(([, name, tables]) => (name == null ? [] : { name, tables: Number(tables) }))
  return { list, total: Number(found[0]?.[0] ?? 0) }
}

async function isDatabase({ rows, catalogs }: Looking, place: DatabasePlace): Promise<boolean> {
  return (await rows(catalogs.databaseNamed(place), 1)).length > 0
}

/** What there is in the account, as SHOW CATALOGS, SHOW DATABASES and SHOW TABLES tell it, page by page. */
export function createSchemas(parts: SchemaParts) {
  const { useServiceEngine, authority, internal, external, materialized, busyMs } = parts
  const look = createLookingFor({ useServiceEngine, authority, busyMs })
  const { visible, may } = authority

  /** Its true name, for whoever may use it. */
  async function seenCatalog(actor: Actor, looking: Looking, name: string): Promise<string> {
    const catalog = looking.catalogNamed(name)
    if (isFirst(catalog)) return catalog
    if (!(await may(actor, 'USAGE', objectOf('catalog', { catalog })))) throw catalogMissing(name)
    await looking.requireReadable(catalog)
    return catalog
  }

  const others = async (actor: Actor): Promise<Catalog[]> => [
    ...(await internal.list(actor)),
    ...(await external.list(actor)),
  ]

  async function listIn(actor: Actor, asked: DatabasePlace, list: ListOrder): Promise<Page> {
    const { type, search } = list
    return look(actor, async (looking) => {
      const place = { ...asked, catalog: await seenCatalog(actor, looking, asked.catalog) }
      const seen = await visible(actor, { ...place, type: type === 'VIEW' ? 'view' : 'table' })
      const except = namesIn(await materialized.keysOf(actor.accountId), place)
      const found = await tablesOf(looking, place, { type, page: { ...pageOf(search), seen, except } })
      if (found.total === 0 && !(await isDatabase(looking, place))) throw noSuchDatabase(place)
      return found
    })
  }

  return {
    async catalogs(
      actor: Actor,
      { orders: [order], offset, limit, search }: CommonSearch,
    ): Promise<{ list: Catalog[]; total: number }> {
      const all = [FIRST_CATALOG, ...(await others(actor))]
      const found = all.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
      const sorted = found.toSorted((a, b) => (a.name < b.name ? -1 : 1) * (order?.desc ? -1 : 1))
      return { list: sorted.slice(offset, offset + limit), total: sorted.length }
    },

    async databases(actor: Actor, catalog: string, search: CommonSearch): Promise<DatabasePage> {
      return look(actor, async (looking) => {
        const { permanent } = looking.catalogs
        const place = { type: 'database', catalog: await seenCatalog(actor, looking, catalog) } as const
        const seen = await visible(actor, place)
        const { list, total } = await databasesOf(looking, place.catalog, { ...pageOf(search), seen })
        const told = list.map(({ name, tables }) => ({
          name,
          ...(seen === 'all' && tables !== undefined ? { tables } : {}),
          ...(permanent.has(foldedName(name)) ? { permanent: true as const } : {}),
        }))
        return { list: told, total }
      })
    },

    /** An object of data by its true name, or null when it is not there; empty parts stand for all. */
    async trueNames(actor: Actor, object: AccessObject): Promise<AccessObject | null> {
      if (object.catalog === '') return object
      const all = [FIRST_CATALOG, ...(await others(actor))]
      const catalog = all.find(({ name }) => isSameName(name, object.catalog))?.name
      if (catalog === undefined) return null
      if (object.database === '') return { ...object, catalog }
      return look(actor, async ({ rows, catalogs, ask, hasCatalog }) => {
        // What is in it this engine does not know.
        if (!hasCatalog(catalog)) return null
        const [found] = await rows(catalogs.databaseNamed({ catalog, database: object.database }), 1)
        const database = found?.[0]
        if (database == null) return null
        if (object.name === '') return { ...object, catalog, database }
        const named = await findName(ask, { catalog, database }, { type: typeOf(object), name: object.name })
        if (!named) return null
        const { name } = named
        const keys = await materialized.keysOf(actor.accountId)
        const isMaterialized = typeOf(object) === 'table' && keys.has(viewKey({ catalog, database, name }))
        return isMaterialized === (object.type === 'materialized_view')
          ? { ...object, catalog, database, name }
          : null
      })
    },

    tables: (actor: Actor, place: DatabasePlace, search: CommonSearch): Promise<Page> =>
      listIn(actor, place, { type: 'BASE TABLE', search }),

    views: (actor: Actor, place: DatabasePlace, search: CommonSearch): Promise<Page> =>
      listIn(actor, place, { type: 'VIEW', search }),

    async functions(actor: Actor, asked: DatabasePlace, search: CommonSearch): Promise<Page> {
      return look(actor, async (looking) => {
        const { rows, catalogs, told } = looking
        const catalog = await seenCatalog(actor, looking, asked.catalog)
        const seen = await visible(actor, { ...asked, catalog, type: 'function' })
        const [row] = await rows(catalogs.databaseNamed({ ...asked, catalog }), 1)
        const database = row?.[0]
        if (database == null) throw noSuchDatabase({ ...asked, catalog })
        if (!told) return NOTHING
        const found = await rows(
          told.functionPage({ catalog, database }, { ...pageOf(search), seen }),
          search.limit,
        )
        return { names: found.flatMap(([, name]) => name ?? []), total: Number(found[0]?.[0] ?? 0) }
      })
    },

    /** CATALOG-44: as they are kept here; of a database that is there. */
    async materializedViews(actor: Actor, asked: DatabasePlace, search: CommonSearch) {
      return look(actor, async (looking) => {
        const place = { ...asked, catalog: await seenCatalog(actor, looking, asked.catalog) }
        const found = await materialized.list(actor, place, search)
        if (found.total === 0 && !(await isDatabase(looking, place))) throw noSuchDatabase(place)
        return found
      })
    },
  }
}

export type Schemas = ReturnType<typeof createSchemas>
