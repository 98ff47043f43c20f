import { foldedName } from '@boathouse/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Held } from '../../kernel/share.ts'
import { catalogIdOf, catalogKeyOf } from '../../store/catalog-ids.ts'
import { foldedColumn } from '../../store/folded-name.ts'
import { heldBy } from '../../store/held.ts'
import type { Schema } from '../../store/schema.ts'
import { folded, sourceIds, viewsIn, inDatabase, toRow } from './view-rows-store.ts'
import type { ViewPlace, ViewRow, ViewTimes } from './view-store.ts'

/** Materialized views from their creation to their drop. */
export function createViewLifeStore(db: Kysely<Schema>) {
  return {
    /** One after the other for an account, so that two at the same moment cannot both be the last that there may be. */
    async countAlone(trx: Transaction<Schema>, accountId: string, ownerId: string): Promise<Held> {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`materialized_views ${accountId}`}, 0))`.execute(
        trx,
      )
      return trx
        .selectFrom('materialized_views')
        .select(heldBy(ownerId, 'owner_id'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
    },

    /** False when the name is taken. */
    async insert(trx: Transaction<Schema>, row: ViewRow): Promise<boolean> {
      const promised = await trx
        .selectFrom('materialized_views')
        .select('view_id')
        .where(inDatabase(row.account_id, row))
        .where(sql<boolean>`${foldedColumn('materialized_views.renaming_to')} = ${foldedName(row.name)}`)
        .limit(1)
        .executeTakeFirst()
      if (promised) return false
      const { catalog, home_catalog, sources, bound: _, ...kept } = row
      const inserted = await trx
        .insertInto('materialized_views')
        .values({
          ...kept,
          catalog_id: catalogIdOf(row.account_id, catalog),
          home_catalog_id: catalogIdOf(row.account_id, home_catalog),
          sources: sourceIds(row.account_id, sources),
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('view_id')
        .executeTakeFirst()
      return inserted !== undefined
    },

    async remove(viewId: string, executor: Kysely<Schema> = db): Promise<void> {
      await executor.deleteFrom('materialized_views').where('view_id', '=', viewId).execute()
    },

    /** The database is gone with everything in it. */
    async removeIn(accountId: string, place: Omit<ViewPlace, 'name'>): Promise<void> {
      await db.deleteFrom('materialized_views').where(inDatabase(accountId, place)).execute()
    },

    async removeInCatalog(trx: Transaction<Schema>, accountId: string, catalog: string): Promise<void> {
      await trx
        .deleteFrom('materialized_views')
        .where('account_id', '=', accountId)
        .where(folded('catalog_id'), '=', catalogKeyOf(accountId, catalog))
        .execute()
    },

    async setState(viewId: string, state: ViewRow['state'], executor: Kysely<Schema> = db): Promise<void> {
      await executor.updateTable('materialized_views').set({ state }).where('view_id', '=', viewId).execute()
    },

    /** False when somebody else drops or renames it. */
    async beginDrop(viewId: string): Promise<boolean> {
      const begun = await db
        .updateTable('materialized_views')
        .set({ state: 'dropping' })
        .where('view_id', '=', viewId)
        .where('state', '=', 'there')
        .returning('view_id')
        .executeTakeFirst()
      return begun !== undefined
    },

    /** Whose drop was not finished. */
    async dropping(most: number): Promise<ViewRow[]> {
      const rows = await viewsIn(db).where('state', '=', 'dropping').limit(most).execute()
      return rows.map(toRow)
    },

    /** What somebody changes of it. */
    async change(
      executor: Kysely<Schema>,
      viewId: string,
      change: Partial<Pick<ViewRow, 'paused' | 'comment' | 'next_refresh_at'> & ViewTimes>,
    ): Promise<void> {
      await executor.updateTable('materialized_views').set(change).where('view_id', '=', viewId).execute()
    },
  }
}
