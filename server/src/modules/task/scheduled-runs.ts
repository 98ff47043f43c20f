import type { Transaction } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { timeOrderedId } from '../../kernel/time-ordered-id.ts'
import type { Schema } from '../../store/schema.ts'
import { nextOf } from './refresh-times.ts'
import type { RunRow, RunStore } from './run-store.ts'
import type { ScheduledStore, ScheduledTask } from './scheduled-store.ts'

export interface ScheduledParts {
  readonly store: ScheduledStore
  readonly runStore: Pick<RunStore, 'insert'>
  /** Sees a run to its end, and nobody waits for it. */
  readonly begin: (run: RunRow) => void
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly clock: Clock
  readonly log: Log
}

/** Started at once when many are due; the next check finds the others. */
const MOST_DUE = 20

export const nextTime = (task: ScheduledTask, now: Date): Date =>
  nextOf({ trigger: 'schedule', ...task }, now) ?? now

/** Starts scheduled tasks when they are due. */
export function createScheduledRuns({ store, runStore, begin, transaction, clock, log }: ScheduledParts) {
  let isClosing = false

  async function beginDue(task: ScheduledTask): Promise<void> {
    const now = clock.now()
    const run: RunRow = {
      run_id: timeOrderedId(),
      account_id: task.account_id,
      view_id: null,
      task_id: task.task_id,
      task_name: task.name,
      user_id: task.user_id,
      started_by: null,
      reason: 'schedule',
      catalog: task.catalog,
      database: task.database,
      warehouse_id: task.warehouse_id,
      definition: task.definition,
      state: 'pending',
      query_id: null,
      row_count: null,
      error: '',
      created_at: now,
      ended_at: null,
    }
    const isBegun = await transaction(
      // One that still runs is left out this time.
      async (trx) => (await store.claim(trx, task, nextTime(task, now))) && runStore.insert(trx, run),
    )
    if (isBegun) begin(run)
  }

  return {
    async runDue(): Promise<void> {
      if (isClosing) return
      for (const task of await store.due(clock.now(), MOST_DUE))
        await beginDue(task).catch((error: unknown) =>
          log.error({ err: error, taskId: task.task_id }, 'a task that is due was not begun'),
        )
    },

    closing(): void {
      isClosing = true
    },
  }
}
