import {
  type CommonSearch,
  LIMITS,
  type MaterializedView,
  type MaterializedViewDetail,
  objectOf,
  type Privilege,
  type TaskRun,
  foldedName,
} from '@boathouse/contract'
import type { RefreshChoice } from '@boathouse/sql'
import type { Transaction } from 'kysely'
import type { DatabasePlace } from '../../engines/engine/names.ts'
import type { ObjectChange } from '../../engines/engine/objects.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { isFirst } from '../../kernel/first-catalog.ts'
import { inBatches } from '../../store/in-batches.ts'
import type { Schema } from '../../store/schema.ts'
import { userAuthor } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import { viewKey } from '../query/gate/authorize-statement.ts'
import { sourceKey } from './view-cache.ts'
import { createMaking } from './making.ts'
import { createRenaming } from './renaming.ts'
import { createStatementOf, presentDetail, presentListed, presentRun } from './present.ts'
import { nextOf, refreshText, timesOf } from './refresh-times.ts'
import { createRefreshing } from './refreshing.ts'
import type { RunRow } from './run-store.ts'
import { accessOf, pathOf, type TaskParts, type Who } from './task-parts.ts'
import type { ListedView, ViewPlace, ViewRow } from './view-store.ts'

export type { ViewPlace, ViewRow, Who }

const DAY_MS = 86_400_000

const missing = ({ catalog, database, name }: ViewPlace) =>
  new AppError(
    'NotFound',
    `There is no materialized view ${name} in ${catalog}.${database} that you may see, or it was dropped.`,
  )

