import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

/** Seconds of a warehouse in an hour, all of them so far. */
export interface HandedUsage {
  readonly accountId: string
  readonly warehouseId: string
  readonly warehouse: string
  readonly hour: Date
  readonly size: string
  readonly edition: string
  readonly region: string
  readonly usdPerCcu: string
  readonly seconds: number
}

const column = <K extends keyof HandedUsage>(rows: readonly HandedUsage[], key: K) =>
  rows.map((row) => row[key])

/** As a table in SQL. */
const given = (rows: readonly HandedUsage[]) => sql`unnest(
    ${column(rows, 'accountId')}::text[], ${column(rows, 'warehouseId')}::uuid[], ${column(rows, 'warehouse')}::text[],
    ${column(rows, 'hour')}::timestamptz[], ${column(rows, 'size')}::text[], ${column(rows, 'edition')}::text[],
    ${column(rows, 'region')}::text[], ${column(rows, 'usdPerCcu')}::numeric[], ${column(rows, 'seconds')}::bigint[])
  as given (account_id, warehouse_id, warehouse_name, hour, size, edition, region, usd_per_ccu, seconds)`

/**
 * On the server of a region: usage that the central server has not kept yet. There it is billed, so that here what is
 * billed is what was handed over.
 */
export async function unhandedUsage(db: Kysely<Schema>, limit: number): Promise<HandedUsage[]> {
  const { rows } = await sql<HandedUsage>`
    select used.account_id as "accountId", used.warehouse_id as "warehouseId",
      coalesce((select warehouse_name from warehouse_runs runs where runs.warehouse_id = used.warehouse_id
        order by started_at desc limit 1), '') as warehouse,
      used.hour, used.size, used.edition, used.region, used.usd_per_ccu as "usdPerCcu", used.seconds
    from warehouse_usage used
    join accounts on accounts.account_id = used.account_id
    join organisations on organisations.organisation_id = accounts.organisation_id
    where organisations.held_by_central and used.seconds > used.billed_seconds
    order by used.hour, used.warehouse_id
    limit ${limit}`.execute(db)
  return rows
}

export const markUsageHanded = (db: Kysely<Schema>, rows: readonly HandedUsage[]) =>
  sql`
    update warehouse_usage as used set billed_seconds = least(used.seconds, given.seconds)
    from ${given(rows)}
    where (used.warehouse_id, used.hour, used.size, used.edition, used.region, used.usd_per_ccu)
        = (given.warehouse_id, given.hour, given.size, given.edition, given.region, given.usd_per_ccu)
      and used.account_id = given.account_id and used.billed_seconds < given.seconds`.execute(db)

export const hasUnhandedUsage = async (db: Kysely<Schema>, accountId: string): Promise<boolean> =>
  (await db
    .selectFrom('warehouse_usage')
    .select('hour')
    .where('account_id', '=', accountId)
    .whereRef('seconds', '>', 'billed_seconds')
    .limit(1)
    .executeTakeFirst()) !== undefined

/**
 * On the central server: usage of accounts that this region has, and of no others. The names of warehouses are read from
 * their runs, so that each has one here, which is over.
 */
export async function keepUsageOfRegion(
  trx: Transaction<Schema>,
  region: string,
  rows: readonly HandedUsage[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into warehouse_usage (account_id, warehouse_id, hour, size, edition, region, usd_per_ccu, seconds)
    select given.account_id, given.warehouse_id, given.hour, given.size, given.edition, given.region,
      given.usd_per_ccu, given.seconds
    from ${given(rows)}
    join accounts on accounts.account_id = given.account_id
    where accounts.held_elsewhere and accounts.region = ${region}
    on conflict (warehouse_id, hour, size, edition, region, usd_per_ccu)
      do update set seconds = greatest(warehouse_usage.seconds, excluded.seconds)
      where warehouse_usage.account_id = excluded.account_id`.execute(trx)
  await sql`
    insert into warehouse_runs (run_id, account_id, warehouse_id, warehouse_name, size, started_at, metered_until, ended_at)
    select distinct on (given.warehouse_id) given.warehouse_id, given.account_id, given.warehouse_id,
      given.warehouse_name, given.size, given.hour, given.hour, given.hour
    from ${given(rows)}
    join accounts on accounts.account_id = given.account_id
    where accounts.held_elsewhere and accounts.region = ${region}
    order by given.warehouse_id, given.hour desc
    on conflict (run_id) do update set warehouse_name = excluded.warehouse_name
      where warehouse_runs.account_id = excluded.account_id`.execute(trx)
}
