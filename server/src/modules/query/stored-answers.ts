import { type CodeName, CONN_LOST } from '@boathouse/contract'
import { splitStatements } from '@boathouse/sql'
import { EMPTY_RESULT, NOT_MOVED, type StatementAnswer } from './answer.ts'
import { DEFAULT_CATALOG, DEFAULT_WAREHOUSE } from './connections.ts'
import type { StatementRow } from './store.ts'

interface StoredError {
  readonly code: CodeName
  readonly message: string
  readonly offset: number | null
}

/** What is known of a request that ended earlier, perhaps in another server's life: everything but its rows. */
export function storedAnswers(rows: readonly StatementRow[], sql: string): StatementAnswer[] {
  const statements = splitStatements(sql)
  return rows.map((row) => {
    const error = row.error as StoredError | null
    const start = statements[row.statement_index]?.start ?? 0
    const isFinished = row.state === 'finished'
    return {
      requestId: row.request_id,
      queryId: row.query_id,
      connectionId: row.connection_id ?? CONN_LOST,
      index: row.statement_index,
      count: row.statement_count,
      start,
      end: statements[row.statement_index]?.end ?? 0,
      state: isFinished ? 'finished' : 'failed',
      code: error?.code ?? (isFinished ? 'Ok' : 'Interrupted'),
      message:
        error?.message ??
        (isFinished
          ? 'This statement ran and finished; its rows are no longer kept. Run it again to see them.'
          : ''),
      errorOffset: error?.offset == null ? null : start + error.offset,
      result: isFinished ? EMPTY_RESULT : null,
      timeUsedMs: row.ended_at && row.started_at ? row.ended_at.getTime() - row.started_at.getTime() : 0,
      progress: null,
      place: {
        catalog: row.catalog ?? DEFAULT_CATALOG,
        database: row.database_name,
        warehouse: row.warehouse ?? DEFAULT_WAREHOUSE,
      },
      moved: NOT_MOVED,
    }
  })
}
