import {
  type Dashboard,
  type dashboard as calls,
  type FilterValues,
  type Input,
  type Output,
  type RecentDashboard,
} from '@boathouse/contract'
import { type Actor, refuseNarrowedKey } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { type ChangingParts, createDashboardChanges } from './changing.ts'
import type { From } from './dashboard-audit.ts'
import { createDashboardMaking, noSuchDashboard } from './making.ts'
import { presentDashboard, presentListed } from './present.ts'
import type { DashboardRunStore } from './run-store.ts'
import type { DashboardRunning } from './running.ts'
import { prepared } from './tile-runs.ts'
import { createOpenedDashboards } from './opened.ts'
import type { NamedDashboard } from './store.ts'
import type { RowsOf } from './tile-rows.ts'

export interface DashboardParts extends ChangingParts {
  readonly runStore: Pick<DashboardRunStore, 'find' | 'forgetTiles'>
  readonly running: Pick<DashboardRunning, 'results' | 'refresh'>
  /** As whom something of this user runs now. Throws when they are gone. */
  readonly ownerOf: (userId: string) => Promise<Actor>
  readonly rowsOf: RowsOf
}

type Shown = Output<typeof calls.results>

/** Whose privileges apply. As a viewer, one comes with all roles that one was given. */
function runsAs(actor: Actor, { runs_as, user_id }: NamedDashboard): string {
  if (runs_as === 'owner') return user_id
  refuseNarrowedKey(actor)
  return actor.userId
}

/** Dashboards: who sees them, and what their tiles show. */
export function createDashboards(parts: DashboardParts) {
  const { store, runStore, running, ownerOf, rowsOf } = parts
  const changes = createDashboardChanges(parts)
  const making = createDashboardMaking(parts)

  async function find(actor: Actor, dashboardId: string): Promise<NamedDashboard> {
    const found = await store.find(actor, dashboardId)
    if (!found) throw noSuchDashboard()
    return found
  }

  async function orderFor(actor: Actor, dashboardId: string, values: FilterValues) {
    const dashboard = await find(actor, dashboardId)
    const tiles = prepared(dashboard, values)
    return { dashboard, userId: runsAs(actor, dashboard), tiles, requester: actor }
  }

  return {
    async list(actor: Actor, page: Input<typeof calls.list>): Promise<Output<typeof calls.list>> {
      const { rows, total } = await store.page(actor, page)
      return { dashboards: rows.map((row) => presentListed(row, actor)), total }
    },

    /** For the home page: those last changed first. */
    recent: async (actor: Actor, most: number): Promise<RecentDashboard[]> =>
      (await store.recent(actor, most)).map(({ dashboard_id: dashboardId, name, updated_at }) => ({
        dashboardId,
        name,
        changedAt: updated_at.toISOString(),
      })),

    detail: async (actor: Actor, dashboardId: string): Promise<Dashboard> =>
      presentDashboard(await find(actor, dashboardId), actor),

    create: async (from: From, name: string): Promise<Dashboard> =>
      presentDashboard(await making.create(from, name), from.actor),
    save: async (from: From, draft: Input<typeof calls.save>): Promise<Dashboard> =>
      presentDashboard(await changes.save(from, draft), from.actor),
    addTile: async (from: From, draft: Input<typeof calls.addTile>): Promise<Dashboard> =>
      presentDashboard(await changes.addTile(from, draft), from.actor),
    changeSettings: async (
      from: From,
      { dashboardId, settings }: Input<typeof calls.changeSettings>,
    ): Promise<Dashboard> =>
      presentDashboard(await changes.changeSettings(from, dashboardId, settings), from.actor),
    delete: making.delete,

    /** Of this user, who alone gives it to others. */
    async own(actor: Actor, dashboardId: string) {
      const { name, runs_as: runsAs } = await changes.findOwn(actor, dashboardId)
      return { dashboardId, name, runsAs }
    },
    opened: createOpenedDashboards(parts),

    async results(actor: Actor, { dashboardId, values }: Input<typeof calls.results>): Promise<Shown> {
      return running.results(await orderFor(actor, dashboardId, values))
    },

    async refresh(actor: Actor, wanted: Input<typeof calls.refresh>): Promise<Shown> {
      const { dashboardId, values, tileIds, onlyMissing } = wanted
      const order = await orderFor(actor, dashboardId, values)
      // Now, and not as a run that fails for each tile.
      await ownerOf(order.userId)
      const known = onlyMissing ? (await running.results(order)).results : []
      const isThere = (tileId: string): boolean =>
        known.some((one) => one.tileId === tileId && (one.refreshedAt !== null || one.isRunning))
      return running.refresh(
        { ...order, requester: { userId: actor.userId, isAutomatic: onlyMissing } },
        ({ tileId }) => (tileIds === null || tileIds.includes(tileId)) && !isThere(tileId),
      )
    },

    async rows(
      actor: Actor,
      { dashboardId, runId }: Input<typeof calls.rows>,
    ): Promise<Output<typeof calls.rows>> {
      const dashboard = await find(actor, dashboardId)
      const userId = runsAs(actor, dashboard)
      const run = await runStore.find(dashboardId, runId)
      // One that ran as somebody else, or under other rules, is not shown.
      const isShown = run?.user_id === userId && run.runs_as_owner === (dashboard.runs_as === 'owner')
      if (!isShown || run.query_id === null)
        throw new AppError('NotFound', 'The tile was refreshed meanwhile. Look at it again.')
      return rowsOf(await ownerOf(userId), run.query_id)
    },
  }
}

export type Dashboards = ReturnType<typeof createDashboards>
