/** What clocks of a zone show, in milliseconds as if it were UTC. */
type Wall = number

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/

const OF_CLOCK = {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const

/** Slow to make. There are some 600 names, and some can be spelled in several ways. */
const MOST_CLOCKS = 1_000
const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone)
  if (known) return known
  const clock = new Intl.DateTimeFormat('en-US', { ...OF_CLOCK, timeZone })
  if (clocks.size < MOST_CLOCKS) clocks.set(timeZone, clock)
  return clock
}

/** Whether it is a name such as Europe/Berlin or UTC, which this machine knows. */
export function isTimeZone(name: string): boolean {
  if (!ZONE_NAME.test(name)) return false
  try {
    // As it is spelled in the list: the same zone in other letters would be another one to know.
    const spelled = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
    return spelled.toLowerCase() !== name.toLowerCase() || spelled === name
  } catch {
    return false
  }
}

interface Offsets {
  /** The clock is not moved on or around this day. */
  readonly isEven: boolean
  /** When the clock shows this: once, twice, or when it is moved past it. */
  instantsOf(wall: Wall): readonly number[]
}

/** What days are in a time zone. */
export class TimeZoneDays {
  readonly #clock: Intl.DateTimeFormat

  constructor(timeZone: string) {
    this.#clock = clockOf(timeZone)
  }

  wallOf(instant: number): Wall {
    const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {}
    for (const { type, value } of this.#clock.formatToParts(instant)) parts[type] = Number(value)
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second)
  }

  #offsetAt(instant: number): number {
    const second = Math.floor(instant / 1_000) * 1_000
    return this.wallOf(second) - second
  }

  /** A zone is at most 14 hours ahead of UTC and 12 behind, so that this holds the whole day with what is around it. */
  offsetsAround(day: Wall): Offsets {
    let [low, high] = [day - 15 * HOUR_MS, day + 37 * HOUR_MS]
    const [before, behind] = [this.#offsetAt(low), this.#offsetAt(high)]
    if (before === behind) return { isEven: true, instantsOf: (wall) => [wall - before] }
    while (high - low > MINUTE_MS) {
      const middle = Math.floor((low + high) / 2 / MINUTE_MS) * MINUTE_MS
      if (this.#offsetAt(middle) === before) low = middle
      else high = middle
    }
    const moved = high
    return {
      isEven: false,
      instantsOf(wall) {
        const [early, late] = [wall - before, wall - behind]
        const found = [...(early < moved ? [early] : []), ...(late >= moved ? [late] : [])]
        return found.length > 0 ? found : [moved]
      },
    }
  }
}
