import { type Kysely, sql } from 'kysely'
import { compiledOnce } from '../../store/compiled-once.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Schema } from '../../store/schema.ts'
import type { NewStatement } from './statement-row.ts'
import { ACCEPTED_COLUMNS, type EndedRow, ENDED_COLUMNS } from './statement-writes-store.ts'

/** What is in the journal under this id, with what has changed since. */
type Change = Pick<NewStatement, 'query_id'> & Partial<Omit<NewStatement, 'state'> & EndedRow>

const names = (columns: readonly string[], table?: string) =>
  sql.join(columns.map((name) => sql.ref(table ? `${table}.${name}` : name)))

const insertInto = (ids: readonly string[], accounts: readonly string[], texts: Texts) =>
  sql<{ query_id: string; identity_version: number | null }>`
    insert into statement_journal (query_id, account_id, catalog_id, accepted)
    select r.query_id, r.account_id, catalog_id_of(r.account_id, r.catalog), r.accepted
    from unnest(${ids}::uuid[], ${accounts}::text[], ${texts.catalogs}::text[], ${texts.rows}::text[])
      as r (query_id, account_id, catalog, accepted)
    on conflict do nothing
    returning query_id, (select version from identity_versions v where v.account_id = statement_journal.account_id)
      as identity_version`

interface Texts {
  readonly catalogs: readonly string[]
  readonly rows: readonly string[]
}

interface Moved {
  readonly ids: readonly string[]
  /** JSON of them. */
  readonly changes: string
}

/** Only what is still in the journal: a move of which no answer came may have been made. */
const moved = ({ ids, changes }: Moved) => sql`
  with gone as (
    delete from statement_journal where query_id = any(${ids}::uuid[]) returning query_id, catalog_id, accepted
  ), r as (
    select row.*, gone.catalog_id as kept_catalog_id
    from jsonb_array_elements(${changes}::jsonb) as c (change)
    join gone on gone.query_id = (c.change ->> 'query_id')::uuid
    cross join lateral jsonb_populate_record(null::statements, gone.accepted::jsonb || c.change) as row
  )`

const moveRunning = (all: Moved) => sql<{ query_id: string }>`${moved(all)}
  insert into statements (${names(ACCEPTED_COLUMNS)}, catalog_id)
  select ${names(ACCEPTED_COLUMNS, 'r')}, r.kept_catalog_id from r
  returning query_id`

/** Columns of which an end says nothing keep their defaults. */
const WITH_END = [...new Set<string>([...ACCEPTED_COLUMNS, ...ENDED_COLUMNS])].filter(
  (name) => name !== 'needed',
)

const moveEnded = (all: Moved) => sql<{ query_id: string }>`${moved(all)}
  insert into statements (${names(WITH_END)}, catalog_id, needed)
  select ${names(WITH_END, 'r')}, r.kept_catalog_id, catalog_ids_in(r.account_id, r.needed, '{object,catalog}') from r
  returning query_id`

/** What a server that has ended left in the journal. */
export const moveAllRunning = (db: Kysely<Schema>) =>
  sql`
    with gone as (delete from statement_journal returning catalog_id, accepted)
    insert into statements (${names(ACCEPTED_COLUMNS)}, catalog_id)
    select ${names(ACCEPTED_COLUMNS, 'r')}, gone.catalog_id
    from gone, jsonb_populate_record(null::statements, gone.accepted::jsonb) r`.execute(db)

/** Reads between their acceptance and the history. */
export function journalWrites(db: Kysely<Schema>) {
  const insert = compiledOnce(db, (of: Texts & { ids: readonly string[]; accounts: readonly string[] }) => ({
    compile: () => insertInto(of.ids, of.accounts, of).compile(db),
  }))
  const running = compiledOnce(db, (all: Moved) => ({ compile: () => moveRunning(all).compile(db) }))
  const ended = compiledOnce(db, (all: Moved) => ({ compile: () => moveEnded(all).compile(db) }))
  async function movedBy(move: typeof running, changes: readonly Change[]): Promise<ReadonlySet<string>> {
    const found = await move({ ids: changes.map((one) => one.query_id), changes: jsonText(changes) })
    return new Set(found.map((row) => row.query_id))
  }
  return {
    /** All or none, with the version that was read for each. What is there already stays, so that it can be tried again. */
    async accept(rows: readonly NewStatement[]): Promise<ReadonlyMap<string, number | undefined>> {
      const written = await insert({
        ids: rows.map((row) => row.query_id),
        accounts: rows.map((row) => row.account_id),
        catalogs: rows.map((row) => row.catalog),
        rows: rows.map((row) => jsonText(row)),
      })
      return new Map(written.map(({ query_id: id, identity_version: version }) => [id, version ?? undefined]))
    },

    /** Into the history, as running. All or none; gives those that were still in the journal. */
    moveRunning: (changes: readonly Change[]) => movedBy(running, changes),

    /** Into the history with their ends, in the same way. */
    moveEnded: (ends: readonly (EndedRow & Change)[]) => movedBy(ended, ends),
  }
}

export type JournalWrites = ReturnType<typeof journalWrites>
