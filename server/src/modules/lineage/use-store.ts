import { type Kysely, sql } from 'kysely'
import { jsonText } from '../../store/json-text.ts'
import type { Schema } from '../../store/schema.ts'

export interface NotedUse {
  readonly account_id: string
  readonly catalog: string
  readonly database: string
  readonly name: string
  readonly writes: boolean
  readonly user_id: string
  readonly digest: string
  readonly uses: number
  readonly query_id: string
  readonly accepted_at: string
}

const NOTED = sql`as noted(account_id text, catalog text, database text, name text, writes boolean, user_id uuid,
  digest text, uses integer, query_id uuid, accepted_at timestamptz)`

/** In the letters in which names are compared; of accounts and users that are still there. */
const kept = (uses: readonly NotedUse[]) => sql`
  select noted.account_id, lower(catalog_id_of(noted.account_id, catalog) collate "C") catalog_id,
    lower(database collate "C") database, lower(noted.name collate "C") as name, writes, noted.user_id, digest, uses,
    query_id, accepted_at
  from jsonb_to_recordset(${jsonText(uses)}::jsonb) ${NOTED}
  join users on users.user_id = noted.user_id and users.account_id = noted.account_id`

const KEY = sql`account_id, catalog_id, database, name`

/** What was used, and that what was written to has changed. */
export async function noteUses(db: Kysely<Schema>, uses: readonly NotedUse[]): Promise<void> {
  await sql`
    insert into table_uses (${KEY}, day, user_id, digest, writes, uses, query_id, accepted_at)
    select ${KEY}, (accepted_at at time zone 'UTC')::date, user_id, digest, writes, uses, query_id, accepted_at
    from (${kept(uses)}) one
    on conflict (${KEY}, day, user_id, digest, writes) do update set
      uses = table_uses.uses + excluded.uses,
      query_id = case when excluded.accepted_at >= table_uses.accepted_at then excluded.query_id else table_uses.query_id end,
      accepted_at = greatest(table_uses.accepted_at, excluded.accepted_at)`.execute(db)
  if (!uses.some(({ writes }) => writes)) return
  await sql`
    insert into table_facts (${KEY}, changed_at, changed_by, is_due)
    select distinct on (${KEY}) ${KEY}, accepted_at, user_id, true
    from (${kept(uses)}) one where writes order by ${KEY}, accepted_at desc
    on conflict (${KEY}) do update set is_due = true,
      changed_by = case when table_facts.changed_at > excluded.changed_at then table_facts.changed_by else excluded.changed_by end,
      changed_at = greatest(table_facts.changed_at, excluded.changed_at)`.execute(db)
}

/** Some at a time: what is old by a month. */
export const forgetUses = (db: Kysely<Schema>, before: Date, most: number) =>
  sql`delete from table_uses where ctid in (
    select ctid from table_uses where day < ${before}::date limit ${sql.lit(most)})`.execute(db)
