import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { stepOf, type Steps } from '../../store/steps.ts'

/** Undefined when there is no such account (any more). */
export const termsOf = (db: Kysely<Schema>, accountId: string) =>
  db
    .selectFrom('accounts')
    .select(['edition', 'region'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()

export const isMetered = async (db: Kysely<Schema>, accountId: string, hour: Date): Promise<boolean> =>
  (await db
    .selectFrom('storage_usage')
    .select('hour')
    .where('account_id', '=', accountId)
    .where('hour', '=', hour)
    .executeTakeFirst()) !== undefined

interface MeteredHour {
  readonly accountId: string
  readonly hour: Date
  readonly bytes: number
  readonly edition: string
  readonly region: string
  readonly usdPerGbMonth: string
  readonly units: bigint
}

/** Once an hour; an account that was deleted by then is not charged. */
export const addHour = (db: Kysely<Schema>, metered: MeteredHour) =>
  sql`
    insert into storage_usage (account_id, hour, bytes, edition, region, usd_per_gb_month, units)
    select account_id, ${metered.hour}::timestamptz, ${metered.bytes}::bigint, ${metered.edition}, ${metered.region},
      ${metered.usdPerGbMonth}::numeric, ${String(metered.units)}::bigint
    from accounts where account_id = ${metered.accountId}
    on conflict do nothing`.execute(db)

/** Bytes times hours of some accounts and what they cost, by day. */
export const storedBy = (
  db: Kysely<Schema>,
  { accountIds, from, until }: { accountIds: readonly string[]; from: Date; until: Date },
) =>
  db
    .selectFrom('storage_usage')
    .select([
      'account_id',
      sql<string>`to_char(hour at time zone 'UTC', 'YYYY-MM-DD')`.as('day'),
      sql<string>`sum(bytes)::numeric(40)::text`.as('byte_hours'),
      sql<string>`sum(units)::numeric(30)::text`.as('units'),
    ])
    .where('account_id', 'in', [...accountIds])
    .where('hour', '>=', from)
    .where('hour', '<', until)
    .groupBy(['account_id', 'day'])
    .execute()

export const storedOver = (db: Kysely<Schema>, accountId: string, { from, until, step }: Steps) =>
  db
    .selectFrom('storage_usage as kept')
    .select([stepOf('kept.hour', step).as('at'), sql<number>`max(kept.bytes)::float8`.as('bytes')])
    .where('kept.account_id', '=', accountId)
    .where('kept.hour', '>=', from)
    .where('kept.hour', '<', until)
    .groupBy(sql`1`)
    .orderBy('at')
    .execute()
