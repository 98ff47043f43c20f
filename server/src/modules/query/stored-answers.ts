import {
  type CodeName,
  CONN_LOST,
  DEFAULT_CATALOG,
  DEFAULT_WAREHOUSE_NAME,
  type EngineErrorKind,
} from '@boathouse/contract'
import { splitStatements, STATEMENT_KINDS, type StatementKind } from '@boathouse/sql'
import type { ResultRows } from '../../engines/engine.ts'
import { EMPTY_RESULT, NOT_MOVED, type StatementAnswer } from './answer.ts'
import { CUT_OFF, readsOrDraws } from './ending.ts'
import type { StatementRow } from './store.ts'

interface StoredError {
  readonly code: CodeName
  readonly message: string
  readonly offset: number | null
  readonly kind?: EngineErrorKind | null
}

/** Since an end was written, the engine may have said what became of the statement. */
const asKnownNow = ({ code, message }: StoredError, { effect }: StatementRow) => ({
  code,
  message: effect === 'not taken' ? message.replace(CUT_OFF.unknown, CUT_OFF[effect]) : message,
})

/** Of a statement whose server ended with it, nothing was written at its end: the words are made here. */
export function wordsOf(row: StatementRow): { code: CodeName; message: string } {
  const error = row.error as StoredError | null
  if (error) return asKnownNow(error, row)
  if (row.state === 'finished')
    return {
      code: 'Ok',
      message: row.writes
        ? ''
        : 'This statement finished; its rows are no longer here. Run it again to see them.',
    }
  if (row.started_at === null)
    return {
      code: 'Interrupted',
      message: `The service ended before this statement ran. ${CUT_OFF['not taken']}`,
    }
  const isReading = STATEMENT_KINDS[row.kind as StatementKind] === 'reads'
  const unmarked = isReading ? readsOrDraws(row.sql) : 'service'
  const effect = row.effect as 'taken' | 'not taken' | 'unknown' | null
  return {
    code: 'Interrupted',
    message: `The service ended while this statement ran. ${CUT_OFF[effect ?? unmarked]}`,
  }
}

const resultOf = (row: StatementRow): ResultRows => ({
  ...EMPTY_RESULT,
  rowsChanged: row.writes ? row.row_count : null,
  truncated: (row.result_rows ?? 0) > (row.row_count ?? 0) || row.result_complete === false,
})

/** What is known of a request that ended earlier, perhaps in another server's life: everything but its rows. */
export function storedAnswers(rows: readonly StatementRow[], sql: string): StatementAnswer[] {
  const statements = splitStatements(sql)
  return rows.map((row) => {
    const offset = (row.error as StoredError | null)?.offset
    const start = statements[row.statement_index]?.start ?? 0
    const isFinished = row.state === 'finished'
    const { code, message } = wordsOf(row)
    return {
      requestId: row.request_id,
      queryId: row.query_id,
      connectionId: row.connection_id ?? CONN_LOST,
      index: row.statement_index,
      count: row.statement_count,
      start,
      end: statements[row.statement_index]?.end ?? 0,
      state: isFinished ? 'finished' : 'failed',
      code,
      message: isFinished ? '' : message,
      notice: isFinished && row.result_state !== 'kept' ? message : '',
      errorKind: (row.error as StoredError | null)?.kind ?? null,
      errorOffset: offset == null ? null : start + offset,
      result: isFinished ? resultOf(row) : null,
      ...(row.result_state === 'kept' ? { rowsBefore: row.row_count ?? 0 } : {}),
      timeUsedMs: row.ended_at && row.started_at ? row.ended_at.getTime() - row.started_at.getTime() : 0,
      progress: null,
      queuePlace: null,
      isKept: row.result_state === 'kept',
      place: {
        catalog: row.catalog ?? DEFAULT_CATALOG,
        database: row.database_name,
        warehouse: row.warehouse ?? DEFAULT_WAREHOUSE_NAME,
      },
      moved: NOT_MOVED,
    }
  })
}
