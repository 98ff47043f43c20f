import type { ListedName } from '../../../engines/engine/objects.ts'

/** What somebody may see, with materialized views apart from tables, which engines take them for. */
export interface SeenName extends Omit<ListedName, 'type'> {
  readonly type: Exclude<ListedName['type'], 'hidden'> | 'materialized_view'
}

/** Where names are listed. */
export interface ListedPlace {
  readonly type: 'database' | 'table' | 'view' | 'materialized_view' | 'function'
  readonly catalog: string
  /** Of what is in one. */
  readonly database?: string
}
