import type { Transaction } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import { isLoud } from './condition.ts'
import type { EndedRun, ScheduleRunRow, ScheduleRunStore } from './run-store.ts'
import type { ScheduleStore } from './store.ts'

/** What fails in every run is not mailed with every run: the first failure notifies, then one a day. */
const QUIET_MINUTES_OF_FAILURES = 24 * 60

export interface RunOutcome {
  readonly end: EndedRun
  /** Of the rows, where a later run is compared with them. */
  readonly fingerprint?: string | null
}

interface EndingParts {
  readonly store: Pick<ScheduleStore, 'lock' | 'update'>
  readonly runStore: Pick<ScheduleRunStore, 'end' | 'keepNewest'>
  readonly clock: Clock
}

export const ended = (end: Partial<EndedRun> & Pick<EndedRun, 'state' | 'ended_at'>): EndedRun => ({
  query_id: null,
  row_count: null,
  error: '',
  met: null,
  notified: false,
  ...end,
})

/** Writes how a run went, and whether its users are notified of it. */
export function createRunEnding({ store, runStore, clock }: EndingParts) {
  return async function writeEnd(
    trx: Transaction<Schema>,
    { run_id, schedule_id }: Pick<ScheduleRunRow, 'run_id' | 'schedule_id'>,
    { end, fingerprint = null }: RunOutcome,
  ): Promise<void> {
    const schedule = await store.lock(trx, schedule_id)
    if (!schedule) return
    const now = clock.now()
    const isFailure = end.state === 'failed'
    const notified = isFailure
      ? isLoud(schedule.failure_notified_at, QUIET_MINUTES_OF_FAILURES, now)
      : end.met === true && isLoud(schedule.notified_at, schedule.quiet_minutes, now)
    if (!(await runStore.end(trx, run_id, { ...end, notified }))) return
    if (!isFailure)
      await store.update(trx, schedule_id, {
        fingerprint,
        failure_notified_at: null,
        ...(notified ? { notified_at: now } : {}),
      })
    else if (notified) await store.update(trx, schedule_id, { failure_notified_at: now })
    await runStore.keepNewest(trx, schedule_id)
  }
}

export type WriteEnd = ReturnType<typeof createRunEnding>
