import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { createBindingStore } from './binding-store.ts'
import { createConfirmationStore } from './confirmation-store.ts'

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
    ...createBindingStore(db),
    ...createConfirmationStore(db),

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

    /** Once, and for the purpose that it was started for: a second attempt finds nothing. */
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
