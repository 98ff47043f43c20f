import { type EditorTab, nextCronTime, parseCron } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Log } from '../../kernel/log.ts'
import { timeOrderedId } from '../../kernel/time-ordered-id.ts'
import { createRunEnding, ended } from './run-ending.ts'
import { createRunToEnd, type RunToEndParts } from './run-to-end.ts'
import type { NewScheduleRun, ScheduleRunRow, ScheduleRunStore } from './run-store.ts'
import { type ScheduledText, scheduledText } from './scheduled-text.ts'
import type { ListedSchedule, ScheduleRow } from './store.ts'

export interface RunningParts extends Omit<RunToEndParts, 'writeEnd'> {
  readonly runStore: ScheduleRunStore
  /** The saved query, as its owner has it. */
  readonly tabOf: (owner: Actor, tabId: string) => Promise<EditorTab>
  readonly log: Log
}

/** Started at once when many are due; the next check finds the others. */
const MOST_DUE = 20
const MOST_LOST = 1_000

const NOTHING: ScheduledText = { sql: '', bound_values: null, catalog: '', database_name: null }

export const nextRunOf = ({ cron, time_zone }: Pick<ScheduleRow, 'cron' | 'time_zone'>, now: Date): Date =>
  nextCronTime(parseCron(cron), time_zone, now)

/** Runs scheduled queries when they are due, each as its owner and under an id that was written before. */
export function createScheduleRunning(parts: RunningParts) {
  const { store, runStore, runs, tabOf, transaction, clock, log } = parts
  const writeEnd = createRunEnding(parts)
  const runToEnd = createRunToEnd({ ...parts, writeEnd })
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
      if (run && isProblem)
        await writeEnd(trx, run, {
          end: ended({ state: 'failed', error: text.message, ended_at: clock.now() }),
        })
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
