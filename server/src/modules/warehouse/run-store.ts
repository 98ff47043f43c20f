import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import type { HourShare } from './metered-time.ts'
import type { Shares } from './shares.ts'

export type Run = Selectable<Schema['warehouse_runs']>

/** A run that begins. */
export const insertRun = (
  db: Kysely<Schema>,
  run: Pick<Run, 'run_id' | 'account_id' | 'warehouse_id' | 'warehouse_name' | 'size' | 'started_at'>,
) =>
  db
    .insertInto('warehouse_runs')
    .values({ ...run, metered_until: run.started_at })
    .execute()

const notEnded = (trx: Transaction<Schema>) =>
  trx.selectFrom('warehouse_runs').selectAll().where('ended_at', 'is', null).orderBy('run_id').forUpdate()

/** Locked, so that of two who count at the same moment the second sees what the first did. */
export const openRuns = (trx: Transaction<Schema>): Promise<Run[]> => notEnded(trx).execute()

export const openRun = (trx: Transaction<Schema>, runId: string): Promise<Run | undefined> =>
  notEnded(trx).where('run_id', '=', runId).executeTakeFirst()

/** Undefined when somebody else moved this run or ended it. */
export const moveMetered = (trx: Transaction<Schema>, run: Run, until: Date): Promise<Run | undefined> =>
  trx
    .updateTable('warehouse_runs')
    .set({ metered_until: until })
    .where('run_id', '=', run.run_id)
    .where('metered_until', '=', run.metered_until)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst()

export const endRun = (trx: Transaction<Schema>, runId: string, end: { at: Date; reason: string }) =>
  trx
    .updateTable('warehouse_runs')
    .set({ ended_at: end.at, end_reason: end.reason })
    .where('run_id', '=', runId)
    .execute()

/** When the warehouse was resumed, which is before this run if a resize started it. */
export async function resumedAt(trx: Transaction<Schema>, run: Run): Promise<Date> {
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

/** By which an account is charged, as it is now. */
export const termsOf = (trx: Transaction<Schema>, accountId: string) =>
  trx
    .selectFrom('accounts')
    .select(['edition', 'region'])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()

interface Charge extends HourShare {
  readonly shares: Shares
  readonly edition: string
  readonly region: string
  readonly usdPerCcu: string
}

const sumOf = (shares: Shares): number => [...shares.values()].reduce((sum, micros) => sum + micros, 0)

/** What of it was for which statement. */
export async function addStatementUsage(
  trx: Transaction<Schema>,
  { account_id, warehouse_id, size }: Run,
  { hour, edition, region, usdPerCcu, shares }: Charge,
): Promise<void> {
  if (shares.size === 0) return
  await sql`
    insert into statement_usage
      (query_id, account_id, warehouse_id, hour, size, edition, region, usd_per_ccu, micros)
    select query_id, ${account_id}, ${warehouse_id}::uuid, ${hour}::timestamptz, ${size}, ${edition}, ${region},
      ${usdPerCcu}::numeric, micros
    from unnest(${[...shares.keys()]}::uuid[], ${[...shares.values()]}::bigint[]) as shared (query_id, micros)
    on conflict (query_id, hour, size, edition, region, usd_per_ccu)
      do update set micros = statement_usage.micros + excluded.micros`.execute(trx)
}

export const addUsage = (trx: Transaction<Schema>, run: Run, charges: readonly Charge[]) =>
  trx
    .insertInto('warehouse_usage')
    .values(
      charges.map(({ hour, seconds, edition, region, usdPerCcu, shares }) => ({
        account_id: run.account_id,
        warehouse_id: run.warehouse_id,
        hour,
        size: run.size,
        seconds,
        edition,
        region,
        usd_per_ccu: usdPerCcu,
        busy_micros: sumOf(shares),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['warehouse_id', 'hour', 'size', 'edition', 'region', 'usd_per_ccu']).doUpdateSet({
        seconds: sql`warehouse_usage.seconds + excluded.seconds`,
        busy_micros: sql`warehouse_usage.busy_micros + excluded.busy_micros`,
      }),
    )
    .execute()
