import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'

interface NewLoginRow {
  readonly tokenHash: Buffer
  readonly userId: string
  /** As it was when the user proved who they are. */
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
  // Locks the user's row against a change of the password, which then finds this login and ends it.
  const { rows } = await sql`
    insert into logins (token_hash, user_id, account_id, created_at, last_used_at, expires_at, client_ip, method, user_agent)
    select ${tokenHash}::bytea, user_id, account_id, ${at}::timestamptz, ${at}::timestamptz,
      ${expiresAt}::timestamptz, ${clientIp}::inet, ${method}::text, ${userAgent}::text
    from users where user_id = ${userId}::uuid and password_hash is not distinct from ${passwordHash}::text
    for share
    returning user_id`.execute(db)
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

/** Undefined when there is none of this user's. */
export const deleteLoginOf = (db: Kysely<Schema>, userId: string, tokenHash: Buffer) =>
  db
    .deleteFrom('logins')
    .where('token_hash', '=', tokenHash)
    .where('user_id', '=', userId)
    .returning('token_hash')
    .executeTakeFirst()

/** All of a user, or all but one. */
export const deleteLoginsOf = (db: Kysely<Schema>, userId: string, except?: Buffer) =>
  db
    .deleteFrom('logins')
    .where('user_id', '=', userId)
    .$if(except !== undefined, (all) => all.where('token_hash', '!=', except ?? Buffer.alloc(0)))
    .returning('token_hash')
    .execute()
