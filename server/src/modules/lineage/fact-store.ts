import { type Kysely, sql } from 'kysely'
import { catalogKeyOf } from '../../store/catalog-ids.ts'
import type { Schema } from '../../store/schema.ts'
import { isTable, type TablePlace } from './table-key-store.ts'

const TABLES = ['table_facts', 'table_measures', 'table_uses'] as const

const ofTable = (table: string) => sql`${sql.table(table)} as of_table`
const folded = (text: string) => sql`lower(${text} collate "C")`

/** A name is null for all of a database. */
export interface Named extends Omit<TablePlace, 'name'> {
  readonly name: string | null
}

const among = (accountId: string, { catalog, database, name }: Named) =>
  name === null
    ? sql`of_table.account_id = ${accountId} and of_table.catalog_id = ${catalogKeyOf(accountId, catalog)}
        and of_table.database = ${folded(database)}`
    : isTable(accountId, { catalog, database, name })

/** What is known of tables follows them. */
export const createFactStore = (db: Kysely<Schema>) => ({
  async created(accountId: string, table: TablePlace, { by, at }: { by: string; at: Date }): Promise<void> {
    const { catalog, database, name } = table
    await sql`
      insert into table_facts (account_id, catalog_id, database, name, created_at, created_by, changed_at)
      values (${accountId}, ${catalogKeyOf(accountId, catalog)}, ${folded(database)}, ${folded(name)}, ${at}, ${by}, ${at})
      on conflict (account_id, catalog_id, database, name) do update set
        created_at = excluded.created_at, created_by = excluded.created_by, changed_at = excluded.changed_at, is_due = true`.execute(
      db,
    )
  },

  async forget(accountId: string, named: Named): Promise<void> {
    for (const table of TABLES)
      await sql`delete from ${ofTable(table)} where ${among(accountId, named)}`.execute(db)
  },

  /** Another table had the name before, and what was known of it is gone with it. */
  async rename(accountId: string, named: Named, to: string): Promise<void> {
    const column = sql.ref(named.name === null ? 'database' : 'name')
    await this.forget(accountId, named.name === null ? { ...named, database: to } : { ...named, name: to })
    for (const table of TABLES)
      await sql`update ${ofTable(table)} set ${column} = ${folded(to)} where ${among(accountId, named)}`.execute(
        db,
      )
  },
})

export type FactStore = ReturnType<typeof createFactStore>
