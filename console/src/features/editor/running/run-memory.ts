import type { BoundValues } from '@boathouse/contract/parameters'
import { LIMITS } from '@boathouse/contract/limits'

/** A run whose end is not known yet. */
export interface RememberedRun {
  readonly requestId: string
  readonly sql: string
  /** Where the text stood in the tab. */
  readonly from: number
  /** For its parameters; missing: it has none. */
  readonly values?: BoundValues | undefined
  /** Milliseconds since the epoch. */
  readonly startTime: number
  /** The connection it was sent on. */
  readonly connId: number
  readonly oriConnId: number
  /** False while its connection was being prepared. */
  readonly isSent: boolean
}

export interface RunMemory {
  keep(tabId: string, run: RememberedRun): void
  /** What the tab ran when its page was left. */
  recall(tabId: string, now: number): RememberedRun | null
  forget(tabId: string): void
}

export type RunStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const PREFIX = 'boathouse-run.'
const HOUR_MS = 3_600_000

const TEXTS = ['requestId', 'sql'] as const
const NUMBERS = ['from', 'startTime', 'connId', 'oriConnId'] as const

function parse(stored: string): RememberedRun | null {
  try {
    const value: unknown = JSON.parse(stored)
    if (typeof value !== 'object' || value === null) return null
    const fields = value as Record<string, unknown>
    const isRun =
      TEXTS.every((name) => typeof fields[name] === 'string') &&
      NUMBERS.every((name) => Number.isInteger(fields[name])) &&
      typeof fields['isSent'] === 'boolean'
    return isRun ? (value as RememberedRun) : null
  } catch {
    // Cut off or foreign: as if nothing had run.
    return null
  }
}

/**
 * What each tab runs, for as long as it runs, so that a page that was left in the middle can ask for the outcome when
 * it is back. For this window only, as two windows do not run each other's queries.
 */
export function createRunMemory(storage: RunStorage): RunMemory {
  const forget = (tabId: string) => storage.removeItem(PREFIX + tabId)
  return {
    forget,
    keep(tabId, run) {
      try {
        storage.setItem(PREFIX + tabId, JSON.stringify(run))
      } catch {
        // The browser has no room for a text of this length: after a reload this run is not asked for.
        forget(tabId)
      }
    },
    recall(tabId, now) {
      const stored = storage.getItem(PREFIX + tabId)
      const run = stored === null ? null : parse(stored)
      if (!run) return null
      // A window that a browser brings back after days must not run what its user has long forgotten.
      const isOld = now - run.startTime > LIMITS.keptHours * HOUR_MS
      if (isOld) forget(tabId)
      return isOld ? null : run
    },
  }
}
