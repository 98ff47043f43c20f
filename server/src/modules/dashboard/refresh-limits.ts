import { LIMITS } from '@boathouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { DashboardRunRow, OpenRun } from './run-store.ts'
import type { PreparedTile } from './tile-runs.ts'
import type { DashboardRow } from './store.ts'

const MINUTE_MS = 60_000
const YOUNG_MS = LIMITS.dashboardViewerMinutes * MINUTE_MS

/** Who wants a refresh; null: a schedule. */
export interface Requester {
  readonly userId: string
  /** Their page wants what is missing: if somebody else has run it meanwhile, that is no failure. */
  readonly isAutomatic?: boolean
}

/** Others pay for it: it runs as its owner, and somebody else asks. */
export const isGuest = (
  { runs_as, user_id }: Pick<DashboardRow, 'runs_as' | 'user_id'>,
  requester: Requester | null,
): boolean => runs_as === 'owner' && requester !== null && requester.userId !== user_id

/** When the rows of a tile, or its error, are old enough for a viewer to run it again; null: they are. */
export function againAt(
  { tileId, text }: PreparedTile,
  ended: readonly Pick<DashboardRunRow, 'tile_id' | 'digest' | 'ended_at'>[],
  now: Date,
): Date | null {
  if (text instanceof AppError) return null
  const times = ended.flatMap((run) =>
    run.tile_id === tileId && run.digest === text.digest && run.ended_at ? [run.ended_at.getTime()] : [],
  )
  const at = Math.max(...times) + YOUNG_MS
  return at > now.getTime() ? new Date(at) : null
}

/** When the first of these tiles can run again; null: one of them can now, or none is there. */
export function firstAgain(
  tiles: readonly PreparedTile[],
  ended: Parameters<typeof againAt>[1],
  now: Date,
): Date | null {
  const runnable = tiles.filter(({ text }) => !(text instanceof AppError))
  const times = runnable.map((tile) => againAt(tile, ended, now))
  const [first] = times
    .flatMap((at) => (at ? [at] : []))
    .toSorted((one, next) => one.getTime() - next.getTime())
  return times.includes(null) ? null : (first ?? null)
}

export function tooSoon(at: Date, now: Date): AppError {
  const minutes = Math.ceil((at.getTime() - now.getTime()) / MINUTE_MS)
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
  return new AppError(
    'LimitReached',
    `These rows are less than ${LIMITS.dashboardViewerMinutes} minutes old. You can refresh them again in ${wait}.`,
  )
}

/** One set of values at a time for each requester: others do not wait for it, and share what is the same. */
export function requireOneAtATime(
  open: readonly OpenRun[],
  all: readonly PreparedTile[],
  requester: Requester,
): void {
  const asked = new Set(all.flatMap(({ text }) => (text instanceof AppError ? [] : [text.digest])))
  if (open.some((run) => run.begun_by === requester.userId && !asked.has(run.digest)))
    throw new AppError(
      'Conflict',
      'This dashboard still refreshes with the filters that you applied before. Wait until that has ended.',
    )
}
