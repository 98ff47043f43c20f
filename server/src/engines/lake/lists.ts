import { likeMatcher } from '@boathouse/sql'
import type { CatalogReader } from '../engine/catalogs.ts'
import type { AccountLake, LakeTable } from '../engine/lake.ts'
import type { NamePage, Seen } from '../engine/names.ts'

/** Of one list. */
const MOST_NAMES = 100_000

const isSeen = (seen: Seen, name: string): boolean => seen === 'all' || seen.has(name)

function pageOf<T extends { readonly name: string }>(
  all: readonly T[],
  { descending, offset, limit, seen, search, except }: NamePage,
): { total: number; shown: T[] } {
  const part = search.toLowerCase()
  const found = all.filter(({ name }) => isSeen(seen, name) && name.includes(part) && !except?.has(name))
  const inOrder = descending ? found.toReversed() : found
  return { total: found.length, shown: inOrder.slice(offset, offset + limit) }
}

/** The table or view of this name, in a database of this name. */
export async function tableNamed(
  lake: AccountLake,
  { database, name }: { readonly database: string; readonly name: string },
): Promise<LakeTable | null> {
  const where = { database: database.toLowerCase(), name: name.toLowerCase(), most: 1 }
  return (await lake.tables(where))[0] ?? null
}

/** What a lake has, as every engine lists its catalogs. Which catalog is asked for was decided before. */
export function lakeLists(lake: AccountLake): CatalogReader {
  const inDatabase = (database: string) => lake.tables({ database: database.toLowerCase(), most: MOST_NAMES })
  return {
    databases: async (_catalog, seen) => (await lake.databases()).filter((name) => isSeen(seen, name)),
    async databasePage(_catalog, page) {
      const names = (await lake.databases()).map((name) => ({ name }))
      const { total, shown } = pageOf(names, page)
      const counts = await lake.tableCounts(shown.map(({ name }) => name))
      return { total, list: shown.map(({ name }) => ({ name, tables: counts.get(name) ?? 0 })) }
    },
    async databaseNamed({ database }) {
      const wanted = database.toLowerCase()
      return (await lake.databases()).includes(wanted) ? wanted : null
    },
    async tables({ database }, { seen, like, limit }) {
      const found = (await inDatabase(database)).filter(({ name, type }) => isSeen(seen[type], name))
      const names = found.map(({ name }) => name).filter(likeMatcher(like))
      return { names: names.slice(0, limit), isCut: names.length > limit }
    },
    async tablePage({ database }, type, page) {
      const all = (await inDatabase(database)).filter((table) => table.type === type)
      const { total, shown } = pageOf(all, page)
      return { total, list: shown.map(({ name }) => ({ name })) }
    },
    async objectNamed({ database }, { type, name }) {
      const found = await tableNamed(lake, { database, name })
      return found?.type === type ? found.name : null
    },
    allTables: async (_catalog, most = MOST_NAMES) => lake.tables({ most }),
  }
}
