import type { UseEngine } from './engines/engine/engine.ts'
import type { Job } from './jobs/jobs.ts'
import type { Actor } from './kernel/actor.ts'
import type { Clock } from './kernel/clock.ts'
import type { Log } from './kernel/log.ts'
import type { Authority } from './modules/access/authority.ts'
import type { GrantToCreator } from './modules/access/creator-grants.ts'
import type { ObjectChanges } from './modules/access/object-changes.ts'
import type { AccessStore } from './modules/access/store.ts'
import type { Announcements } from './modules/announcement/service.ts'
import type { Queries } from './modules/query/service.ts'
import type { QueryStore } from './modules/query/store.ts'
import { createViewCache } from './modules/task/view-cache.ts'
import { createRenamedViewStore } from './modules/task/renamed-view-store.ts'
import { createRunStore } from './modules/task/run-store.ts'
import { createTaskRuns } from './modules/task/runs.ts'
import { createMaterializedViews } from './modules/task/service.ts'
import { createSourceWrites } from './modules/task/source-writes.ts'
import { materializedViewStatements } from './modules/task/statements.ts'
import { taskStatements } from './modules/task/task-statements.ts'
import { createScheduledStore } from './modules/task/scheduled-store.ts'
import { createScheduledTasks } from './modules/task/scheduled.ts'
import { createSubmittedTasks } from './modules/task/submitted.ts'
import { createViewStore } from './modules/task/view-store.ts'
import type { Warehouses } from './modules/warehouse/service.ts'
import type { Store } from './store/store.ts'

/** What is known only once it is known who people are and how statements run. */
export interface LaterTaskParts {
  readonly queries: Queries
  readonly actorOf: (userId: string) => Promise<Actor | undefined>
}

interface TaskBuildParts {
  readonly store: Store
  readonly authority: Authority
  readonly accessStore: AccessStore
  readonly grantToCreator: GrantToCreator
  readonly announcements: Announcements
  readonly warehouses: Pick<Warehouses, 'namesOf'>
  readonly useServiceEngine: UseEngine
  readonly findRequest: QueryStore['findRequest']
  readonly endsWritten: () => Promise<void>
  readonly later: () => LaterTaskParts
  readonly clock: Clock
  readonly log: Log
}

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/** Wires materialized views and submitted tasks; a part of `build`. */
export function buildTasks(parts: TaskBuildParts) {
  const { store, authority, accessStore, warehouses, useServiceEngine, later, clock, log } = parts
  const { transaction } = store
  const views = createViewStore(store.db)
  const runStore = createRunStore(store.db)
  const scheduledStore = createScheduledStore(store.db)
  const known = createViewCache({ store: views })
  const actorOf = (userId: string) => later().actorOf(userId)
  const runs = createTaskRuns({
    store: runStore,
    queries: () => later().queries,
    findRequest: parts.findRequest,
    endsWritten: parts.endsWritten,
    authority,
    actorOf,
    log,
  })
  const materialized = createMaterializedViews({
    views,
    renames: createRenamedViewStore(store.db, views),
    runStore,
    runs,
    known,
    useServiceEngine,
    authority,
    grantToCreator: parts.grantToCreator,
    forgetGrants: accessStore.forgetObject,
    renameGrants: accessStore.renameObject,
    actorOf,
    warehouseNames: warehouses.namesOf,
    macroChanged: (accountId, changed) => scheduledStore.macroChanged(accountId, changed),
    announce: parts.announcements.announce,
    transaction,
    clock,
    log,
  })
  const submitted = createSubmittedTasks({ runStore, runs, scheduledStore, transaction, clock })
  const scheduled = createScheduledTasks({
    store: scheduledStore,
    runStore,
    begin: submitted.begin,
    transaction,
    clock,
    log,
  })
  const sourceWrites = createSourceWrites({ store: views, known, clock, log })
  const jobs: Job[] = [
    { name: 'refresh materialized views', everyMs: SECOND_MS, run: materialized.runDue },
    { name: 'run scheduled tasks', everyMs: SECOND_MS, run: scheduled.runDue },
    {
      name: 'see tasks to their end',
      everyMs: 5 * SECOND_MS,
      run: async () => {
        await materialized.recover()
        await submitted.recover()
      },
    },
    { name: 'forget old runs of tasks', everyMs: 10 * MINUTE_MS, run: materialized.forgetOldRuns },
  ]
  return {
    materialized: {
      ...materialized,
      keysOf: known.keysOf,
      whileWriting: sourceWrites.whileWriting,
      /** With all background work. */
      closing() {
        materialized.closing()
        scheduled.closing()
      },
    },
    submitted,
    scheduled,
    sourceWrites,
    /** Views follow what was dropped, as grants do. */
    following:
      (grantsFollow: ObjectChanges): ObjectChanges =>
      async (actor, changes) => {
        await grantsFollow(actor, changes)
        await materialized.objectsChanged(actor, changes)
      },
    statements: { ...materializedViewStatements(materialized), ...taskStatements(submitted, scheduled) },
    jobs,
  }
}

export type Tasks = ReturnType<typeof buildTasks>
