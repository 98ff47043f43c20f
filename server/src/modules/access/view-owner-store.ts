import { type AccessObject, foldedName } from '@boathouse/contract'
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { catalogIdOf, catalogKeyOf } from '../../store/catalog-ids.ts'
import { foldedColumn } from '../../store/folded-name.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Schema } from '../../store/schema.ts'
import type { BoundName } from '../query/gate/bound-definitions.ts'

const folded = (column: 'catalog_id' | 'database' | 'name') => foldedColumn(`view_owners.${column}`)

/** The view, or all views of the database or catalog. */
const among =
  (accountId: string, { type, catalog, database, name }: AccessObject) =>
  (eb: ExpressionBuilder<Schema, 'view_owners'>) =>
    eb.and([
      eb('account_id', '=', accountId),
      eb(folded('catalog_id'), '=', catalogKeyOf(accountId, catalog)),
      ...(type === 'catalog' ? [] : [eb(folded('database'), '=', foldedName(database))]),
      ...(type === 'database' || type === 'catalog' ? [] : [eb(folded('name'), '=', foldedName(name))]),
    ])

export interface ViewOwner {
  readonly userId: string
  /** What the view uses, as its owner has made or confirmed it; null: nobody has looked yet. */
  readonly bound: readonly BoundName[] | null
}

/** As it is kept: with the ids of catalogs. */
const boundIds = (accountId: string, bound: readonly BoundName[] | null) =>
  bound === null ? null : sql<string>`catalog_ids_in(${accountId}, ${jsonText(bound)}::jsonb, '{0}')`

/** By whose rights a view reads. */
export const createViewOwnerStore = (db: Kysely<Schema>) => ({
  async viewOwner(accountId: string, view: AccessObject): Promise<ViewOwner | undefined> {
    const row = await db
      .selectFrom('view_owners')
      .select(['user_id', sql<BoundName[] | null>`catalog_names_in(view_owners.bound, '{0}')`.as('bound')])
      .where(among(accountId, view))
      .executeTakeFirst()
    return row && { userId: row.user_id, bound: row.bound }
  },

  /** Unless somebody has written down something else since `before` was read. */
  async bindView(
    accountId: string,
    view: AccessObject,
    { before, bound }: { before: ViewOwner['bound']; bound: readonly BoundName[] },
  ): Promise<void> {
    const known = boundIds(accountId, before)
    await db
      .updateTable('view_owners')
      .set({ bound: boundIds(accountId, bound) })
      .where(among(accountId, view))
      .where((eb) => (known === null ? eb('bound', 'is', null) : sql<boolean>`bound = ${known}`))
      .execute()
  },

  /** Somebody has made a macro: to the views of those who trust them it is right as it is, whatever it is. */
  async macroChanged(
    executor: Kysely<Schema>,
    accountId: string,
    { macro, userId, mayAll }: { macro: AccessObject; userId: string; mayAll: boolean },
  ): Promise<void> {
    const catalog = catalogIdOf(accountId, macro.catalog)
    await executor
      .updateTable('view_owners')
      .set({
        bound: sql<string>`coalesce(bound_after_change(bound, ${catalog}, ${macro.database}, ${macro.name},
          ${mayAll}::boolean or user_id = ${userId}), bound)`,
      })
      .where('account_id', '=', accountId)
      .where(sql<boolean>`exists (select from jsonb_array_elements(bound) as one where one ->> 3 = 'function'
        and lower((one ->> 2) collate "C") = ${foldedName(macro.name)})`)
      .execute()
  },

  async forgetViewOwners(
    executor: Kysely<Schema>,
    accountId: string,
    viewOrDatabase: AccessObject,
  ): Promise<void> {
    await executor.deleteFrom('view_owners').where(among(accountId, viewOrDatabase)).execute()
  },

  async renameOwnedViews(
    executor: Kysely<Schema>,
    accountId: string,
    { object, to }: { object: AccessObject; to: string },
  ): Promise<void> {
    await executor
      .updateTable('view_owners')
      .set(object.type === 'database' ? { database: to } : { name: to })
      .where(among(accountId, object))
      .execute()
  },

  async putViewOwner(
    executor: Kysely<Schema>,
    accountId: string,
    { view, userId, bound }: { view: AccessObject } & ViewOwner,
  ): Promise<void> {
    const { catalog, database, name } = view
    await executor
      .insertInto('view_owners')
      .values({
        account_id: accountId,
        catalog_id: catalogIdOf(accountId, catalog),
        database,
        name,
        user_id: userId,
        bound: boundIds(accountId, bound),
      })
      .onConflict((conflict) =>
        conflict
          .expression(
            sql`account_id, lower(catalog_id collate "C"), lower(database collate "C"), lower(name collate "C")`,
          )
          .doUpdateSet({ user_id: userId, bound: boundIds(accountId, bound) }),
      )
      .execute()
  },
})
