import type { Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import type { BoundName } from '../query/gate/bound-definitions.ts'
import { GAP_MS, nextOf, retryAt } from './refresh-times.ts'
import type { RunRow } from './run-store.ts'
import type { RunEnd } from './runs.ts'
import type { TaskParts } from './task-parts.ts'
import type { RefreshEnd, SourceName, ViewRow } from './view-store.ts'

/** Nobody stopped the run: the service ended. */
const isCutOff = (end: RunEnd): boolean =>
  end.state === 'failed' && (end.code === 'Interrupted' || end.code === 'Cancelled')

interface EndOptions {
  /** What the run has read, if this server saw it. */
  readonly sources?: readonly SourceName[] | undefined
  readonly bound?: readonly BoundName[] | undefined
  /** In the same transaction. */
  readonly also?: (trx: Transaction<Schema>) => Promise<void>
}

/** The end of a run and what it means for its view, written in one transaction. */
export function createRefreshEnd({
  parts,
  isClosing,
}: {
  parts: Pick<TaskParts, 'views' | 'runStore' | 'known' | 'transaction' | 'announce' | 'clock' | 'log'>
  isClosing: () => boolean
}) {
  const { views, runStore, known, transaction, announce, clock, log } = parts

  function failureOf(view: ViewRow, end: RunEnd, now: Date): RefreshEnd {
    const failures = view.failures + 1
    const retry = retryAt(failures, now)
    const isDue = view.trigger === 'changes' ? view.changed_at !== null : isCutOff(end)
    if (view.trigger === 'manual' || !isDue) return { failures }
    const sooner = isClosing() || (isCutOff(end) && failures === 1) ? now : retry
    const next = view.next_refresh_at
    return { failures, next_refresh_at: next && next < sooner ? next : sooner }
  }

  /** The rows are as of when the run was recorded: later changes are not in them. */
  function successOf(view: ViewRow, run: RunRow, { sources, bound }: EndOptions): RefreshEnd {
    const isFirst = run.reason === 'create'
    const refreshed_at = isFirst && view.deferred ? null : run.created_at
    const isStale = view.changed_at !== null && view.changed_at >= run.created_at
    const again = new Date(clock.now().getTime() + GAP_MS)
    // A server that did not see what the run read has to refresh once more.
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
    await announceChange(view)
  }

  async function announceChange({ account_id: accountId, catalog, database }: ViewRow): Promise<void> {
    const type = 'GlobalEventTypeDatabaseChanged'
    await announce({ accountId, userId: null, type, data: { catalog, database } }).catch((error: unknown) =>
      log.warn({ err: error }, 'a change of a materialized view was not announced'),
    )
  }

  return { writeEnd, announceChange }
}

export type AnnounceChange = ReturnType<typeof createRefreshEnd>['announceChange']
