import { LIMITS } from '@boathouse/contract'
import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

type Table = Schema['dashboard_runs']

export type DashboardRunRow = Selectable<Table>
type NewRun = Insertable<Table>
export type OpenRun = Pick<DashboardRunRow, 'digest' | 'begun_by'>
export type EndedRun = Pick<DashboardRunRow, 'state' | 'query_id' | 'error' | 'ended_at'>

const OPEN = ['pending', 'running'] as const

/** The runs of one dashboard for one user. */
export interface RunsOf {
  readonly dashboardId: string
  readonly userId: string
  readonly digests: readonly string[]
}

/** Runs of tiles: those that have not ended, and the last ones that have. */
export function createDashboardRunStore(db: Kysely<Schema>) {
  return {
    /** Undefined when the same runs already. */
    insert: (trx: Transaction<Schema>, row: NewRun): Promise<DashboardRunRow | undefined> =>
      trx
        .insertInto('dashboard_runs')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst(),

    async begin(runId: string): Promise<void> {
      await db
        .updateTable('dashboard_runs')
        .set({ state: 'running' })
        .where('run_id', '=', runId)
        .where('state', 'in', OPEN)
        .execute()
    },

    /** What was shown before is not needed any more. */
    async end(trx: Transaction<Schema>, run: DashboardRunRow, ended: EndedRun): Promise<void> {
      const written = await trx
        .updateTable('dashboard_runs')
        .set({ ...ended, sql: '', bound_values: null })
        .where('run_id', '=', run.run_id)
        .where('state', 'in', OPEN)
        .returning('run_id')
        .executeTakeFirst()
      if (!written) return
      await trx
        .deleteFrom('dashboard_runs')
        .where('dashboard_id', '=', run.dashboard_id)
        .where('user_id', '=', run.user_id)
        .where('digest', '=', run.digest)
        .where('tile_id', '=', run.tile_id)
        .where('run_id', '<>', run.run_id)
        .where('state', 'not in', OPEN)
        .execute()
      await trx
        .deleteFrom('dashboard_runs')
        .where('run_id', 'in', (eb) =>
          eb
            .selectFrom('dashboard_runs')
            .select('run_id')
            .where('dashboard_id', '=', run.dashboard_id)
            .where('state', 'not in', OPEN)
            .orderBy('created_at', 'desc')
            .orderBy('run_id', 'desc')
            .offset(LIMITS.dashboardRuns),
        )
        .execute()
    },

    /** Newest first. */
    shown: ({ dashboardId, userId, digests }: RunsOf, since: Date, trx = db): Promise<DashboardRunRow[]> =>
      trx
        .selectFrom('dashboard_runs')
        .selectAll()
        .where('dashboard_id', '=', dashboardId)
        .where('user_id', '=', userId)
        .where(sql<boolean>`digest = any(${sql.val([...digests])}::text[])`)
        .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>', since)]))
        .orderBy('created_at', 'desc')
        .orderBy('run_id', 'desc')
        .execute(),

    find: (dashboardId: string, runId: string): Promise<DashboardRunRow | undefined> =>
      db
        .selectFrom('dashboard_runs')
        .selectAll()
        .where('dashboard_id', '=', dashboardId)
        .where('run_id', '=', runId)
        .executeTakeFirst(),

    /** One after the other for a dashboard, so that two at the same moment cannot both take the last places. */
    async openAlone(trx: Transaction<Schema>, dashboardId: string): Promise<OpenRun[]> {
      const key = `dashboard_runs ${dashboardId}`
      await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx)
      return trx
        .selectFrom('dashboard_runs')
        .select(['digest', 'begun_by'])
        .where('dashboard_id', '=', dashboardId)
        .where('state', 'in', OPEN)
        .execute()
    },

    /** All that a server must see to their end, oldest first. */
    open: (most: number): Promise<DashboardRunRow[]> =>
      db
        .selectFrom('dashboard_runs')
        .selectAll()
        .where('state', 'in', OPEN)
        .orderBy('created_at')
        .limit(most)
        .execute(),

    /** Of tiles that are not what they were: nobody is shown their rows any more. */
    forgetTiles: (trx: Transaction<Schema>, dashboardId: string, tileIds: readonly string[]) =>
      trx
        .deleteFrom('dashboard_runs')
        .where('dashboard_id', '=', dashboardId)
        .where(sql<boolean>`tile_id = any(${sql.val([...tileIds])}::uuid[])`)
        .where('state', 'not in', OPEN)
        .execute(),

    async forgetEnded(before: Date): Promise<void> {
      await db.deleteFrom('dashboard_runs').where('ended_at', '<', before).execute()
    },
  }
}

export type DashboardRunStore = ReturnType<typeof createDashboardRunStore>
