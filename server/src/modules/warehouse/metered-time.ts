const SECOND_MS = 1_000
const HOUR_MS = 3_600_000

/** Each time a warehouse is resumed, at least a minute is charged. */
export const MINIMUM_SECONDS = 60

export interface HourShare {
  /** The beginning of the hour. */
  readonly hour: Date
  readonly seconds: number
}

export const hourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS)

export const secondsBetween = (from: Date, until: Date): number =>
  Math.round((until.getTime() - from.getTime()) / SECOND_MS)

/** The latest moment not after `now` that is a whole number of seconds after `from`; `from` when there is none. */
export function wholeSecondsUntil(from: Date, now: Date): Date {
  const seconds = Math.max(0, Math.floor((now.getTime() - from.getTime()) / SECOND_MS))
  return new Date(from.getTime() + seconds * SECOND_MS)
}

/** Splits a whole number of seconds at the borders of hours: each belongs to the hour in which it begins. */
export function secondsByHour(from: Date, until: Date): HourShare[] {
  const shares: HourShare[] = []
  let at = from.getTime()
  while (at < until.getTime()) {
    const hour = hourOf(new Date(at))
    const toBorder = Math.ceil((hour.getTime() + HOUR_MS - at) / SECOND_MS)
    const seconds = Math.min(toBorder, secondsBetween(new Date(at), until))
    if (seconds === 0) break
    shares.push({ hour, seconds })
    at += seconds * SECOND_MS
  }
  return shares
}
