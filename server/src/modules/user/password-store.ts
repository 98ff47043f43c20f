import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

/** Whose password it is, and where they are. */
const withPlace = (db: Kysely<Schema>) =>
  db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.account_id', 'users.account_id')
    .select([
      'users.user_id',
      'users.name as user',
      'users.email',
      'users.password_hash',
      'accounts.account_id',
      'accounts.name as account_name',
      'accounts.region',
    ])

export const userById = (db: Kysely<Schema>, userId: string) =>
  withPlace(db).where('users.user_id', '=', userId).executeTakeFirst()

export const userByEmail = (db: Kysely<Schema>, accountId: string, email: string) =>
  withPlace(db).where('users.account_id', '=', accountId).where('users.email', '=', email).executeTakeFirst()

export const lockUser = (trx: Transaction<Schema>, userId: string) =>
  withPlace(trx).where('users.user_id', '=', userId).forNoKeyUpdate('users').executeTakeFirst()

export type UserRow = NonNullable<Awaited<ReturnType<typeof userById>>>
