import type { Schedule } from '@boathouse/contract/schedule'
import { isOpen } from './run-state.tsx'

/** While something runs. */
export const LOOK_MS = 1_000
/** A schedule that is due has begun to run by then, also where the clocks of browser and service differ a little. */
const AFTER_DUE_MS = 2_000
/** Others may change schedules, too, and a timer of a browser has no more than some days. */
const LONGEST_MS = 600_000

type Looked = Pick<Schedule, 'lastRun' | 'nextRunAt'>

/** In how long the list is asked for again: soon while something runs, else when the next one is due. */
export function lookAgainMs(schedules: readonly Looked[], now: number): number | false {
  if (schedules.some(({ lastRun }) => isOpen(lastRun))) return LOOK_MS
  const due = schedules.flatMap(({ nextRunAt }) => (nextRunAt === null ? [] : [Date.parse(nextRunAt)]))
  if (due.length === 0) return false
  const untilNext = Math.min(...due) - now
  return Math.min(Math.max(untilNext, 0) + AFTER_DUE_MS, LONGEST_MS)
}
