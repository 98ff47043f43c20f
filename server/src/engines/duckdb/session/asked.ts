import { StatementType } from '@duckdb/node-api'
import type { RunOptions } from './bound-statement.ts'
import type { RunState } from './run-state.ts'

// An interrupt that arrives between two steps of a statement has no effect, hence again and again.
export const INTERRUPT_EVERY_MS = 10
// Well before the server would end the process because a cancelled statement does not end.
export const GIVE_UP_AFTER_MS = 2_000

export const READS = new Set([StatementType.SELECT, StatementType.EXPLAIN])
/** EXPLAIN ANALYZE does what it explains. */
export const DEFINES = new Set([StatementType.ALTER, StatementType.CREATE, StatementType.EXPLAIN])

export interface Asked {
  readonly sql: string
  readonly options: RunOptions
  readonly runState: RunState
  onRan(): void
}
