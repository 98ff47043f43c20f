import { sql, type Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export interface UnbilledStorage {
  readonly account_id: string
  /** The first day of the month. */
  readonly month: string
  readonly edition: string
  readonly usd_per_gb_month: string
  readonly in_trial: boolean
  readonly byte_hours: string
}

export interface UnbilledStorageQuestion {
  readonly accountIds: readonly string[]
  /** Hours that began before. */
  readonly until: Date
  /** Hours that began before are of the free trial; null when there was none. */
  readonly trialUntil: Date | null
}

/** What was kept and not billed yet, marked as billed: whoever takes it writes it down in the same transaction. */
export async function takeUnbilledStorage(
  trx: Transaction<Schema>,
  { accountIds, until, trialUntil }: UnbilledStorageQuestion,
): Promise<UnbilledStorage[]> {
  const { rows } = await sql<UnbilledStorage>`
    with taken as (
      update storage_usage set is_billed = true
      where account_id = any(${[...accountIds]}) and hour < ${until} and not is_billed
      returning account_id, hour, bytes, edition, usd_per_gb_month
    )
    select account_id, to_char(hour at time zone 'UTC', 'YYYY-MM-01') as month, edition, usd_per_gb_month,
      coalesce(hour < ${trialUntil}, false) as in_trial, sum(bytes)::numeric(40)::text as byte_hours
    from taken
    group by 1, 2, 3, 4, 5
    having sum(bytes) > 0
    order by month, account_id, edition, usd_per_gb_month, in_trial`.execute(trx)
  return rows
}
