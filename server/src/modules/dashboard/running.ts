import { BoundValues, LIMITS, nextCronTime, parseCron } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Schema } from '../../store/schema.ts'
import type { Refresh } from '../query/gate/authorize-statement.ts'
import type { TaskRuns } from '../task/runs.ts'
import type { DashboardRunRow, DashboardRunStore } from './run-store.ts'
import type { DueDashboardStore } from './due-store.ts'
import type { DashboardRow } from './store.ts'
import { createTileRuns, type Order, type PreparedTile, prepared, type Shown } from './tile-runs.ts'

export interface RunningParts {
  readonly store: DueDashboardStore
  readonly runStore: DashboardRunStore
  readonly runs: TaskRuns
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly clock: Clock
  readonly log: Log
}

/** Started at once when many are due; the next check finds the others. */
const MOST_DUE = 20
const MOST_LOST = 1_000

/** Nobody waits longer for a picture, no picture needs more rows, and who looks at one changes nothing. */
const VARIABLES = {
  query_timeout: '600',
  sql_select_limit: String(LIMITS.tileRows),
  transaction_read_only: '1',
}

/**
 * Who sees the dashboard sees what its owner may read. A macro has the privileges of who calls it: somebody who changes
 * one could have the owner read for them whatever they like. Views read with those of their own owners.
 */
const WITHOUT_MACROS: Refresh = {
  view: null,
  reads: async (_sources, uses) => {
    const macro = uses.find(({ object }) => object.type === 'function')
    return macro
      ? `A dashboard that runs as its owner cannot use the macro ${macro.object.name}, which others could change. Use a view, or let it run as its viewers.`
      : null
  },
}

export const nextRunOf = ({ cron, timeZone }: { cron: string; timeZone: string }, now: Date): Date =>
  nextCronTime(parseCron(cron), timeZone, now)

/** Runs tiles, each once for all who ask for the same at the same time. */
export function createDashboardRunning({ store, runStore, runs, transaction, clock, log }: RunningParts) {
  let isClosing = false
  const { begin, results, keptSince } = createTileRuns({ runStore, clock })

  async function runToEnd(run: DashboardRunRow, isOwners: boolean): Promise<void> {
    const { run_id, account_id, user_id, catalog, warehouse_id, bound_values } = run
    const end = await runs.run(
      {
        run_id,
        account_id,
        user_id,
        definition: run.sql,
        catalog,
        database: run.database_name,
        warehouse_id,
        values: bound_values === null ? undefined : BoundValues.parse(JSON.parse(bound_values)),
      },
      { variables: VARIABLES, ...(isOwners ? { refresh: WITHOUT_MACROS } : {}) },
    )
    if (end.state === 'open') return
    const error = end.state === 'failed' ? end.error : ''
    const ended = { state: end.state, query_id: end.queryId, error, ended_at: clock.now() }
    await transaction((trx) => runStore.end(trx, run, ended))
  }

  const inBackground = (run: DashboardRunRow): void =>
    runs.inBackground(runToEnd(run, run.runs_as_owner), run.run_id)

  async function beginDue(dashboard: DashboardRow): Promise<void> {
    const { cron, time_zone: timeZone, user_id: userId } = dashboard
    if (cron === null || timeZone === null) return
    const begun = await transaction(async (trx) => {
      // What was missed meanwhile is not made up for: the next time is after now.
      if (!(await store.claim(trx, dashboard, nextRunOf({ cron, timeZone }, clock.now())))) return []
      const tiles = prepared(dashboard, {})
      return begin(trx, { dashboard, userId, tiles, requester: null }, tiles)
    })
    begun.forEach(inBackground)
  }

  return {
    results,

    /** The caller has checked who may do so. */
    async refresh(order: Order, isChosen: (tile: PreparedTile) => boolean): Promise<Shown> {
      const chosen = order.tiles.filter(isChosen)
      if (chosen.length > 0) {
        const begun = await transaction((trx) => begin(trx, order, chosen))
        begun.forEach(inBackground)
      }
      return results(order)
    },

    async runDue(): Promise<void> {
      if (isClosing) return
      for (const dashboard of await store.due(clock.now(), MOST_DUE))
        await beginDue(dashboard).catch((error: unknown) =>
          log.error(
            { err: error, dashboardId: dashboard.dashboard_id },
            'a dashboard that is due was not refreshed',
          ),
        )
    },

    /** What no server sees to its end. */
    async recover(): Promise<void> {
      if (isClosing) return
      for (const run of await runStore.open(MOST_LOST)) if (!runs.isRunning(run.run_id)) inBackground(run)
    },

    /** Their rows are not kept any more. */
    forgetOld: (): Promise<void> => runStore.forgetEnded(keptSince()),

    closing(): void {
      isClosing = true
    },
    idle: runs.idle,
  }
}

export type DashboardRunning = ReturnType<typeof createDashboardRunning>
