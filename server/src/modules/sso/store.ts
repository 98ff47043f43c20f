import { randomUUID } from 'node:crypto'
import type { Insertable, Kysely, Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export interface SsoRow {
  readonly account_id: string
  readonly issuer: string
  readonly client_id: string
  readonly client_secret: string
  readonly enabled: boolean
  readonly updated_at: Date
}

export interface SsoRequest {
  readonly secret_hash: Buffer
  readonly account_id: string
  /** Who connects their user; null: somebody signs in. */
  readonly user_id: string | null
  readonly state: string
  readonly nonce: string
  readonly code_verifier: string
  readonly expires_at: Date
}

export function createSsoStore(db: Kysely<Schema>) {
  return {
    settings: (accountId: string): Promise<SsoRow | undefined> =>
      db.selectFrom('sso_settings').selectAll().where('account_id', '=', accountId).executeTakeFirst(),

    save: (trx: Transaction<Schema>, row: SsoRow) =>
      trx
        .insertInto('sso_settings')
        .values(row)
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
        .execute(),

    remove: (trx: Transaction<Schema>, accountId: string) =>
      trx.deleteFrom('sso_settings').where('account_id', '=', accountId).executeTakeFirst(),

    insertRequest: (request: SsoRequest) => db.insertInto('sso_requests').values(request).execute(),

    /** Once, and for what it was begun: whoever comes second finds nothing. */
    takeRequest: (
      { secretHash, userId }: { secretHash: Buffer; userId: string | null },
      now: Date,
    ): Promise<SsoRequest | undefined> =>
      db
        .deleteFrom('sso_requests')
        .where('secret_hash', '=', secretHash)
        .where('user_id', 'is not distinct from', userId)
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst(),

    async forgetRequests(now: Date): Promise<void> {
      await db.deleteFrom('sso_requests').where('expires_at', '<=', now).execute()
      await db.deleteFrom('sso_confirmations').where('expires_at', '<=', now).execute()
    },

    /** They stay as they are until the transaction ends. */
    lockSettings: (trx: Transaction<Schema>, accountId: string): Promise<SsoRow | undefined> =>
      trx
        .selectFrom('sso_settings')
        .selectAll()
        .where('account_id', '=', accountId)
        .forUpdate()
        .executeTakeFirst(),

    findBound: ({ account_id: accountId, issuer }: SsoRow, subject: string) =>
      db
        .selectFrom('sso_bindings')
        .select('user_id')
        .where('account_id', '=', accountId)
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .executeTakeFirst(),

    boundAs: (userId: string) =>
      db
        .selectFrom('sso_bindings')
        .select(['issuer', 'bound_at'])
        .where('user_id', '=', userId)
        .executeTakeFirst(),

    bind: (
      trx: Transaction<Schema>,
      bound: { accountId: string; userId: string; issuer: string; subject: string; at: Date },
    ) =>
      trx
        .insertInto('sso_bindings')
        .values({
          user_id: bound.userId,
          account_id: bound.accountId,
          issuer: bound.issuer,
          subject: bound.subject,
          bound_at: bound.at,
        })
        .execute(),

    unbind: (trx: Transaction<Schema>, userId: string) =>
      trx.deleteFrom('sso_bindings').where('user_id', '=', userId).returning('issuer').executeTakeFirst(),

    /** Of all users of an account, with what waits to be confirmed or is at the issuer's. Answers how many there were. */
    async endConnections(trx: Transaction<Schema>, accountId: string): Promise<number> {
      await trx.deleteFrom('sso_confirmations').where('account_id', '=', accountId).execute()
      await trx.deleteFrom('sso_requests').where('account_id', '=', accountId).execute()
      const { numDeletedRows } = await trx
        .deleteFrom('sso_bindings')
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },

    /** In place of the one before: of each user one waits. */
    async putConfirmation(
      trx: Transaction<Schema>,
      row: Omit<Insertable<Schema['sso_confirmations']>, 'confirmation_id'>,
    ): Promise<void> {
      await trx
        .insertInto('sso_confirmations')
        .values({ confirmation_id: randomUUID(), ...row })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
        .execute()
    },

    confirmation: (userId: string, now: Date) =>
      db
        .selectFrom('sso_confirmations')
        .selectAll()
        .where('user_id', '=', userId)
        .where('expires_at', '>', now)
        .executeTakeFirst(),

    async takeConfirmation(trx: Transaction<Schema>, userId: string, secretHash: Buffer): Promise<boolean> {
      const taken = await trx
        .deleteFrom('sso_confirmations')
        .where('user_id', '=', userId)
        .where('secret_hash', '=', secretHash)
        .returning('user_id')
        .executeTakeFirst()
      return taken !== undefined
    },

    /** By another key than the one with this prefix. */
    sealedByOthers: (newestPrefix: string, limit: number) =>
      db
        .selectFrom('sso_settings')
        .select(['account_id', 'client_secret'])
        .where('client_secret', 'not like', `${newestPrefix}%`)
        .limit(limit)
        .execute(),

    reseal: (accountId: string, before: string, sealed: string) =>
      db
        .updateTable('sso_settings')
        .set({ client_secret: sealed })
        .where('account_id', '=', accountId)
        .where('client_secret', '=', before)
        .execute(),
  }
}

export type SsoStore = ReturnType<typeof createSsoStore>
