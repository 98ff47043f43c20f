import { SHORTENED_LENGTH } from '@boathouse/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '../../../store/schema.ts'
import { keptSums, noRoom, overOf } from '../../quota/room.ts'
import type { EndedRow } from '../statement-writes-store.ts'

/** Of a text in bytes, or of what is written at the end of a statement: what is longer counts. */
const LONG_BYTES = 4096

/** In the worst case a unit is three bytes; only what may be long is measured. */
export const isLong = (text: string): boolean =>
  text.length > LONG_BYTES || (3 * text.length > LONG_BYTES && Buffer.byteLength(text) > LONG_BYTES)

export const hasLongDetails = ({ plan, profile, error, result_columns }: EndedRow): boolean =>
  (plan !== null && isLong(plan)) ||
  [profile, error, result_columns].some((value) => value !== null && isLong(JSON.stringify(value)))

interface Owner {
  readonly accountId: string
  readonly userId: string
}

/** Shortened at once; together they may take as much as a page of the history. */
const AT_ONCE = 20
const MOST_ROUNDS = 500

const SIZE = sql`statement_bytes(sql, plan, profile, error, result_columns)`

/**
 * The oldest that have ended, of one user or of all in the account: the beginning of a long text stays, with the hash of
 * the whole, by which the same request sent again is known. How many there were.
 */
async function shortenOldest(
  trx: Transaction<Schema>,
  accountId: string,
  userId: string | null,
): Promise<number> {
  const whose = userId === null ? sql`true` : sql`user_id = ${userId}::uuid`
  const { rows } = await sql`
    update statements set
      sql_bytes = octet_length(sql),
      sql_hash = case when octet_length(sql) > ${sql.lit(LONG_BYTES)} then sha256(convert_to(sql, 'UTF8')) end,
      sql = case when octet_length(sql) > ${sql.lit(LONG_BYTES)} then left(sql, ${sql.lit(SHORTENED_LENGTH)}) else sql end,
      plan = case when octet_length(plan) <= ${sql.lit(LONG_BYTES)} then plan end,
      profile = case when octet_length(profile::text) <= ${sql.lit(LONG_BYTES)} then profile end,
      error = case when octet_length(error::text) <= ${sql.lit(LONG_BYTES)} then error
        else jsonb_set(error, '{message}', to_jsonb(left(error ->> 'message', ${sql.lit(SHORTENED_LENGTH)}) || '…')) end,
      result_columns = case when result_state = 'kept' or octet_length(result_columns::text) <= ${sql.lit(LONG_BYTES)}
        then result_columns end
    from (
      select query_id as id, accepted_at as at from statements
      where account_id = ${accountId} and ${SIZE} > 0 and sql_bytes is null and ended_at is not null and ${whose}
      order by accepted_at limit ${AT_ONCE}
    ) oldest
    where statements.query_id = oldest.id and statements.accepted_at = oldest.at
    returning query_id`.execute(trx)
  return rows.length
}

/** One after the other in an account: making room changes what is counted for others. */
const lock = (trx: Transaction<Schema>, accountId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`long texts ${accountId}`}, 0))`.execute(trx)

/** True when there is room now. */
async function makeRoom(trx: Transaction<Schema>, owner: Owner): Promise<boolean> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const over = overOf('history', await keptSums(trx, owner, 'history'))
    if (over === null) return true
    if ((await shortenOldest(trx, owner.accountId, over === 'user' ? owner.userId : null)) === 0) return false
  }
  return false
}

/** Long texts of the history within what a user and an account may keep of them. */
export function createLongTextStore(db: Kysely<Schema>) {
  return {
    /** A write of long texts, for which the oldest make room; undone, and refused, when those that run take all of it. */
    within: <T>(owner: Owner, write: (trx: Transaction<Schema>) => Promise<T>): Promise<T> =>
      db.transaction().execute(async (trx) => {
        await lock(trx, owner.accountId)
        const written = await write(trx)
        if (await makeRoom(trx, owner)) return written
        const sums = await keptSums(trx, owner, 'history')
        throw noRoom('history', overOf('history', sums) ?? 'user', sums)
      }),

    /** Behind the end of a statement of which much was written. */
    async makeRoomFor(queryId: string, acceptedAt: Date): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const row = await trx
          .selectFrom('statements')
          .select(['account_id', 'user_id'])
          .where('query_id', '=', queryId)
          .where('accepted_at', '=', acceptedAt)
          .executeTakeFirst()
        if (!row) return
        await lock(trx, row.account_id)
        await makeRoom(trx, { accountId: row.account_id, userId: row.user_id })
      })
    },
  }
}
