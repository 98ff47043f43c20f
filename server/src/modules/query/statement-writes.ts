import type { Kysely } from 'kysely'
import { compiledOnce } from '../../store/compiled-once.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Schema } from '../../store/schema.ts'
import type { NewStatement, StatementEnd } from './store.ts'

const json = (value: unknown): string | null => (value === null ? null : jsonText(value))

/** The version of what users are and may do comes along, so that nobody has to ask for it apart. */
export const acceptInsert = (db: Kysely<Schema>, rows: readonly NewStatement[]) =>
  db
    .insertInto('statements')
    .values([...rows])
    .returning(({ selectFrom }) => selectFrom('identity_version').select('version').as('identity_version'))

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
      warehouse: row.warehouse,
      catalog: row.catalog,
      database_name: row.database_name,
      sql: row.sql,
      kind: row.kind,
      state: row.state,
      accepted_at: row.accepted_at,
      started_at: row.started_at,
    },
  ])

interface EndRow extends Omit<StatementEnd, 'kept' | 'error' | 'profile'> {
  readonly error: string | null
  readonly profile: string | null
  readonly resultState: 'kept' | 'none'
  readonly resultRows: number | null
  readonly resultComplete: boolean | null
  readonly resultColumns: string | null
  readonly resultExpiresAt: Date | null
}

const endUpdate = (db: Kysely<Schema>) => (end: EndRow) =>
  db
    .updateTable('statements')
    .set({
      state: end.state,
      ended_at: end.endedAt,
      row_count: end.rowCount,
      error: end.error,
      effect: end.effect,
      peak_memory_bytes: end.peakMemoryBytes,
      shown_bytes: end.bytes,
      cost_ccu: end.costCcu,
      profile: end.profile,
      result_state: end.resultState,
      result_rows: end.resultRows,
      result_complete: end.resultComplete,
      result_columns: end.resultColumns,
      result_expires_at: end.resultExpiresAt,
    })
    .where('query_id', '=', end.queryId)

/** The two writes that every statement makes. */
export function statementWrites(db: Kysely<Schema>) {
  const acceptOne = compiledOnce(db, oneInsert(db))
  const writeEnd = compiledOnce(db, endUpdate(db))
  return {
    acceptOne,

    async writeEnd({ kept, error, profile, ...end }: StatementEnd): Promise<void> {
      await writeEnd({
        ...end,
        error: json(error),
        profile: json(profile),
        resultState: kept ? 'kept' : 'none',
        resultRows: kept?.rows ?? null,
        resultComplete: kept?.complete ?? null,
        resultColumns: kept ? json(kept.columns) : null,
        resultExpiresAt: kept?.expiresAt ?? null,
      })
    },
  }
}
