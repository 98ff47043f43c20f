import { DURATION_BOUNDS, type HistoryFilter, LIMITS } from '@boathouse/contract'
import { type RawBuilder, sql } from 'kysely'
import { containsText } from '../../../store/contains-text.ts'
import { tookMicros } from './duration-store.ts'
import type { Seen } from './seen-by.ts'

type Condition = RawBuilder<boolean>

/** What is asked for, as the database is asked. */
export interface ReadFilter {
  /** Those that an index of their own has in the order of the list: as many are read as are shown. */
  readonly indexed: readonly Condition[]
  /** The others: it is looked through what the first ones leave, so far in one go. */
  readonly looked: readonly Condition[]
  /** How far, in statements: some milliseconds. Those that an index has picked lie far apart, and so do their texts. */
  readonly looks: number
}

const LOOKS = { ofAll: 5_000, ofPicked: 1_000, ofPickedTexts: 300 }

const micros = (ms: number) => sql.lit(1000 * ms)
const took = tookMicros()

const DURATIONS: Readonly<Record<NonNullable<HistoryFilter['duration']>, Condition>> = {
  short: sql`${took} < ${micros(DURATION_BOUNDS.mediumFromMs)}`,
  medium: sql`${took} >= ${micros(DURATION_BOUNDS.mediumFromMs)}
    and ${took} <= ${micros(DURATION_BOUNDS.mediumToMs)}`,
  long: sql`${took} > ${micros(DURATION_BOUNDS.mediumToMs)}`,
}

/** An index has these alone; of the others there are mostly so many that a page is soon full. */
const RARE_STATES = new Set<HistoryFilter['state']>(['failed', 'cancelled', 'interrupted'])

/** Of its beginning. */
const textCondition = (text: string): Condition =>
  containsText(sql`left(sql, ${sql.lit(LIMITS.listedSqlLength)})`, text)

/**
 * Its warehouse is known: by a name of which it knows nothing, the database would look through everything. So are the
 * statements of which the text is the id.
 */
export type KnownFilter = Omit<HistoryFilter, 'warehouse'> & {
  readonly warehouseId?: string | undefined
  readonly queryIds?: readonly string[] | undefined
}

/**
 * By which it is narrowed first: whichever leaves the least. The others are looked for in what that leaves. Those of one
 * user are narrowed by that.
 */
export function readFilter({ user: whose }: Seen, filter: KnownFilter): ReadFilter {
  const { user, warehouseId, queryIds, state, duration, door, key, from, until, text } = filter
  const within: Condition[] = []
  if (from !== undefined) within.push(sql`accepted_at >= ${new Date(from)}`)
  if (until !== undefined) within.push(sql`accepted_at < ${new Date(until)}`)
  if (queryIds) within.push(sql`query_id = any(${queryIds}::uuid[])`)
  const indexed: Condition[] = []
  const looked: Condition[] = []
  if (duration !== undefined) (duration === 'short' ? looked : indexed).push(DURATIONS[duration])
  if (state !== undefined) (RARE_STATES.has(state) ? indexed : looked).push(sql`state = ${sql.lit(state)}`)
  if (door !== undefined) (door === 'channel' ? looked : indexed).push(sql`door = ${sql.lit(door)}`)
  if (key !== undefined) indexed.push(sql`key_name = ${key}`)
  if (warehouseId !== undefined) indexed.push(sql`warehouse_id = ${warehouseId}`)
  if (user !== undefined) indexed.push(sql`user_name = ${user}`)
  if (text !== undefined) looked.push(textCondition(text))
  const ofPicked = text === undefined ? LOOKS.ofPicked : LOOKS.ofPickedTexts
  if (whose) return { indexed: within, looked: [...indexed, ...looked], looks: ofPicked }
  const [first, ...others] = indexed
  const narrowed = [...within, ...(first ? [first] : [])]
  const looks = first ? ofPicked : LOOKS.ofAll
  return { indexed: narrowed, looked: [...others, ...looked], looks }
}
