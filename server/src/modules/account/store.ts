import type { Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export function createAccountStore(db: Kysely<Schema>) {
  return {
    regionOf: (accountId: string) =>
      db
        .selectFrom('accounts')
        .select(['account_id', 'region', 'held_elsewhere'])
        .where('account_id', '=', accountId)
        .executeTakeFirst(),

    details: (accountId: string) =>
      db
        .selectFrom('accounts')
        .innerJoin('organisations', 'organisations.organisation_id', 'accounts.organisation_id')
        .select([
          'accounts.account_id',
          'accounts.name',
          'organisations.name as organisation',
          'accounts.csp',
          'accounts.region',
          'accounts.edition',
          'accounts.creator',
          'accounts.created_by',
          'accounts.created_at',
        ])
        .where('accounts.account_id', '=', accountId)
        .executeTakeFirstOrThrow(),
  }
}

export type AccountStore = ReturnType<typeof createAccountStore>
