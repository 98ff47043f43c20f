import { type AccessObject, foldedName } from '@boathouse/contract'
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { catalogIdOf, catalogKeyOf } from '../../store/catalog-ids.ts'
import { foldedColumn } from '../../store/folded-name.ts'
import type { Schema } from '../../store/schema.ts'

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

/** By whose rights a view reads. */
export const createViewOwnerStore = (db: Kysely<Schema>) => ({
  async viewOwner(accountId: string, view: AccessObject): Promise<string | undefined> {
    const row = await db
      .selectFrom('view_owners')
      .select('user_id')
      .where(among(accountId, view))
      .executeTakeFirst()
    return row?.user_id
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
    { view, userId }: { view: AccessObject; userId: string },
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
      })
      .onConflict((conflict) =>
        conflict
          .expression(
            sql`account_id, lower(catalog_id collate "C"), lower(database collate "C"), lower(name collate "C")`,
          )
          .doUpdateSet({ user_id: userId }),
      )
      .execute()
  },
})
