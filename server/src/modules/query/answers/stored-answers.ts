import { CONN_LOST, DEFAULT_CATALOG, DEFAULT_WAREHOUSE_NAME } from '@boathouse/contract'
import type { Statement } from '@boathouse/sql'
import { endingIn } from '../history/ended-row.ts'
import type { StatementRow } from '../statement-row.ts'
import { endedAnswer, NOT_MOVED, type StatementAnswer } from './answer.ts'

/** As in the answer at its end; of old statements without that figure, from its begin to its end. */
function timeUsedIn({ duration_us, started_at, ended_at }: StatementRow): number {
  if (duration_us !== null) return duration_us / 1000
  return ended_at && started_at ? ended_at.getTime() - started_at.getTime() : 0
}

function storedAnswer(
  row: StatementRow,
  place: Pick<Statement, 'start' | 'end'> | undefined,
): StatementAnswer {
  const known = {
    requestId: row.request_id,
    queryId: row.query_id,
    connectionId: row.connection_id ?? CONN_LOST,
    index: row.statement_index,
    count: row.statement_count,
    start: place?.start ?? 0,
    end: place?.end ?? 0,
    place: {
      catalog: row.catalog ?? DEFAULT_CATALOG,
      database: row.database_name,
      warehouse: row.warehouse ?? DEFAULT_WAREHOUSE_NAME,
    },
  }
  const answer = endedAnswer(known, endingIn(row), { timeUsedMs: timeUsedIn(row), moved: NOT_MOVED })
  return answer.isKept ? { ...answer, rowsBefore: row.row_count ?? 0 } : answer
}

/** What is known of a request that ended earlier, perhaps in another server's life: everything but its rows. */
export const storedAnswers = (
  rows: readonly StatementRow[],
  statements: readonly Pick<Statement, 'start' | 'end'>[],
): StatementAnswer[] => rows.map((row) => storedAnswer(row, statements[row.statement_index]))
