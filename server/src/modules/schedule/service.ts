import { type Input, LIMITS, type Output, type schedule as calls, type Schedule } from '@boathouse/contract'
import { type Actor, refuseNarrowedKey } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { presentRun, presentSchedule } from './present.ts'
import { nextRunOf, type RunningParts, type ScheduleRunning } from './running.ts'
import { createScheduleSaving, type SavingParts } from './saving.ts'
import { type Draft, type From, noteSchedule } from './schedule-audit.ts'
import type { ScheduleRunRow } from './run-store.ts'
import type { ListedSchedule } from './store.ts'

export interface ScheduleParts extends SavingParts, Pick<RunningParts, 'runStore'> {
  readonly running: Pick<ScheduleRunning, 'runNow'>
}

const noSuchSchedule = () =>
  new AppError('NotFound', 'There is no such schedule that you may see. It may have been deleted.')

/** Everyone has their own, an account administrator those of all. */
const seesAll = (actor: Actor): boolean => actor.activeRoles.includes('account_admin')

/** Only of those that notified has something been sent. */
const idsOf = (runs: Iterable<ScheduleRunRow>): string[] =>
  [...runs].filter(({ notified }) => notified).map(({ run_id }) => run_id)

/** Schedules of saved queries. Each runs as its owner, with the privileges that they have by then. */
export function createSchedules(parts: ScheduleParts) {
  const { store, runStore, running, rules, tabOf, transaction, clock } = parts
  const save = createScheduleSaving(parts)

  async function find(actor: Actor, scheduleId: string): Promise<ListedSchedule> {
    const found = await store.find(actor.accountId, scheduleId)
    if (!found || (found.user_id !== actor.userId && !seesAll(actor))) throw noSuchSchedule()
    return found
  }

  async function findOwn(actor: Actor, scheduleId: string): Promise<ListedSchedule> {
    const found = await find(actor, scheduleId)
    if (found.user_id === actor.userId) return found
    throw new AppError('NoPermission', `Only ${found.owner} can run or change it, as whom it runs.`)
  }

  async function presented(actor: Actor, rows: readonly ListedSchedule[]): Promise<Schedule[]> {
    const ids = rows.map(({ schedule_id }) => schedule_id)
    const [lastRuns, notified] = await Promise.all([runStore.lastOf(ids), rules.of(ids)])
    const deliveries = await rules.deliveriesOf(idsOf(lastRuns.values()))
    return rows.map((row) => {
      const lastRun = lastRuns.get(row.schedule_id)
      return presentSchedule(row, actor, {
        lastRun,
        delivery: lastRun && deliveries.get(lastRun.run_id),
        notified: notified.get(row.schedule_id),
      })
    })
  }

  async function ofTab(actor: Actor, tabId: string): Promise<Schedule | null> {
    const row = await store.ofTab(actor.userId, tabId)
    return row ? ((await presented(actor, [row]))[0] ?? null) : null
  }

  return {
    async list(actor: Actor): Promise<Schedule[]> {
      const whose = seesAll(actor) ? null : actor.userId
      return presented(actor, await store.list(actor.accountId, whose, LIMITS.schedulesPerAccount))
    },

    async find(actor: Actor, tabId: string): Promise<Schedule | null> {
      await tabOf(actor, tabId)
      return ofTab(actor, tabId)
    },

    async save(from: From, draft: Draft): Promise<Output<typeof calls.save>> {
      const secret = await save(from, draft)
      const saved = await ofTab(from.actor, draft.tabId)
      if (!saved) throw noSuchSchedule()
      return { schedule: saved, secret }
    },

    /** A run that has started continues to its end. */
    async pause(from: From, scheduleId: string, paused: boolean): Promise<void> {
      const { actor } = from
      // It runs as its owner, so that nobody else starts it again.
      const found = paused ? await find(actor, scheduleId) : await findOwn(actor, scheduleId)
      if (!paused) refuseNarrowedKey(actor)
      await transaction(async (trx) => {
        const before = await store.lock(trx, scheduleId)
        if (!before) throw noSuchSchedule()
        if (before.paused === paused) return
        const change = { paused, ...(paused ? {} : { next_run_at: nextRunOf(before, clock.now()) }) }
        await store.update(trx, scheduleId, change)
        await noteSchedule(trx, from, {
          before,
          after: { ...before, ...change },
          name: found.query_name,
          at: clock.now(),
        })
      })
    },

    async delete(from: From, scheduleId: string): Promise<void> {
      const found = await find(from.actor, scheduleId)
      await transaction(async (trx) => {
        await store.delete(trx, scheduleId)
        await noteSchedule(trx, from, {
          before: found,
          after: null,
          name: found.query_name,
          at: clock.now(),
        })
      })
    },

    async run(actor: Actor, scheduleId: string) {
      refuseNarrowedKey(actor)
      return presentRun(await running.runNow(await findOwn(actor, scheduleId)))
    },

    async runs(actor: Actor, { scheduleId, ...page }: Input<typeof calls.runs>) {
      await find(actor, scheduleId)
      const { rows, total } = await runStore.page(scheduleId, page)
      const deliveries = await rules.deliveriesOf(idsOf(rows))
      return { runs: rows.map((row) => presentRun(row, deliveries.get(row.run_id))), total }
    },
  }
}

export type Schedules = ReturnType<typeof createSchedules>
