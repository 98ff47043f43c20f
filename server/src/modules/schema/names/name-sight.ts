import { foldedName, isSameName } from '@boathouse/contract'
import type { SeenName } from '../../query/gate/seen-names.ts'
import type { IndexedName, NameIndex, Sight } from './name-index.ts'

interface Seen {
  isAll: boolean
  readonly names: Set<string>
}

/** By type, then by database as names are compared; an empty one means every database. */
type SeenNames = Map<string, Map<string, Seen>>

function seenIn(catalog: string, listed: readonly SeenName[]): SeenNames {
  const types: SeenNames = new Map()
  for (const { type, catalog: of, database, name } of listed) {
    if (of !== '' && !isSameName(of, catalog)) continue
    const databases = types.get(type) ?? new Map<string, Seen>()
    types.set(type, databases)
    const seen = databases.get(foldedName(database)) ?? { isAll: false, names: new Set() }
    databases.set(foldedName(database), seen)
    if (name === '') seen.isAll = true
    else seen.names.add(foldedName(name))
  }
  return types
}

/** Kept, because a search asks again with every letter that is typed. */
const known = new WeakMap<readonly SeenName[], Map<string, SeenNames>>()

function remembered(catalog: string, listed: readonly SeenName[]): SeenNames {
  const catalogs = known.get(listed) ?? new Map<string, SeenNames>()
  known.set(listed, catalogs)
  const seen = catalogs.get(catalog) ?? seenIn(catalog, listed)
  catalogs.set(catalog, seen)
  return seen
}

function isSeen(types: SeenNames, { type, databaseKey, name }: IndexedName): boolean {
  const databases = types.get(type)
  if (!databases) return false
  if (databases.get('')?.isAll) return true
  const seen = databases.get(databaseKey)
  if (!seen) return false
  return seen.isAll || (type !== 'database' && seen.names.has(foldedName(name)))
}

/** Of the names of a catalog, those that somebody may see in lists. */
export function sightOf(
  catalog: string,
  { names }: Pick<NameIndex, 'names'>,
  listed: readonly SeenName[] | 'all',
): Sight {
  if (listed === 'all') return () => true
  const types = remembered(catalog, listed)
  return (index) => {
    const one = names[index]
    return one !== undefined && isSeen(types, one)
  }
}
