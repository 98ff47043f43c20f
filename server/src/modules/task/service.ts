import { LIMITS } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { ObjectChange } from '../../engines/engine/objects.ts'
import type { Actor } from '../../kernel/actor.ts'
import { inBatches } from '../../store/in-batches.ts'
import type { Schema } from '../../store/schema.ts'
import { viewKey } from '../query/gate/authorize-statement.ts'
import { sourceKey } from './view-cache.ts'
import { createCreating } from './creating.ts'
import { createDropping } from './dropping.ts'
import { createRenaming } from './renaming.ts'
import { createRefreshing } from './refreshing.ts'
import type { RunRow } from './run-store.ts'
import type { TaskParts, Who } from './task-parts.ts'
import type { ViewPlace } from './view-store.ts'
import { createViewLookup } from './view-lookup.ts'
import { createViewListing } from './view-listing.ts'
import { createViewChanges } from './view-changes.ts'

export type { ViewPlace, Who }

const DAY_MS = 86_400_000

/**
 * Materialized views: their definitions are stored here, their rows in the engine, and their refreshes are announced.
 */
export function createMaterializedViews(parts: TaskParts) {
  const { views, runStore, runs, known, authority, clock } = parts
  const refreshing = createRefreshing(parts)
  const { announceChange } = refreshing
  const creating = createCreating(parts, refreshing)
  const dropping = createDropping(parts, announceChange)
  const renaming = createRenaming(parts, announceChange)
  const lookup = createViewLookup(parts)
  const { find, findFor } = lookup

  async function resume(run: RunRow): Promise<void> {
    const view = run.view_id === null ? undefined : await views.byId(run.view_id)
    if (view?.state === 'making') await creating.resume(view, run)
    else await refreshing.resume(run)
  }

  return {
    ...createViewListing(parts, lookup),
    ...createViewChanges(parts, { findFor, announceChange }),

    find,

    create: creating.create,

    async refresh(actor: Actor, place: ViewPlace, stop?: AbortSignal) {
      const view = await findFor(actor, place, 'REFRESH')
      return refreshing.begin(view, actor.user, stop)
    },

    async rename(who: Who, place: ViewPlace, name: string): Promise<void> {
      await renaming.rename(who, await findFor(who.actor, place, 'ALTER'), name)
    },

    async drop(who: Who, place: ViewPlace): Promise<void> {
      await dropping.drop(who, await findFor(who.actor, place, 'DROP'))
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

    /** Resumes in the background what another server has started and not completed. */
    async recover(): Promise<void> {
      for (const run of await refreshing.lost()) {
        if (run.view_id === null) continue
        runs.inBackground(resume(run), run.run_id)
      }
      await dropping.finishDrops()
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

export type MaterializedViews = ReturnType<typeof createMaterializedViews>
