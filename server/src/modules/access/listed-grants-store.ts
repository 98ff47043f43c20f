import { type Kysely, sql } from 'kysely'
import { catalogName } from '../../store/catalog-ids.ts'
import type { Schema } from '../../store/schema.ts'
import { type Page, likeText } from '../../store/page.ts'
import { type GranteeKey, type GrantRow, GRANT_COLUMNS, toKey, folded } from './grant-store.ts'

const toGrant = (row: object): GrantRow => row as GrantRow

/** Grants of users and roles, as they are listed and counted. */
export function createListedGrantsStore(db: Kysely<Schema>) {
  return {
    /** Grants with the names of whom they were given to, newest first: those of a holder, or with null of everyone. */
    newestGrants: async (
      accountId: string,
      holder: { userId: string; roles: readonly string[] } | null,
      limit: number,
    ): Promise<(GrantRow & { readonly role: string | null; readonly user: string | null })[]> => {
      const rows = await db
        .selectFrom('grants')
        // For its name, by which people know whom something was given to.
        .leftJoin('users', 'users.user_id', 'grants.user_id')
        .select([...GRANT_COLUMNS, 'grants.role', 'users.name as user'])
        .where('grants.account_id', '=', accountId)
        .$if(holder !== null, (all) =>
          all.where((eb) =>
            eb.or([
              eb('grants.user_id', '=', holder?.userId ?? ''),
              eb('grants.role', '=', sql<string>`any(${holder?.roles ?? []}::text[])`),
            ]),
          ),
        )
        .orderBy('granted_at', 'desc')
        .orderBy('grant_id', 'desc')
        .limit(limit)
        .execute()
      return rows as unknown as (GrantRow & { role: string | null; user: string | null })[]
    },

    async grantsTo(accountId: string, key: GranteeKey, { search, page, pageSize }: Page) {
      const matching = db
        .selectFrom('grants')
        .where(toKey(accountId, key))
        .where(
          sql<boolean>`lower(object_type || ' ' || ${catalogName('grants')} || '.' || database || '.' || name) like ${likeText(search)}`,
        )
      const { total } = await matching
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      const rows = await matching
        .select(GRANT_COLUMNS)
        .orderBy('object_type')
        .orderBy(sql`lower(${catalogName('grants')})`)
        .orderBy(folded('database'))
        .orderBy(folded('name'))
        .orderBy('grant_id')
        .offset((page - 1) * pageSize)
        .limit(pageSize)
        .execute()
      return { list: rows.map(toGrant), total }
    },

    async countGrants(accountId: string, roles: readonly string[]) {
      if (roles.length === 0) return []
      return db
        .selectFrom('grants')
        .select((eb) => ['role', eb.fn.countAll<number>().as('count')])
        .where('account_id', '=', accountId)
        .where('role', 'in', roles)
        .groupBy('role')
        .execute()
    },

    async grantsOfRoles(accountId: string, roles: readonly string[], limit: number): Promise<GrantRow[]> {
      const rows = await db
        .selectFrom('grants')
        .select(GRANT_COLUMNS)
        .where('account_id', '=', accountId)
        .where('role', '=', sql<string>`any(${roles}::text[])`)
        .orderBy('grant_id')
        .limit(limit)
        .execute()
      return rows.map(toGrant)
    },
  }
}
