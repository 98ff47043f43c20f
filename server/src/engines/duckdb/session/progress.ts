import type { DuckDBConnection } from '@duckdb/node-api'
import { type Progress, PROGRESS_UNKNOWN } from '../../engine/run.ts'

/** Of the running statement of a connection, as far as DuckDB reports it. */
export function progressOf(connection: DuckDBConnection): Progress {
  const { percentage, rows_processed: rows, total_rows_to_process: totalRows } = connection.progress
  if (percentage < 0) return PROGRESS_UNKNOWN
  return { percentage: Math.min(100, percentage), rows: Number(rows), totalRows: Number(totalRows) }
}
