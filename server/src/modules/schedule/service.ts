import { randomUUID } from 'node:crypto'
import { type Input, LIMITS, type Output, type schedule as calls, type Schedule } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import { type Actor, type Caller, refuseNarrowedKey } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { requireShare } from '../../kernel/share.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Schema } from '../../store/schema.ts'
import type { ScheduleRules } from '../alert/service.ts'
import { userAuthor } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import { presentRun, presentSchedule } from './present.ts'
import { nextRunOf, type RunningParts, type ScheduleRunning } from './running.ts'
import { scheduledText } from './scheduled-text.ts'
import type { ListedSchedule, ScheduleRow } from './store.ts'

type From = Caller & { readonly actor: Actor }
type Draft = Input<typeof calls.save>

export interface ScheduleParts extends Pick<
  RunningParts,
  'store' | 'runStore' | 'tabOf' | 'transaction' | 'clock'
> {
  readonly running: Pick<ScheduleRunning, 'runNow'>
  readonly rules: ScheduleRules
  readonly warehouseNames: (accountId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

interface Noted {
  readonly before: ScheduleRow | null
  readonly after: ScheduleRow | null
  readonly name: string
  readonly draft?: Draft
}

const SHARE = {
  mostOfAccount: LIMITS.schedulesPerAccount,
  mostOfUser: LIMITS.schedulesPerUser,
  what: 'schedules',
  how: 'Delete one that is no longer needed.',
}

const noSuchSchedule = () =>
  new AppError('NotFound', 'There is no such schedule that you may see. It may have been deleted.')

/** Everyone has their own, an account administrator those of all. */
const seesAll = (actor: Actor): boolean => actor.activeRoles.includes('account_admin')

/** Receivers have keys in their addresses, so that only the host is recorded. */
const auditedNotified = ({ users, url }: Draft) => ({
  users,
  webhook: url === '' ? 'none' : new URL(url).host,
})

const audited = ({ cron, time_zone, paused, condition }: ScheduleRow) => ({
  cron,
  timeZone: time_zone,
  paused,
  condition,
})

/** Schedules of saved queries. Each runs as its owner, with the privileges that they have by then. */
export function createSchedules(parts: ScheduleParts) {
  const { store, runStore, running, rules, tabOf, transaction, clock } = parts

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
    return rows.map((row) =>
      presentSchedule(row, actor, {
        lastRun: lastRuns.get(row.schedule_id),
        notified: notified.get(row.schedule_id),
      }),
    )
  }

  async function ofTab(actor: Actor, tabId: string): Promise<Schedule | null> {
    const row = await store.ofTab(actor.userId, tabId)
    return row ? ((await presented(actor, [row]))[0] ?? null) : null
  }

  const note = (trx: Transaction<Schema>, from: From, { before, after, name, draft }: Noted): Promise<void> =>
    recordAudit(trx, {
      accountId: from.actor.accountId,
      at: clock.now(),
      by: userAuthor(from),
      action: `schedule.${before === null ? 'create' : after === null ? 'delete' : 'update'}`,
      object: { type: 'schedule', id: (after ?? before)?.schedule_id ?? '', name },
      before: before && audited(before),
      after: after && { ...audited(after), ...(draft ? auditedNotified(draft) : {}) },
    })

  /** The row of a draft, over the one that there is. */
  async function written(trx: Transaction<Schema>, from: From, draft: Draft): Promise<ScheduleRow> {
    const { accountId, userId } = from.actor
    const before = await store.lockOfTab(trx, userId, draft.tabId)
    const now = clock.now()
    const said = {
      cron: draft.cron,
      time_zone: draft.timeZone,
      warehouse_id: draft.warehouseId,
      condition: draft.condition && jsonText(draft.condition),
      quiet_minutes: draft.quietMinutes,
      next_run_at: nextRunOf({ cron: draft.cron, time_zone: draft.timeZone }, now),
    }
    if (before) {
      await store.update(trx, before.schedule_id, said)
      return { ...before, ...said, condition: draft.condition }
    }
    requireShare(await store.countAlone(trx, accountId, userId), SHARE)
    const made = {
      ...said,
      schedule_id: randomUUID(),
      account_id: accountId,
      user_id: userId,
      tab_id: draft.tabId,
      paused: false,
      created_at: now,
      notified_at: null,
      fingerprint: null,
    }
    await store.insert(trx, made)
    return { ...made, condition: draft.condition }
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
      const { actor } = from
      refuseNarrowedKey(actor)
      const tab = await tabOf(actor, draft.tabId)
      scheduledText(tab)
      const { warehouseId } = draft
      if (
        warehouseId !== null &&
        !(await parts.warehouseNames(actor.accountId, [warehouseId])).has(warehouseId)
      )
        throw new AppError('NotFound', 'There is no such warehouse in this account.')
      const secret = await transaction(async (trx) => {
        const before = await store.lockOfTab(trx, actor.userId, draft.tabId)
        const after = await written(trx, from, draft)
        await note(trx, from, { before: before ?? null, after, name: tab.tabName, draft })
        return rules.save(trx, actor, {
          scheduleId: after.schedule_id,
          name: tab.tabName,
          users: draft.users,
          url: draft.url,
        })
      })
      const saved = await ofTab(actor, draft.tabId)
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
        await note(trx, from, { before, after: { ...before, ...change }, name: found.query_name })
      })
    },

    async delete(from: From, scheduleId: string): Promise<void> {
      const found = await find(from.actor, scheduleId)
      await transaction(async (trx) => {
        await store.delete(trx, scheduleId)
        await note(trx, from, { before: found, after: null, name: found.query_name })
      })
    },

    async run(actor: Actor, scheduleId: string) {
      refuseNarrowedKey(actor)
      return presentRun(await running.runNow(await findOwn(actor, scheduleId)))
    },

    async runs(actor: Actor, { scheduleId, ...page }: Input<typeof calls.runs>) {
      await find(actor, scheduleId)
      const { rows, total } = await runStore.page(scheduleId, page)
      return { runs: rows.map(presentRun), total }
    },
  }
}

export type Schedules = ReturnType<typeof createSchedules>
