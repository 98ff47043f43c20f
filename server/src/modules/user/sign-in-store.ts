import type { SignInDoor, SignInFilter, SignInOutcome } from '@boathouse/contract'
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { addressParts } from '../../kernel/client-address.ts'
import type { Schema } from '../../store/schema.ts'

export interface SignInRow {
  readonly sign_in_id: number
  readonly account_id: string
  readonly at: Date
  readonly last_at: Date
  readonly count: number
  readonly user_id: string | null
  readonly user_name: string | null
  readonly method: string | null
  readonly key_name: string | null
  readonly door: string
  readonly outcome: string
  readonly client_ip: string | null
  readonly private_endpoint: string | null
  readonly user_agent: string
}

/** An entry of the log: one of them, or several of the same minute. */
export interface NoticedSignIn {
  readonly accountId: string
  /** Completed by the user, where there is one. */
  readonly bucket: string
  readonly at: Date
  readonly lastAt: Date
  readonly count: number
  /** As the user typed it; kept only if a user has this name. */
  readonly name: string | null
  readonly userId: string | null
  readonly method: string | null
  readonly keyName: string | null
  readonly door: SignInDoor
  readonly outcome: SignInOutcome
  readonly clientIp: string | null
  readonly userAgent: string
}

/** Where a page ends: times repeat. */
export interface SignInPlace {
  readonly at: string
  readonly id: number
}

const FAILED = sql`outcome not in ('signedIn', 'signedOut')`

/** Behind `values`, which are those of a row that may be there. */
export const countedAgain = sql`on conflict (account_id, bucket) do update
  set count = sign_ins.count + excluded.count, last_at = greatest(sign_ins.last_at, excluded.last_at)`

const columns = sql`sign_in_id, account_id, at, last_at, count, user_id, user_name, method, key_name, door, outcome,
  host(client_ip) as client_ip, private_endpoint, user_agent`

function conditionsOf(accountId: string, { user, outcome, from, until }: SignInFilter) {
  const conditions: RawBuilder<unknown>[] = [sql`account_id = ${accountId}`]
  if (user !== undefined) conditions.push(sql`lower(user_name) = ${user.toLowerCase()}`)
  if (outcome !== undefined) conditions.push(sql`outcome = ${outcome}`)
  if (from !== undefined) conditions.push(sql`at >= ${from}::timestamptz`)
  if (until !== undefined) conditions.push(sql`at < ${until}::timestamptz`)
  return conditions
}

/** The log of sign-ins. The row of one that opens a login is written together with that (`login-store.ts`). */
export function createSignInStore(db: Kysely<Schema>) {
  const find = async (
    conditions: readonly RawBuilder<unknown>[],
    limit: number,
  ): Promise<readonly SignInRow[]> => {
    const { rows } = await sql<SignInRow>`
      select ${columns} from sign_ins where ${sql.join(conditions, sql` and `)}
      order by at desc, sign_in_id desc limit ${limit}`.execute(db)
    return rows
  }

  return {
    /** Nothing for an account that is not there, in the same time. */
    async add(noticed: NoticedSignIn): Promise<void> {
      const { ip, endpoint } = addressParts(noticed.clientIp)
      await sql`
        insert into sign_ins (account_id, bucket, at, last_at, count, user_id, user_name, method, key_name, door, outcome, client_ip, private_endpoint, user_agent)
        select accounts.account_id, ${noticed.bucket}::text || coalesce(users.user_id::text, ''), ${noticed.at}::timestamptz, ${noticed.lastAt}::timestamptz,
          ${noticed.count}::integer, users.user_id, users.name, ${noticed.method}::text, ${noticed.keyName}::text, ${noticed.door}::text,
          case when users.user_id is null and ${noticed.outcome} = 'wrongPassword' then 'unknownUser' else ${noticed.outcome} end,
          ${ip}::inet, ${endpoint}::text, ${noticed.userAgent}
        from accounts left join users on users.account_id = accounts.account_id
          and (users.user_id = ${noticed.userId}::uuid or lower(users.name) = ${noticed.name?.toLowerCase() ?? null}::text)
        where accounts.account_id = ${noticed.accountId} limit 1
        ${countedAgain}`.execute(db)
    },

    /** Counts failures since then, up to a maximum. */
    async countFailed(accountId: string, since: Date, most: number): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from (
          select 1 from sign_ins where account_id = ${accountId} and ${FAILED} and at >= ${since}::timestamptz
          limit ${most}
        ) failed`.execute(db)
      return rows[0]?.count ?? 0
    },

    page: (
      accountId: string,
      { filter, behind, limit }: { filter: SignInFilter; behind: SignInPlace | null; limit: number },
    ) =>
      find(
        [
          ...conditionsOf(accountId, filter),
          ...(behind ? [sql`(at, sign_in_id) < (${behind.at}::timestamptz, ${behind.id}::bigint)`] : []),
        ],
        limit,
      ),

    ofUser: (userId: string, limit: number) => find([sql`user_id = ${userId}::uuid`], limit),

    /** Of one account, the oldest first, and theirs until the transaction ends. */
    async takeUnaudited(trx: Transaction<Schema>, before: Date, most: number): Promise<readonly SignInRow[]> {
      const { rows } = await sql<SignInRow>`
        update sign_ins set told = true where sign_in_id in (
          select sign_in_id from sign_ins where not told and at < ${before}::timestamptz
            and account_id = (select account_id from sign_ins where not told and at < ${before}::timestamptz order by at limit 1)
          order by at limit ${most} for update skip locked)
        returning ${columns}`.execute(trx)
      return rows.toSorted(
        (one, other) => one.at.getTime() - other.at.getTime() || one.sign_in_id - other.sign_in_id,
      )
    },

    async forget(before: Date, most: number): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('sign_ins')
        .where('sign_in_id', 'in', (eb) =>
          eb
            .selectFrom('sign_ins')
            .select('sign_in_id')
            .where('told', '=', true)
            .where('at', '<', before)
            .orderBy('at')
            .limit(most),
        )
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

export type SignInStore = ReturnType<typeof createSignInStore>
