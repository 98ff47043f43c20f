import type { Condition, RunDelivery, Schedule, ScheduleRun } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import type { ScheduleRunRow } from './run-store.ts'
import type { ListedSchedule } from './store.ts'

/** Whom the rule of a schedule notifies. */
interface Notified {
  readonly users: readonly string[]
  readonly url: string
}

export const presentRun = (row: ScheduleRunRow, delivery: RunDelivery | null = null): ScheduleRun => ({
  runId: row.run_id,
  dueAt: row.due_at?.toISOString() ?? null,
  state: row.state as ScheduleRun['state'],
  queryId: row.query_id,
  rows: row.row_count,
  error: row.error,
  met: row.met,
  notified: row.notified,
  delivery,
  createdAt: row.created_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
})

export const conditionOf = (row: { readonly condition: unknown }): Condition | null =>
  row.condition as Condition | null

interface About {
  readonly lastRun: ScheduleRunRow | undefined
  readonly delivery: RunDelivery | undefined
  readonly notified: Notified | undefined
}

export const presentSchedule = (
  row: ListedSchedule,
  actor: Actor,
  { lastRun, delivery, notified }: About,
): Schedule => ({
  scheduleId: row.schedule_id,
  tabId: row.tab_id,
  queryName: row.query_name,
  owner: row.owner,
  isOwn: row.user_id === actor.userId,
  cron: row.cron,
  timeZone: row.time_zone,
  warehouseId: row.warehouse_id,
  paused: row.paused,
  nextRunAt: row.paused ? null : row.next_run_at.toISOString(),
  lastRun: lastRun ? presentRun(lastRun, delivery) : null,
  condition: conditionOf(row),
  quietMinutes: row.quiet_minutes,
  users: (notified?.users ?? []).filter((name) => name !== row.owner),
  url: notified?.url ?? '',
})
