import type { RunReason } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { ObjectName } from '../../engines/engine/objects.ts'
import { AppError } from '../../kernel/app-error.ts'
import { timeOrderedId } from '../../kernel/time-ordered-id.ts'
import type { Schema } from '../../store/schema.ts'
import { type BoundName, boundOf, boundText, newlyUsed } from '../access/bound-definitions.ts'
import { type Refresh, viewKey } from '../query/gate/authorize-statement.ts'
import { createLooking } from '../schema/objects/looking.ts'
import { type CachedViews, sourceKey } from './view-cache.ts'
import { GAP_MS, nextOf, retryAt } from './refresh-times.ts'
import type { RunRow } from './run-store.ts'
import type { RunEnd } from './runs.ts'
import { pathOf, type TaskParts } from './task-parts.ts'
import type { RefreshEnd, SourceName, ViewRow } from './view-store.ts'

/** Begun at once when many are due; the next look finds the others. */
const MOST_DUE = 20
const MOST_RECOVERED = 1_000

/** The words of a run that nobody stopped: the service was ended. */
const isCutOff = (end: RunEnd): boolean =>
  end.state === 'failed' && (end.code === 'Interrupted' || end.code === 'Cancelled')

interface EndOptions {
  /** What it has read, where this server has seen it. */
  readonly sources?: readonly SourceName[] | undefined
  readonly bound?: readonly BoundName[] | undefined
  /** In the same transaction. */
  readonly also?: (trx: Transaction<Schema>) => Promise<void>
}

/** What it reads as it is kept, each once. */
function sourceNames(sources: readonly ObjectName[]): SourceName[] {
  const byKey = new Map<string, SourceName>()
  for (const { type, catalog, database, name } of sources)
    if ((type === 'table' || type === 'view') && database !== null && name !== null)
      byKey.set(viewKey({ catalog, database, name }), [catalog, database, name])
  return [...byKey.values()]
}

const busy = (view: ViewRow) =>
  new AppError(
    'Conflict',
    `The materialized view ${pathOf(view)} is already being refreshed. SHOW MATERIALIZED VIEWS shows when it is done.`,
  )

/** Its owner reads with their rights whatever a macro of somebody else stands for. */
const unconfirmed = (view: ViewRow, other: BoundName): string =>
  `The materialized view ${pathOf(view)} is not refreshed: ${boundText(other)}, which it uses, has changed since the view was created or last confirmed. Check it; then its owner or a database administrator confirms the view with ALTER MATERIALIZED VIEW ${pathOf(view)} RESUME.`

/** The views through which it would read itself, the nearest first; null when it does not. */
function pathToItself(own: string, sources: readonly SourceName[], { byKey }: CachedViews): string[] | null {
  const paths: { key: string; path: string[] }[] = sources.map((one) => ({ key: sourceKey(one), path: [] }))
  const seen = new Set<string>()
  for (const { key, path } of paths) {
    if (key === own) return path
    const view = byKey.get(key)
    if (!view || seen.has(key)) continue
    seen.add(key)
    for (const one of view.sources) paths.push({ key: sourceKey(one), path: [...path, pathOf(view)] })
  }
  return null
}

