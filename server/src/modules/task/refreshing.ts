import { AppError } from '../../kernel/app-error.ts'
import { createLooking } from '../schema/objects/looking.ts'
import { GAP_MS, nextOf } from './refresh-times.ts'
import type { RunRow } from './run-store.ts'
import type { RunEnd } from './runs.ts'
import { pathOf, type TaskParts } from './task-parts.ts'
import type { ViewRow } from './view-store.ts'
import { runOf } from './refresh-run.ts'
import { createRefreshEnd } from './refresh-end.ts'
import { createRefreshReads } from './refresh-reads.ts'

/** Started at once when many are due; the next check finds the others. */
const MOST_DUE = 20
const MOST_RECOVERED = 1_000

const busy = (view: ViewRow) =>
  new AppError(
    'Conflict',
    `The materialized view ${pathOf(view)} is already being refreshed. SHOW MATERIALIZED VIEWS shows when it is done.`,
  )

/** Refreshes materialized views: one run at a time for each, completed by this server or the next. */
export function createRefreshing(parts: TaskParts) {
  const { views, runStore, runs, useServiceEngine, transaction, clock, log } = parts
  const look = createLooking({ useServiceEngine })
  let isClosing = false
  const readsOf = createRefreshReads(parts)
  const { writeEnd, announceChange } = createRefreshEnd({ parts, isClosing: () => isClosing })

  /** The statement that fills it, in the dialect of the account's engine. */
  const statementFor = (view: ViewRow, how: 'new' | 'empty' | 'again'): Promise<string> =>
    look({ accountId: view.account_id, user: '' }, async (looking) =>
      looking.statements().materialize(view, view.query, how),
    )

  async function runToEnd(view: ViewRow, run: RunRow, stop?: AbortSignal): Promise<RunEnd> {
    const refresh = readsOf(view)
    const end = await runs.run(run, { refresh, ...(stop ? { stop } : {}) })
    await writeEnd(run, end, { sources: refresh.sources(), bound: refresh.bound() })
    if (end.state === 'success') await tidy(view)
    return end
  }

  /** What the engine still keeps of earlier rows. What is left over goes with the next refresh. */
  async function tidy(view: ViewRow): Promise<void> {
    try {
      await look({ accountId: view.account_id, user: '' }, async (looking) => {
        const sql = looking.statements().tidy(view)
        if (sql === null) return
        const outcome = await looking.run(sql, { takenFor: null, authorize: 'all', maxRows: 1 })
        if (outcome.state !== 'finished')
          log.warn({ viewId: view.view_id, outcome }, 'earlier rows of a materialized view were not removed')
      })
    } catch (error) {
      log.warn({ err: error, viewId: view.view_id }, 'earlier rows of a materialized view were not removed')
    }
  }

  async function beginDue(view: ViewRow): Promise<void> {
    const now = clock.now()
    const definition = await statementFor(view, 'again')
    const reason = view.trigger === 'schedule' ? 'schedule' : 'changes'
    const run = runOf(view, { reason, definition, by: null, at: now })
    const isBegun = await transaction(async (trx) => {
      // A view that is still being refreshed is checked again after a while, or at its next time.
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
    readsOf,
    writeEnd,
    announceChange,

    /** The caller has checked the privilege. */
    async begin(
      view: ViewRow,
      by: string,
      stop?: AbortSignal,
    ): Promise<{ runId: string; ended: Promise<RunEnd> }> {
      const definition = await statementFor(view, 'again')
      const run = runOf(view, { reason: 'manual', definition, by, at: clock.now() })
      if (!(await runStore.insertIfThere(run))) throw busy(view)
      const ended = runToEnd(view, run, stop)
      runs.inBackground(ended, run.run_id)
      return { runId: run.run_id, ended }
    },

    /** Refreshes the views whose time has come, or whose sources have changed. */
    async runDue(): Promise<void> {
      if (isClosing) return
      for (const view of await views.due(clock.now(), MOST_DUE))
        await beginDue(view).catch((error: unknown) =>
          log.error({ err: error, viewId: view.view_id }, 'a refresh that is due was not begun'),
        )
    },

    /** Runs that no server completes: after a crash, or while an engine could not be reached. */
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
