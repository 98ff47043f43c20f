import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { isTable, type TablePlace } from './table-key-store.ts'

/** Of one user, or with null of everyone in the account. */
export interface Whose {
  readonly accountId: string
  readonly userId: string | null
}

export interface UsedStatement {
  readonly id: string
  readonly at: Date
  readonly reads: boolean
  readonly writes: boolean
  readonly times: number
}

export interface LinkedTable extends TablePlace {
  readonly queryId: string
  readonly at: Date
  readonly user: string
  readonly times: number
}

const MOST_STATEMENTS = 50
const MOST_TABLES = 50
/** So many of the latest are looked through for what they used beside it. */
const MOST_USES = 2_000
const MOST_LOADS = 1_000
const MOST_MEASURES = 500

const CATALOG = sql`coalesce(catalog_name_of(other.catalog_id), other.catalog_id) catalog`
const by = (userId: string | null) => (userId === null ? sql`true` : sql`of_table.user_id = ${userId}`)

/** What is known of one table. */
export const createReadingStore = (db: Kysely<Schema>) => ({
  async facts(accountId: string, table: TablePlace) {
    const { rows } = await sql<{
      createdAt: Date | null
      createdBy: string | null
      changedAt: Date | null
      changedById: string | null
      changedBy: string | null
      isMeasured: boolean
    }>`
      select of_table.created_at "createdAt", of_table.created_by "createdBy", of_table.changed_at "changedAt",
        of_table.changed_by "changedById", users.name "changedBy", of_table.measured_at is not null "isMeasured"
      from table_facts of_table left join users on users.user_id = of_table.changed_by
      where ${isTable(accountId, table)}`.execute(db)
    return rows[0]
  },

  /** By whose privileges a view reads. */
  async viewOwner(accountId: string, view: TablePlace): Promise<string | null> {
    const { rows } = await sql<{ name: string }>`
      select users.name from (
        select account_id, user_id, lower(catalog_id collate "C") catalog_id, lower(database collate "C") database,
          lower(name collate "C") as name from view_owners where account_id = ${accountId}) of_table
      join users on users.user_id = of_table.user_id where ${isTable(accountId, view)}`.execute(db)
    return rows[0]?.name ?? null
  },

  async measures(accountId: string, table: TablePlace) {
    const { rows } = await sql<{ at: Date; rows: number | null; bytes: number | null }>`
      select hour "at", row_count "rows", bytes from table_measures of_table
      where ${isTable(accountId, table)} order by hour desc limit ${sql.lit(MOST_MEASURES)}`.execute(db)
    return rows.toReversed()
  },

  async use({ accountId, userId }: Whose, table: TablePlace, since: Date) {
    const { rows } = await sql<{ user: string; statements: number }>`
      select users.name "user", sum(uses)::float8 statements from (
        select user_id, query_id, max(uses) uses from table_uses of_table
        where ${isTable(accountId, table)} and ${by(userId)} and day >= (${since}::timestamptz at time zone 'UTC')::date
        group by user_id, query_id) one
      join users using (user_id) group by users.user_id, users.name order by 2 desc, 1`.execute(db)
    return rows
  },

  /** Newest first. */
  async statements({ accountId, userId }: Whose, table: TablePlace): Promise<UsedStatement[]> {
    const { rows } = await sql<UsedStatement>`
      select (array_agg(query_id order by accepted_at desc, query_id desc))[1] id, max(accepted_at) at,
        bool_or(not writes) reads, bool_or(writes) writes,
        greatest(sum(uses) filter (where writes), sum(uses) filter (where not writes))::float8 times
      from table_uses of_table where ${isTable(accountId, table)} and ${by(userId)}
      group by user_id, digest order by 2 desc, 1 desc limit ${sql.lit(MOST_STATEMENTS)}`.execute(db)
    return rows
  },

  /** Tables that the same statements used: with `mine` and `theirs` whether each was written. */
  async linked(
    { accountId, userId }: Whose,
    table: TablePlace,
    { mine, theirs }: { mine: boolean; theirs: boolean },
  ): Promise<LinkedTable[]> {
    const { rows } = await sql<LinkedTable>`
      select ${CATALOG}, other.database, other.name, sum(other.uses)::float8 times, max(other.accepted_at) at,
        (array_agg(users.name order by other.accepted_at desc, other.query_id desc))[1] "user",
        (array_agg(other.query_id order by other.accepted_at desc, other.query_id desc))[1] "queryId"
      from (select * from table_uses of_table where ${isTable(accountId, table)} and ${by(userId)}
        and writes = ${mine} order by accepted_at desc limit ${sql.lit(MOST_USES)}) of_table
      join table_uses other on other.account_id = of_table.account_id and other.query_id = of_table.query_id
        and (other.catalog_id, other.database, other.name) <> (of_table.catalog_id, of_table.database, of_table.name)
      join users on users.user_id = of_table.user_id
      where other.writes = ${theirs}
      group by other.catalog_id, other.database, other.name
      order by times desc, at desc, other.catalog_id, other.database, other.name limit ${sql.lit(MOST_TABLES)}`.execute(
      db,
    )
    return rows
  },

  /** Files that were loaded into it, newest first. */
  async loads({ accountId, userId }: Whose, table: TablePlace, most: number) {
    const { rows } = await sql<{ id: string; file: string; user: string; at: Date; queryId: string | null }>`
      select task_id id, file_name file, user_name "user", ended_at at, query_id "queryId" from (
        select task_id, file_name, user_name, user_id, ended_at, query_id, account_id,
          lower(catalog_id collate "C") catalog_id, lower(database_name collate "C") database,
          lower(table_name collate "C") as name
        from load_tasks where account_id = ${accountId} and state = 'finished' and file_name <> ''
        order by created_at desc limit ${sql.lit(MOST_LOADS)}) of_table
      where ${isTable(accountId, table)} and ${by(userId)} and ended_at is not null
      order by ended_at desc, task_id desc limit ${sql.lit(most)}`.execute(db)
    return rows
  },

  /** What one user used last, the latest first. */
  async recent(accountId: string, userId: string, most: number) {
    const { rows } = await sql<TablePlace & { at: Date }>`
      select ${CATALOG}, database, name, max(accepted_at) at from (
        select * from table_uses where account_id = ${accountId} and user_id = ${userId}
        order by accepted_at desc limit 500) other
      group by catalog_id, database, name order by at desc, catalog_id, database, name limit ${sql.lit(most)}`.execute(
      db,
    )
    return rows
  },

  /** It was never counted: it is with the next round. */
  async measureSoon(accountId: string, { catalog, database, name }: TablePlace): Promise<void> {
    await sql`
      insert into table_facts (account_id, catalog_id, database, name)
      values (${accountId}, lower(catalog_id_of(${accountId}, ${catalog}) collate "C"), lower(${database} collate "C"),
        lower(${name} collate "C"))
      on conflict (account_id, catalog_id, database, name) do update set is_due = true`.execute(db)
  },
})

export type ReadingStore = ReturnType<typeof createReadingStore>
