import type { Dashboard, ListedDashboard, TileResult } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { DashboardRunRow } from './run-store.ts'
import type { PreparedTile } from './tile-runs.ts'
import type { ListedRow, NamedDashboard } from './store.ts'

export const presentListed = (row: ListedRow, actor: Pick<Actor, 'userId'>): ListedDashboard => ({
  dashboardId: row.dashboard_id,
  name: row.name,
  owner: row.owner,
  isOwn: row.user_id === actor.userId,
  viewers: row.viewers as ListedDashboard['viewers'],
  runsAs: row.runs_as as ListedDashboard['runsAs'],
  tileCount: row.tile_count,
  updatedAt: row.updated_at.toISOString(),
})

const scheduleOf = ({ cron, time_zone }: ListedRow): Dashboard['schedule'] =>
  cron !== null && time_zone !== null ? { cron, timeZone: time_zone } : null

/** The statements are for who runs them: its owner, or its viewers. */
export function presentDashboard(row: NamedDashboard, actor: Pick<Actor, 'userId'>): Dashboard {
  const listed = presentListed(row, actor)
  const showsSql = listed.isOwn || listed.runsAs === 'viewer'
  return {
    ...listed,
    revision: row.revision,
    roles: row.roles,
    schedule: scheduleOf(row),
    nextRunAt: row.next_run_at?.toISOString() ?? null,
    tiles: row.tiles.map((tile) => (showsSql ? tile : { ...tile, sql: '', tabId: null })),
    parameters: row.parameters,
  }
}

/** Of each tile, its newest run that has ended, and whether another one has not. Runs are newest first. */
export function resultsOf(tiles: readonly PreparedTile[], runs: readonly DashboardRunRow[]): TileResult[] {
  return tiles.map(({ tileId, text }) => {
    if (text instanceof AppError)
      return { tileId, runId: null, refreshedAt: null, error: text.message, isRunning: false }
    const own = runs.filter((run) => run.tile_id === tileId && run.digest === text.digest)
    const ended = own.find((run) => run.ended_at !== null)
    return {
      tileId,
      runId: ended?.state === 'success' ? ended.run_id : null,
      refreshedAt: ended?.ended_at?.toISOString() ?? null,
      error: ended?.error ?? '',
      isRunning: own.some((run) => run.ended_at === null),
    }
  })
}
