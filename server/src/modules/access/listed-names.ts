import { type AccessObject, DEFAULT_CATALOG, DEFAULT_DATABASE, type Privilege } from '@boathouse/contract'
import type { ListedName } from '../../engines/objects.ts'

/** Every session begins in the one, and every tool looks into the other. */
export const SEEN_BY_ALL = [DEFAULT_DATABASE, 'information_schema']

type Granted = AccessObject & { readonly privileges: readonly Privilege[] }

/** What somebody may see, with materialized views told apart from tables, for which engines take them. */
export interface SeenName extends Omit<ListedName, 'type'> {
  readonly type: Exclude<ListedName['type'], 'hidden'> | 'materialized_view'
}

const LISTED: Partial<Record<AccessObject['type'], SeenName['type']>> = {
  catalog: 'catalog',
  database: 'database',
  table: 'table',
  view: 'view',
  materialized_view: 'materialized_view',
  function: 'function',
}

/** Whoever holds anything on something sees it, and the database and the catalog that it is in. */
export function listedNames(grants: readonly Granted[]): SeenName[] {
  const names = new Map<string, SeenName>()
  const add = (one: SeenName) => names.set(JSON.stringify(one).toLowerCase(), one)
  add({ type: 'catalog', catalog: DEFAULT_CATALOG, database: '', name: '' })
  for (const database of SEEN_BY_ALL) add({ type: 'database', catalog: DEFAULT_CATALOG, database, name: '' })
  for (const { type, catalog, database, name, privileges } of grants) {
    const listed = LISTED[type]
    if (!listed) continue
    add({ type: listed, catalog, database, name })
    add({ type: 'catalog', catalog, database: '', name: '' })
    if (type !== 'catalog') add({ type: 'database', catalog, database, name: '' })
    // Sequences and types belong to whoever may create tables beside them.
    if (type === 'database' && privileges.includes('CREATE TABLE'))
      add({ type: 'sequence', catalog, database, name: '' })
  }
  return [...names.values()]
}
