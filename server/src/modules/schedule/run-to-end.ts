import { BoundValues, LIMITS } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import type { RunEnd, TaskRuns } from '../task/runs.ts'
import { judge, type Looked } from './condition.ts'
import { conditionOf } from './present.ts'
import { ended, type RunOutcome, type WriteEnd } from './run-ending.ts'
import type { ScheduleRunRow } from './run-store.ts'
import type { ScheduleStore } from './store.ts'

export interface RunToEndParts {
  readonly store: ScheduleStore
  readonly runs: TaskRuns
  readonly writeEnd: WriteEnd
  /** The first rows that a statement of this user returned. */
  readonly rowsOf: (owner: Actor, queryId: string, limit: number) => Promise<Looked>
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly clock: Clock
}

/** Runs what was written down, checks the condition, and writes how it went. */
export function createRunToEnd({ store, runs, writeEnd, rowsOf, transaction, clock }: RunToEndParts) {
  /** How it went, and whether the condition holds. One that cannot be decided is a failure. */
  async function outcomeOf(
    run: ScheduleRunRow,
    end: Exclude<RunEnd, { state: 'open' }>,
  ): Promise<RunOutcome> {
    const at = clock.now()
    if (end.state === 'failed')
      return { end: ended({ state: 'failed', query_id: end.queryId, error: end.error, ended_at: at }) }
    const success = ended({ state: 'success', query_id: end.queryId, row_count: end.rows, ended_at: at })
    const schedule = await store.byId(run.schedule_id)
    const condition = schedule && conditionOf(schedule)
    if (!condition || end.queryId === null) return { end: success }
    try {
      const owner = await runs.ownerOf(run.user_id)
      const rows = await rowsOf(owner, end.queryId, LIMITS.conditionRows)
      const { met, fingerprint } = judge(condition, rows, schedule.fingerprint)
      return { end: { ...success, met }, fingerprint }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const why = `It ran, but its condition could not be checked. ${error.message}`
      return { end: { ...success, state: 'failed', error: why } }
    }
  }

  return async function runToEnd(run: ScheduleRunRow): Promise<void> {
    const { run_id, account_id, user_id, catalog, warehouse_id, bound_values } = run
    const end = await runs.run(
      {
        run_id,
        account_id,
        user_id,
        definition: run.sql,
        catalog,
        database: run.database_name,
        warehouse_id,
        values: bound_values === null ? undefined : BoundValues.parse(JSON.parse(bound_values)),
      },
      { variables: { transaction_read_only: '1' } },
    )
    if (end.state === 'open') return
    const outcome = await outcomeOf(run, end)
    await transaction((trx) => writeEnd(trx, run, outcome))
  }
}
