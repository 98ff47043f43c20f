import { type AccessObject, type Privilege, foldedName } from '@boathouse/contract'
import { type ExpressionBuilder, type Kysely, sql, type Transaction } from 'kysely'
import { catalogKeyOf, catalogName } from '../../store/catalog-ids.ts'
import { foldedColumn } from '../../store/folded-name.ts'
import type { Schema } from '../../store/schema.ts'

/** Who is given something, as it is kept: users by their id, which outlives a change of name. */
export type GranteeKey = { readonly userId: string } | { readonly role: string }

export interface GrantRow extends AccessObject {
  readonly privileges: readonly Privilege[]
  readonly grantable: readonly Privilege[]
  readonly grantedBy: string
  readonly grantedAt: Date
}

export const catalogNow = () => catalogName('grants').as('catalog')

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
export const reachingCatalog = (accountId: string, catalog: string) =>
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
export const reaching =
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

/** Keeps grants in step with the objects, roles and users that they are about. */
export function createGrantStore() {
  return {
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
