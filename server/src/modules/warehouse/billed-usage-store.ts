import { WAREHOUSE_SIZES } from '@boathouse/contract'
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

/** CCU an hour of a size, in SQL. */
export const ccuOfSize = (size: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`case ${size} ${sql.join(
    Object.entries(WAREHOUSE_SIZES).map(([name, ccu]) => sql`when ${sql.lit(name)} then ${sql.lit(ccu)}`),
    sql` `,
  )} end`

export interface UnbilledUsage {
  readonly account_id: string
  readonly warehouse_id: string
  readonly warehouse_name: string
  /** The first day of the month. */
  readonly month: string
  readonly size: string
  readonly edition: string
  readonly usd_per_ccu: string
  readonly in_trial: boolean
  readonly seconds: number
  readonly ccu_seconds: number
  /** What it is made of, in order; three arrays of the same length. */
  readonly hours: readonly Date[]
  readonly hour_regions: readonly string[]
  readonly hour_seconds: readonly (number | string)[]
}

export interface UnbilledQuestion {
  readonly accountIds: readonly string[]
  /** Hours that began before. */
  readonly until: Date
  /** Hours that began before are of the free trial; null when there was none. */
  readonly trialUntil: Date | null
}

/** The same without marking it: sums by month and price. */
export async function unbilledSums(
  db: Kysely<Schema>,
  { accountIds, until, trialUntil }: UnbilledQuestion,
): Promise<{ month: string; usd_per_ccu: string; in_trial: boolean; ccu_seconds: number }[]> {
  const { rows } = await sql<{ month: string; usd_per_ccu: string; in_trial: boolean; ccu_seconds: number }>`
    select to_char(hour at time zone 'UTC', 'YYYY-MM-01') as month, usd_per_ccu,
      coalesce(hour < ${trialUntil}, false) as in_trial,
      sum((seconds - billed_seconds) * ${ccuOfSize(sql`size`)})::bigint as ccu_seconds
    from warehouse_usage
    where account_id = any(${[...accountIds]}) and hour < ${until} and seconds > billed_seconds
    group by 1, 2, 3
    order by 1, 2, 3`.execute(db)
  return rows
}

/** Usage that was not billed yet. It is marked as billed, so the caller must record it in the same transaction. */
export async function takeUnbilled(
  trx: Transaction<Schema>,
  { accountIds, until, trialUntil }: UnbilledQuestion,
): Promise<UnbilledUsage[]> {
  const { rows } = await sql<UnbilledUsage>`
    with unbilled as (
      select warehouse_id, hour, size, edition, region, usd_per_ccu, seconds - billed_seconds as seconds
      from warehouse_usage
      where account_id = any(${[...accountIds]}) and hour < ${until} and seconds > billed_seconds
      order by warehouse_id, hour
      for update
    ), taken as (
      update warehouse_usage as used set billed_seconds = used.billed_seconds + unbilled.seconds
      from unbilled
      where (used.warehouse_id, used.hour, used.size, used.edition, used.region, used.usd_per_ccu)
        = (unbilled.warehouse_id, unbilled.hour, unbilled.size, unbilled.edition, unbilled.region, unbilled.usd_per_ccu)
      returning used.account_id, used.warehouse_id, used.hour, used.size, used.edition, used.region, used.usd_per_ccu,
        unbilled.seconds
    )
    select taken.account_id, taken.warehouse_id,
      coalesce((select warehouse_name from warehouse_runs runs where runs.warehouse_id = taken.warehouse_id
        order by started_at desc limit 1), '') as warehouse_name,
      to_char(hour at time zone 'UTC', 'YYYY-MM-01') as month,
      size, edition, usd_per_ccu,
      coalesce(hour < ${trialUntil}, false) as in_trial,
      sum(seconds)::bigint as seconds,
      sum(seconds * ${ccuOfSize(sql`size`)})::bigint as ccu_seconds,
      array_agg(hour order by hour, region) as hours,
      array_agg(region order by hour, region) as hour_regions,
      array_agg(seconds order by hour, region) as hour_seconds
    from taken
    group by 1, 2, 4, 5, 6, 7, 8
    order by month, account_id, warehouse_name, size, edition, usd_per_ccu, in_trial`.execute(trx)
  return rows
}
