import type { IntervalUnit, RefreshChoice } from '@boathouse/sql'
import { LIMITS } from '@boathouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { ViewTimes } from './view-store.ts'

const UNIT_MS: Readonly<Record<IntervalUnit, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
}

/** Between two refreshes after changes, so that a stream of small changes does not keep a warehouse busy. */
export const GAP_MS = 10_000
const FIRST_RETRY_MS = 60_000
const LONGEST_RETRY_MS = 3_600_000
const LONGEST_MS = 366 * 86_400_000

const TIME = /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2})?)?$/

function startOf(text: string): Date {
  const at = TIME.test(text)
    ? new Date(`${text.replace(' ', 'T')}${text.length > 10 ? '' : 'T00:00'}Z`)
    : null
  if (at && !Number.isNaN(at.getTime())) return at
  throw new AppError('QueryFailed', `${text} is not a time. Write START ('2026-01-31 23:59:00'), in UTC.`)
}

/** As a choice is kept. */
export function timesOf(
  choice: RefreshChoice,
  now: Date,
  what = 'A materialized view is refreshed',
): ViewTimes {
  if (choice.trigger !== 'schedule')
    return { trigger: choice.trigger, every_count: null, every_unit: null, starts_at: now }
  const { count, unit, start } = choice
  const everyMs = count * UNIT_MS[unit]
  if (everyMs < LIMITS.refreshSecondsMin * 1_000 || everyMs > LONGEST_MS)
    throw new AppError(
      'QueryFailed',
      `${what} at most every ${LIMITS.refreshSecondsMin} seconds and at least once a year. Write EVERY (INTERVAL 5 MINUTE), or another interval in between.`,
    )
  return {
    trigger: 'schedule',
    every_count: count,
    every_unit: unit,
    starts_at: start === undefined ? now : startOf(start),
  }
}

/** The first time of a schedule after this one; null without a schedule. */
export function nextOf({ every_count, every_unit, starts_at }: ViewTimes, after: Date): Date | null {
  if (every_count === null || every_unit === null) return null
  const everyMs = every_count * UNIT_MS[every_unit]
  const passed = Math.floor((after.getTime() - starts_at.getTime()) / everyMs)
  return new Date(starts_at.getTime() + Math.max(0, passed + 1) * everyMs)
}

/** Longer with every failure in a row. */
export const retryAt = (failures: number, now: Date): Date =>
  new Date(now.getTime() + Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, failures - 1), LONGEST_RETRY_MS))

const isoText = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ')

/** As in a CREATE statement. */
export function refreshText(times: ViewTimes): string {
  const { trigger } = times
  if (trigger === 'manual') return 'REFRESH MANUAL'
  if (trigger === 'changes') return 'REFRESH AFTER CHANGES'
  return `REFRESH ASYNC ${scheduleText(times)}`
}

type Times = Pick<ViewTimes, 'every_count' | 'every_unit' | 'starts_at'>

export const scheduleText = ({ every_count, every_unit, starts_at }: Times): string =>
  `START ('${isoText(starts_at)}') EVERY (INTERVAL ${every_count} ${every_unit?.toUpperCase()})`
