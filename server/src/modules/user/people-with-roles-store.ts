import type { UserEntry } from '@boathouse/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { likeText, type Page } from '../../store/page.ts'
import { deleteUser, insertUser } from './people-store.ts'

const everyone = (db: Kysely<Schema>, accountId: string) =>
  db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.account_id', 'users.account_id')
    .where('users.account_id', '=', accountId)

const entries = (query: ReturnType<typeof everyone>) =>
  query.select([
    'users.user_id',
    'users.name',
    'users.email',
    'users.created_at',
    sql<boolean>`users.password_hash is null`.as('is_invited'),
    sql<boolean>`accounts.creator_id is not distinct from users.user_id`.as('is_creator'),
    sql<
      string[]
    >`array(select role from user_roles where user_roles.user_id = users.user_id order by role)`.as('roles'),
    sql<Date | null>`(select max(last_used_at) from logins where logins.user_id = users.user_id)`.as(
      'last_used_at',
    ),
  ])

export type PersonRow = Awaited<ReturnType<ReturnType<typeof entries>['executeTakeFirstOrThrow']>>

export const entryOf = (row: PersonRow): UserEntry => ({
  user: row.name,
  email: row.email ?? '',
  isInvited: row.is_invited,
  isCreator: row.is_creator,
  roles: row.roles,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})

async function pageOf(query: ReturnType<typeof everyone>, { page, pageSize }: Page) {
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await entries(query)
    .orderBy(sql`lower(users.name)`)
    .offset((page - 1) * pageSize)
    .limit(pageSize)
    .execute()
  return { list: rows.map(entryOf), total }
}

/** Users of an account and the roles that they were given. */
export function createPeopleStore(db: Kysely<Schema>) {
  const matching = (accountId: string, search: string) =>
    search === ''
      ? everyone(db, accountId)
      : everyone(db, accountId).where((eb) =>
          eb.or([
            eb(sql<string>`lower(users.name)`, 'like', likeText(search)),
            eb(sql<string>`lower(users.email)`, 'like', likeText(search)),
          ]),
        )

  return {
    find: (accountId: string, name: string, executor: Kysely<Schema> = db): Promise<PersonRow | undefined> =>
      entries(everyone(executor, accountId))
        .where(sql<string>`lower(users.name)`, '=', name.toLowerCase())
        .executeTakeFirst(),

    list: (accountId: string, page: Page) => pageOf(matching(accountId, page.search), page),

    listWithRole: (accountId: string, role: string, page: Page) =>
      pageOf(
        matching(accountId, page.search).where(({ exists, selectFrom }) =>
          exists(
            selectFrom('user_roles')
              .select('user_roles.role')
              .whereRef('user_roles.user_id', '=', 'users.user_id')
              .where('user_roles.role', '=', role),
          ),
        ),
        page,
      ),

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

    async namesOf(userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const rows = await db
        .selectFrom('users')
        .select(['user_id', 'name'])
        .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
        .execute()
      return new Map(rows.map((row) => [row.user_id, row.name]))
    },

    rolesOf: (userId: string, executor: Kysely<Schema> = db) =>
      executor
        .selectFrom('user_roles')
        .select(['role', 'active', 'granted_at'])
        .where('user_id', '=', userId)
        .orderBy('role')
        .execute(),

    async countAll(trx: Transaction<Schema>, accountId: string): Promise<number> {
      const { total } = await trx
        .selectFrom('users')
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
      return total
    },

    insert: insertUser,
    delete: deleteUser,

    /** False when it was given before. */
    async giveRole(
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

    async takeRole(trx: Transaction<Schema>, userId: string, role: string): Promise<boolean> {
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
    takeRoleFromAll: (trx: Transaction<Schema>, accountId: string, role: string) =>
      trx
        .deleteFrom('user_roles')
        .where('role', '=', role)
        .where('user_id', 'in', trx.selectFrom('users').select('user_id').where('account_id', '=', accountId))
        .execute(),

    takeAllRoles: (trx: Transaction<Schema>, userId: string) =>
      trx.deleteFrom('user_roles').where('user_id', '=', userId).execute(),

    setActive: (trx: Transaction<Schema>, userId: string, roles: readonly string[]) =>
      trx
        .updateTable('user_roles')
        .set({ active: sql<boolean>`role = any(${roles}::text[])` })
        .where('user_id', '=', userId)
        .execute(),

    accountName: async (trx: Transaction<Schema>, accountId: string): Promise<string> =>
      (
        await trx
          .selectFrom('accounts')
          .select('name')
          .where('account_id', '=', accountId)
          .executeTakeFirstOrThrow()
      ).name,
  }
}

/** Who has the role is an administrator of the organisation, whether it is active or not. */
const setOrgAdmin = (trx: Transaction<Schema>, userId: string, isOrgAdmin: boolean) =>
  trx.updateTable('users').set({ is_org_admin: isOrgAdmin }).where('user_id', '=', userId).execute()

export type PeopleStore = ReturnType<typeof createPeopleStore>