/** Materialized views: their definitions are kept here, their rows in the engine, and their refreshes are told. */
export function createMaterializedViews(parts: TaskParts) {
  const { views, runStore, runs, known, authority, transaction, clock } = parts
  const refreshing = createRefreshing(parts)
  const making = createMaking(parts, refreshing)
  const renaming = createRenaming(parts, refreshing)

  /** What nobody may see is told as what is not there. */
  async function find(actor: Actor, place: ViewPlace): Promise<ViewRow> {
    const { catalog, database, name } = place
    const isOpen = isFirst(catalog) || (await authority.may(actor, 'USAGE', objectOf('catalog', { catalog })))
    const seen = await authority.visible(actor, { type: 'materialized_view', catalog, database })
    if (!isOpen || (seen !== 'all' && !seen.has(foldedName(name)))) throw missing(place)
    const view = await views.find(actor.accountId, place)
    if (view?.state !== 'there') throw missing(place)
    return view
  }

  async function findFor(actor: Actor, place: ViewPlace, privilege: Privilege): Promise<ViewRow> {
    const view = await find(actor, place)
    await authority.require(actor, { privilege, object: accessOf(view) })
    return view
  }

  const warehouseOf = async ({ account_id, warehouse_id }: ViewRow): Promise<string> =>
    warehouse_id === null
      ? ''
      : ((await parts.warehouseNames(account_id, [warehouse_id])).get(warehouse_id) ?? '')

  /** A change of the definition alone, with its entry in the audit log. */
  async function alter(
    who: Who,
    view: ViewRow,
    { change, action, before, after }: Alteration,
  ): Promise<void> {
    await transaction(async (trx) => {
      await views.change(trx, view.view_id, change)
      await recordAudit(trx, {
        accountId: view.account_id,
        at: clock.now(),
        by: userAuthor(who),
        action: `materialized_view.${action}`,
        object: { type: 'materialized_view', id: view.view_id, name: pathOf(view) },
        before,
        after,
      })
    })
    known.forget(view.account_id)
    await refreshing.tell(view)
  }

  /** What its query uses by now is what its owner, or a database administrator, wants it to use. */
  async function confirm(who: Who, view: ViewRow): Promise<void> {
    if (view.owner_id !== who.actor.userId && !authority.holdsAll(who.actor)) return
    await transaction(async (trx) => {
      await views.confirm(trx, view.view_id)
      await recordAudit(trx, {
        accountId: view.account_id,
        at: clock.now(),
        by: userAuthor(who),
        action: 'materialized_view.confirm',
        object: { type: 'materialized_view', id: view.view_id, name: pathOf(view) },
        before: null,
        after: null,
      })
    })
  }

  async function resume(run: RunRow): Promise<void> {
    const view = run.view_id === null ? undefined : await views.byId(run.view_id)
    if (view?.state === 'making') await making.resumeMaking(view, run)
    else await refreshing.resume(run)
  }

  return {
    find,

    create: making.create,

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

    /** CATALOG-56 */
    async runsOf(
      actor: Actor,
      place: ViewPlace,
      page: { offset: number; limit: number },
    ): Promise<{ list: TaskRun[]; total: number }> {
      const view = await find(actor, place)
      const { list, total } = await runStore.page(view.view_id, page)
      return { list: list.map(presentRun), total }
    },

    async refresh(actor: Actor, place: ViewPlace, stop?: AbortSignal) {
      const view = await findFor(actor, place, 'REFRESH')
      return refreshing.begin(view, actor.user, stop)
    },

    async pause(who: Who, place: ViewPlace, paused: boolean): Promise<void> {
      const view = await findFor(who.actor, place, 'ALTER')
      if (!paused) await confirm(who, view)
      if (view.paused === paused) return
      const now = clock.now()
      const next = view.changed_at === null ? nextOf(view, now) : now
      await alter(who, view, {
        change: { paused, ...(paused ? {} : { next_refresh_at: view.trigger === 'manual' ? null : next }) },
        action: paused ? 'pause' : 'resume',
        before: { paused: view.paused },
        after: { paused },
      })
    },

    async changeRefresh(who: Who, place: ViewPlace, choice: RefreshChoice): Promise<void> {
      const view = await findFor(who.actor, place, 'ALTER')
      const now = clock.now()
      const times = timesOf(choice, new Date(Math.floor(now.getTime() / 1_000) * 1_000))
      // What has changed before it was looked after is not known.
      const next = times.trigger === 'changes' ? now : nextOf(times, now)
      await alter(who, view, {
        change: { ...times, next_refresh_at: next },
        action: 'refresh',
        before: { refresh: refreshText(view) },
        after: { refresh: refreshText(times) },
      })
    },

    async comment(who: Who, place: ViewPlace, comment: string): Promise<void> {
      const view = await findFor(who.actor, place, 'ALTER')
      await alter(who, view, {
        change: { comment },
        action: 'comment',
        before: { comment: view.comment },
        after: { comment },
      })
    },

    async rename(who: Who, place: ViewPlace, name: string): Promise<void> {
      await renaming.rename(who, await findFor(who.actor, place, 'ALTER'), name)
    },

    async drop(who: Who, place: ViewPlace): Promise<void> {
      await making.drop(who, await findFor(who.actor, place, 'DROP'))
    },

    /** Which of them read something, and what one of them reads, in the names of its last refresh. */
    async readersOf(accountId: string, place: ViewPlace): Promise<ViewPlace[]> {
      const key = viewKey(place)
      const { byKey } = await known.of(accountId)
      return [...byKey.values()].filter(
        ({ state, sources }) => state === 'there' && sources.some((one) => sourceKey(one) === key),
      )
    },
    async readBy(accountId: string, place: ViewPlace): Promise<ViewPlace[]> {
      const { byKey } = await known.of(accountId)
      const sources = byKey.get(viewKey(place))?.sources ?? []
      return sources.map(([catalog, database, name]) => ({ catalog, database, name }))
    },

    /** With a database, what is in it. */
    async objectsChanged(actor: Actor, changes: readonly ObjectChange[]): Promise<void> {
      const { accountId, userId } = actor
      for (const { change, object } of changes) {
        if (change === 'created' && object.type === 'function') {
          const macro = { ...object, database: object.database ?? '', name: object.name ?? '' }
          const changed = { macro, userId, mayAll: authority.holdsAll(actor) }
          await views.macroChanged(accountId, changed)
          await parts.macroChanged(accountId, changed)
        }
        if (change !== 'dropped' || object.type !== 'database' || object.database === null) continue
        await views.removeIn(accountId, { catalog: object.catalog, database: object.database })
        known.forget(accountId)
      }
    },

    /** The catalog is gone with everything in it. */
    catalogForgotten: (trx: Transaction<Schema>, accountId: string, catalog: string): Promise<void> =>
      views.removeInCatalog(trx, accountId, catalog),
    /** Those whose query may name a catalog, by their full names. */
    namingCatalog: async (accountId: string, catalog: string): Promise<string[]> =>
      (await views.naming(accountId, catalog)).map((view) =>
        [view.catalog, view.database, view.name].join('.'),
      ),
    /** To be called when that is written. */
    forgetKnown: known.forget,

    runDue: refreshing.runDue,

    /** What a server has begun and not ended is seen to its end; none of it is waited for. */
    async recover(): Promise<void> {
      for (const run of await refreshing.lost()) {
        if (run.view_id === null) continue
        runs.inBackground(resume(run), run.run_id)
      }
      await making.finishDrops()
      await renaming.finishRenames()
    },

    /** Before anything runs. */
    assumeWritten: () => views.assumeWritten(clock.now()),

    forgetOldRuns: () => {
      const before = new Date(clock.now().getTime() - LIMITS.taskRunDays * DAY_MS)
      return inBatches((most) => runStore.forgetEnded(before, most))
    },

    closing: refreshing.closing,
    idle: runs.idle,
  }
}

interface Alteration {
  readonly change: Parameters<TaskParts['views']['change']>[2]
  readonly action: string
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Readonly<Record<string, unknown>>
}

export interface WholeView {
  readonly view: ListedView
  readonly lastRun: RunRow | undefined
  readonly owner: string | null
  readonly warehouse: string
  readonly refresh: string
  readonly mayRead: boolean
}

export type MaterializedViews = ReturnType<typeof createMaterializedViews>
