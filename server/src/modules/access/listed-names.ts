import { type AccessObject, DEFAULT_CATALOG, DEFAULT_DATABASE, type Privilege } from '@boathouse/contract'
import type { ListedName } from '../../engines/objects.ts'

/** Every session begins in the one, and every tool looks into the other. */
export const SEEN_BY_ALL = [DEFAULT_DATABASE, 'information_schema']

type Granted = AccessObject & { readonly privileges: readonly Privilege[] }

const LISTED: Partial<Record<AccessObject['type'], ListedName['type']>> = {
  catalog: 'catalog',
  database: 'database',
  table: 'table',
  view: 'view',
  // Engines take them for tables.
  materialized_view: 'table',
  function: 'function',
}

/** Whoever holds anything on something sees it, and the database and the catalog that it is in. */
export function listedNames(grants: readonly Granted[]): ListedName[] {
  const names = new Map<string, ListedName>()
  const add = (one: ListedName) => names.set(JSON.stringify(one).toLowerCase(), one)
  add({ type: 'catalog', catalog: DEFAULT_CATALOG, database: '', name: '' })
  for (const database of SEEN_BY_ALL) add({ type: 'database', catalog: DEFAULT_CATALOG, database, name: '' })
  for (const { type, catalog, database, name, privileges } of grants) {
    const listed = LISTED[type]
    if (!listed) continue
    // All materialized views are not all tables.
    if (type !== 'materialized_view' || name !== '') add({ type: listed, catalog, database, name })
    add({ type: 'catalog', catalog, database: '', name: '' })
    if (type !== 'catalog') add({ type: 'database', catalog, database, name: '' })
    // Sequences and types belong to whoever may create tables beside them.
    if (type === 'database' && privileges.includes('CREATE TABLE'))
      add({ type: 'sequence', catalog, database, name: '' })
  }
  return [...names.values()]
}
