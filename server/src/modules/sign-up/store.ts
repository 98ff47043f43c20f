import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export interface NewSignUp {
  readonly sign_up_id: string
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly company: string
  readonly country: string
  readonly password_hash: string
  readonly marketplace: string | null
  readonly marketplace_customer: string | null
  readonly marketplace_product: string | null
  readonly created_at: Date
}

const MOST_ACCOUNTS = 5

export function createSignUpStore(db: Kysely<Schema>) {
  return {
    insert: (trx: Transaction<Schema>, row: NewSignUp) => trx.insertInto('sign_ups').values(row).execute(),

    byId: (signUpId: string) =>
      db.selectFrom('sign_ups').selectAll().where('sign_up_id', '=', signUpId).executeTakeFirst(),

    /** Accounts that somebody with this address has opened. */
    accountsOf: async (email: string): Promise<string[]> => {
      const rows = await db
        .selectFrom('users')
        .innerJoin('accounts', 'accounts.account_id', 'users.account_id')
        .select('accounts.account_id')
        .where('users.email', '=', email)
        .whereRef('users.name', '=', 'accounts.creator')
        .orderBy('accounts.created_at')
        .orderBy('accounts.account_id')
        .limit(MOST_ACCOUNTS)
        .execute()
      return rows.map((row) => row.account_id)
    },

    setAccount: (trx: Transaction<Schema>, signUpId: string, accountId: string) =>
      trx
        .updateTable('sign_ups')
        .set({ account_id: accountId })
        .where('sign_up_id', '=', signUpId)
        .where('account_id', 'is', null)
        .execute(),

    progress: (accountId: string) =>
      db
        .selectFrom('accounts')
        .select(['account_id', 'region', 'creator', 'set_up', 'state'])
        .where('account_id', '=', accountId)
        .executeTakeFirst(),

    forgetWaiting: (createdBefore: Date) =>
      db
        .deleteFrom('sign_ups')
        .where('account_id', 'is', null)
        .where('created_at', '<', createdBefore)
        .execute(),
  }
}

export type SignUpStore = ReturnType<typeof createSignUpStore>
