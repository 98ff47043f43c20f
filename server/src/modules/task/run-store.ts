import type { RunReason, TaskState } from '@boathouse/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Held } from '../../kernel/share.ts'
import { catalogIdOf } from '../../store/catalog-ids.ts'
import { heldBy } from '../../store/held.ts'
import type { Schema } from '../../store/schema.ts'
import { OPEN, toRun, runsIn } from './run-rows-store.ts'
import { createRunHistoryStore } from './run-history-store.ts'

export interface RunRow {
  readonly run_id: string
  readonly account_id: string
  readonly view_id: string | null
  /** Of one that runs again and again. */
  readonly task_id: string | null
  readonly task_name: string
  readonly user_id: string
  readonly started_by: string | null
  readonly reason: RunReason
  readonly catalog: string
  readonly database: string | null
  readonly warehouse_id: string | null
  readonly definition: string
  readonly state: TaskState
  readonly query_id: string | null
  readonly row_count: number | null
  readonly error: string
  readonly created_at: Date
  readonly ended_at: Date | null
}

export type RunEnded = Pick<RunRow, 'state' | 'query_id' | 'row_count' | 'error' | 'ended_at'>

/** Of a run that has ended, in characters. */
const LISTED_TEXT = 4_096

/** Refreshes of materialized views and runs of submitted tasks, with how they went. */
export function createRunStore(db: Kysely<Schema>) {
  return {
    ...createRunHistoryStore(db),

    /** False when the view is being refreshed already. */
    async insert(executor: Kysely<Schema>, { catalog, ...row }: RunRow): Promise<boolean> {
      const inserted = await executor
        .insertInto('task_runs')
        .values({ ...row, catalog_id: catalogIdOf(row.account_id, catalog) })
        .onConflict((conflict) => conflict.doNothing())
        .returning('run_id')
        .executeTakeFirst()
      return inserted !== undefined
    },

    /** The same in a transaction of its own, if the view exists. */
    async insertIfThere(row: RunRow): Promise<boolean> {
      return db.transaction().execute(async (trx) => {
        const view = await trx
          .selectFrom('materialized_views')
          .select('view_id')
          .where('view_id', '=', row.view_id)
          .where('state', '=', 'there')
          .forShare()
          .executeTakeFirst()
        return view !== undefined && this.insert(trx, row)
      })
    },

    async begin(runId: string): Promise<void> {
      await db.updateTable('task_runs').set({ state: 'running' }).where('run_id', '=', runId).execute()
    },

    /** Of its text the beginning stays: the whole is in the history, and with the task or view. */
    async end(executor: Kysely<Schema>, runId: string, ended: RunEnded): Promise<void> {
      await executor
        .updateTable('task_runs')
        .set({ ...ended, definition: sql<string>`left(definition, ${sql.lit(LISTED_TEXT)})` })
        .where('run_id', '=', runId)
        .execute()
    },

    /** All that a server must see to their end, oldest first. */
    async open(most: number): Promise<RunRow[]> {
      const rows = await runsIn(db).where('state', 'in', OPEN).orderBy('created_at').limit(most).execute()
      return rows.map(toRun)
    },

    async openOf(viewId: string): Promise<RunRow | undefined> {
      const row = await runsIn(db).where('view_id', '=', viewId).where('state', 'in', OPEN).executeTakeFirst()
      return row && toRun(row)
    },

    /** One after the other for an account, so that two at the same moment cannot both be the last that there may be. */
    async countOpenAlone(trx: Transaction<Schema>, accountId: string, userId: string): Promise<Held> {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`task_runs ${accountId}`}, 0))`.execute(trx)
      return trx
        .selectFrom('task_runs')
        .select(heldBy(userId))
        .where('account_id', '=', accountId)
        .where('view_id', 'is', null)
        .where('state', 'in', OPEN)
        .executeTakeFirstOrThrow()
    },
  }
}

export type RunStore = ReturnType<typeof createRunStore>
