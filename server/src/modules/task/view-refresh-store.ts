import { type Kysely, sql, type Transaction } from 'kysely'
import { accountIdOf, catalogIdOf } from '../../store/catalog-ids.ts'
import type { Schema } from '../../store/schema.ts'
import { sourceIds, boundIds, viewsIn, amongIds, toRow } from './view-rows-store.ts'
import type { ViewRow, ChangedMacro, RefreshEnd } from './view-store.ts'

/** When materialized views are refreshed, and what their refreshes found. */
export function createViewRefreshStore(db: Kysely<Schema>) {
  return {
    async refreshed(executor: Kysely<Schema>, viewId: string, end: RefreshEnd): Promise<void> {
      const { sources, bound, ...rest } = end
      await executor
        .updateTable('materialized_views')
        .set({
          ...rest,
          ...(sources ? { sources: sourceIds(accountIdOf('materialized_views'), sources) } : {}),
          ...(bound ? { bound: boundIds(accountIdOf('materialized_views'), bound) } : {}),
        })
        .where('view_id', '=', viewId)
        .execute()
    },

    async due(now: Date, most: number): Promise<ViewRow[]> {
      const rows = await viewsIn(db)
        .where('state', '=', 'there')
        .where('paused', '=', false)
        .where('next_refresh_at', '<=', now)
        // Accounts in turn: one with many does not hold up the others.
        .orderBy(sql`row_number() over (partition by account_id order by next_refresh_at)`)
        .orderBy('next_refresh_at')
        .limit(most)
        .execute()
      return rows.map(toRow)
    },

    /** False when somebody else has it, or it is not due any more. */
    async claim(trx: Transaction<Schema>, { view_id, next_refresh_at }: ViewRow, next: Date | null) {
      const claimed = await trx
        .updateTable('materialized_views')
        .set({ next_refresh_at: next })
        .where('view_id', '=', view_id)
        .where('state', '=', 'there')
        .where('next_refresh_at', '=', next_refresh_at)
        .returning('view_id')
        .executeTakeFirst()
      return claimed !== undefined
    },

    async beingWritten(ids: readonly string[]): Promise<void> {
      await db
        .updateTable('materialized_views')
        .set({ being_written: true })
        .where(amongIds(ids))
        .where('being_written', '=', false)
        .execute()
    },

    /** What wrote to what these read has ended; `next`: when they are refreshed, unless they are sooner. */
    async written(
      ids: readonly string[],
      { still, changedAt, gapMs }: { still: readonly string[]; changedAt: Date | null; gapMs: number },
    ): Promise<void> {
      const next = sql<Date>`coalesce(next_refresh_at, greatest(${changedAt}::timestamptz,
        refreshed_at + ${gapMs} * interval '1 millisecond'))`
      await db
        .updateTable('materialized_views')
        .set({
          being_written: sql<boolean>`view_id = any(${still}::uuid[])`,
          ...(changedAt ? { changed_at: changedAt, next_refresh_at: next } : {}),
        })
        .where(amongIds(ids))
        .execute()
    },

    /** At start: nobody knows whether what was being written is. */
    async assumeWritten(now: Date): Promise<void> {
      await db
        .updateTable('materialized_views')
        .set({
          being_written: false,
          changed_at: now,
          next_refresh_at: sql<Date>`coalesce(next_refresh_at, ${now}::timestamptz)`,
        })
        .where('being_written', '=', true)
        .execute()
    },

    /** What it uses is right as it is with its next refresh. */
    async confirm(executor: Kysely<Schema>, viewId: string): Promise<void> {
      await executor
        .updateTable('materialized_views')
        .set({ bound: null })
        .where('view_id', '=', viewId)
        .execute()
    },

    /** Somebody has made a macro: to the views of those who trust them it is right as it is. */
    async macroChanged(accountId: string, { macro, userId, mayAll }: ChangedMacro): Promise<void> {
      const catalog = catalogIdOf(accountId, macro.catalog)
      await db
        .updateTable('materialized_views')
        .set({
          bound: sql<string>`coalesce(bound_after_change(bound, ${catalog}, ${macro.database}, ${macro.name},
            ${mayAll}::boolean or owner_id = ${userId}), bound)`,
        })
        .where('account_id', '=', accountId)
        .where('bound', 'is not', null)
        .execute()
    },
  }
}
