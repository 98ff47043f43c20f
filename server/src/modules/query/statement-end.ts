import { LIMITS } from '@boathouse/contract'
import type { Ending } from './ending.ts'
import type { StatementEnd } from './store.ts'

const HOUR_MS = 3_600_000

/** An end as it is written down. */
export function statementEnd(queryId: string, ending: Ending, endedAt: Date): StatementEnd {
  const { kept, result, code, message, offset } = ending
  return {
    queryId,
    state: ending.state,
    endedAt,
    rowCount: result ? (result.rowsChanged ?? result.rows.length) : null,
    error: code === 'Ok' ? null : { code, message, offset, kind: ending.errorKind },
    effect: ending.effect,
    peakMemoryBytes: ending.peakMemoryBytes,
    bytes: ending.bytes,
    costCcu: ending.costCcu,
    profile: ending.profile,
    kept: kept && {
      rows: kept.rows,
      complete: kept.complete,
      columns: result?.columns ?? [],
      expiresAt: new Date(endedAt.getTime() + LIMITS.keptHours * HOUR_MS),
    },
  }
}
