import { LIMITS } from '@boathouse/contract'
import type { Job } from './jobs/jobs.ts'
import { dashboardCalls } from './modules/dashboard/calls.ts'
import { createDueDashboardStore } from './modules/dashboard/due-store.ts'
import { createDashboardRunStore } from './modules/dashboard/run-store.ts'
import { createDashboardRunning } from './modules/dashboard/running.ts'
import { createDashboards } from './modules/dashboard/service.ts'
import { createDashboardStore } from './modules/dashboard/store.ts'
import { tileRows } from './modules/dashboard/tile-rows.ts'
import { embedCalls } from './modules/embed/calls.ts'
import { createLooks } from './modules/embed/looks.ts'
import { createEmbeds } from './modules/embed/service.ts'
import { createEmbedStore } from './modules/embed/store.ts'
import { createTaskRuns } from './modules/task/runs.ts'
import type { Ground } from './build-ground.ts'
import type { Identity } from './build-identity.ts'
import type { BuildOptions } from './build-options.ts'
import type { QueryServices } from './build-queries.ts'
import type { ResultServices } from './build-results.ts'

interface DashboardBuildParts
  extends
    Pick<BuildOptions, 'store' | 'clock' | 'log'>,
    Pick<Ground, 'authority' | 'warehouses' | 'findRequest' | 'endsWritten' | 'rateLimit'> {
  readonly identity: Pick<Identity, 'users' | 'requireLetIn'>
  readonly statements: Pick<QueryServices, 'queries'>
  readonly kept: Pick<ResultServices, 'results'>
}

const SECOND_MS = 1_000
/** Of one tile. */
const MOST_READ = { rows: LIMITS.tileRows, cells: LIMITS.tileCells, cellLength: LIMITS.tileCellLength }

/** Wires dashboards and the runs of their tiles; a part of `build`. */
export function buildDashboards(parts: DashboardBuildParts) {
  const { identity, statements, kept, authority, warehouses, findRequest, endsWritten, clock, log } = parts
  const { db, transaction } = parts.store
  const store = createDashboardStore(db)
  const runStore = createDashboardRunStore(db)
  const runs = createTaskRuns({
    store: runStore,
    queries: () => statements.queries,
    findRequest,
    endsWritten,
    authority,
    actorOf: identity.users.actorOf,
    log,
  })
  const running = createDashboardRunning({
    store: createDueDashboardStore(db),
    runStore,
    runs,
    transaction,
    clock,
    log,
  })
  const service = createDashboards({
    store,
    runStore,
    running,
    ownerOf: runs.ownerOf,
    rowsOf: tileRows((actor, queryId) => kept.results.head({ actor }, queryId, MOST_READ)),
    warehouseNames: warehouses.namesOf,
    transaction,
    clock,
  })
  const embeds = createEmbeds({
    store: createEmbedStore(db),
    dashboards: service,
    looks: createLooks(clock),
    rateLimit: parts.rateLimit,
    requireLetIn: identity.requireLetIn,
    transaction,
    clock,
  })
  const jobs: Job[] = [
    { name: 'refresh dashboards', everyMs: SECOND_MS, run: running.runDue },
    { name: 'see tiles of dashboards to their end', everyMs: 5 * SECOND_MS, run: running.recover },
    { name: 'forget old runs of dashboards', everyMs: 600 * SECOND_MS, run: running.forgetOld },
  ]
  const calls = [...dashboardCalls(service), ...embedCalls(embeds)]
  return { ...running, recentFor: service.recent, framesOf: embeds.framesOf, calls, jobs }
}

export type BuiltDashboards = ReturnType<typeof buildDashboards>
