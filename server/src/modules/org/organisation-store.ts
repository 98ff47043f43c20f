import type { Insertable, Kysely, Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export const insertOrganisation = (trx: Transaction<Schema>, row: Insertable<Schema['organisations']>) =>
  trx.insertInto('organisations').values(row).execute()

export const setRootAccount = (trx: Transaction<Schema>, organisationId: string, accountId: string) =>
  trx
    .updateTable('organisations')
    .set({ root_account_id: accountId })
    .where('organisation_id', '=', organisationId)
    .execute()

export const setIdentity = (trx: Transaction<Schema>, organisationId: string, identity: number) =>
  trx.updateTable('organisations').set({ identity }).where('organisation_id', '=', organisationId).execute()

export const setSource = (trx: Transaction<Schema>, organisationId: string, source: number) =>
  trx.updateTable('organisations').set({ source }).where('organisation_id', '=', organisationId).execute()

/** Undefined when there is no such organisation. */
export const lockOrganisation = (trx: Transaction<Schema>, organisationId: string) =>
  trx
    .selectFrom('organisations')
    .select(['organisation_id', 'name', 'identity', 'source', 'root_account_id'])
    .where('organisation_id', '=', organisationId)
    .forUpdate()
    .executeTakeFirst()

export const countAccounts = async (trx: Transaction<Schema>, organisationId: string): Promise<number> => {
  const { count } = await trx
    .selectFrom('accounts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organisation_id', '=', organisationId)
    .executeTakeFirstOrThrow()
  return count
}

export const originOf = (db: Kysely<Schema>, organisationId: string) =>
  db
    .selectFrom('organisations')
    .select(['source', 'identity'])
    .where('organisation_id', '=', organisationId)
    .executeTakeFirstOrThrow()

/** Administrators of the organisation, in its root account. */
export const administratorsOf = (db: Kysely<Schema>, organisationId: string, limit: number) =>
  db
    .selectFrom('organisations')
    .innerJoin('accounts', 'accounts.account_id', 'organisations.root_account_id')
    .innerJoin('users', 'users.account_id', 'accounts.account_id')
    .select(['users.user_id', 'users.email', 'accounts.account_id', 'accounts.name as account_name'])
    .where('organisations.organisation_id', '=', organisationId)
    .where('users.is_org_admin', '=', true)
    .orderBy('users.created_at')
    .orderBy('users.user_id')
    .limit(limit)
    .execute()
