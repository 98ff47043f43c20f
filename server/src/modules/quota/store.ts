import type { KeptKind } from '@boathouse/contract'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'

/** The id under which the sum of an account is kept. */
export const WHOLE_ACCOUNT = '00000000-0000-0000-0000-000000000000'

export interface Sums {
  readonly user: number
  readonly account: number
}

export interface Whose {
  readonly accountId: string
  readonly userId: string
}

/** Of one kind, as the transaction sees it. */
export async function sumsOf(
  db: Kysely<Schema>,
  { accountId, userId }: Whose,
  kind: KeptKind,
): Promise<Sums> {
  const { rows } = await sql<Sums>`
    select coalesce(sum(bytes) filter (where user_id = ${userId}::uuid), 0)::bigint as "user",
      coalesce(sum(bytes) filter (where user_id = ${WHOLE_ACCOUNT}::uuid), 0)::bigint as account
    from kept_bytes where account_id = ${accountId} and kind = ${kind}
      and user_id in (${userId}::uuid, ${WHOLE_ACCOUNT}::uuid)`.execute(db)
  return rows[0] ?? { user: 0, account: 0 }
}

/** Of a month that is gone, nothing is kept. */
export const forgetPart = (db: Kysely<Schema>, kind: KeptKind, part: string) =>
  db.deleteFrom('kept_bytes').where('kind', '=', kind).where('part', '<=', part).execute()

export const kindsOf = (db: Kysely<Schema>, accountId: string, userId: string) =>
  db
    .selectFrom('kept_bytes')
    .select(['kind', sql<number>`sum(bytes)::bigint`.as('bytes')])
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .groupBy('kind')
    .execute()

/** A number of users for each kind, those with the most first. */
export async function largestUsers(
  db: Kysely<Schema>,
  accountId: string,
  most: number,
): Promise<readonly { user: string; kind: string; bytes: number }[]> {
  const { rows } = await sql<{ user: string; kind: string; bytes: number }>`
    select name as "user", kind, bytes from (
      select users.name, kept.kind, kept.bytes, row_number() over (partition by kept.kind order by kept.bytes desc) as place
      from (
        select user_id, kind, sum(bytes)::bigint as bytes from kept_bytes
        where account_id = ${accountId} and user_id <> ${WHOLE_ACCOUNT}::uuid group by user_id, kind
      ) kept join users on users.user_id = kept.user_id where kept.bytes > 0
    ) largest where place <= ${most} order by kind, bytes desc, name`.execute(db)
  return rows
}
