import { LIMITS } from '@boathouse/contract'
import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

type Table = Schema['query_schedule_runs']

export type ScheduleRunRow = Selectable<Table>
export type NewScheduleRun = Insertable<Table>

export type EndedRun = Pick<
  ScheduleRunRow,
  'state' | 'query_id' | 'row_count' | 'error' | 'met' | 'notified' | 'ended_at'
>

const OPEN = ['pending', 'running'] as const

/** Runs of scheduled queries, with how they went. */
export function createScheduleRunStore(db: Kysely<Schema>) {
  return {
    /** Undefined when there is a run for this time already, or one that has not ended. */
    insert: (trx: Transaction<Schema>, row: NewScheduleRun): Promise<ScheduleRunRow | undefined> =>
      trx
        .insertInto('query_schedule_runs')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst(),

    async begin(runId: string): Promise<void> {
      await db
        .updateTable('query_schedule_runs')
        .set({ state: 'running' })
        .where('run_id', '=', runId)
        .where('state', 'in', OPEN)
        .execute()
    },

    /** False when its end was written before. */
    async end(trx: Transaction<Schema>, runId: string, ended: EndedRun): Promise<boolean> {
      const row = await trx
        .updateTable('query_schedule_runs')
        .set({ ...ended, sql: '', bound_values: null })
        .where('run_id', '=', runId)
        .where('state', 'in', OPEN)
        .returning('run_id')
        .executeTakeFirst()
      return row !== undefined
    },

    keepNewest: (trx: Transaction<Schema>, scheduleId: string) =>
      trx
        .deleteFrom('query_schedule_runs')
        .where('run_id', 'in', (eb) =>
          eb
            .selectFrom('query_schedule_runs')
            .select('run_id')
            .where('schedule_id', '=', scheduleId)
            .where('state', 'not in', OPEN)
            .orderBy('created_at', 'desc')
            .orderBy('run_id', 'desc')
            .offset(LIMITS.scheduleRuns),
        )
        .execute(),

    /** All that a server must see to their end, oldest first. */
    open: (most: number): Promise<ScheduleRunRow[]> =>
      db
        .selectFrom('query_schedule_runs')
        .selectAll()
        .where('state', 'in', OPEN)
        .orderBy('created_at')
        .limit(most)
        .execute(),

    /** The newest of each. */
    async lastOf(scheduleIds: readonly string[]): Promise<ReadonlyMap<string, ScheduleRunRow>> {
      const rows = await db
        .selectFrom('query_schedule_runs')
        .selectAll()
        .distinctOn('schedule_id')
        .where(sql<boolean>`schedule_id = any(${sql.val([...scheduleIds])}::uuid[])`)
        .orderBy('schedule_id')
        .orderBy('created_at', 'desc')
        .orderBy('run_id', 'desc')
        .execute()
      return new Map(rows.map((row) => [row.schedule_id, row]))
    },

    async page(scheduleId: string, { offset, limit }: { offset: number; limit: number }) {
      const { total } = await db
        .selectFrom('query_schedule_runs')
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .where('schedule_id', '=', scheduleId)
        .executeTakeFirstOrThrow()
      const rows = await db
        .selectFrom('query_schedule_runs')
        .selectAll()
        .where('schedule_id', '=', scheduleId)
        .orderBy('created_at', 'desc')
        .orderBy('run_id', 'desc')
        .offset(offset)
        .limit(limit)
        .execute()
      return { rows, total }
    },
  }
}

export type ScheduleRunStore = ReturnType<typeof createScheduleRunStore>
