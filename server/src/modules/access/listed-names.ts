import { type AccessObject, DEFAULT_CATALOG, DEFAULT_DATABASE } from '@boathouse/contract'
import type { SeenName } from '../query/gate/seen-names.ts'
import type { GrantedData } from './held-grants-store.ts'

/** Every session begins in the one, and every tool looks into the other. */
export const SEEN_BY_ALL = [DEFAULT_DATABASE, 'information_schema']

const LISTED: Partial<Record<AccessObject['type'], SeenName['type']>> = {
  catalog: 'catalog',
  database: 'database',
  table: 'table',
  view: 'view',
  materialized_view: 'materialized_view',
  function: 'function',
}

/** A list in which each place is once, however many objects in it bring it along. */
class Places {
  readonly list: SeenName[] = []
  private readonly databases = new Map<string, Set<string>>()

  catalog(catalog: string): Set<string> {
    const known = this.databases.get(catalog)
    if (known) return known
    const databases = new Set<string>()
    this.databases.set(catalog, databases)
    this.list.push({ type: 'catalog', catalog, database: '', name: '' })
    return databases
  }

  database(catalog: string, database: string): void {
    const databases = this.catalog(catalog)
    if (databases.has(database)) return
    databases.add(database)
    this.list.push({ type: 'database', catalog, database, name: '' })
  }
}

/** A user with any privilege on an object sees it, its database and its catalog. */
export function listedNames(granted: readonly GrantedData[]): SeenName[] {
  const places = new Places()
  for (const database of SEEN_BY_ALL) places.database(DEFAULT_CATALOG, database)
  for (const { type, catalog, database, names, mayCreateTables } of granted) {
    const listed = LISTED[type]
    if (!listed) continue
    if (type === 'catalog') places.catalog(catalog)
    else places.database(catalog, database)
    // Sequences and types can be used by users who can create tables there.
    if (mayCreateTables) places.list.push({ type: 'sequence', catalog, database, name: '' })
    if (type !== 'catalog' && type !== 'database')
      for (const name of names) places.list.push({ type: listed, catalog, database, name })
  }
  return places.list
}
