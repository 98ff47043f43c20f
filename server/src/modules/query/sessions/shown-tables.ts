import { foldedName } from '@boathouse/contract'
import { likeMatcher } from '@boathouse/sql'
import type { DatabasePlace, Seen } from '../../../engines/engine/names.ts'
import type { AskedNames, NamesFound } from '../../../engines/engine/names.ts'
import type { ResultRows } from '../../../engines/engine/rows.ts'

/** Of one SHOW. More are found by LIKE, or in information_schema. */
const MOST_SHOWN = 10_000

export const isIn = (seen: Seen, name: string): boolean => seen === 'all' || seen.has(foldedName(name))

/** What somebody sees is the same for many statements, and is told to engines once. */
const knownBoth = new WeakMap<object, WeakMap<object, Seen>>()

/** Tables, and the materialized views that engines take for some. */
export function bothOf(tables: Seen, materialized: Seen): Seen {
  if (tables === 'all' || materialized === 'all') return 'all'
  if (materialized.size === 0) return tables
  const ofTables = knownBoth.get(tables) ?? new WeakMap<object, Seen>()
  knownBoth.set(tables, ofTables)
  const both = ofTables.get(materialized) ?? new Set([...tables, ...materialized])
  ofTables.set(materialized, both)
  return both
}

interface Shown {
  readonly seen: Readonly<Record<'table' | 'view', Seen>>
  readonly like: string | undefined
}

interface Lists {
  /** Names that are at hand; null where they are not. */
  names(asked: AskedNames): Promise<NamesFound | null>
  /** All of them, by a statement. */
  list(): Promise<ResultRows>
}

export interface ShownTables {
  readonly names: readonly string[]
  /** There are more. */
  readonly isCut: boolean
}

/** Tables and views in their order, as many as one answer has. */
export async function shownTables(
  { names, list }: Lists,
  place: DatabasePlace,
  { seen, like }: Shown,
): Promise<ShownTables> {
  const page = { descending: false, offset: 0, limit: MOST_SHOWN, search: '', like }
  const tables = await names({ ...place, of: 'BASE TABLE', page: { ...page, seen: seen.table } })
  const views = tables && (await names({ ...place, of: 'VIEW', page: { ...page, seen: seen.view } }))
  if (tables && views) {
    const found = [...tables.list, ...views.list].map(({ name }) => name).toSorted((a, b) => (a < b ? -1 : 1))
    return { names: found.slice(0, MOST_SHOWN), isCut: tables.total + views.total > MOST_SHOWN }
  }
  const listed = await list()
  const isLike = likeMatcher(like)
  const found = listed.rows.flatMap(([name]) => (name != null && isLike(name) ? [name] : []))
  return { names: found.slice(0, MOST_SHOWN), isCut: listed.truncated || found.length > MOST_SHOWN }
}
