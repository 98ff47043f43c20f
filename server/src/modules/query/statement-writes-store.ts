import { type Kysely, type RawBuilder, sql } from 'kysely'
import { catalogIdOf } from '../../store/catalog-ids.ts'
import { compiledOnce } from '../../store/compiled-once.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Schema } from '../../store/schema.ts'
import type { NewStatement, StatementRow } from './statement-row.ts'

const json = (value: unknown): string | null => (value === null ? null : jsonText(value))

/** The path of the catalog in a privilege that a statement needed; it is kept by its id. */
const IN_NEEDED = sql`'{object,catalog}'`

const neededIds = (needed: string | null): RawBuilder<string | null> =>
  sql`catalog_ids_in(statements.account_id, ${needed}::jsonb, ${IN_NEEDED})`

/** In the names that catalogs have now. */
export const neededNow = () => sql`catalog_names_in(statements.needed, ${IN_NEEDED})`.as('needed')

/** Of the row that is written. */
export const statementCatalogId = (name: string): RawBuilder<string> =>
  catalogIdOf(sql.ref<string>('statements.account_id'), name)

/** The version of what users are and may do comes along, so that nobody has to ask for it apart. */
export const acceptInsert = (db: Kysely<Schema>, rows: readonly NewStatement[]) =>
  db
    .insertInto('statements')
    .values(rows.map((row) => ({ ...row, catalog_id: catalogIdOf(row.account_id, row.catalog) })))
    .returning(({ selectFrom }) =>
      selectFrom('identity_versions')
        .select('version')
        .whereRef('identity_versions.account_id', '=', 'statements.account_id')
        .as('identity_version'),
    )

/** With each value by its name, which a query that is compiled once must use. */
const oneInsert = (db: Kysely<Schema>) => (row: NewStatement) =>
  acceptInsert(db, [
    {
      query_id: row.query_id,
      account_id: row.account_id,
      user_id: row.user_id,
      user_name: row.user_name,
      visible: row.visible,
      writes: row.writes,
      connection_id: row.connection_id,
      request_id: row.request_id,
      statement_index: row.statement_index,
      statement_count: row.statement_count,
      door: row.door,
      client_ip: row.client_ip,
      private_endpoint: row.private_endpoint,
      program: row.program,
      key_name: row.key_name,
      warehouse_id: row.warehouse_id,
      warehouse: row.warehouse,
      engine: row.engine,
      catalog: row.catalog,
      database_name: row.database_name,
      sql: row.sql,
      kind: row.kind,
      state: row.state,
      accepted_at: row.accepted_at,
      started_at: row.started_at,
    },
  ])

/** What of a statement's row is written at its end. */
export type EndedRow = Pick<
  StatementRow,
  | 'query_id'
  | 'accepted_at'
  | 'state'
  | 'ended_at'
  | 'duration_us'
  | 'row_count'
  | 'error'
  | 'effect'
  | 'peak_memory_bytes'
  | 'compile_us'
  | 'fetch_us'
  | 'peak_spill_bytes'
  | 'shown_bytes'
  | 'engine'
  | 'profile'
  | 'plan'
  | 'result_state'
  | 'result_rows'
  | 'result_complete'
  | 'result_columns'
  | 'needed'
  | 'result_expires_at'
>

/** With its values as they go to the database. */
type EndUpdate = Omit<EndedRow, 'error' | 'profile' | 'result_columns' | 'needed'> &
  Record<'error' | 'profile' | 'result_columns' | 'needed', string | null>

const endUpdate = (db: Kysely<Schema>) => (end: EndUpdate) =>
  db
    .updateTable('statements')
    .set({
      state: end.state,
      ended_at: end.ended_at,
      duration_us: end.duration_us,
      row_count: end.row_count,
      error: end.error,
      effect: end.effect,
      peak_memory_bytes: end.peak_memory_bytes,
      compile_us: end.compile_us,
      fetch_us: end.fetch_us,
      peak_spill_bytes: end.peak_spill_bytes,
      shown_bytes: end.shown_bytes,
      engine: end.engine,
      profile: end.profile,
      plan: end.plan,
      result_state: end.result_state,
      result_rows: end.result_rows,
      result_complete: end.result_complete,
      result_columns: end.result_columns,
      needed: neededIds(end.needed),
      result_expires_at: end.result_expires_at,
    })
    .where('query_id', '=', end.query_id)
    .where('accepted_at', '=', end.accepted_at)

/** The two writes that every statement makes. */
export function statementWrites(db: Kysely<Schema>) {
  const acceptOne = compiledOnce(db, oneInsert(db))
  const writeEnd = compiledOnce(db, endUpdate(db))
  return {
    acceptOne,

    async writeEnd(end: EndedRow): Promise<void> {
      await writeEnd({
        ...end,
        error: json(end.error),
        profile: json(end.profile),
        result_columns: json(end.result_columns),
        needed: json(end.needed),
      })
    },
  }
}

export type StatementWrites = ReturnType<typeof statementWrites>
