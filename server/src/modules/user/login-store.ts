import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { countedAgain } from './sign-in-store.ts'
import { addressParts } from '../../kernel/client-address.ts'
import { bucketOf } from './sign-in-bucket.ts'

interface NewLoginRow {
  readonly tokenHash: Buffer
  readonly userId: string
  /** As of when the user proved their identity. */
  readonly passwordHash: string | null
  readonly method: string
  readonly at: Date
  readonly expiresAt: Date
  readonly clientIp: string | null
  readonly userAgent: string
}

/** False when the user is gone or has another password by now. */
export async function insertLogin(db: Kysely<Schema>, login: NewLoginRow): Promise<boolean> {
  const { tokenHash, userId, passwordHash, method, at, expiresAt, clientIp, userAgent } = login
  const { ip, endpoint } = addressParts(clientIp)
  // Locks the user's row against a change of the password, which then finds this login and ends it.
  const { rows } = await sql`
    with holder as (
      select user_id, account_id, name from users
      where user_id = ${userId}::uuid and password_hash is not distinct from ${passwordHash}::text
      for share
    ), opened as (
      insert into logins (token_hash, user_id, account_id, created_at, last_used_at, expires_at, client_ip, method, user_agent)
      select ${tokenHash}::bytea, user_id, account_id, ${at}::timestamptz, ${at}::timestamptz,
        ${expiresAt}::timestamptz, ${ip}::inet, ${method}::text, ${userAgent}::text
      from holder
    ), listed as (
      insert into sign_ins (account_id, bucket, at, last_at, user_id, user_name, method, outcome, client_ip, private_endpoint, user_agent)
      select account_id, ${bucketOf(at, { who: userId, clientIp: clientIp ?? '', method, outcome: 'signedIn' })},
        ${at}::timestamptz, ${at}::timestamptz, user_id, name, ${method}::text, 'signedIn', ${ip}::inet,
        ${endpoint}::text, ${userAgent}::text
      from holder ${countedAgain}
    )
    select user_id from holder`.execute(db)
  return rows.length > 0
}

export const livingLogins = (
  db: Kysely<Schema>,
  userId: string,
  { now, usedAfter, limit }: { now: Date; usedAfter: Date; limit: number },
) =>
  db
    .selectFrom('logins')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .where('last_used_at', '>', usedAfter)
    .orderBy('last_used_at', 'desc')
    .orderBy('token_hash')
    .limit(limit)
    .execute()

/** Undefined when it has ended. */
export const loginBegan = async (db: Kysely<Schema>, loginId: string): Promise<Date | undefined> =>
  (
    await db
      .selectFrom('logins')
      .select('created_at')
      .where('token_hash', '=', Buffer.from(loginId, 'hex'))
      .executeTakeFirst()
  )?.created_at

/** Who ends logins, and from where. */
export interface EndedBy {
  readonly userId: string
  readonly at: Date
  readonly clientIp: string | null
  readonly userAgent: string
}

/** Signs out of one of a user's own logins, or of all but one. Both are written down together. */
export async function signOut(
  db: Kysely<Schema>,
  { userId, at, clientIp, userAgent }: EndedBy,
  which: { readonly only: Buffer } | { readonly except: Buffer },
): Promise<readonly { token_hash: Buffer }[]> {
  const { ip, endpoint } = addressParts(clientIp)
  const isMeant = 'only' in which ? sql`token_hash = ${which.only}` : sql`token_hash <> ${which.except}`
  const bucket = bucketOf(at, { who: userId, clientIp: clientIp ?? '', method: '', outcome: 'signedOut' })
  const { rows } = await sql<{ token_hash: Buffer }>`
    with ended as (
      delete from logins where user_id = ${userId}::uuid and ${isMeant} returning token_hash, user_id, method
    ), listed as (
      insert into sign_ins (account_id, bucket, at, last_at, count, user_id, user_name, method, outcome, client_ip, private_endpoint, user_agent)
      select users.account_id, ${bucket}, ${at}::timestamptz, ${at}::timestamptz, count(*)::integer, users.user_id, users.name,
        min(ended.method), 'signedOut', ${ip}::inet, ${endpoint}::text, ${userAgent}::text
      from ended join users on users.user_id = ended.user_id group by users.user_id
      ${countedAgain}
    )
    select token_hash from ended`.execute(db)
  return rows
}

/** All of a user, or all but one. */
export const deleteLoginsOf = (db: Kysely<Schema>, userId: string, except?: Buffer) =>
  db
    .deleteFrom('logins')
    .where('user_id', '=', userId)
    .$if(except !== undefined, (all) => all.where('token_hash', '!=', except ?? Buffer.alloc(0)))
    .returning('token_hash')
    .execute()
