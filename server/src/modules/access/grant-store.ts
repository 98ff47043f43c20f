import { type AccessObject, type ObjectType, type Privilege, foldedName } from '@boathouse/contract'
import { type ExpressionBuilder, type Kysely, sql, type Transaction } from 'kysely'
import { catalogKeyOf, catalogName } from '../../store/catalog-ids.ts'
import { foldedColumn } from '../../store/folded-name.ts'
import type { Schema } from '../../store/schema.ts'
import { type Page, likeText } from '../../store/page.ts'

/** Who is given something, as it is kept: users by their id, which outlives a change of name. */
export type GranteeKey = { readonly userId: string } | { readonly role: string }

export interface GrantRow extends AccessObject {
  readonly privileges: readonly Privilege[]
  readonly grantable: readonly Privilege[]
  readonly grantedBy: string
  readonly grantedAt: Date
}

const catalogNow = () => catalogName('grants').as('catalog')

export const GRANT_COLUMNS = [
  'grants.object_type as type',
  catalogNow(),
  'grants.database',
  'grants.name',
  'grants.privileges',
  'grants.grantable',
  'grants.granted_by as grantedBy',
  'grants.granted_at as grantedAt',
] as const

type GrantFilter = (eb: ExpressionBuilder<Schema, 'grants'>) => ReturnType<typeof eb.and>

export const toKey =
  (accountId: string, key: GranteeKey): GrantFilter =>
  (eb) =>
    'userId' in key
      ? eb.and([eb('account_id', '=', accountId), eb('user_id', '=', key.userId)])
      : eb.and([eb('account_id', '=', accountId), eb('role', '=', key.role)])

export const folded = (column: 'catalog_id' | 'database' | 'name') => foldedColumn(`grants.${column}`)

/** The catalog, or all catalogs. */
const reachingCatalog = (accountId: string, catalog: string) =>
  sql<boolean>`${folded('catalog_id')} in ('', ${catalogKeyOf(accountId, catalog)})`

export const onObject =
  (accountId: string, { type, catalog, database, name }: AccessObject): GrantFilter =>
  (eb) =>
    eb.and([
      eb('object_type', '=', type),
      eb(folded('catalog_id'), '=', catalogKeyOf(accountId, catalog)),
      eb(folded('database'), '=', foldedName(database)),
      eb(folded('name'), '=', foldedName(name)),
    ])

/** On it, or on all of a kind that it is one of. */
const reaching =
  (accountId: string, { type, catalog, database, name }: AccessObject): GrantFilter =>
  (eb) =>
    eb.and([
      eb('object_type', '=', type),
      reachingCatalog(accountId, catalog),
      eb(folded('database'), 'in', ['', foldedName(database)]),
      eb(folded('name'), 'in', ['', foldedName(name)]),
    ])

/** Of a user's own, and of these roles. */
export const heldBy =
  (accountId: string, { userId, roles }: { userId: string | null; roles: readonly string[] }): GrantFilter =>
  (eb) =>
    eb.and([
      eb('account_id', '=', accountId),
      eb.or([eb('user_id', '=', userId), eb('role', '=', sql<string>`any(${roles}::text[])`)]),
    ])

/** Where names are asked for; of every database where it is empty. */
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

const toGrant = (row: object): GrantRow => row as GrantRow

export function createGrantStore(db: Kysely<Schema>) {
  return {
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
        .limit(most)
        .execute()
      return rows as unknown as (GrantRow & { role: string | null; user: string | null })[]
    },

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
        .limit(limit)
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

    /** The user stays for as long as the transaction. */
    async isUser(trx: Transaction<Schema>, userId: string): Promise<boolean> {
      const found = await trx
        .selectFrom('users')
        .select('user_id')
        .where('user_id', '=', userId)
        .forKeyShare()
        .executeTakeFirst()
      return found !== undefined
    },

    forgetRole: (trx: Transaction<Schema>, accountId: string, role: string) =>
      trx.deleteFrom('grants').where(toKey(accountId, { role })).execute(),

    /** The object is gone, with everything in it. */
    async forgetObject(executor: Kysely<Schema>, accountId: string, object: AccessObject): Promise<void> {
      const { type, catalog, database, name } = object
      const holdsOthers = type === 'database' || type === 'catalog'
      await executor
        .deleteFrom('grants')
        .where('account_id', '=', accountId)
        .$if(!holdsOthers, (all) =>
          all.where('object_type', '=', type).where(folded('name'), '=', foldedName(name)),
        )
        .$if(type !== 'warehouse', (all) =>
          all.where(folded('catalog_id'), '=', catalogKeyOf(accountId, catalog)),
        )
        .$if(type !== 'warehouse' && type !== 'catalog', (all) =>
          all.where(folded('database'), '=', foldedName(database)),
        )
        .execute()
    },

    async renameObject(
      executor: Kysely<Schema>,
      accountId: string,
      { object, to }: { object: AccessObject; to: string },
    ): Promise<void> {
      await executor
        .updateTable('grants')
        .set(object.type === 'database' ? { database: to } : { name: to })
        .where('account_id', '=', accountId)
        .$if(object.type !== 'database', (all) => all.where(onObject(accountId, object)))
        .$if(object.type === 'database', (all) =>
          all
            .where(folded('catalog_id'), '=', catalogKeyOf(accountId, object.catalog))
            .where(folded('database'), '=', foldedName(object.database)),
        )
        .execute()
    },
  }
}
