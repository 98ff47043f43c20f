import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

/** Who has the role is an administrator of the organisation, whether it is active or not. */
const setOrgAdmin = (trx: Transaction<Schema>, userId: string, isOrgAdmin: boolean) =>
  trx.updateTable('users').set({ is_org_admin: isOrgAdmin }).where('user_id', '=', userId).execute()

/** Which user was given which roles. */
export function createUserRolesStore(db: Kysely<Schema>) {
  return {
    /** How many users were given each of these. */
    async countByRole(accountId: string, roles: readonly string[]) {
      if (roles.length === 0) return []
      return db
        .selectFrom('user_roles')
        .innerJoin('users', 'users.user_id', 'user_roles.user_id')
        .select((eb) => ['user_roles.role', eb.fn.countAll<number>().as('count')])
        .where('users.account_id', '=', accountId)
        .where('user_roles.role', 'in', roles)
        .groupBy('user_roles.role')
        .execute()
    },

    /** Users who were given any of these roles. */
    withAnyRole: (executor: Kysely<Schema>, accountId: string, roles: readonly string[]) =>
      executor
        .selectFrom('users')
        .select(['user_id', 'name', sql<boolean>`password_hash is not null`.as('has_password')])
        .where('account_id', '=', accountId)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('user_roles')
              .select('user_roles.role')
              .whereRef('user_roles.user_id', '=', 'users.user_id')
              .where('user_roles.role', '=', sql<string>`any(${roles}::text[])`),
          ),
        )
        .orderBy('name')
        .execute(),

    rolesOf: (userId: string, executor: Kysely<Schema> = db) =>
      executor
        .selectFrom('user_roles')
        .select(['role', 'active', 'granted_at'])
        .where('user_id', '=', userId)
        .orderBy('role')
        .execute(),

    /** False when it was given before. */
    async grantRole(
      trx: Transaction<Schema>,
      { userId, role, at }: { userId: string; role: string; at: Date },
    ): Promise<boolean> {
      const inserted = await trx
        .insertInto('user_roles')
        .values({ user_id: userId, role, active: true, granted_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .returning('role')
        .executeTakeFirst()
      if (inserted && role === 'org_admin') await setOrgAdmin(trx, userId, true)
      return inserted !== undefined
    },

    async revokeRole(trx: Transaction<Schema>, userId: string, role: string): Promise<boolean> {
      const deleted = await trx
        .deleteFrom('user_roles')
        .where('user_id', '=', userId)
        .where('role', '=', role)
        .returning('role')
        .executeTakeFirst()
      if (deleted && role === 'org_admin') await setOrgAdmin(trx, userId, false)
      return deleted !== undefined
    },

    /** From everyone in the account who was given it. */
    revokeRoleFromAll: (trx: Transaction<Schema>, accountId: string, role: string) =>
      trx
        .deleteFrom('user_roles')
        .where('role', '=', role)
        .where('user_id', 'in', trx.selectFrom('users').select('user_id').where('account_id', '=', accountId))
        .execute(),

    revokeAllRoles: (trx: Transaction<Schema>, userId: string) =>
      trx.deleteFrom('user_roles').where('user_id', '=', userId).execute(),

    setActive: (trx: Transaction<Schema>, userId: string, roles: readonly string[]) =>
      trx
        .updateTable('user_roles')
        .set({ active: sql<boolean>`role = any(${roles}::text[])` })
        .where('user_id', '=', userId)
        .execute(),
  }
}
