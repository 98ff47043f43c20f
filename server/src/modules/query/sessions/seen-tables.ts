import { foldedName } from '@boathouse/contract'
import type { Seen } from '../../../engines/engine/names.ts'

export const isIn = (seen: Seen, name: string): boolean => seen === 'all' || seen.has(foldedName(name))

/** What somebody sees is the same for many statements, and is sent to engines once. */
const knownBoth = new WeakMap<object, WeakMap<object, Seen>>()

/** Tables, and the materialized views, which are tables to an engine. */
export function bothOf(tables: Seen, materialized: Seen): Seen {
  if (tables === 'all' || materialized === 'all') return 'all'
  if (materialized.size === 0) return tables
  const ofTables = knownBoth.get(tables) ?? new WeakMap<object, Seen>()
  knownBoth.set(tables, ofTables)
  const both = ofTables.get(materialized) ?? new Set([...tables, ...materialized])
  ofTables.set(materialized, both)
  return both
}
