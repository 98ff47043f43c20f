import {
  type dashboard as calls,
  type FilterValues,
  LIMITS,
  type Output,
  type Tile,
} from '@boathouse/contract'
import type { Transaction } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { timeOrderedId } from '../../kernel/time-ordered-id.ts'
import type { Schema } from '../../store/schema.ts'
import { resultsOf } from './present.ts'
import { againAt, type Requester, firstAgain, isGuest, requireOneAtATime, tooSoon } from './refresh-limits.ts'
import type { DashboardRunRow, DashboardRunStore } from './run-store.ts'
import type { DashboardRow } from './store.ts'
import { type TileText, tileText } from './tile-text.ts'

const HOUR_MS = 3_600_000

/** What is known of a tile before it runs: what to run, or why it cannot. */
export interface PreparedTile {
  readonly tileId: string
  readonly text: TileText | AppError
}

export function prepared(dashboard: DashboardRow, values: FilterValues): PreparedTile[] {
  const textOf = (tile: Tile): TileText | AppError => {
    try {
      return tileText(tile, dashboard, values)
    } catch (error) {
      if (error instanceof AppError) return error
      throw error
    }
  }
  return dashboard.tiles
    .filter(({ kind }) => kind !== 'text')
    .map((tile) => ({ tileId: tile.tileId, text: textOf(tile) }))
}

export interface Order {
  readonly dashboard: DashboardRow
  /** As whom. */
  readonly userId: string
  /** All that it has, with these values. */
  readonly tiles: readonly PreparedTile[]
  readonly requester: Requester | null
}

export type Shown = Output<typeof calls.results>

interface TileRunParts {
  readonly runStore: Pick<DashboardRunStore, 'insert' | 'openAlone' | 'shown'>
  readonly clock: Clock
}

/** What there is of tiles, and runs that are to begin, within the limits. */
export function createTileRuns({ runStore, clock }: TileRunParts) {
  const keptSince = (): Date => new Date(clock.now().getTime() - LIMITS.keptHours * HOUR_MS)

  /** Written before anything runs. What runs already for the same user with the same text and values runs for this one too. */
  async function begin(
    trx: Transaction<Schema>,
    order: Order,
    chosen: readonly PreparedTile[],
  ): Promise<DashboardRunRow[]> {
    const { dashboard, userId, tiles, requester } = order
    const open = await runStore.openAlone(trx, dashboard.dashboard_id)
    if (requester && dashboard.runs_as === 'owner') requireOneAtATime(open, tiles, requester)
    const old = await oldEnough(trx, order, chosen)
    const begun: DashboardRunRow[] = []
    for (const { tileId, text } of old) {
      if (text instanceof AppError) continue
      if (open.length + begun.length >= LIMITS.dashboardRunsAtOnce)
        throw new AppError(
          'LimitReached',
          `This dashboard has ${LIMITS.dashboardRunsAtOnce} running statements, the maximum. Wait for some to end.`,
        )
      const run = await runStore.insert(trx, {
        ...text,
        run_id: timeOrderedId(),
        dashboard_id: dashboard.dashboard_id,
        tile_id: tileId,
        account_id: dashboard.account_id,
        user_id: userId,
        runs_as_owner: dashboard.runs_as === 'owner',
        begun_by: requester?.userId ?? null,
        state: 'pending',
        created_at: clock.now(),
      })
      if (run) begun.push(run)
    }
    return begun
  }

  function shown({ dashboard, userId, tiles }: Order, trx?: Transaction<Schema>): Promise<DashboardRunRow[]> {
    const digests = tiles.flatMap(({ text }) => (text instanceof AppError ? [] : [text.digest]))
    return runStore.shown({ dashboardId: dashboard.dashboard_id, userId, digests }, keptSince(), trx)
  }

  async function results(order: Order): Promise<Shown> {
    const found = await shown(order)
    const again = isGuest(order.dashboard, order.requester)
      ? firstAgain(order.tiles, found, clock.now())
      : null
    return { results: resultsOf(order.tiles, found), refreshableAt: again?.toISOString() ?? null }
  }

  /** Those of these that may run again. Throws when none of them may, and one could. */
  async function oldEnough(
    trx: Transaction<Schema>,
    order: Order,
    chosen: readonly PreparedTile[],
  ): Promise<readonly PreparedTile[]> {
    if (!isGuest(order.dashboard, order.requester)) return chosen
    const found = await shown(order, trx)
    const now = clock.now()
    const again = firstAgain(chosen, found, now)
    if (again && !order.requester?.isAutomatic) throw tooSoon(again, now)
    return chosen.filter((tile) => againAt(tile, found, now) === null)
  }

  return { begin, results, keptSince }
}
