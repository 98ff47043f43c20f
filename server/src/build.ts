import { buildCatalog } from './build-catalog.ts'
import { buildDoors } from './build-doors.ts'
import { buildGround } from './build-ground.ts'
import { buildIdentity } from './build-identity.ts'
import { allJobs, closeAll, recoverAll, type Wired } from './build-life.ts'
import { openLineage } from './build-lineage.ts'
import { buildLoads } from './build-loads.ts'
import type { BuildOptions } from './build-options.ts'
import { buildQueries } from './build-queries.ts'
import { buildResults } from './build-results.ts'
import { buildDashboards } from './build-dashboards.ts'
import { buildSchedules } from './build-schedules.ts'
import { buildTasks, type LaterTaskParts } from './build-tasks.ts'
import type { Further } from './compute/local/local-provisioner.ts'
import { openOperatorDoor } from './doors/operator/door.ts'
import { startJobs } from './jobs/jobs.ts'
import { createSealer } from './kernel/sealing.ts'
import { foldedName } from './kernel/same-name.ts'
import { createEditor, type EditorParts } from './modules/editor/service.ts'
import { createEditorStore } from './modules/editor/store.ts'
import { createFirstStart } from './modules/first-start/service.ts'
import { createFirstStartStore } from './modules/first-start/store.ts'
import { createErrorReports } from './modules/log/service.ts'
import type { LoadList } from './modules/load/load-list.ts'
import type { Pipes } from './modules/load/pipes/service.ts'
import { createObjectLookup } from './modules/schema/objects/object-lookup.ts'
import { createFetchedFiles } from './providers/web-file/fetched-files.ts'
import { publicUrlOf } from './public-url.ts'
import { openSealingKeys } from './sealing-keys.ts'

const HOUR_MS = 3_600_000

const loadSettings = ({ config, streamIdleMs, transactionLimits }: BuildOptions) => ({
  webFiles: createFetchedFiles({ openEndpoints: config.fileEndpoints }),
  labelsKeptMs: config.loadLabelHours * HOUR_MS,
  ...(streamIdleMs !== undefined && { idleMs: streamIdleMs }),
  ...transactionLimits,
})

/** The only place that wires: top to bottom, each part given what it needs. */
export async function build(options: BuildOptions) {
  const { config, store, engines, clock, log } = options
  const { db } = store
  const ground = await buildGround(options, {
    furtherOf: (accountId: string): Promise<Further> => catalog.further(accountId),
    onSessionClosed: (connectionId: number): void => catalog.definitions.sessionClosed(connectionId),
    outside: {
      of: (accountId) => catalog.givenToClusters(accountId),
      metadata: (...asked) => catalog.outside.metadata(...asked),
      secretKey: (...asked) => catalog.outside.secretKey(...asked),
    },
  })
  const { metrics, warehouses, compute, folders, queryStore, endsWritten, authority } = ground
  const { announcements, engineUsers, events, rateLimit, findRequest, useServiceEngine } = ground
  const parts = { ...options, ...ground }
  const publicUrl = (): string => publicUrlOf(config, doors.app.server)
  const laterTaskParts = (): LaterTaskParts => ({ queries, actorOf: users.actorOf })
  const tasks = buildTasks({ ...parts, later: laterTaskParts })
  const sealer = createSealer(await openSealingKeys(config.dataDir, config.secretKey))
  const catalog = await buildCatalog({ ...parts, sealer, materialized: tasks.materialized })
  const objects = createObjectLookup({ schemas: catalog.schemas, warehouses })
  const identity = await buildIdentity({ ...parts, sealer, objects, publicUrl })
  const { users, operator } = identity
  const loadList = (): LoadList => loads.list
  const pipes = (): Pipes => loads.pipes
  const lineage = openLineage(parts)
  const statements = buildQueries({ ...parts, catalog, tasks, identity, lineage, loads: loadList, pipes })
  const { queries } = statements
  const kept = buildResults(
    { db, queries, queryStore, authority, endsWritten, clock, log },
    { engines, folders, compute, engineUsers, users, identity },
  )
  const loads = buildLoads(
    { db, queries, findRequest, authority, warehouses, ...loadSettings(options), clock, log },
    { folders, compute, engineUsers, users, identity, announcements, objects, catalog, events },
  )
  const seesDatabase: EditorParts['seesDatabase'] = async (actor, { catalog, database }) => {
    const seen = await authority.visible(actor, { type: 'database', catalog })
    return seen === 'all' || seen.has(foldedName(database))
  }
  const editor = createEditor({ store: createEditorStore(db), seesDatabase, clock, events })
  const firstStart = createFirstStart({ store: createFirstStartStore(db), useServiceEngine, clock, config })

  const errorReports = createErrorReports({ db, rateLimit, clock })
  const schedules = buildSchedules({ ...parts, identity, statements, kept, editor })
  const dashboards = buildDashboards({ ...parts, identity, statements, kept })
  const services = {
    lineage,
    catalog,
    tasks,
    identity,
    statements,
    kept,
    loads,
    editor,
    schedules,
    dashboards,
    errorReports,
  }
  const doors = buildDoors({ ...parts, ...services, publicUrl })
  let operatorDoor: Awaited<ReturnType<typeof openOperatorDoor>> | undefined

  const wired: Wired = { ...parts, ...services, doors }
  await recoverAll(wired)
  const jobs = startJobs(options.runsJobs === false ? [] : allJobs(wired), log)

  return {
    app: doors.app,
    mysql: doors.mysql,
    privateHttp: doors.privateHttp,
    metrics,
    firstStart,
    editor,
    queries,
    results: kept.results,
    downloads: kept.downloads,
    loads,
    room: kept.room,
    warehouses,
    compute,
    clusters: ground.clusters,
    lakes: ground.lakes,
    folders,
    catalog,
    endsWritten,
    identity,
    tasks,
    lineage,
    schedules,
    dashboards,
    operator,
    publicUrl,
    async listenToOperator(path: string): Promise<void> {
      operatorDoor = await openOperatorDoor({ path, run: operator, log })
    },
    async close(): Promise<void> {
      await operatorDoor?.close()
      await jobs.stop()
      await closeAll(wired)
    },
  }
}

export type Built = Awaited<ReturnType<typeof build>>
