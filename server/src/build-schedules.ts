import type { Job } from './jobs/jobs.ts'
import { scheduleCalls } from './modules/schedule/calls.ts'
import { createScheduleRunStore } from './modules/schedule/run-store.ts'
import { createScheduleRunning } from './modules/schedule/running.ts'
import { createSchedules } from './modules/schedule/service.ts'
import { createScheduleStore } from './modules/schedule/store.ts'
import { createTaskRuns } from './modules/task/runs.ts'
import type { Ground } from './build-ground.ts'
import type { Identity } from './build-identity.ts'
import type { BuildOptions } from './build-options.ts'
import type { QueryServices } from './build-queries.ts'
import type { ResultServices } from './build-results.ts'
import type { Editor } from './modules/editor/service.ts'

interface ScheduleBuildParts
  extends
    Pick<BuildOptions, 'store' | 'clock' | 'log'>,
    Pick<Ground, 'authority' | 'warehouses' | 'findRequest' | 'endsWritten'> {
  readonly identity: Pick<Identity, 'users' | 'alerts'>
  readonly statements: Pick<QueryServices, 'queries'>
  readonly kept: Pick<ResultServices, 'results'>
  readonly editor: Pick<Editor, 'tabOfOwner'>
}

const SECOND_MS = 1_000

/** Wires saved queries that run on a schedule; a part of `build`. */
export function buildSchedules(parts: ScheduleBuildParts) {
  const { store, identity, statements, kept, editor, authority, warehouses, clock, log } = parts
  const { findRequest, endsWritten } = parts
  const { transaction } = store
  const schedules = createScheduleStore(store.db)
  const runStore = createScheduleRunStore(store.db)
  const runs = createTaskRuns({
    store: runStore,
    queries: () => statements.queries,
    findRequest,
    endsWritten,
    authority,
    actorOf: identity.users.actorOf,
    log,
  })
  const own = { store: schedules, runStore, tabOf: editor.tabOfOwner, transaction, clock }
  const running = createScheduleRunning({
    ...own,
    runs,
    rowsOf: (actor, queryId, limit) => kept.results.window({ actor }, queryId, { offset: 0, limit }),
    log,
  })
  const service = createSchedules({
    ...own,
    running,
    rules: identity.alerts.ofSchedules,
    warehouseNames: warehouses.namesOf,
  })
  const jobs: Job[] = [
    { name: 'run scheduled queries', everyMs: SECOND_MS, run: running.runDue },
    { name: 'see scheduled queries to their end', everyMs: 5 * SECOND_MS, run: running.recover },
  ]
  return { ...running, calls: scheduleCalls(service), jobs }
}

export type BuiltSchedules = ReturnType<typeof buildSchedules>
