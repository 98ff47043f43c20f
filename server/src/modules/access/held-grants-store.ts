import { type AccessObject, type ObjectType, type Privilege, foldedName } from '@boathouse/contract'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import {
  type GrantRow,
  catalogNow,
  GRANT_COLUMNS,
  folded,
  reachingCatalog,
  reaching,
  heldBy,
} from './grant-store.ts'

/** The place whose names are listed; an empty database means all databases. */
export interface GrantedPlace {
  readonly of: 'database' | 'name'
  readonly types: readonly ObjectType[]
  readonly catalog: string
  readonly database: string
}

/** What somebody holds anything on in one place, by names; one of them is '' where that is on all. */
export interface GrantedData extends Omit<AccessObject, 'name'> {
  readonly names: readonly string[]
  /** Of a database. */
  readonly mayCreateTables: boolean
}

/** What users and roles hold, by which access is decided. */
export function createHeldGrantsStore(db: Kysely<Schema>) {
  return {
    /** What reaches any of these objects of one place, of these roles. */
    grantsReaching: async (
      accountId: string,
      roles: readonly string[],
      { type, catalog, database, names }: Omit<AccessObject, 'name'> & { readonly names: readonly string[] },
    ) => {
      const rows = await db
        .selectFrom('grants')
        .select([...GRANT_COLUMNS, 'role'])
        .where('account_id', '=', accountId)
        .where('role', '=', sql<string>`any(${roles}::text[])`)
        .where('object_type', '=', type)
        .where(reachingCatalog(accountId, catalog))
        .where(folded('database'), 'in', ['', foldedName(database)])
        .where(folded('name'), 'in', ['', ...names.map(foldedName)])
        .execute()
      return rows as unknown as (GrantRow & { readonly role: string })[]
    },

    /** What reaches an object, of a user's own and of these roles. */
    granted: async (
      accountId: string,
      holder: { userId: string; roles: readonly string[] },
      object: AccessObject,
    ) => {
      const rows = await db
        .selectFrom('grants')
        .select([...GRANT_COLUMNS, 'role'])
        .where(heldBy(accountId, holder))
        .where(reaching(accountId, object))
        .execute()
      return rows as (GrantRow & { role: string | null })[]
    },

    /**
     * Names of what a user and these roles hold anything on, each once, or of the databases that it is in; '' where that is
     * on all of them. Somebody may hold 50,000 tables one by one: they come as one value, since rows are made one by one.
     */
    grantedNames: async (
      accountId: string,
      holder: { userId: string; roles: readonly string[] },
      { of, types, catalog, database }: GrantedPlace,
    ): Promise<readonly string[]> => {
      const { names } = await db
        .selectFrom('grants')
        .select(sql<string[] | null>`json_agg(distinct ${sql.ref(`grants.${of}`)})`.as('names'))
        .where(heldBy(accountId, holder))
        .where('object_type', 'in', types)
        .where(reachingCatalog(accountId, catalog))
        .$if(database !== '', (all) => all.where(folded('database'), 'in', ['', foldedName(database)]))
        .executeTakeFirstOrThrow()
      return names ?? []
    },

    /** All data that a user and these roles hold anything on, by its place: for lists of all that they may see. */
    grantedData: async (
      accountId: string,
      holder: { userId: string; roles: readonly string[] },
    ): Promise<GrantedData[]> => {
      const rows = await db
        .selectFrom('grants')
        .select([
          'grants.object_type as type',
          catalogNow(),
          'grants.database',
          sql<string[]>`json_agg(distinct grants.name)`.as('names'),
          sql<boolean>`bool_or(object_type = 'database' and 'CREATE TABLE' = any(privileges))`.as(
            'mayCreateTables',
          ),
        ])
        .where(heldBy(accountId, holder))
        .where('object_type', 'not in', ['system', 'warehouse'])
        .groupBy(['grants.object_type', 'grants.catalog_id', 'grants.database'])
        .execute()
      return rows as GrantedData[]
    },

    /** What a user and these roles hold on SYSTEM, or on all of a kind in the account or in a catalog. */
    wideGrants: async (
      executor: Kysely<Schema>,
      accountId: string,
      { userId, roles }: { userId: string | null; roles: readonly string[] },
    ): Promise<(AccessObject & { readonly privileges: readonly Privilege[] })[]> => {
      const rows = await executor
        .selectFrom('grants')
        .select([
          'grants.object_type as type',
          catalogNow(),
          'grants.database',
          'grants.name',
          'grants.privileges',
        ])
        .where(heldBy(accountId, { userId, roles }))
        .where(
          sql<boolean>`case grants.object_type when 'system' then true when 'warehouse' then grants.name = ''
            when 'catalog' then grants.catalog_id = '' else grants.database = '' end`,
        )
        .execute()
      return rows as (AccessObject & { privileges: Privilege[] })[]
    },
  }
}
