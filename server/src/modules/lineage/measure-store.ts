import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import type { TablePlace } from './table-key-store.ts'

export interface DueTable extends TablePlace {
  readonly accountId: string
  readonly catalogId: string
}

export interface Measure {
  readonly rows: number | null
  readonly bytes: number | null
}

const isDue = ({ accountId, catalogId, database, name }: DueTable) =>
  sql`account_id = ${accountId} and catalog_id = ${catalogId} and database = ${database} and name = ${name}`

export const createMeasureStore = (db: Kysely<Schema>) => ({
  /** Those that were not counted since `before`, the longest first. */
  async due(before: Date, most: number): Promise<DueTable[]> {
    const { rows } = await sql<DueTable>`
      select account_id "accountId", catalog_id "catalogId", coalesce(catalog_name_of(catalog_id), catalog_id) catalog,
        database, name
      from table_facts where is_due and (measured_at is null or measured_at < ${before})
      order by measured_at nulls first limit ${sql.lit(most)}`.execute(db)
    return rows
  },

  /** A write that comes while it is counted makes it due again. */
  async begin(table: DueTable, at: Date): Promise<void> {
    await sql`update table_facts set is_due = false, measured_at = ${at} where ${isDue(table)}`.execute(db)
  },

  /** What cannot be counted now does not keep others from being counted. */
  async postpone(accountId: string, at: Date): Promise<void> {
    await sql`update table_facts set measured_at = ${at} where account_id = ${accountId} and is_due`.execute(
      db,
    )
  },

  async put(table: DueTable, { rows, bytes }: Measure, at: Date): Promise<void> {
    const { accountId, catalogId, database, name } = table
    await sql`
      insert into table_measures (account_id, catalog_id, database, name, hour, row_count, bytes)
      values (${accountId}, ${catalogId}, ${database}, ${name}, date_trunc('hour', ${at}::timestamptz), ${rows}, ${bytes})
      on conflict (account_id, catalog_id, database, name, hour) do update set
        row_count = excluded.row_count, bytes = excluded.bytes`.execute(db)
  },

  /** A name that no table has: one that a text named, or one that is gone. */
  async forgetUnknown(table: DueTable): Promise<void> {
    await sql`delete from table_facts where ${isDue(table)} and created_at is null`.execute(db)
  },

  async forgetOld(before: Date, most: number): Promise<void> {
    await sql`delete from table_measures where ctid in (
      select ctid from table_measures where hour < ${before} limit ${sql.lit(most)})`.execute(db)
  },
})

export type MeasureStore = ReturnType<typeof createMeasureStore>
