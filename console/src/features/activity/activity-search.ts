import { DOORS, DURATION_CLASSES, type HistoryFilter, STATEMENT_STATES } from '@boathouse/contract/query'

/** The part of the list that is in its address, as texts. */
export interface ActivitySearch {
  readonly text?: string
  readonly duration?: string
  readonly state?: string
  readonly user?: string
  readonly warehouse?: string
  readonly door?: string
  /** The name of an API key. */
  readonly key?: string
  /** One of `TIMES`, counted back from now. */
  readonly time?: string
  /** As a clock here shows them: 2026-03-01T09:00. */
  readonly from?: string
  readonly until?: string
}

const HOUR_MS = 3_600_000

/** How far back is looked, by its name in the address. */
const TIMES = {
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
  month: 30 * 24 * HOUR_MS,
} as const
export type Time = keyof typeof TIMES
export const TIME_NAMES = Object.keys(TIMES) as Time[]

/** Of those that have ended; what runs is listed above them. */
export const ENDED_STATES = STATEMENT_STATES.filter((state) => state !== 'accepted' && state !== 'running')

const among = <V extends string>(values: readonly V[], text: string | undefined): V | undefined =>
  values.find((value) => value === text)

/** Of two moments, whether a clock here shows the same at both. */
const looksTheSame = (one: Date, other: Date): boolean =>
  one.getHours() === other.getHours() && one.getMinutes() === other.getMinutes()

/** A time that a clock here shows. Of one that is shown twice, whichever leaves nothing out. */
export function momentOf(local: string | undefined, end: 'from' | 'until'): string | undefined {
  if (local === undefined || !/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(local)) return undefined
  const first = new Date(local)
  if (Number.isNaN(first.getTime())) return undefined
  const second = new Date(first.getTime() + HOUR_MS)
  return (end === 'until' && looksTheSame(first, second) ? second : first).toISOString()
}

/** The request to the service; `now` in milliseconds since 1970. An unknown word counts as none. */
export function filterOf(search: ActivitySearch, now: number): HistoryFilter {
  const time = among(TIME_NAMES, search.time)
  const text = search.text?.trim().slice(0, 256)
  const filter: Record<keyof HistoryFilter, string | undefined> = {
    text: text === '' ? undefined : text,
    duration: among(DURATION_CLASSES, search.duration),
    state: among(ENDED_STATES, search.state),
    user: search.user?.trim().slice(0, 256),
    warehouse: search.warehouse?.slice(0, 36),
    door: among(DOORS, search.door),
    key: search.key?.trim().slice(0, 256),
    from: time ? new Date(now - TIMES[time]).toISOString() : momentOf(search.from, 'from'),
    until: time ? undefined : momentOf(search.until, 'until'),
  }
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value))
}
