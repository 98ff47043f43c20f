import { randomUUID } from 'node:crypto'
import { LIMITS } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import { refuseNarrowedKey } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { type Held, requireShare } from '../../kernel/share.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Schema } from '../../store/schema.ts'
import type { ScheduleRules } from '../alert/service.ts'
import { nextRunOf, type RunningParts } from './running.ts'
import { type Draft, type From, noteSchedule } from './schedule-audit.ts'
import { scheduledText } from './scheduled-text.ts'
import type { ScheduleRow } from './store.ts'

export interface SavingParts extends Pick<RunningParts, 'store' | 'tabOf' | 'transaction' | 'clock'> {
  readonly rules: ScheduleRules
  readonly warehouseNames: (accountId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

const SHARE = {
  mostOfAccount: LIMITS.schedulesPerAccount,
  mostOfUser: LIMITS.schedulesPerUser,
  what: 'schedules',
  how: 'Delete one that is no longer needed.',
}

/** Makes the schedule of a saved query, or changes it. */
export function createScheduleSaving({
  store,
  tabOf,
  transaction,
  clock,
  rules,
  warehouseNames,
}: SavingParts) {
  /** The row of a draft, over the one that there is. */
  async function written(
    trx: Transaction<Schema>,
    from: From,
    { draft, before, held }: Change,
  ): Promise<ScheduleRow> {
    const { accountId, userId } = from.actor
    const now = clock.now()
    const said = {
      cron: draft.cron,
      time_zone: draft.timeZone,
      warehouse_id: draft.warehouseId,
      condition: draft.condition && jsonText(draft.condition),
      quiet_minutes: draft.quietMinutes,
      next_run_at: nextRunOf({ cron: draft.cron, time_zone: draft.timeZone }, now),
      // Who changes it wants to know whether that helped.
      failure_notified_at: null,
    }
    if (before) {
      await store.update(trx, before.schedule_id, said)
      return { ...before, ...said, condition: draft.condition }
    }
    requireShare(held, SHARE)
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

  async function requireWarehouse(accountId: string, warehouseId: string | null): Promise<void> {
    if (warehouseId !== null && !(await warehouseNames(accountId, [warehouseId])).has(warehouseId))
      throw new AppError('NotFound', 'There is no such warehouse in this account.')
  }

  /** Returns the secret of a webhook that it did not have before. */
  return async function save(from: From, draft: Draft): Promise<string | null> {
    const { actor } = from
    refuseNarrowedKey(actor)
    const tab = await tabOf(actor, draft.tabId)
    scheduledText(tab)
    const name = tab.tabName
    await requireWarehouse(actor.accountId, draft.warehouseId)
    return transaction(async (trx) => {
      // First, since it lets in one at a time: of two at the same moment the second finds what the first has made.
      const held = await store.countAlone(trx, actor.accountId, actor.userId)
      const before = await store.lockOfTab(trx, actor.userId, draft.tabId)
      const after = await written(trx, from, { draft, before, held })
      await noteSchedule(trx, from, { before: before ?? null, after, name, draft, at: clock.now() })
      const { users, url } = draft
      return rules.save(trx, actor, { scheduleId: after.schedule_id, name, users, url })
    })
  }
}

interface Change {
  readonly draft: Draft
  readonly before: ScheduleRow | undefined
  /** Counted under the lock of the account. */
  readonly held: Held
}
