import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import type { DashboardRow } from './store.ts'

/** Dashboards that are refreshed on a schedule. */
export function createDueDashboardStore(db: Kysely<Schema>) {
  return {
    due: async (now: Date, most: number): Promise<DashboardRow[]> =>
      (await db
        .selectFrom('dashboards')
        .selectAll()
        .where('next_run_at', '<=', now)
        // Accounts in turn: one with many does not hold up the others.
        .orderBy(sql`row_number() over (partition by account_id order by next_run_at)`)
        .orderBy('next_run_at')
        .limit(most)
        .execute()) as DashboardRow[],

    /** False when somebody else has it, or it is not due any more. */
    async claim(
      trx: Transaction<Schema>,
      { dashboard_id, next_run_at }: Pick<DashboardRow, 'dashboard_id' | 'next_run_at'>,
      next: Date,
    ): Promise<boolean> {
      const claimed = await trx
        .updateTable('dashboards')
        .set({ next_run_at: next })
        .where('dashboard_id', '=', dashboard_id)
        .where('next_run_at', '=', next_run_at)
        .returning('dashboard_id')
        .executeTakeFirst()
      return claimed !== undefined
    },
  }
}

export type DueDashboardStore = ReturnType<typeof createDueDashboardStore>
