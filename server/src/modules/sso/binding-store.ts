import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import type { SsoRow } from './store.ts'

/** Which user an issuer knows by which subject. */
export function createBindingStore(db: Kysely<Schema>) {
  return {
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
  }
}
