import { type AccessObject, type Privilege, foldedName } from '@boathouse/contract'
import { type Kysely, sql } from 'kysely'
import { catalogKeyOf } from '../../store/catalog-ids.ts'
import type { Schema } from '../../store/schema.ts'
import { type GrantRow, catalogNow, GRANT_COLUMNS, folded, reaching } from './grant-store.ts'

/** Grants on an object: who has what on it. */
export function createObjectGrantsStore(db: Kysely<Schema>) {
  return {
    /** On the object itself, newest first. */
    grantsOn: async (
      accountId: string,
      { type, catalog, database, name }: AccessObject,
      most: number,
    ): Promise<(GrantRow & { readonly role: string | null; readonly user: string | null })[]> => {
      const rows = await db
        .selectFrom('grants')
        .leftJoin('users', 'users.user_id', 'grants.user_id')
        .select([...GRANT_COLUMNS, 'grants.role', 'users.name as user'])
        .where('grants.account_id', '=', accountId)
        .where('grants.object_type', '=', type)
        .where(folded('catalog_id'), '=', catalogKeyOf(accountId, catalog))
        .where(folded('database'), '=', foldedName(database))
        .where(folded('name'), '=', foldedName(name))
        .orderBy('granted_at', 'desc')
        .orderBy('grant_id', 'desc')
        .limit(most)
        .execute()
      return rows as unknown as (GrantRow & { role: string | null; user: string | null })[]
    },

    /** Roles to which somebody gave this privilege. */
    rolesGranted: async (
      accountId: string,
      privilege: Privilege,
      object: AccessObject,
    ): Promise<string[]> => {
      const rows = await db
        .selectFrom('grants')
        .select('role')
        .distinct()
        .where('account_id', '=', accountId)
        .where('role', 'is not', null)
        .where(reaching(accountId, object))
        .where(sql<boolean>`${privilege} = any(privileges)`)
        .orderBy('role')
        .limit(20)
        .execute()
      return rows.flatMap(({ role }) => role ?? [])
    },

    /** Users and roles that were given a privilege that reaches an object, by their names. */
    async holdersOf(
      accountId: string,
      { privilege, object }: { privilege: Privilege; object: AccessObject },
      { offset, limit }: { offset: number; limit: number },
    ) {
      const matching = db
        .selectFrom('grants')
        .leftJoin('users', 'users.user_id', 'grants.user_id')
        .where('grants.account_id', '=', accountId)
        .where(reaching(accountId, object))
        .where(sql<boolean>`${privilege} = any(grants.privileges)`)
      const { total } = await matching
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      const rows = await matching
        .select([
          'grants.object_type as type',
          catalogNow(),
          'grants.database',
          'grants.name',
          'grants.privileges',
          'grants.granted_by as grantedBy',
          'grants.role',
          'users.name as user',
        ])
        .orderBy('grants.role')
        .orderBy('users.name')
        .orderBy('grants.grant_id')
        .offset(offset)
        .limit(limit)
        .execute()
      return {
        list: rows as (Omit<GrantRow, 'grantable' | 'grantedAt'> & {
          role: string | null
          user: string | null
        })[],
        total,
      }
    },
  }
}