/** Makes materialized views anew: one run at a time for each, seen to its end by this server or the next. */
export function createRefreshing(parts: TaskParts) {
  const { views, runStore, runs, known, useServiceEngine, transaction, announce, clock, log } = parts
  const look = createLooking({ useServiceEngine })
  let isClosing = false

  /** The statement that makes it, in the words of the account's engine. */
  const statementFor = (view: ViewRow, how: 'new' | 'empty' | 'again'): Promise<string> =>
    look({ accountId: view.account_id, user: '' }, async (looking) =>
      looking.statements().materialize(view, view.query, how),
    )

  function runOf(
    view: ViewRow,
    { reason, definition, by }: { reason: RunReason; definition: string; by: string | null },
  ): RunRow {
    return {
      run_id: timeOrderedId(),
      account_id: view.account_id,
      view_id: view.view_id,
      task_id: null,
      task_name: view.name,
      user_id: view.owner_id,
      started_by: by,
      reason,
      catalog: view.home_catalog,
      database: view.home_database,
      warehouse_id: view.warehouse_id,
      definition,
      state: 'pending',
      query_id: null,
      row_count: null,
      error: '',
      created_at: clock.now(),
      ended_at: null,
    }
  }

  /** Decides on what a refresh reads, and remembers it. */
  function readsOf(view: ViewRow): Refresh & {
    readonly sources: () => readonly SourceName[] | undefined
    readonly bound: () => readonly BoundName[] | undefined
  } {
    let sources: readonly SourceName[] | undefined
    let bound: readonly BoundName[] | undefined
    return {
      view,
      sources: () => sources,
      bound: () => bound,
      async reads(objects, uses) {
        sources = sourceNames(objects)
        bound = boundOf(uses)
        const now = await views.byId(view.view_id)
        if (!now || now.state === 'dropping') return `The materialized view ${pathOf(view)} was dropped.`
        const other = now.bound && newlyUsed(now.bound, bound)
        if (other) return unconfirmed(view, other)
        const path = pathToItself(viewKey(view), sources, await known.of(view.account_id))
        if (path === null) return null
        const through = path.length > 0 ? ` through ${path.join(', ')}` : ''
        return `The materialized view ${pathOf(view)} would read itself${through}. Change its query.`
      },
    }
  }

  function failureOf(view: ViewRow, end: RunEnd, now: Date): RefreshEnd {
    const failures = view.failures + 1
    const retry = retryAt(failures, now)
    const isDue = view.trigger === 'changes' ? view.changed_at !== null : isCutOff(end)
    if (view.trigger === 'manual' || !isDue) return { failures }
    const sooner = isClosing || (isCutOff(end) && failures === 1) ? now : retry
    const next = view.next_refresh_at
    return { failures, next_refresh_at: next && next < sooner ? next : sooner }
  }

  /** Rows are as of when the run was written down: what has changed since is not in them. */
  function successOf(view: ViewRow, run: RunRow, { sources, bound }: EndOptions): RefreshEnd {
    const isFirst = run.reason === 'create'
    const refreshed_at = isFirst && view.deferred ? null : run.created_at
    const isStale = view.changed_at !== null && view.changed_at >= run.created_at
    const again = new Date(clock.now().getTime() + GAP_MS)
    // A server that did not see what it reads has to look once more.
    const looksAgain = view.trigger === 'changes' && (isStale || sources === undefined)
    return {
      refreshed_at,
      failures: 0,
      ...(sources ? { sources } : {}),
      ...(bound ? { bound } : {}),
      ...(isStale ? {} : { changed_at: null }),
      ...(isFirst ? { next_refresh_at: nextOf(view, clock.now()) } : {}),
      ...(looksAgain ? { next_refresh_at: again } : {}),
    }
  }

  /** The end of a run and what it means for its view, together. */
  async function writeEnd(run: RunRow, end: RunEnd, options: EndOptions = {}): Promise<void> {
    const { also } = options
    if (end.state === 'open') return
    const now = clock.now()
    const view = run.view_id === null ? undefined : await views.byId(run.view_id)
    await transaction(async (trx) => {
      await runStore.end(trx, run.run_id, {
        state: end.state,
        query_id: end.queryId,
        row_count: end.state === 'success' ? end.rows : null,
        error: end.state === 'failed' ? end.error : '',
        ended_at: now,
      })
      if (view)
        await views.refreshed(
          trx,
          view.view_id,
          end.state === 'success' ? successOf(view, run, options) : failureOf(view, end, now),
        )
      await runStore.keepNewest(trx, run)
      await also?.(trx)
    })
    if (!view) return
    known.forget(view.account_id)
    await tell(view)
  }

  async function tell({ account_id: accountId, catalog, database }: ViewRow): Promise<void> {
    const type = 'GlobalEventTypeDatabaseChanged'
    await announce({ accountId, userId: null, type, data: { catalog, database } }).catch((error: unknown) =>
      log.warn({ err: error }, 'a change of a materialized view was not announced'),
    )
  }

  async function runToEnd(view: ViewRow, run: RunRow, stop?: AbortSignal): Promise<RunEnd> {
    const refresh = readsOf(view)
    const end = await runs.run(run, { refresh, ...(stop ? { stop } : {}) })
    await writeEnd(run, end, { sources: refresh.sources(), bound: refresh.bound() })
    return end
  }

  async function beginDue(view: ViewRow): Promise<void> {
    const now = clock.now()
    const definition = await statementFor(view, 'again')
    const reason = view.trigger === 'schedule' ? 'schedule' : 'changes'
    const run = runOf(view, { reason, definition, by: null })
    const isBegun = await transaction(async (trx) => {
      // One that is still being refreshed is looked at again after a while, or at its next time.
      if (!(await views.claim(trx, view, nextOf(view, now)))) return false
      const isNew = await runStore.insert(trx, run)
      if (!isNew && view.trigger === 'changes')
        await views.change(trx, view.view_id, { next_refresh_at: new Date(now.getTime() + GAP_MS) })
      return isNew
    })
    if (isBegun) runs.inBackground(runToEnd(view, run), run.run_id)
  }

  return {
    statementFor,
    runOf,
    readsOf,
    writeEnd,
    tell,

    /** Whoever asks has found that somebody may. */
    async begin(
      view: ViewRow,
      by: string,
      stop?: AbortSignal,
    ): Promise<{ runId: string; ended: Promise<RunEnd> }> {
      const definition = await statementFor(view, 'again')
      const run = runOf(view, { reason: 'manual', definition, by })
      if (!(await runStore.insertIfThere(run))) throw busy(view)
      const ended = runToEnd(view, run, stop)
      runs.inBackground(ended, run.run_id)
      return { runId: run.run_id, ended }
    },

    /** Those whose time has come, or whose sources have changed. */
    async runDue(): Promise<void> {
      if (isClosing) return
      for (const view of await views.due(clock.now(), MOST_DUE))
        await beginDue(view).catch((error: unknown) =>
          log.error({ err: error, viewId: view.view_id }, 'a refresh that is due was not begun'),
        )
    },

    /** Runs that no server sees to their end: after a crash, or while an engine could not be asked. */
    async lost(): Promise<RunRow[]> {
      const open = await runStore.open(MOST_RECOVERED)
      return open.filter(({ run_id }) => !runs.isRunning(run_id))
    },

    async resume(run: RunRow): Promise<void> {
      const view = run.view_id === null ? undefined : await views.byId(run.view_id)
      if (view) await runToEnd(view, run)
    },

    closing(): void {
      isClosing = true
    },
  }
}

export type Refreshing = ReturnType<typeof createRefreshing>
