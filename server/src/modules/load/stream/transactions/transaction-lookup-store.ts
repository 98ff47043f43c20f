import type { Kysely } from 'kysely'
import { foldedName } from '../../../../kernel/same-name.ts'
import { catalogKeyOf } from '../../../../store/catalog-ids.ts'
import { foldedColumn } from '../../../../store/folded-name.ts'
import type { Schema } from '../../../../store/schema.ts'
import { catalogNow } from '../../task-change-store.ts'
import type { TaskRow } from '../../task-store.ts'
import type { LabelPlace } from '../stream-store.ts'

/** Where transactions are now. */
export function createTransactionLookups(db: Kysely<Schema>) {
  return {
    /** The newest load with this label, in whatever state. */
    newest: ({ accountId, catalog, database }: LabelPlace, label: string): Promise<TaskRow | undefined> =>
      db
        .selectFrom('load_tasks')
        .selectAll('load_tasks')
        .select(catalogNow())
        .where('account_id', '=', accountId)
        .where(foldedColumn('load_tasks.catalog_id'), '=', catalogKeyOf(accountId, catalog))
        .where(foldedColumn('database_name'), '=', foldedName(database))
        .where('label', '=', label)
        // One that is not over is never older than one that failed.
        .orderBy('transaction_id', 'desc')
        .limit(1)
        .executeTakeFirst(),

    find: (taskId: string): Promise<TaskRow | undefined> =>
      db
        .selectFrom('load_tasks')
        .selectAll('load_tasks')
        .select(catalogNow())
        .where('task_id', '=', taskId)
        .executeTakeFirst(),

    /** Those that are not over. */
    under: (after: string | null, most: number): Promise<TaskRow[]> => {
      const rows = db
        .selectFrom('load_tasks')
        .selectAll('load_tasks')
        .select(catalogNow())
        .where('stage', 'is not', null)
      return (after === null ? rows : rows.where('task_id', '>', after))
        .orderBy('task_id')
        .limit(most)
        .execute()
    },
  }
}
