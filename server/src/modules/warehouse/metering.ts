import type { WarehouseSize } from '@boathouse/contract'
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import {
  hourOf,
  type HourShare,
  MINIMUM_SECONDS,
  secondsBetween,
  secondsByHour,
  wholeSecondsUntil,
} from './metered-time.ts'

export type Run = Selectable<Schema['warehouse_runs']>

/** Why a warehouse stopped running, or ran on at another size. */
export type EndReason = 'suspended' | 'idle' | 'deleted' | 'resized' | 'crashed' | 'service stopped'

/** Only who suspends or deletes a warehouse is charged the minimum: nobody pays for what the service did. */
const WITH_MINIMUM: ReadonlySet<EndReason> = new Set(['suspended', 'idle', 'deleted'])

interface End {
  readonly at: Date
  readonly reason: EndReason
}

async function charge(trx: Transaction<Schema>, run: Run, shares: readonly HourShare[]): Promise<void> {
  if (shares.length === 0) return
  const { account_id, warehouse_id, size } = run
  await trx
    .insertInto('warehouse_usage')
    .values(shares.map(({ hour, seconds }) => ({ account_id, warehouse_id, hour, size, seconds })))
    .onConflict((conflict) =>
      conflict
        .columns(['warehouse_id', 'hour', 'size'])
        .doUpdateSet({ seconds: sql`warehouse_usage.seconds + excluded.seconds` }),
    )
    .execute()
}

/** Counts up to a moment, once: null when somebody else moved this run or ended it. */
async function advance(trx: Transaction<Schema>, run: Run, now: Date): Promise<Run | null> {
  const until = wholeSecondsUntil(run.metered_until, now)
  const moved = await trx
    .updateTable('warehouse_runs')
    .set({ metered_until: until })
    .where('run_id', '=', run.run_id)
    .where('metered_until', '=', run.metered_until)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (!moved) return null
  await charge(trx, run, secondsByHour(run.metered_until, until))
  return moved
}

/** When the warehouse was resumed: a run that began with a resize goes on from an earlier one. */
async function resumedAt(trx: Transaction<Schema>, run: Run): Promise<Date> {
  const { rows } = await sql<{ started_at: Date }>`
    with recursive earlier as (
      select started_at from warehouse_runs where run_id = ${run.run_id}
      union
      select runs.started_at from warehouse_runs runs join earlier on runs.ended_at = earlier.started_at
      where runs.warehouse_id = ${run.warehouse_id} and runs.end_reason = 'resized'
    )
    select min(started_at) as started_at from earlier`.execute(trx)
  return rows[0]?.started_at ?? run.started_at
}

async function chargeMinimum(trx: Transaction<Schema>, run: Run): Promise<void> {
  const beginning = await resumedAt(trx, run)
  const missing = MINIMUM_SECONDS - secondsBetween(beginning, run.metered_until)
  if (missing > 0) await charge(trx, run, [{ hour: hourOf(beginning), seconds: missing }])
}

async function finish(trx: Transaction<Schema>, run: Run, end: End): Promise<void> {
  const counted = await advance(trx, run, end.at)
  if (!counted) return
  await trx
    .updateTable('warehouse_runs')
    .set({
      ended_at: end.at > counted.metered_until ? end.at : counted.metered_until,
      end_reason: end.reason,
    })
    .where('run_id', '=', run.run_id)
    .execute()
  if (WITH_MINIMUM.has(end.reason)) await chargeMinimum(trx, counted)
}

/** A run that begins. */
export const insertRun = (
  db: Kysely<Schema>,
  run: Pick<Run, 'run_id' | 'account_id' | 'warehouse_id' | 'warehouse_name' | 'size' | 'started_at'>,
) =>
  db
    .insertInto('warehouse_runs')
    .values({ ...run, metered_until: run.started_at })
    .execute()

/** Locked, so that of two who count at the same moment the second sees what the first did. */
const openRuns = (trx: Transaction<Schema>) =>
  trx
    .selectFrom('warehouse_runs')
    .selectAll()
    .where('ended_at', 'is', null)
    .orderBy('run_id')
    .forUpdate()
    .execute()

export interface MeteringOptions {
  readonly db: Kysely<Schema>
  readonly clock: Clock
  /** The runs that are going on at this moment. */
  running(): ReadonlySet<string>
}

/**
 * Counts the seconds that warehouses run. What is counted and up to when is one transaction, so a crash between any
 * two lines loses nothing and counts nothing twice.
 */
export function createMetering({ db, clock, running }: MeteringOptions) {
  /** Ends that are known and not yet written; kept until they are. */
  const ends = new Map<string, End>()

  return {
    /** From now on this run is over, whatever happens to the database. */
    ended(runId: string, end: End): void {
      if (!ends.has(runId)) ends.set(runId, end)
    },

    /** Counts what runs up to now, and writes down what has ended. */
    async count(): Promise<void> {
      if (ends.size === 0 && running().size === 0) return
      const now = clock.now()
      const written = await db.transaction().execute(async (trx) => {
        const open = await openRuns(trx)
        const ongoing = running()
        const known = new Map(ends)
        for (const run of open) {
          const end = known.get(run.run_id)
          if (end) await finish(trx, run, end)
          else if (ongoing.has(run.run_id)) await advance(trx, run, now)
        }
        return known.keys()
      })
      for (const runId of written) ends.delete(runId)
    },

    /** The same warehouse goes on at another size: usage is counted for each size. The part of a second goes along. */
    async resize(runId: string, next: { runId: string; size: WarehouseSize }): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const run = await trx
          .selectFrom('warehouse_runs')
          .selectAll()
          .where('run_id', '=', runId)
          .where('ended_at', 'is', null)
          .forUpdate()
          .executeTakeFirst()
        if (!run) return
        const until = wholeSecondsUntil(run.metered_until, clock.now())
        await finish(trx, run, { at: until, reason: 'resized' })
        const { account_id, warehouse_id, warehouse_name } = run
        const place = { account_id, warehouse_id, warehouse_name }
        await insertRun(trx, { ...place, run_id: next.runId, size: next.size, started_at: until })
      })
    },

    /** At start nothing runs: what a dead server left open ended when its engine was last alive. */
    async closeOpenRuns(lastAlive: (accountId: string) => Promise<Date | null>): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const now = clock.now()
        for (const run of await openRuns(trx)) {
          const alive = (await lastAlive(run.account_id)) ?? run.metered_until
          await finish(trx, run, { at: alive < now ? alive : now, reason: 'service stopped' })
        }
      })
    },
  }
}

export type Metering = ReturnType<typeof createMetering>
