import { foldedName } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import { sql } from 'kysely'
import type { OwnCatalog } from '../../../engines/engine/attachments.ts'
import { foldedColumn } from '../../../store/folded-name.ts'
import type { Schema } from '../../../store/schema.ts'
import { lockCatalogs } from './external-store.ts'

export interface InternalCatalogRow {
  readonly catalog_id: string
  readonly account_id: string
  readonly name: string
  readonly description: string
  readonly created_by: string
  readonly created_at: Date
  /** Null: its name is reserved, but its creation was not confirmed to the requester yet. */
  readonly opened_at: Date | null
}

const named = (name: string) => sql<boolean>`${foldedColumn('name')} = ${foldedName(name)}`

export function createInternalStore(db: Kysely<Schema>) {
  return {
    list: (accountId: string): Promise<InternalCatalogRow[]> =>
      db
        .selectFrom('internal_catalogs')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('name')
        .execute(),

    /** As an engine that starts has to know them. */
    async attached(accountId: string): Promise<OwnCatalog[]> {
      const rows = await db
        .selectFrom('internal_catalogs')
        .select(['catalog_id', 'name', 'opened_at'])
        .where('account_id', '=', accountId)
        .orderBy('name')
        .execute()
      return rows.map(({ catalog_id: id, name, opened_at }) => ({
        kind: 'own',
        id,
        name,
        isNew: opened_at === null,
      }))
    },

    find: (accountId: string, name: string): Promise<InternalCatalogRow | undefined> =>
      db
        .selectFrom('internal_catalogs')
        .selectAll()
        .where('account_id', '=', accountId)
        .where(named(name))
        .executeTakeFirst(),

    async nameOf(trx: Transaction<Schema>, catalogId: string): Promise<string | undefined> {
      const row = await trx
        .selectFrom('internal_catalogs')
        .select('name')
        .where('catalog_id', '=', catalogId)
        .executeTakeFirst()
      return row?.name
    },

    /** One after the other for an account. */
    async countAlone(trx: Transaction<Schema>, accountId: string): Promise<number> {
      await lockCatalogs(trx, accountId)
      const { count } = await trx
        .selectFrom('internal_catalogs')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
      return count
    },

    async insert(trx: Transaction<Schema>, row: InternalCatalogRow): Promise<void> {
      await trx.insertInto('internal_catalogs').values(row).execute()
    },

    /** False when it was dropped meanwhile. */
    async opened(trx: Transaction<Schema>, catalogId: string, at: Date): Promise<boolean> {
      const updated = await trx
        .updateTable('internal_catalogs')
        .set({ opened_at: at })
        .where('catalog_id', '=', catalogId)
        .returning('catalog_id')
        .executeTakeFirst()
      return updated !== undefined
    },

    /** False when it was dropped meanwhile. */
    async rename(trx: Transaction<Schema>, catalogId: string, name: string): Promise<boolean> {
      const updated = await trx
        .updateTable('internal_catalogs')
        .set({ name })
        .where('catalog_id', '=', catalogId)
        .returning('catalog_id')
        .executeTakeFirst()
      return updated !== undefined
    },

    async remove(trx: Kysely<Schema>, catalogId: string): Promise<boolean> {
      const removed = await trx
        .deleteFrom('internal_catalogs')
        .where('catalog_id', '=', catalogId)
        .returning('catalog_id')
        .executeTakeFirst()
      return removed !== undefined
    },

    async edition(accountId: string): Promise<string> {
      const { edition } = await db
        .selectFrom('accounts')
        .select('edition')
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
      return edition
    },
  }
}

export type InternalStore = ReturnType<typeof createInternalStore>
