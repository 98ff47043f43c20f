import type { Clock } from '../kernel/clock.ts'

/** Stands still until it is moved. */
export interface FakeClock extends Clock {
  advance(ms: number): void
}

export function fakeClock(start = new Date('2026-03-01T09:00:00Z')): FakeClock {
  let now = start.getTime()
  return {
    now: () => new Date(now),
    advance: (ms) => {
      now += ms
    },
  }
}

export const SECONDS = 1_000
export const MINUTES = 60 * SECONDS
export const HOURS = 60 * MINUTES
export const DAYS = 24 * HOURS
