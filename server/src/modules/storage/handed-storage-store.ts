import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

/** What an account kept in an hour; it never changes. */
export interface HandedStorage {
  readonly accountId: string
  readonly hour: Date
  readonly bytes: number
  readonly edition: string
  readonly region: string
  readonly usdPerGbMonth: string
  readonly units: string
}

const column = <K extends keyof HandedStorage>(rows: readonly HandedStorage[], key: K) =>
  rows.map((row) => row[key])

/** On the server of a region: hours that the central server has not kept yet. */
export async function unhandedStorage(db: Kysely<Schema>, limit: number): Promise<HandedStorage[]> {
  const { rows } = await sql<HandedStorage>`
    select kept.account_id as "accountId", kept.hour, kept.bytes, kept.edition, kept.region,
      kept.usd_per_gb_month as "usdPerGbMonth", kept.units::text as units
    from storage_usage kept
    join accounts on accounts.account_id = kept.account_id
    join organisations on organisations.organisation_id = accounts.organisation_id
    where organisations.held_by_central and not kept.is_billed
    order by kept.hour, kept.account_id
    limit ${limit}`.execute(db)
  return rows
}

export const markStorageHanded = (db: Kysely<Schema>, rows: readonly HandedStorage[]) =>
  sql`
    update storage_usage as kept set is_billed = true
    from unnest(${column(rows, 'accountId')}::text[], ${column(rows, 'hour')}::timestamptz[]) as given (account_id, hour)
    where kept.account_id = given.account_id and kept.hour = given.hour`.execute(db)

export const hasUnhandedStorage = async (db: Kysely<Schema>, accountId: string): Promise<boolean> =>
  (await db
    .selectFrom('storage_usage')
    .select('hour')
    .where('account_id', '=', accountId)
    .where('is_billed', '=', false)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** On the central server: of accounts that this region has, and of no others. */
export async function keepStorageOfRegion(
  trx: Transaction<Schema>,
  region: string,
  rows: readonly HandedStorage[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into storage_usage (account_id, hour, bytes, edition, region, usd_per_gb_month, units)
    select given.account_id, given.hour, given.bytes, given.edition, given.region, given.usd_per_gb_month, given.units
    from unnest(
        ${column(rows, 'accountId')}::text[], ${column(rows, 'hour')}::timestamptz[], ${column(rows, 'bytes')}::bigint[],
        ${column(rows, 'edition')}::text[], ${column(rows, 'region')}::text[],
        ${column(rows, 'usdPerGbMonth')}::numeric[], ${column(rows, 'units')}::bigint[])
      as given (account_id, hour, bytes, edition, region, usd_per_gb_month, units)
    join accounts on accounts.account_id = given.account_id
    where accounts.held_elsewhere and accounts.region = ${region}
    on conflict do nothing`.execute(trx)
}
