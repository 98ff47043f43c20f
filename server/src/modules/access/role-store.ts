import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { likeText } from '../../store/page.ts'

export interface RoleRow {
  readonly name: string
  readonly comment: string
  readonly createdBy: string
  readonly createdAt: Date
}

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

export function createRoleStore(db: Kysely<Schema>) {
  const names = async (query: ReturnType<typeof below>, executor: Kysely<Schema> = db): Promise<string[]> =>
    (await query.execute(executor)).rows.map(({ role }) => role)

  return {
    /** One change of an account's access at a time: cycles and limits are looked for in what then holds. */
    lock: (trx: Transaction<Schema>, accountId: string) =>
      trx
        .selectFrom('identity_versions')
        .select('version')
        .where('account_id', '=', accountId)
        .forUpdate()
        .executeTakeFirstOrThrow(),

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

    findRole: (
      accountId: string,
      name: string,
      executor: Kysely<Schema> = db,
    ): Promise<RoleRow | undefined> =>
      executor
        .selectFrom('roles')
        .select(['name', 'comment', 'created_by as createdBy', 'created_at as createdAt'])
        .where('account_id', '=', accountId)
        .where(sql<string>`lower(name)`, '=', name.toLowerCase())
        .executeTakeFirst(),

    async rolesOf(
      accountId: string,
      { search, offset, limit }: { search: string; offset: number; limit: number },
    ) {
      const matching = db
        .selectFrom('roles')
        .where('account_id', '=', accountId)
        .where(sql<string>`lower(name)`, 'like', likeText(search))
      const { total } = await matching
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      const list: RoleRow[] = await matching
        .select(['name', 'comment', 'created_by as createdBy', 'created_at as createdAt'])
        .orderBy(sql`lower(name)`)
        .offset(offset)
        .limit(limit)
        .execute()
      return { list, total }
    },

    countRoles: async (trx: Transaction<Schema>, accountId: string): Promise<number> => {
      const { total } = await trx
        .selectFrom('roles')
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
      return total
    },

    insertRole: (trx: Transaction<Schema>, accountId: string, role: RoleRow) =>
      trx
        .insertInto('roles')
        .values({
          account_id: accountId,
          name: role.name,
          comment: role.comment,
          created_by: role.createdBy,
          created_at: role.createdAt,
        })
        .execute(),

    /** And from the roles that inherit it. */
    async deleteRole(trx: Transaction<Schema>, accountId: string, role: string): Promise<void> {
      await trx
        .deleteFrom('role_roles')
        .where('account_id', '=', accountId)
        .where('granted', '=', role)
        .execute()
      await trx.deleteFrom('roles').where('account_id', '=', accountId).where('name', '=', role).execute()
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
