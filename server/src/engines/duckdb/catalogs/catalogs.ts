import { likeMatcher } from '@boathouse/sql'
import type { Asking } from '../../engine/asking.ts'
import type { CatalogReader, Catalogs, ListedTables, TableList } from '../../engine/catalogs.ts'
import type { DatabasePlace, NamedObject, NamesFound } from '../../engine/names.ts'
import type { ResultRows } from '../../engine/rows.ts'
import type { AskedNames } from '../account/name-cache.ts'
import * as queries from './catalog-queries.ts'
import { namesOfPage } from './name-lists.ts'
import { DATABASE_STATEMENTS } from './statements.ts'

/** Names that are kept as they are now; null of what is not kept. */
export type KeptNames = (asked: AskedNames) => Promise<NamesFound | null>

const firstCell = ({ rows }: ResultRows): string | null => rows[0]?.[0] ?? null

const firstColumn = ({ rows }: ResultRows): string[] => rows.flatMap(([name]) => name ?? [])

async function objectNamed(
  { read }: Asking,
  place: DatabasePlace,
  object: NamedObject,
): Promise<string | null> {
  if (object.type === 'table') {
    const [bound] = (await read(queries.boundName(place, object.name), 1)).rows
    if (!bound) return null
    if (bound[0] != null) return bound[0]
  }
  return firstCell(await read(queries.listedName(place, object), 1))
}

async function keptTables(
  kept: KeptNames,
  place: DatabasePlace,
  { seen, like, limit }: TableList,
): Promise<ListedTables | null> {
  const page = { descending: false, offset: 0, limit, search: '', like }
  const tables = await kept({ ...place, of: 'table', page: { ...page, seen: seen.table } })
  const views = tables && (await kept({ ...place, of: 'view', page: { ...page, seen: seen.view } }))
  if (!tables || !views) return null
  const names = [...tables.list, ...views.list].map(({ name }) => name).toSorted((a, b) => (a < b ? -1 : 1))
  return { names: names.slice(0, limit), isCut: tables.total + views.total > limit }
}

async function readTables(
  { read }: Asking,
  place: DatabasePlace,
  { seen, like, limit }: TableList,
): Promise<ListedTables> {
  const listed = await read(queries.tables(place, { seen, limit: like === undefined ? limit + 1 : null }))
  const names = firstColumn(listed).filter(likeMatcher(like))
  return { names: names.slice(0, limit), isCut: listed.truncated || names.length > limit }
}

function readerIn(asking: Asking, keptNames: KeptNames): CatalogReader {
  const { read } = asking
  // A transaction may have created and dropped others.
  const kept: KeptNames = async (asked) => (asking.inTransaction ? null : keptNames(asked))
  return {
    databases: async (catalog, seen) => firstColumn(await read(queries.databases(catalog, seen))),
    databasePage: async (catalog, page) =>
      (await kept({ catalog, of: 'databases', page })) ??
      namesOfPage(await read(queries.databasePage(catalog, page), page.limit)),
    databaseNamed: async (place) => firstCell(await read(queries.databaseNamed(place), 1)),
    tables: async (place, list) => (await keptTables(kept, place, list)) ?? readTables(asking, place, list),
    tablePage: async (place, type, page) =>
      (await kept({ ...place, of: type, page })) ??
      namesOfPage(await read(queries.tablePage(place, type, page), page.limit)),
    objectNamed: (place, object) => objectNamed(asking, place, object),
    allTables: async (catalog, most) =>
      (await read(queries.allTables(catalog), most)).rows.map(([database, name, type]) => ({
        database: database ?? '',
        name: name ?? '',
        type: type === queries.TABLE_TYPES.view ? 'view' : 'table',
      })),
  }
}

/** Lists come from the names that are kept where there are any, and else from a statement. */
export const duckdbCatalogs = (keptNames: KeptNames): Catalogs => ({
  in: (asking) => readerIn(asking, keptNames),
  statements: DATABASE_STATEMENTS,
  permanent: new Set(['main', 'information_schema', 'pg_catalog']),
  reserved: new Set([
    'information_listed',
    'boathouse_internal',
    'boathouse_results',
    'system',
    'temp',
    'pg_temp',
    'memory',
  ]),
})
