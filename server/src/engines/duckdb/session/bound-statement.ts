import type { DuckDBConnection } from '@duckdb/node-api'
import type { ExecuteOptions } from '../../engine/run.ts'
import { isNarrow } from '../rows/narrow-rows.ts'
import { SMALL_ROWS, type SelectCache, uncountedRows } from './select-cache.ts'
import { type ReadyStatement, readyStatement } from './statement.ts'

/** Of the rows that a statement may give: one more than are wanted tells that there are more. */
export function mostRows({ maxRows, keep }: ExecuteOptions): number {
  return Math.max(maxRows, keep?.maxRows ?? 0) + 1
}

/** Of a session's own: a statement whose stream ended too early is run again to learn why. */
export interface RunOptions extends ExecuteOptions {
  readonly findsFailure?: boolean
}

/** Rows that are kept are counted, unless the same text gave rows before that need not be. */
export async function boundStatement(
  { connection, selects }: { connection: DuckDBConnection; selects: SelectCache },
  sql: string,
  options: RunOptions,
): Promise<ReadyStatement> {
  const known = selects.get(sql)
  const rows = mostRows(options)
  const readyFor = (cap: number | 'all', counted: boolean | 'unless narrow') =>
    readyStatement(connection, sql, { rows: cap, counted, isOneSelect: known !== undefined })
  if (options.sink) {
    const isSmall = !options.findsFailure && selects.givesLittle(sql)
    return isSmall ? readyFor(SMALL_ROWS + 1, false) : readyFor('all', options.findsFailure ?? false)
  }
  if (options.keep === null) return readyFor(rows, false)
  const uncounted = uncountedRows(known, rows)
  const isKnownWide = known && known.isNarrow !== null
  if (uncounted === null) return readyFor(rows, isKnownWide ? true : 'unless narrow')
  const ready = await readyFor(uncounted, false)
  if (!ready.isCapped || known?.isSmall || isNarrow(ready.prepared, rows)) return ready
  ready.prepared.destroySync()
  return readyFor(rows, true)
}
