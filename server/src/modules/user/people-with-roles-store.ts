import type { UserEntry } from '@boathouse/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { likeText, type Page } from '../../store/page.ts'
import { deleteUser, insertUser } from './people-store.ts'
import { createUserRolesStore } from './user-roles-store.ts'

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
    'users.is_service',
    sql<boolean>`users.password_hash is null and not users.is_service`.as('is_invited'),
    sql<boolean>`accounts.creator_id is not distinct from users.user_id`.as('is_creator'),
    sql<
      string[]
    >`array(select role from user_roles where user_roles.user_id = users.user_id order by role)`.as('roles'),
    sql<Date | null>`greatest(
      (select max(last_used_at) from logins where logins.user_id = users.user_id),
      (select max(last_used_at) from api_keys where api_keys.user_id = users.user_id))`.as('last_used_at'),
  ])

export type PersonRow = Awaited<ReturnType<ReturnType<typeof entries>['executeTakeFirstOrThrow']>>

export const entryOf = (row: PersonRow): UserEntry => ({
  user: row.name,
  email: row.email ?? '',
  isService: row.is_service,
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
    ...createUserRolesStore(db),

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

    async namesOf(userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const rows = await db
        .selectFrom('users')
        .select(['user_id', 'name'])
        .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
        .execute()
      return new Map(rows.map((row) => [row.user_id, row.name]))
    },

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

export type PeopleStore = ReturnType<typeof createPeopleStore>
