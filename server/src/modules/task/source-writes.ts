import { isSameName } from '@boathouse/contract'
import type { DatabasePlace } from '../../engines/engine/names.ts'
import type { ObjectName } from '../../engines/engine/objects.ts'
import { BoundedMap } from '../../kernel/bounded-map.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { viewKey } from '../query/gate/authorize-statement.ts'
import type { EndedIn, Ending } from '../query/running/ending.ts'
import { type ViewCache, sourceKey } from './view-cache.ts'
import { GAP_MS } from './refresh-times.ts'
import type { SourceName, ViewStore } from './view-store.ts'

export interface SourceWriteParts {
  readonly store: Pick<ViewStore, 'beingWritten' | 'written'>
  readonly known: Pick<ViewCache, 'of'>
  readonly clock: Clock
  readonly log: Log
}

/** Connections that never ended their transaction are evicted in time. */
const MAX_OPEN = 10_000

const MAY_BE_DONE = new Set<Ending['effect']>(['taken', 'unknown', 'untold'])

/**
 * Which materialized views have to be refreshed because what they read was written to. That something is being written is
 * noted before it is: after a crash, what was under way counts as written.
 */
export function createSourceWrites({ store, known, clock, log }: SourceWriteParts) {
  /** The views that read what a connection writes to, until its statement or transaction has ended. */
  const open = new BoundedMap<ReadonlySet<string>>(MAX_OPEN)
  /** How many connections write to what a view reads. */
  const writers = new Map<string, number>()

  function count(viewId: string, change: 1 | -1): void {
    const now = (writers.get(viewId) ?? 0) + change
    if (now > 0) writers.set(viewId, now)
    else writers.delete(viewId)
  }

  /** Of those that are refreshed after changes. */
  async function reading(accountId: string, isWritten: (source: SourceName) => boolean): Promise<string[]> {
    const { byKey } = await known.of(accountId)
    const views = [...byKey.values()].filter(
      ({ trigger, sources }) => trigger === 'changes' && sources.some(isWritten),
    )
    return [...new Set(views.map(({ view_id }) => view_id))]
  }

  function readersOf(accountId: string, written: readonly ObjectName[]): Promise<string[]> {
    const keys = new Set(written.map(viewKey))
    return reading(accountId, (source) => keys.has(sourceKey(source)))
  }

  async function over(views: Iterable<string>, changedAt: Date | null): Promise<void> {
    const ids = [...views]
    for (const viewId of ids) count(viewId, -1)
    const still = ids.filter((viewId) => writers.has(viewId))
    // They are refreshed late: with the next change, or when the service starts again.
    await store
      .written(ids, { still, changedAt, gapMs: GAP_MS })
      .catch((error: unknown) => log.error({ err: error }, 'a change was not noted for materialized views'))
  }

  return {
    async begins(accountId: string, connectionId: number, written: readonly ObjectName[]): Promise<void> {
      const views = await readersOf(accountId, written)
      if (views.length === 0) return
      const before = open.get(String(connectionId)) ?? new Set()
      const more = views.filter((viewId) => !before.has(viewId))
      for (const viewId of more) count(viewId, 1)
      const all = new Set([...before, ...more])
      open.set(String(connectionId), all, all.size)
      await store.beingWritten(views)
    },

    async ended({ statement, ending, after }: EndedIn): Promise<void> {
      const key = String(after.id)
      const views = open.get(key)
      if (!views || after.inTransaction) return
      open.delete(key)
      const isDone = ending.state === 'finished' || MAY_BE_DONE.has(ending.effect)
      await over(views, isDone && statement.kind !== 'rollback' ? clock.now() : null)
    },

    /** Work of the service in a database: whatever comes of it, something in it may be another. */
    async whileWriting(accountId: string, place: DatabasePlace, work: () => Promise<void>): Promise<void> {
      const isIn = ([catalog, database]: SourceName) =>
        catalog === place.catalog && isSameName(database, place.database)
      const views = await reading(accountId, isIn)
      if (views.length === 0) return work()
      for (const viewId of views) count(viewId, 1)
      try {
        await store.beingWritten(views)
        await work()
      } finally {
        await over(views, clock.now())
      }
    },
  }
}
