import { EMBED_MESSAGES, type Output, type embed, type ShownTile, type Tile } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { DashboardRunStore } from './run-store.ts'
import type { DashboardRunning } from './running.ts'
import { prepared } from './tile-runs.ts'
import type { DashboardRow, DashboardStore } from './store.ts'
import type { RowsOf } from './tile-rows.ts'

export interface OpenedParts {
  readonly store: Pick<DashboardStore, 'known'>
  readonly runStore: Pick<DashboardRunStore, 'find'>
  readonly running: Pick<DashboardRunning, 'results'>
  readonly ownerOf: (userId: string) => Promise<Actor>
  readonly rowsOf: RowsOf
}

/** A dashboard with the user as whom it runs. */
export interface Opened {
  readonly dashboard: DashboardRow
  readonly owner: Actor
}

const shown = ({ tileId, x, y, w, h, title, kind, text, chart }: Tile): ShownTile => ({
  tileId,
  x,
  y,
  w,
  h,
  title,
  kind,
  text,
  chart,
})

/** What an error of the engine says is for who may read the table. */
function plainRefusal(error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  if (error.code === 'NoPermission') return new AppError('NoPermission', EMBED_MESSAGES.noAccess)
  if (error.code === 'ResultExpired' || error.code === 'NotFound')
    return new AppError(error.code, EMBED_MESSAGES.notKept)
  return error
}

function requireOwners({ dashboard }: Opened): void {
  if (dashboard.runs_as !== 'owner') throw new AppError('NoPermission', EMBED_MESSAGES.notOwners)
}

/** Dashboards as people without a sign-in see them: rows that their owner has kept. Nothing runs for them. */
export function createOpenedDashboards({ store, runStore, running, ownerOf, rowsOf }: OpenedParts) {
  return {
    /** The caller has checked that it may be opened. */
    async open(dashboardId: string): Promise<Opened> {
      const dashboard = await store.known(dashboardId)
      if (!dashboard) throw new AppError('LinkUnusable', EMBED_MESSAGES.unknown)
      return { dashboard, owner: await ownerOf(dashboard.user_id) }
    },

    /** With the first values of its filters. */
    async content(opened: Opened): Promise<Output<typeof embed.open>> {
      requireOwners(opened)
      const { dashboard } = opened
      const order = { dashboard, userId: dashboard.user_id, tiles: prepared(dashboard, {}), requester: null }
      const { results } = await running.results(order)
      return {
        name: dashboard.name,
        tiles: dashboard.tiles.map(shown),
        results: results.map((one) =>
          one.error === '' ? one : { ...one, error: EMBED_MESSAGES.tileFailed },
        ),
      }
    },

    /** Of a tile as everyone sees it first: rows for other values of filters are not found. */
    async rows(opened: Opened, runId: string): Promise<Output<typeof embed.rows>> {
      requireOwners(opened)
      const { dashboard, owner } = opened
      const run = await runStore.find(dashboard.dashboard_id, runId)
      const isFirst = prepared(dashboard, {}).some(
        ({ tileId, text }) =>
          tileId === run?.tile_id && !(text instanceof AppError) && text.digest === run.digest,
      )
      if (!run?.query_id || !isFirst || !run.runs_as_owner || run.user_id !== owner.userId)
        throw new AppError('NotFound', EMBED_MESSAGES.notKept)
      try {
        return await rowsOf(owner, run.query_id)
      } catch (error) {
        throw plainRefusal(error)
      }
    },
  }
}
