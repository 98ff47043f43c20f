import { foldedName } from '@boathouse/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import { foldedColumn } from '../../store/folded-name.ts'
import type { Schema } from '../../store/schema.ts'
import { inDatabase, toRow, viewsIn } from './view-rows-store.ts'
import type { RenamedView, ViewRow, ViewStore } from './view-store.ts'

/** Materialized views on the way from one name to another. */
export function createRenamedViewStore(db: Kysely<Schema>, views: Pick<ViewStore, 'countAlone'>) {
  return {
    /** From now on both names are this view's. */
    async beginRename(
      trx: Transaction<Schema>,
      view: ViewRow,
      name: string,
    ): Promise<'begun' | 'taken' | 'busy'> {
      await views.countAlone(trx, view.account_id, view.owner_id)
      const other = await trx
        .selectFrom('materialized_views')
        .select('view_id')
        .where(inDatabase(view.account_id, view))
        .where('view_id', '<>', view.view_id)
        .where(
          sql<boolean>`${foldedName(name)} in (${foldedColumn('materialized_views.name')}, ${foldedColumn('materialized_views.renaming_to')})`,
        )
        .limit(1)
        .executeTakeFirst()
      if (other) return 'taken'
      // The transaction that starts a run locks this row until the run is recorded.
      const there = await trx
        .selectFrom('materialized_views')
        .select('view_id')
        .where('view_id', '=', view.view_id)
        .where('state', '=', 'there')
        .forUpdate()
        .executeTakeFirst()
      const open = await trx
        .selectFrom('task_runs')
        .select('run_id')
        .where('view_id', '=', view.view_id)
        .where('state', 'in', ['pending', 'running'])
        .executeTakeFirst()
      if (!there || open) return 'busy'
      await trx
        .updateTable('materialized_views')
        .set({ state: 'renaming', renaming_to: name })
        .where('view_id', '=', view.view_id)
        .execute()
      return 'begun'
    },

    async renamed(trx: Transaction<Schema>, viewId: string, name: string): Promise<void> {
      await trx
        .updateTable('materialized_views')
        .set({ name, state: 'there', renaming_to: null })
        .where('view_id', '=', viewId)
        .execute()
    },

    async notRenamed(viewId: string): Promise<void> {
      await db
        .updateTable('materialized_views')
        .set({ state: 'there', renaming_to: null })
        .where('view_id', '=', viewId)
        .where('state', '=', 'renaming')
        .execute()
    },

    /** Of which nobody knows yet which name their table has. */
    async renaming(most: number): Promise<RenamedView[]> {
      const rows = await viewsIn(db).where('state', '=', 'renaming').limit(most).execute()
      return rows.map((row) => toRow(row) as RenamedView)
    },
  }
}

export type RenamedViewStore = ReturnType<typeof createRenamedViewStore>
