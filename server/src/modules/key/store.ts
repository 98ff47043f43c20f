import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import { ipOf } from '../../kernel/client-address.ts'
import type { Schema } from '../../store/schema.ts'

export type KeyRow = Selectable<Schema['api_keys']>
export type NewKey = Insertable<Schema['api_keys']>

export interface KeyUse {
  readonly at: Date
  readonly clientIp: string
  readonly door: string
  readonly program: string
}

/** A use is written this seldom, however often a program comes. */
export const USE_WRITTEN_MS = 60_000

export function createKeyStore(db: Kysely<Schema>) {
  return {
    find: (keyId: string): Promise<KeyRow | undefined> =>
      db.selectFrom('api_keys').selectAll().where('key_id', '=', keyId).executeTakeFirst(),

    /** All that somebody of this name has: a few. */
    ofName: (accountId: string, username: string): Promise<KeyRow[]> =>
      db
        .selectFrom('api_keys')
        .innerJoin('users', 'users.user_id', 'api_keys.user_id')
        .selectAll('api_keys')
        .where('users.account_id', '=', accountId)
        .where(sql<string>`lower(users.name)`, '=', username.toLowerCase())
        .execute(),

    ofUser: (userId: string): Promise<KeyRow[]> =>
      db
        .selectFrom('api_keys')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('key_id')
        .execute(),

    async used(keyId: string, { at, clientIp, door, program }: KeyUse): Promise<void> {
      await db
        .updateTable('api_keys')
        .set({
          last_used_at: at,
          last_used_ip: ipOf(clientIp),
          last_used_door: door,
          last_used_program: program,
        })
        .where('key_id', '=', keyId)
        .where((eb) =>
          eb.or([
            eb('last_used_at', 'is', null),
            eb('last_used_at', '<=', new Date(at.getTime() - USE_WRITTEN_MS)),
          ]),
        )
        .execute()
    },

    /** Nobody else adds one to the account until the transaction ends. */
    async countAlone(trx: Transaction<Schema>, accountId: string, userId: string) {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`api keys ${accountId}`}, 0))`.execute(trx)
      return trx
        .selectFrom('api_keys')
        .select([
          sql<number>`count(*)::integer`.as('of_account'),
          sql<number>`(count(*) filter (where user_id = ${userId}::uuid))::integer`.as('of_user'),
        ])
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
    },

    insert: (trx: Transaction<Schema>, row: NewKey): Promise<KeyRow> =>
      trx.insertInto('api_keys').values(row).returningAll().executeTakeFirstOrThrow(),

    /** Of one user alone, and theirs until the transaction ends. */
    lock: (trx: Transaction<Schema>, userId: string, keyId: string): Promise<KeyRow | undefined> =>
      trx
        .selectFrom('api_keys')
        .selectAll()
        .where('key_id', '=', keyId)
        .where('user_id', '=', userId)
        .forUpdate()
        .executeTakeFirst(),

    rotate: (
      trx: Transaction<Schema>,
      { key_id: keyId, secret_hash: before }: KeyRow,
      { hash, at, formerUntil }: { hash: Buffer; at: Date; formerUntil: Date | null },
    ): Promise<KeyRow> =>
      trx
        .updateTable('api_keys')
        .set({
          secret_hash: hash,
          former_hash: formerUntil && before,
          former_until: formerUntil,
          rotated_at: at,
        })
        .where('key_id', '=', keyId)
        .returningAll()
        .executeTakeFirstOrThrow(),

    delete: (trx: Transaction<Schema>, keyId: string) =>
      trx.deleteFrom('api_keys').where('key_id', '=', keyId).execute(),
  }
}

export type KeyStore = ReturnType<typeof createKeyStore>
