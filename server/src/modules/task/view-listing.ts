import {
  type CommonSearch,
  LIMITS,
  type MaterializedView,
  type MaterializedViewDetail,
  type TaskRun,
} from '@boathouse/contract'
import type { DatabasePlace } from '../../engines/engine/names.ts'
import type { Actor } from '../../kernel/actor.ts'
import { createStatementOf, presentDetail, presentListed, presentRun } from './present.ts'
import { refreshText } from './refresh-times.ts'
import type { RunRow } from './run-store.ts'
import { accessOf, type TaskParts } from './task-parts.ts'
import type { ListedView, ViewPlace, ViewRow } from './view-store.ts'
import type { ViewLookup } from './view-lookup.ts'

export interface WholeView {
  readonly view: ListedView
  readonly lastRun: RunRow | undefined
  readonly owner: string | null
  readonly warehouse: string
  readonly refresh: string
  readonly mayRead: boolean
}

/** Materialized views as they are listed and described. */
export function createViewListing(parts: TaskParts, { find, findFor }: ViewLookup) {
  const { views, runStore, authority } = parts

  const warehouseOf = async ({ account_id, warehouse_id }: ViewRow): Promise<string> =>
    warehouse_id === null
      ? ''
      : ((await parts.warehouseNames(account_id, [warehouse_id])).get(warehouse_id) ?? '')

  return {
    async list(
      actor: Actor,
      { catalog, database }: DatabasePlace,
      { orders: [order], offset, limit, search }: CommonSearch,
    ): Promise<{ list: MaterializedView[]; total: number }> {
      const seen = await authority.visible(actor, { type: 'materialized_view', catalog, database })
      const page = { search, descending: order?.desc ?? false, offset, limit, seen }
      const { list, total } = await views.page(actor.accountId, { catalog, database }, page)
      return { list: list.map(presentListed), total }
    },

    /** With everything that is known of each, for a statement. */
    async listWhole(actor: Actor, { catalog, database }: DatabasePlace): Promise<WholeView[]> {
      const seen = await authority.visible(actor, { type: 'materialized_view', catalog, database })
      const page = {
        search: '',
        descending: false,
        offset: 0,
        limit: LIMITS.materializedViewsPerAccount,
        seen,
      }
      const { list } = await views.page(actor.accountId, { catalog, database }, page)
      return Promise.all(
        list.map(async (view) => ({
          view,
          lastRun: (await runStore.page(view.view_id, { offset: 0, limit: 1 })).list[0],
          owner: (await parts.actorOf(view.owner_id))?.user ?? null,
          warehouse: await warehouseOf(view),
          refresh: refreshText(view),
          mayRead: await authority.may(actor, 'SELECT', accessOf(view)),
        })),
      )
    },

    async detail(actor: Actor, place: ViewPlace): Promise<MaterializedViewDetail> {
      const view = await find(actor, place)
      return presentDetail(view, {
        mayRead: await authority.may(actor, 'SELECT', accessOf(view)),
        owner: (await parts.actorOf(view.owner_id))?.user ?? null,
        warehouse: await warehouseOf(view),
        lastRun: (await runStore.page(view.view_id, { offset: 0, limit: 1 })).list[0],
      })
    },

    async createStatement(actor: Actor, place: ViewPlace): Promise<string> {
      const view = await findFor(actor, place, 'SELECT')
      return createStatementOf(view, await warehouseOf(view))
    },

    async runsOf(
      actor: Actor,
      place: ViewPlace,
      page: { offset: number; limit: number },
    ): Promise<{ list: TaskRun[]; total: number }> {
      const view = await find(actor, place)
      const { list, total } = await runStore.page(view.view_id, page)
      return { list: list.map(presentRun), total }
    },
  }
}
