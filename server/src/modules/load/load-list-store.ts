import type { LoadState } from '@boathouse/contract'
import { type Kysely, sql } from 'kysely'
import { foldedName } from '../../kernel/same-name.ts'
import { catalogKeyOf } from '../../store/catalog-ids.ts'
import { foldedColumn } from '../../store/folded-name.ts'
import type { Schema } from '../../store/schema.ts'
import { catalogNow } from './task-change-store.ts'

export interface ListedLoads {
  readonly accountId: string
  /** Null: of everyone. */
  readonly userId: string | null
  /** Undefined: of all databases. */
  readonly place?: { readonly catalog: string; readonly database: string } | undefined
  readonly label?: string | undefined
  /** A pattern with % and _. */
  readonly like?: string | undefined
  readonly states?: readonly LoadState[] | undefined
  /** Of those that run: only the ones that wait for their commit, or only the others. */
  readonly isPrepared?: boolean | undefined
  readonly most: number
}

/** A load of a file has no label: its id stands for one. */
const LABEL = sql<string>`coalesce(load_tasks.label, load_tasks.task_id::text)`

/** As LIKE reads a pattern elsewhere: a backslash before anything else is a letter as others. */
const patternOf = (like: string): string =>
  like.replaceAll(/\\[%_\\]|\\/g, (found) => (found.length === 2 ? found : '\\\\'))

/** Loads of files and of programs, newest first. */
export function createLoadListStore(db: Kysely<Schema>) {
  return {
    async list({ accountId, userId, place, label, like, states, isPrepared, most }: ListedLoads) {
      let query = db.selectFrom('load_tasks').where('account_id', '=', accountId)
      if (userId !== null) query = query.where('user_id', '=', userId)
      if (place)
        query = query
          .where(foldedColumn('load_tasks.catalog_id'), '=', catalogKeyOf(accountId, place.catalog))
          .where(foldedColumn('database_name'), '=', foldedName(place.database))
      if (label !== undefined) query = query.where(LABEL, '=', label)
      if (like !== undefined) query = query.where(LABEL, 'ilike', patternOf(like))
      if (states) query = query.where(sql<boolean>`state = any(${sql.val([...states])}::text[])`)
      if (isPrepared !== undefined)
        query = query.where(
          sql<boolean>`(load_tasks.state = 'running' and load_tasks.prepared_at is not null)`,
          '=',
          isPrepared,
        )
      return query
        .selectAll('load_tasks')
        .select(catalogNow())
        .orderBy('created_at', 'desc')
        .orderBy('task_id')
        .limit(most)
        .execute()
    },
  }
}

export type LoadListStore = ReturnType<typeof createLoadListStore>
