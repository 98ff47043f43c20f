import { foldedName } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import { sql } from 'kysely'
import { jsonText } from '../../../store/json-text.ts'
import { foldedColumn } from '../../../store/folded-name.ts'
import type { Schema } from '../../../store/schema.ts'

export interface ExternalCatalogRow {
  readonly catalog_id: string
  readonly account_id: string
  readonly name: string
  readonly description: string
  readonly metastore: string
  readonly settings: Readonly<Record<string, string>>
  /** Sealed. */
  readonly secrets: string
  readonly created_by: string
  readonly created_at: Date
}

const named = (name: string) => sql<boolean>`${foldedColumn('name')} = ${foldedName(name)}`

/** One change after the other for an account: two at the same moment can neither both have a name nor both be the last. */
export async function lockCatalogs(trx: Transaction<Schema>, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`catalogs ${accountId}`}, 0))`.execute(trx)
}

/** Under that lock: whether a catalog of any kind has this name, whatever its letter case. */
export async function isNameTaken(
  trx: Transaction<Schema>,
  accountId: string,
  name: string,
): Promise<boolean> {
  const of = (table: 'external_catalogs' | 'internal_catalogs') =>
    trx.selectFrom(table).select('catalog_id').where('account_id', '=', accountId).where(named(name))
  return (
    (await of('external_catalogs').executeTakeFirst()) !== undefined ||
    (await of('internal_catalogs').executeTakeFirst()) !== undefined
  )
}

export function createExternalStore(db: Kysely<Schema>) {
  return {
    list: async (accountId: string): Promise<ExternalCatalogRow[]> => {
      const rows = await db
        .selectFrom('external_catalogs')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('name')
        .execute()
      return rows as ExternalCatalogRow[]
    },

    find: async (accountId: string, name: string): Promise<ExternalCatalogRow | undefined> => {
      const row = await db
        .selectFrom('external_catalogs')
        .selectAll()
        .where('account_id', '=', accountId)
        .where(named(name))
        .executeTakeFirst()
      return row as ExternalCatalogRow | undefined
    },

    findById: async (accountId: string, catalogId: string): Promise<ExternalCatalogRow | undefined> => {
      const row = await db
        .selectFrom('external_catalogs')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('catalog_id', '=', catalogId)
        .executeTakeFirst()
      return row as ExternalCatalogRow | undefined
    },

    /** One after the other for an account. */
    async countAlone(trx: Transaction<Schema>, accountId: string): Promise<number> {
      await lockCatalogs(trx, accountId)
      const { count } = await trx
        .selectFrom('external_catalogs')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
      return count
    },

    async insert(trx: Transaction<Schema>, row: ExternalCatalogRow): Promise<void> {
      await trx
        .insertInto('external_catalogs')
        .values({ ...row, settings: jsonText(row.settings) })
        .execute()
    },

    async remove(trx: Transaction<Schema>, accountId: string, name: string): Promise<boolean> {
      const removed = await trx
        .deleteFrom('external_catalogs')
        .where('account_id', '=', accountId)
        .where(named(name))
        .returning('catalog_id')
        .executeTakeFirst()
      return removed !== undefined
    },

    /** By another key than the one with this prefix. */
    sealedByOthers: (newestPrefix: string, limit: number) =>
      db
        .selectFrom('external_catalogs')
        .select(['catalog_id', 'secrets'])
        .where('secrets', 'not like', `${newestPrefix}%`)
        .limit(limit)
        .execute(),

    reseal: (catalogId: string, before: string, secrets: string) =>
      db
        .updateTable('external_catalogs')
        .set({ secrets })
        .where('catalog_id', '=', catalogId)
        .where('secrets', '=', before)
        .execute(),
  }
}

export type ExternalStore = ReturnType<typeof createExternalStore>
