import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Schema } from '../../store/schema.ts'
import { forgetAddressChange } from './address-change-store.ts'

export type UserRow = Selectable<Schema['users']>

export interface NewUser {
  readonly userId: string
  readonly accountId: string
  readonly name: string
  readonly email: string | null
  /** Null: invited, and chooses one by a link. */
  readonly passwordHash: string | null
  readonly isOrgAdmin: boolean
  /** Has API keys alone. */
  readonly isService?: boolean
  readonly roles: readonly string[]
  readonly at: Date
}

/**
 * Two look-alikes must not be added at the same time either. The index on names finds the same name in another letter
 * case.
 */
async function refuseLookAlike(trx: Transaction<Schema>, { accountId, name }: NewUser): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`users ${accountId}`}, 0))`.execute(trx)
  const alike = await trx
    .selectFrom('users')
    .select('name')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`look_of(name) = look_of(${name})`)
    .where(sql<string>`lower(name)`, '<>', name.toLowerCase())
    .executeTakeFirst()
  if (!alike) return
  const message = `The name ${name} looks the same as the name of the user ${alike.name}, but uses other letters. Choose another name.`
  throw new AppError('BadInput', message)
}

/** With their roles, all active. */
export async function insertUser(trx: Transaction<Schema>, user: NewUser): Promise<void> {
  const { userId, at } = user
  await refuseLookAlike(trx, user)
  await trx
    .insertInto('users')
    .values({
      user_id: userId,
      account_id: user.accountId,
      name: user.name,
      email: user.email?.trim().toLowerCase() ?? null,
      password_hash: user.passwordHash,
      is_org_admin: user.isOrgAdmin,
      is_service: user.isService ?? false,
      created_at: at,
      password_changed_at: at,
    })
    .execute()
  await trx
    .insertInto('user_roles')
    .values(user.roles.map((role) => ({ user_id: userId, role, active: true, granted_at: at })))
    .execute()
}

/** Letter case ignored. */
export const findUser = (db: Kysely<Schema>, accountId: string, name: string) =>
  db
    .selectFrom('users')
    .selectAll()
    .where('account_id', '=', accountId)
    .where(sql<string>`lower(name)`, '=', name.toLowerCase())
    .executeTakeFirst()

export const findUserById = (db: Kysely<Schema>, userId: string) =>
  db.selectFrom('users').selectAll().where('user_id', '=', userId).executeTakeFirst()

export const listUsers = (db: Kysely<Schema>, accountId: string, limit: number) =>
  db
    .selectFrom('users')
    .select((eb) => [
      'name',
      'email',
      'is_org_admin as orgAdmin',
      'created_at as createdAt',
      sql<string>`coalesce((select string_agg(role, ' ' order by role) from user_roles
        where user_roles.user_id = users.user_id), '')`.as('roles'),
      eb.and([eb('password_hash', 'is', null), eb('is_service', '=', false)]).as('invited'),
      'is_service as service',
    ])
    .where('account_id', '=', accountId)
    .orderBy('name')
    .limit(limit)
    .execute()

/** Whether anybody else in the account holds the role. */
export const othersHold = async (
  db: Kysely<Schema>,
  user: Pick<UserRow, 'account_id' | 'user_id'>,
  role: string,
): Promise<boolean> =>
  (await db
    .selectFrom('users')
    .innerJoin('user_roles', 'user_roles.user_id', 'users.user_id')
    .select('users.user_id')
    .where('users.account_id', '=', user.account_id)
    .where('users.user_id', '<>', user.user_id)
    .where('user_roles.role', '=', role)
    .executeTakeFirst()) !== undefined

/** A pending change of the address is cancelled: its requester knew the old password. */
export async function setPassword(
  db: Kysely<Schema>,
  userId: string,
  password: { hash: string; at: Date },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: password.hash, password_changed_at: password.at, native_credential: null })
    .where('user_id', '=', userId)
    .execute()
  await forgetAddressChange(db, userId)
}

export const deleteUser = (db: Kysely<Schema>, userId: string) =>
  db.deleteFrom('users').where('user_id', '=', userId).execute()
