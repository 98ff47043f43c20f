import type { BoundValues } from '@boathouse/contract/parameters'
import { LIMITS } from '@boathouse/contract/limits'

/** The last run of a tab, after its end: the service keeps its result for a day. */
interface RememberedResult {
  readonly requestId: string
  readonly sql: string
  /** Where the text stood in the tab. */
  readonly from: number
  readonly values?: BoundValues | undefined
  /** Milliseconds since the epoch. */
  readonly startTime: number
  readonly endedAt: number
}

interface Remembered {
  readonly last: RememberedResult | null
  /** Ids of what the tab ran, newest first. */
  readonly requests: readonly string[]
}

export interface ResultMemory {
  keep(tabId: string, result: RememberedResult): void
  /** Null if there is none, or it is no longer kept. */
  recall(tabId: string, now: number): RememberedResult | null
  requestsOf(tabId: string): readonly string[]
}

export type ResultStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

const PREFIX = 'boathouse-result.'
const HOUR_MS = 3_600_000
const MOST_TABS = 100
const MOST_REQUESTS = 200
/** A longer text is not worth the room that journals of what is written need. */
const LONGEST_TEXT = 50_000

const NOTHING: Remembered = { last: null, requests: [] }

function isResult(value: unknown): value is RememberedResult {
  if (typeof value !== 'object' || value === null) return false
  const { requestId, sql, from, startTime, endedAt } = value as Record<string, unknown>
  const numbers = [from, startTime, endedAt].every((one) => Number.isInteger(one))
  return typeof requestId === 'string' && typeof sql === 'string' && numbers
}

function parse(stored: string | null): Remembered {
  try {
    const { last, requests } = JSON.parse(stored ?? '{}') as Partial<Record<keyof Remembered, unknown>>
    const ids = Array.isArray(requests) ? requests.filter((one) => typeof one === 'string') : []
    return { last: isResult(last) ? last : null, requests: ids }
  } catch {
    // Cut off or foreign: as if nothing had run.
    return NOTHING
  }
}

/** What each tab ran last, in all windows of this browser: only how to ask for the result, never the rows. */
export function createResultMemory(storage: ResultStorage): ResultMemory {
  const read = (tabId: string): Remembered => parse(storage.getItem(PREFIX + tabId))

  /** Those whose last run ended longest ago go. */
  function makeRoom(): void {
    const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at)).filter(
      (key): key is string => key?.startsWith(PREFIX) ?? false,
    )
    if (keys.length < MOST_TABS) return
    const ages = keys.map((key) => ({ key, at: parse(storage.getItem(key)).last?.endedAt ?? 0 }))
    const oldest = ages.toSorted((one, other) => one.at - other.at)
    for (const { key } of oldest.slice(0, keys.length - MOST_TABS + 1)) storage.removeItem(key)
  }

  return {
    keep(tabId, result) {
      const { requests } = read(tabId)
      const last = result.sql.length > LONGEST_TEXT ? null : result
      const ids = [result.requestId, ...requests.filter((id) => id !== result.requestId)].slice(
        0,
        MOST_REQUESTS,
      )
      try {
        if (storage.getItem(PREFIX + tabId) === null) makeRoom()
        storage.setItem(PREFIX + tabId, JSON.stringify({ last, requests: ids }))
      } catch {
        // No room: the result is not there after a reload, but nothing that is written is lost.
        storage.removeItem(PREFIX + tabId)
      }
    },
    recall(tabId, now) {
      const { last } = read(tabId)
      return last && now - last.endedAt < LIMITS.keptHours * HOUR_MS ? last : null
    },
    requestsOf: (tabId) => read(tabId).requests,
  }
}
