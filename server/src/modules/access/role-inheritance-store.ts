import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

/** Everything below these roles, themselves included; built-in ones inherit what the contract says. */
const below = (accountId: string, roles: readonly string[]) => sql<{ role: string }>`
  with recursive below (role) as (
    select unnest(${roles}::text[])
    union
    select role_roles.granted from below join role_roles
      on role_roles.account_id = ${accountId} and role_roles.role = below.role)
  select role from below order by role`

const above = (accountId: string, roles: readonly string[]) => sql<{ role: string }>`
  with recursive above (role) as (
    select unnest(${roles}::text[])
    union
    select role_roles.role from above join role_roles
      on role_roles.account_id = ${accountId} and role_roles.granted = above.role)
  select role from above order by role`

const depth = (accountId: string, role: string, direction: 'down' | 'up') => {
  const [from, to] = direction === 'down' ? (['role', 'granted'] as const) : (['granted', 'role'] as const)
  return sql<{ depth: number }>`
    with recursive walked (role, depth) as (
      select ${role}::text, 1
      union
      select ${sql.ref(`role_roles.${to}`)}, walked.depth + 1 from walked join role_roles
        on role_roles.account_id = ${accountId} and ${sql.ref(`role_roles.${from}`)} = walked.role)
    select max(depth) as depth from walked`
}

/** Which role inherits which. */
export function createRoleInheritanceStore(db: Kysely<Schema>) {
  const names = async (query: ReturnType<typeof below>, executor: Kysely<Schema> = db): Promise<string[]> =>
    (await query.execute(executor)).rows.map(({ role }) => role)

  return {
    below: (accountId: string, roles: readonly string[], executor = db) =>
      names(below(accountId, roles), executor),

    above: (accountId: string, roles: readonly string[], executor = db) =>
      names(above(accountId, roles), executor),

    /** The longest direction down from a role, or up to it, in roles. */
    async depth(
      executor: Kysely<Schema>,
      { accountId, role }: { accountId: string; role: string },
      direction: 'down' | 'up',
    ): Promise<number> {
      const { rows } = await depth(accountId, role, direction).execute(executor)
      return rows[0]?.depth ?? 1
    },

    /** What each of these roles inherits directly. */
    inheritedOf: async (accountId: string, roles: readonly string[], executor: Kysely<Schema> = db) =>
      roles.length === 0
        ? []
        : executor
            .selectFrom('role_roles')
            .select(['role', 'granted'])
            .where('account_id', '=', accountId)
            .where('role', 'in', roles)
            .orderBy('role')
            .orderBy('granted')
            .execute(),

    inheriting: async (accountId: string, granted: string): Promise<string[]> => {
      const rows = await db
        .selectFrom('role_roles')
        .select('role')
        .where('account_id', '=', accountId)
        .where('granted', '=', granted)
        .orderBy('role')
        .execute()
      return rows.map(({ role }) => role)
    },

    async inherit(
      trx: Transaction<Schema>,
      accountId: string,
      edge: { role: string; granted: string; by: string; at: Date },
    ): Promise<boolean> {
      const { role, granted, by, at } = edge
      const inserted = await trx
        .insertInto('role_roles')
        .values({ account_id: accountId, role, granted, granted_by: by, granted_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .returning('role')
        .executeTakeFirst()
      return inserted !== undefined
    },

    async disinherit(
      trx: Transaction<Schema>,
      accountId: string,
      { role, granted }: { role: string; granted: string },
    ): Promise<boolean> {
      const deleted = await trx
        .deleteFrom('role_roles')
        .where('account_id', '=', accountId)
        .where('role', '=', role)
        .where('granted', '=', granted)
        .returning('role')
        .executeTakeFirst()
      return deleted !== undefined
    },
  }
}
