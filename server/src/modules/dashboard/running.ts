import {
  BoundValues,
  type dashboard as calls,
  type FilterValues,
  LIMITS,
  nextCronTime,
  parseCron,
  type Output,
  type Tile,
} from '@boathouse/contract'
import type { Transaction } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { timeOrderedId } from '../../kernel/time-ordered-id.ts'
import type { Schema } from '../../store/schema.ts'
import type { Refresh } from '../query/gate/authorize-statement.ts'
import type { TaskRuns } from '../task/runs.ts'
import { resultsOf } from './present.ts'
import { againAt, type Asker, firstAgain, isGuest, requireOneAtATime, tooSoon } from './refresh-limits.ts'
import type { DashboardRunRow, DashboardRunStore } from './run-store.ts'
import type { DashboardRow, DashboardStore } from './store.ts'
import { type TileText, tileText } from './tile-text.ts'

export interface RunningParts {
  readonly store: Pick<DashboardStore, 'due' | 'claim'>
  readonly runStore: DashboardRunStore
  readonly runs: TaskRuns
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly clock: Clock
  readonly log: Log
}

/** Started at once when many are due; the next check finds the others. */
const MOST_DUE = 20
const MOST_LOST = 1_000
const HOUR_MS = 3_600_000

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

/** What is known of a tile before it runs: what to run, or why it cannot. */
export interface PreparedTile {
  readonly tileId: string
  readonly text: TileText | AppError
}

export function prepared(dashboard: DashboardRow, values: FilterValues): PreparedTile[] {
  const textOf = (tile: Tile): TileText | AppError => {
    try {
      return tileText(tile, dashboard, values)
    } catch (error) {
      if (error instanceof AppError) return error
      throw error
    }
  }
  return dashboard.tiles
    .filter(({ kind }) => kind !== 'text')
    .map((tile) => ({ tileId: tile.tileId, text: textOf(tile) }))
}

export const nextRunOf = ({ cron, timeZone }: { cron: string; timeZone: string }, now: Date): Date =>
  nextCronTime(parseCron(cron), timeZone, now)

export interface Order {
  readonly dashboard: DashboardRow
  /** As whom. */
  readonly userId: string
  /** All that it has, with these values. */
  readonly tiles: readonly PreparedTile[]
  readonly asker: Asker | null
}

type Shown = Output<typeof calls.results>

/** Runs tiles, each once for all who ask for the same at the same time. */
export function createDashboardRunning({ store, runStore, runs, transaction, clock, log }: RunningParts) {
  let isClosing = false

  const keptSince = (): Date => new Date(clock.now().getTime() - LIMITS.keptHours * HOUR_MS)

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

  /** Written before anything runs. What runs already for the same user with the same text and values runs for this one too. */
  async function begin(
    trx: Transaction<Schema>,
    order: Order,
    chosen: readonly PreparedTile[],
  ): Promise<DashboardRunRow[]> {
    const { dashboard, userId, tiles, asker } = order
    const open = await runStore.openAlone(trx, dashboard.dashboard_id)
    if (asker && dashboard.runs_as === 'owner') requireOneAtATime(open, tiles, asker)
    const old = await oldEnough(trx, order, chosen)
    const begun: DashboardRunRow[] = []
    for (const { tileId, text } of old) {
      if (text instanceof AppError) continue
      if (open.length + begun.length >= LIMITS.dashboardRunsAtOnce)
        throw new AppError(
          'LimitReached',
          `This dashboard has ${LIMITS.dashboardRunsAtOnce} running statements, the maximum. Wait for some to end.`,
        )
      const run = await runStore.insert(trx, {
        ...text,
        run_id: timeOrderedId(),
        dashboard_id: dashboard.dashboard_id,
        tile_id: tileId,
        account_id: dashboard.account_id,
        user_id: userId,
        runs_as_owner: dashboard.runs_as === 'owner',
        begun_by: asker?.userId ?? null,
        state: 'pending',
        created_at: clock.now(),
      })
      if (run) begun.push(run)
    }
    return begun
  }

  function shown({ dashboard, userId, tiles }: Order, trx?: Transaction<Schema>): Promise<DashboardRunRow[]> {
    const digests = tiles.flatMap(({ text }) => (text instanceof AppError ? [] : [text.digest]))
    return runStore.shown({ dashboardId: dashboard.dashboard_id, userId, digests }, keptSince(), trx)
  }

  async function results(order: Order): Promise<Shown> {
    const found = await shown(order)
    const again = isGuest(order.dashboard, order.asker) ? firstAgain(order.tiles, found, clock.now()) : null
    return { results: resultsOf(order.tiles, found), refreshableAt: again?.toISOString() ?? null }
  }

  /** Those of these that may run again. Throws when none of them may, and one could. */
  async function oldEnough(
    trx: Transaction<Schema>,
    order: Order,
    chosen: readonly PreparedTile[],
  ): Promise<readonly PreparedTile[]> {
    if (!isGuest(order.dashboard, order.asker)) return chosen
    const found = await shown(order, trx)
    const now = clock.now()
    const again = firstAgain(chosen, found, now)
    if (again) throw tooSoon(again, now)
    return chosen.filter((tile) => againAt(tile, found, now) === null)
  }

  async function beginDue(dashboard: DashboardRow): Promise<void> {
    const { cron, time_zone: timeZone, user_id: userId } = dashboard
    if (cron === null || timeZone === null) return
    const begun = await transaction(async (trx) => {
      // What was missed meanwhile is not made up for: the next time is after now.
      if (!(await store.claim(trx, dashboard, nextRunOf({ cron, timeZone }, clock.now())))) return []
      const tiles = prepared(dashboard, {})
      return begin(trx, { dashboard, userId, tiles, asker: null }, tiles)
    })
    begun.forEach(inBackground)
  }

  return {
    results,

    /** The caller has checked who asks. */
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
