import { LIMITS, slotsOf, WAREHOUSE_SIZES, type WarehouseSize } from '@boathouse/contract'
import { requoteBackticks } from '@boathouse/sql'
import type { Engine, ExecuteOptions, Purpose, QueryRun } from '../../engines/engine.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Connection } from './connections.ts'
import type { Ending } from './ending.ts'
import { runInSession, type SessionRunner } from './session-run.ts'
import { selectLimitOf } from './session-variables.ts'

/** The right to run in a warehouse, and what it is. */
export interface WarehouseLease {
  readonly engine: Engine
  readonly warehouse: { readonly name: string; readonly size: WarehouseSize }
  /** Aborted, with the error to answer, when the warehouse ends before the statement does. */
  readonly evicted: AbortSignal
  release(): void
}

export interface Admission {
  admit(
    actor: Actor,
    warehouse: string,
    applicant: { onQueued(place: number): void; signal: AbortSignal },
  ): Promise<WarehouseLease>
}

export interface EngineStatement {
  readonly actor: Actor
  readonly connection: Connection
  readonly queryId: string
  readonly sql: string
  readonly purpose: Purpose
  readonly profile: boolean
  /** Aborted when the user stops it. */
  readonly stop: AbortSignal
  onQueued(place: number): void
  /** It has its slot. Nothing is run before this is done. */
  onAdmitted(): Promise<void>
  /** Told of the run while it goes on, for its progress. */
  onRun(run: QueryRun | null): void
}

export interface StatementRunner extends SessionRunner {
  readonly admission: Admission
}

const HOUR_MS = 3_600_000

/** The share of the warehouse that the statement held, for as long as it held it. */
function costOf(size: WarehouseSize, ms: number): string {
  return (((ms / HOUR_MS) * WAREHOUSE_SIZES[size]) / slotsOf(size)).toFixed(6)
}

/** Runs one statement: a slot in the warehouse, a session in its engine, then the run. */
export async function runInWarehouse(runner: StatementRunner, statement: EngineStatement): Promise<Ending> {
  const { actor, connection, stop } = statement
  const lease = await runner.admission.admit(actor, connection.warehouse, {
    onQueued: (place) => statement.onQueued(place),
    signal: stop,
  })
  const startedAt = performance.now()
  try {
    await statement.onAdmitted()
    const ending = await runWithLease(runner, statement, lease)
    return { ...ending, costCcu: costOf(lease.warehouse.size, performance.now() - startedAt) }
  } finally {
    lease.release()
  }
}

type Bound = Pick<EngineStatement, 'connection' | 'queryId' | 'purpose' | 'profile' | 'sql'>

// Engines read a backtick as an operator: unchanged, one statement to us could be three to them.
const textOf = ({ sql }: Bound): string => requoteBackticks(sql)

const optionsOf = ({ connection, queryId, purpose, profile }: Bound): ExecuteOptions => ({
  takenFor: purpose,
  maxRows: selectLimitOf(connection),
  longestCell: LIMITS.cellLength,
  queryId,
  keep: purpose === 'reads' ? { maxRows: LIMITS.keptRows, maxBytes: LIMITS.keptBytes } : null,
  profile,
})

/** Lets the engine read the statement while the request is being written down. Nothing of it is run. */
export function giveHeadStart({ sessions }: Pick<StatementRunner, 'sessions'>, statement: Bound): void {
  sessions.makeReady(statement.connection.id, textOf(statement), optionsOf(statement))
}

async function runWithLease(
  runner: StatementRunner,
  statement: EngineStatement,
  lease: WarehouseLease,
): Promise<Ending> {
  const { actor, connection, stop } = statement
  return runInSession(runner, lease.engine, {
    accountId: actor.accountId,
    connection,
    part: 'user',
    sql: textOf(statement),
    options: optionsOf(statement),
    stop,
    evicted: lease.evicted,
    onRun: (run) => statement.onRun(run),
  })
}
