import { BoundValues, type EditorTab, LIMITS, nextCronTime, parseCron } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { timeOrderedId } from '../../kernel/time-ordered-id.ts'
import type { Schema } from '../../store/schema.ts'
import type { RunEnd, TaskRuns } from '../task/runs.ts'
import { isLoud, judge, type Looked } from './condition.ts'
import { conditionOf } from './present.ts'
import type { EndedRun, NewScheduleRun, ScheduleRunRow, ScheduleRunStore } from './run-store.ts'
import { type ScheduledText, scheduledText } from './scheduled-text.ts'
import type { ListedSchedule, ScheduleRow, ScheduleStore } from './store.ts'

export interface RunningParts {
  readonly store: ScheduleStore
  readonly runStore: ScheduleRunStore
  readonly runs: TaskRuns
  /** The saved query, as its owner has it. */
  readonly tabOf: (owner: Actor, tabId: string) => Promise<EditorTab>
  /** The first rows that a statement of this user returned. */
  readonly rowsOf: (owner: Actor, queryId: string, limit: number) => Promise<Looked>
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly clock: Clock
  readonly log: Log
}

/** Started at once when many are due; the next check finds the others. */
const MOST_DUE = 20
const MOST_LOST = 1_000

const NOTHING: ScheduledText = { sql: '', bound_values: null, catalog: '', database_name: null }

const ended = (end: Partial<EndedRun> & Pick<EndedRun, 'state' | 'ended_at'>): EndedRun => ({
  query_id: null,
  row_count: null,
  error: '',
  met: null,
  notified: false,
  ...end,
})

export const nextRunOf = ({ cron, time_zone }: Pick<ScheduleRow, 'cron' | 'time_zone'>, now: Date): Date =>
  nextCronTime(parseCron(cron), time_zone, now)

/** Runs scheduled queries when they are due, each as its owner and under an id that was written before. */
export function createScheduleRunning(parts: RunningParts) {
  const { store, runStore, runs, tabOf, rowsOf, transaction, clock, log } = parts
  let isClosing = false

  const textOf = async ({ user_id, tab_id }: ScheduleRow): Promise<ScheduledText> =>
    scheduledText(await tabOf(await runs.ownerOf(user_id), tab_id))

  /** What cannot run is written down as a run that failed, so that its owner is notified. */
  async function textOrProblem(schedule: ScheduleRow): Promise<ScheduledText | AppError> {
    try {
      return await textOf(schedule)
    } catch (error) {
      if (error instanceof AppError) return error
      throw error
    }
  }

  /** How it went, and whether the condition holds. One that cannot be decided is a failure. */
  async function outcomeOf(run: ScheduleRunRow, end: Exclude<RunEnd, { state: 'open' }>) {
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

  async function runToEnd(run: ScheduleRunRow): Promise<void> {
    const { run_id, account_id, user_id, catalog, warehouse_id, bound_values } = run
    const end = await runs.run({
      run_id,
      account_id,
      user_id,
      definition: run.sql,
      catalog,
      database: run.database_name,
      warehouse_id,
      values: bound_values === null ? undefined : BoundValues.parse(JSON.parse(bound_values)),
    })
    if (end.state === 'open') return
    const outcome = await outcomeOf(run, end)
    await transaction(async (trx) => {
      const schedule = await store.lock(trx, run.schedule_id)
      if (!schedule) return
      const now = clock.now()
      const notified = outcome.end.met === true && isLoud(schedule.notified_at, schedule.quiet_minutes, now)
      if (!(await runStore.end(trx, run_id, { ...outcome.end, notified }))) return
      if (outcome.end.state === 'success')
        await store.update(trx, run.schedule_id, {
          fingerprint: outcome.fingerprint ?? null,
          ...(notified ? { notified_at: now } : {}),
        })
      await runStore.keepNewest(trx, run.schedule_id)
    })
  }

  const inBackground = (run: ScheduleRunRow): void => runs.inBackground(runToEnd(run), run.run_id)

  const newRun = (schedule: ScheduleRow, text: ScheduledText, dueAt: Date | null): NewScheduleRun => ({
    ...text,
    run_id: timeOrderedId(),
    schedule_id: schedule.schedule_id,
    account_id: schedule.account_id,
    user_id: schedule.user_id,
    warehouse_id: schedule.warehouse_id,
    due_at: dueAt,
    state: 'pending',
    created_at: clock.now(),
  })

  async function beginDue(schedule: ListedSchedule): Promise<void> {
    const text = await textOrProblem(schedule)
    const isProblem = text instanceof AppError
    const begun = await transaction(async (trx) => {
      // What was missed meanwhile is not made up for: the next time is after now.
      if (!(await store.claim(trx, schedule, nextRunOf(schedule, clock.now())))) return undefined
      // One that still runs is left out this time.
      const run = await runStore.insert(
        trx,
        newRun(schedule, isProblem ? NOTHING : text, schedule.next_run_at),
      )
      if (run && isProblem) {
        await runStore.end(
          trx,
          run.run_id,
          ended({ state: 'failed', error: text.message, ended_at: clock.now() }),
        )
        await runStore.keepNewest(trx, schedule.schedule_id)
      }
      return run
    })
    if (begun && !isProblem) inBackground(begun)
  }

  return {
    async runDue(): Promise<void> {
      if (isClosing) return
      for (const schedule of await store.due(clock.now(), MOST_DUE))
        await beginDue(schedule).catch((error: unknown) =>
          log.error({ err: error, scheduleId: schedule.schedule_id }, 'a query that is due was not begun'),
        )
    },

    /** The caller has checked whose it is. */
    async runNow(schedule: ScheduleRow): Promise<ScheduleRunRow> {
      const text = await textOf(schedule)
      const run = await transaction((trx) => runStore.insert(trx, newRun(schedule, text, null)))
      if (!run) throw new AppError('Conflict', 'It runs already. Wait for its end.')
      inBackground(run)
      return run
    },

    /** What no server sees to its end. */
    async recover(): Promise<void> {
      if (isClosing) return
      for (const run of await runStore.open(MOST_LOST)) if (!runs.isRunning(run.run_id)) inBackground(run)
    },

    closing(): void {
      isClosing = true
    },
    idle: runs.idle,
  }
}

export type ScheduleRunning = ReturnType<typeof createScheduleRunning>
