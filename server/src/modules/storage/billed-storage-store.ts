import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export interface UnbilledStorage {
  readonly account_id: string
  /** The first day of the month. */
  readonly month: string
  readonly edition: string
  readonly usd_per_gb_month: string
  readonly in_trial: boolean
  readonly byte_hours: string
  readonly storage_units: string
  /** What it is made of, in order; four arrays of the same length. */
  readonly hours: readonly Date[]
  readonly hour_regions: readonly string[]
  readonly hour_bytes: readonly (number | string)[]
  readonly hour_units: readonly (number | string)[]
}

export interface UnbilledStorageQuestion {
  readonly accountIds: readonly string[]
  /** Hours that began before. */
  readonly until: Date
  /** Hours that began before are of the free trial; null when there was none. */
  readonly trialUntil: Date | null
}

/** The same without marking it: units by month. */
export async function unbilledStorageSums(
  db: Kysely<Schema>,
  { accountIds, until, trialUntil }: UnbilledStorageQuestion,
): Promise<{ month: string; in_trial: boolean; units: string }[]> {
  const { rows } = await sql<{ month: string; in_trial: boolean; units: string }>`
    select to_char(hour at time zone 'UTC', 'YYYY-MM-01') as month,
      coalesce(hour < ${trialUntil}, false) as in_trial, sum(units)::numeric(30)::text as units
    from storage_usage
    where account_id = any(${[...accountIds]}) and hour < ${until} and not is_billed
    group by 1, 2
    order by 1, 2`.execute(db)
  return rows
}

/** Storage that is not billed yet, marked as billed: the caller records it in the same transaction. */
export async function takeUnbilledStorage(
  trx: Transaction<Schema>,
  { accountIds, until, trialUntil }: UnbilledStorageQuestion,
): Promise<UnbilledStorage[]> {
  const { rows } = await sql<UnbilledStorage>`
    with taken as (
      update storage_usage set is_billed = true
      where account_id = any(${[...accountIds]}) and hour < ${until} and not is_billed
      returning account_id, hour, bytes, edition, region, usd_per_gb_month, units
    )
    select account_id, to_char(hour at time zone 'UTC', 'YYYY-MM-01') as month, edition, usd_per_gb_month,
      coalesce(hour < ${trialUntil}, false) as in_trial, sum(bytes)::numeric(40)::text as byte_hours,
      sum(units)::numeric(30)::text as storage_units,
      array_agg(hour order by hour) filter (where bytes > 0) as hours,
      array_agg(region order by hour) filter (where bytes > 0) as hour_regions,
      array_agg(bytes order by hour) filter (where bytes > 0) as hour_bytes,
      array_agg(units order by hour) filter (where bytes > 0) as hour_units
    from taken
    group by 1, 2, 3, 4, 5
    having sum(bytes) > 0
    order by month, account_id, edition, usd_per_gb_month, in_trial`.execute(trx)
  return rows
}
