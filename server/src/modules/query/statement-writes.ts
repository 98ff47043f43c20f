import type { Kysely } from 'kysely'
import { compiledOnce } from '../../store/compiled-once.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Schema } from '../../store/schema.ts'
import type { NewStatement, StatementEnd } from './store.ts'

const json = (value: unknown): string | null => (value === null ? null : jsonText(value))

const acceptInsert = (db: Kysely<Schema>) => (row: NewStatement) =>
  db.insertInto('statements').values({
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
  })

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
  const acceptOne = compiledOnce(db, acceptInsert(db))
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
