import type { ClockLike } from '@boathouse/client/clock'
import type { Place } from '../tabs/place.ts'

/** What is shown of the catalogs and may be old. */
export interface Stale {
  readonly catalogs: boolean
  /** Their catalogs' databases, and their tables; 'all' of what is open. */
  readonly places: 'all' | readonly Place[]
}

export const EVERYTHING: Stale = { catalogs: true, places: 'all' }

/** An answer and the event about the same change come together, and so do those of a script. */
const GATHER_MS = 100
/** Between the beginnings of two refreshes, however much changes. */
const APART_MS = 1_000

const isSame = (one: Place, other: Place): boolean =>
  one.catalog === other.catalog && one.database === other.database

function together(one: Stale, other: Stale): Stale {
  const catalogs = one.catalogs || other.catalogs
  if (one.places === 'all' || other.places === 'all') return { catalogs, places: 'all' }
  const { places } = one
  const more = other.places.filter((place) => !places.some((known) => isSame(known, place)))
  return { catalogs, places: [...places, ...more] }
}

interface Parts {
  readonly clock: ClockLike
  /** Resolves when everything is loaded, or has failed. */
  readonly refresh: (stale: Stale) => Promise<unknown>
}

/** Many changes within a moment are one refresh, and a refresh ends before the next one begins. */
export function createRefresher({ clock, refresh }: Parts) {
  let waiting: Stale | null = null
  let timer: unknown = null
  let isRefreshing = false
  let beganAt = -Infinity

  function plan(): void {
    if (timer !== null || isRefreshing || waiting === null) return
    timer = clock.setTimeout(() => void begin(), Math.max(GATHER_MS, beganAt + APART_MS - clock.now()))
  }

  async function begin(): Promise<void> {
    timer = null
    if (waiting === null) return
    const stale = waiting
    waiting = null
    isRefreshing = true
    beganAt = clock.now()
    await refresh(stale)
    isRefreshing = false
    plan()
  }

  return {
    request(stale: Stale): void {
      waiting = waiting ? together(waiting, stale) : stale
      plan()
    },
    close(): void {
      waiting = null
      clock.clearTimeout(timer)
    },
  }
}
