import type { AccessObject, Privilege } from '@boathouse/contract'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { catalogName } from '../../store/catalog-ids.ts'
import { catalogNow } from './grant-store.ts'

/** Of an account, at most: of what is beyond, nobody has anything where this is asked. */
const MOST_GRANTS = 50_000
const MOST_PEOPLE = 20_000

export interface DataGrant extends AccessObject {
  readonly userId: string | null
  readonly role: string | null
  readonly privileges: readonly Privilege[]
}

/** All that everybody in an account may do with data, for an engine that decides by it once more. */
export function createAccountAccessStore(db: Kysely<Schema>) {
  return {
    /** Changes with each change of users, roles or grants. */
    async versionsOf(accountIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
      if (accountIds.length === 0) return new Map()
      const rows = await db
        .selectFrom('identity_versions')
        .select(['account_id', 'version'])
        .where('account_id', 'in', accountIds)
        .execute()
      return new Map(rows.map(({ account_id, version }) => [account_id, version]))
    },

    /** With their active roles, and what those inherit as far as people have said so. */
    peopleOf: (accountId: string) =>
      db
        .selectFrom('users')
        .select([
          'users.user_id as userId',
          'users.name',
          sql<string[]>`array(
            with recursive active (role) as (
              select role from user_roles where user_roles.user_id = users.user_id and user_roles.active
              union
              select role_roles.granted from active join role_roles
                on role_roles.account_id = users.account_id and role_roles.role = active.role)
            select role from active order by role)`.as('roles'),
        ])
        .where('users.account_id', '=', accountId)
        .orderBy('users.user_id')
        .limit(MOST_PEOPLE)
        .execute(),

    /** Materialized views run as their owner, who fills them whatever else was granted or revoked. */
    async ownedViewsOf(accountId: string): Promise<DataGrant[]> {
      const rows = await db
        .selectFrom('materialized_views')
        .select(['owner_id as userId', catalogName('materialized_views').as('catalog'), 'database', 'name'])
        .where('account_id', '=', accountId)
        .orderBy('view_id')
        .limit(MOST_GRANTS)
        .execute()
      return rows.map((row) => ({
        ...row,
        type: 'materialized_view',
        role: null,
        privileges: ['ALTER', 'DROP'],
      }))
    },

    async dataGrantsOf(accountId: string): Promise<DataGrant[]> {
      const rows = await db
        .selectFrom('grants')
        .select([
          'grants.user_id as userId',
          'grants.role',
          'grants.object_type as type',
          catalogNow(),
          'grants.database',
          'grants.name',
          'grants.privileges',
        ])
        .where('grants.account_id', '=', accountId)
        .where('grants.object_type', 'in', ['catalog', 'database', 'table', 'view', 'materialized_view'])
        .orderBy('grants.grant_id')
        .limit(MOST_GRANTS)
        .execute()
      return rows as DataGrant[]
    },
  }
}
