import type { MaterializedView, MaterializedViewDetail, TaskRun } from '@boathouse/contract'
import { quoteIdentifier, quoteString } from '@boathouse/sql'
import { refreshText } from './refresh-times.ts'
import type { RunRow } from './run-store.ts'
import type { ListedView, ViewRow } from './view-store.ts'

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

export const presentRun = (run: RunRow): TaskRun => ({
  runId: run.run_id,
  queryId: run.query_id,
  reason: run.reason,
  state: run.state,
  startedBy: run.started_by,
  createdAt: run.created_at.toISOString(),
  endedAt: iso(run.ended_at),
  rows: run.row_count,
  error: run.error,
})

export const presentListed = (view: ListedView): MaterializedView => ({
  mvName: view.name,
  type: 'materialized_view',
  trigger: view.trigger,
  paused: view.paused,
  lastRefreshState: view.last_state,
  lastRefreshAt: iso(view.last_ended_at),
})

export const presentDetail = (
  view: ViewRow,
  said: { readonly mayRead: boolean; owner: string | null; warehouse: string; lastRun: RunRow | undefined },
): MaterializedViewDetail => ({
  mvName: view.name,
  query: said.mayRead ? view.query : '',
  refresh: refreshText(view),
  trigger: view.trigger,
  paused: view.paused,
  owner: said.owner,
  warehouse: said.warehouse,
  createdAt: view.created_at.toISOString(),
  refreshedAt: iso(view.refreshed_at),
  changedAt: iso(view.changed_at),
  nextRefreshAt: view.paused ? null : iso(view.next_refresh_at),
  lastRun: said.lastRun ? presentRun(said.lastRun) : null,
})

/** The statement that makes it again, from wherever its query was written. */
export function createStatementOf(view: ViewRow, warehouse: string): string {
  const { catalog, database, name, comment, query } = view
  return [
    `CREATE MATERIALIZED VIEW ${[catalog, database, name].map(quoteIdentifier).join('.')}`,
    ...(comment === '' ? [] : [`COMMENT ${quoteString(comment)}`]),
    refreshText(view),
    ...(warehouse === '' ? [] : [`PROPERTIES ("warehouse" = ${quoteString(warehouse)})`]),
    `AS ${query}`,
  ].join('\n')
}
