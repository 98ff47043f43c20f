import { LIMITS, slotsOf, WAREHOUSE_SIZES, type WarehouseSize } from '@boathouse/contract'
import { requoteBackticks } from '@boathouse/sql'
import {
  type Engine,
  type EngineSession,
  NOTHING_TO_LOSE,
  type Purpose,
  type QueryRun,
} from '../../engines/engine.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Connection } from './connections.ts'
import type { Effects } from './effects.ts'
import { cancelled, cutOff, type Ending, endingOf, failed } from './ending.ts'
import type { EngineSessions } from './engine-sessions.ts'
import { queryTimeoutMsOf, selectLimitOf } from './session-variables.ts'

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

export interface StatementRunner {
  readonly admission: Admission
  readonly sessions: EngineSessions
  readonly effects: Effects
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

async function runWithLease(
  runner: StatementRunner,
  statement: EngineStatement,
  lease: WarehouseLease,
): Promise<Ending> {
  const { session, lost } = await runner.sessions.enter(lease.engine, statement.connection)
  runner.sessions.lossTold(statement.connection.id)
  if (lost.inTransaction)
    return {
      ...failed(
        'Interrupted',
        'The engine was started anew since your last statement, and your open transaction was rolled back: nothing of it took effect. Begin it again.',
      ),
      move: NOTHING_TO_LOSE,
    }
  // Engines read a backtick as an operator: unchanged, one statement to us could be three to them.
  const sql = requoteBackticks(statement.sql)
  const ending = await runWatched(runner, { ...statement, sql }, { lease, session })
  const notice = lost.hasTemporary
    ? 'The engine was started anew since your last statement: your temporary tables are gone.'
    : ''
  return { ...ending, notice }
}

/** Runs it until it ends, is stopped, runs out of time or loses its warehouse; whichever comes first is its end. */
async function runWatched(
  runner: StatementRunner,
  statement: EngineStatement,
  { lease, session }: { lease: WarehouseLease; session: EngineSession },
): Promise<Ending> {
  const { connection, stop } = statement
  if (stop.aborted) return cancelled('Stopped at your request, before it ran.')
  const timeoutMs = queryTimeoutMsOf(connection)
  const outOfTime = AbortSignal.timeout(timeoutMs)
  const run = session.execute(statement.sql, {
    takenFor: statement.purpose,
    maxRows: selectLimitOf(connection),
    queryId: statement.queryId,
    keep: statement.purpose === 'reads' ? { maxRows: LIMITS.keptRows, maxBytes: LIMITS.keptBytes } : null,
    profile: statement.profile,
  })
  statement.onRun(run)
  const cancel = (): void => void run.cancel()
  const reasons = [stop, outOfTime, lease.evicted]
  for (const reason of reasons) {
    reason.addEventListener('abort', cancel)
    if (reason.aborted) cancel()
  }
  const outcome = await run.outcome
  for (const reason of reasons) reason.removeEventListener('abort', cancel)
  statement.onRun(null)

  if (outcome.state === 'lost') {
    const effect =
      statement.purpose === 'reads'
        ? null
        : await runner.effects.ask(statement.actor.accountId, statement.queryId)
    return cutOff(`The engine ended while this statement ran (${outcome.reason}).`, effect)
  }
  if (outcome.state !== 'cancelled') return endingOf(outcome)
  if (lease.evicted.aborted && lease.evicted.reason instanceof AppError)
    return { ...failed(lease.evicted.reason.code, lease.evicted.reason.message), move: outcome.session }
  if (!stop.aborted && outOfTime.aborted)
    return {
      ...failed(
        'StatementTimedOut',
        `Stopped after ${timeoutMs / 1000} s, the query_timeout of this connection.`,
      ),
      move: outcome.session,
    }
  return endingOf(outcome)
}
