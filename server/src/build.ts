import { findAccountsDirectory } from './accounts-directory.ts'
import { buildCatalog } from './build-catalog.ts'
import { buildCompute } from './build-compute.ts'
import { buildIdentity } from './build-identity.ts'
import { buildLoads } from './build-loads.ts'
import type { BuildOptions } from './build-options.ts'
import { queryJobs } from './build-query-jobs.ts'
import { buildResults } from './build-results.ts'
import { buildSessions } from './build-sessions.ts'
import { buildTasks } from './build-tasks.ts'
import { clientIpBehind } from './doors/client-ip.ts'
import { createHttpServer, HTTP_TIMES } from './doors/http/server.ts'
import { createLoginQueue } from './doors/http/login-queue.ts'
import { createNonces } from './doors/http/signed-request.ts'
import { createMetrics } from './doors/metrics/metrics.ts'
import { openOperatorDoor } from './doors/operator/door.ts'
import { openRealtimeDoor } from './doors/realtime/door.ts'
import { startJobs } from './jobs/jobs.ts'
import { createEvents } from './kernel/events.ts'
import { createJsonReader } from './kernel/json/reader.ts'
import { createSealer } from './kernel/sealing.ts'
import { accountCalls } from './modules/account/calls.ts'
import { createEngineUsers } from './modules/account/engine-users.ts'
import { createAccounts } from './modules/account/service.ts'
import { createAccountStore } from './modules/account/store.ts'
import { createRateLimit } from './modules/attempt/rate-limit.ts'
import { createAnnouncements } from './modules/announcement/service.ts'
import { createBudgetLimits } from './modules/budget/limits.ts'
import { createAuthority } from './modules/access/authority.ts'
import { statementsOf } from './build-statements.ts'
import { createObjectChanges } from './modules/access/object-changes.ts'
import { createViewOwners } from './modules/access/view-owners.ts'
import { createGrantToCreator } from './modules/access/creator-grants.ts'
import { createAccessStore } from './modules/access/store.ts'
import { editorCalls } from './modules/editor/calls.ts'
import { createEditor } from './modules/editor/service.ts'
import { createEditorStore } from './modules/editor/store.ts'
import { createFirstStart } from './modules/first-start/service.ts'
import { createFirstStartStore } from './modules/first-start/store.ts'
import { logCalls } from './modules/log/calls.ts'
import { createErrorReports } from './modules/log/service.ts'
import { createSystemSources } from './build-system-tables.ts'
import { queryCalls } from './modules/query/calls.ts'
import { createChangeAnnouncements } from './modules/query/answers/change-announcements.ts'
import { createWarnings } from './modules/query/sessions/warnings.ts'
import { createEffects } from './modules/query/running/effects.ts'
import { createAnalyses } from './modules/query/analysis/analyses.ts'
import { createActivity } from './modules/query/history/activity.ts'
import { createHistory } from './modules/query/history/history.ts'
import { createOldEffects } from './modules/query/history/old-effects.ts'
import { createSecondRuns } from './modules/query/running/second-run.ts'
import { createQueries } from './modules/query/service.ts'
import { createQueryStore } from './modules/query/store.ts'
import { keepingUnwritten } from './modules/query/unwritten.ts'
import { regionCalls } from './modules/region/calls.ts'
import { createInternalStore } from './modules/schema/catalogs/internal-store.ts'
import { createObjectLookup } from './modules/schema/objects/object-lookup.ts'
import { warehouseCalls } from './modules/warehouse/calls.ts'
import { createWarehouses } from './modules/warehouse/service.ts'
import { publicUrlOf } from './public-url.ts'
import { openSealingKeys } from './sealing-keys.ts'

const MINUTE_MS = 60_000

/** The only place that wires: top to bottom, each part given what it needs. */
export async function build(options: BuildOptions) {
  const { config, version, store, engines, consoleFiles, clock, log, tell, httpTimes = HTTP_TIMES } = options
  const { db } = store
  const events = createEvents()
  const metrics = createMetrics()
  const nonces = createNonces({ db, clock })
  const loginQueue = createLoginQueue()
  const rateLimit = createRateLimit({ db, clock })

  const announcements = createAnnouncements({ db, clock, events })
  const engineUsers = createEngineUsers({ db, users: engines.users })
  metrics.engineIsolation.set(engines.users ? 1 : 0)
  if (!engines.users)
    log.warn('engines run as the same user as this service and are not isolated; see docs/operations.md')
  const internalStore = createInternalStore(db)
  const accountsDirectory = await findAccountsDirectory(config.dataDir)
  const { folders, compute } = buildCompute({
    ...options,
    accountsDirectory,
    osUserOf: engineUsers.of,
    furtherOf: (accountId) => catalog.further(accountId),
  })
  const queryStore = keepingUnwritten(createQueryStore(db), log)
  const { endsWritten } = queryStore
  const { sessions, connections } = buildSessions({
    store: queryStore,
    homeEngine: engines.id,
    onSessionClosed: (connectionId) => catalog.definitions.sessionClosed(connectionId),
    clock,
    log,
  })
  const accessStore = createAccessStore(db)
  const authority = createAuthority({ store: accessStore })
  const grantToCreator = createGrantToCreator({ store: accessStore, clock })
  const budgetLimits = createBudgetLimits({ db, clock })
  const warehouses = createWarehouses({
    db,
    requireBudget: budgetLimits.requireBudget,
    authority,
    grantToCreator,
    grantsOn: accessStore.grantsOn,
    compute,
    clock,
    log,
    onChanged: ({ accountId, ...data }) => {
      connections.forgetAllOf(accountId)
      announcements
        .announce({ accountId, userId: null, type: 'GlobalEventTypeWarehouseChanged', data })
        .catch((error: unknown) => log.warn({ err: error }, 'a change of a warehouse was not announced'))
    },
  })

  const { useServiceEngine, useEngine } = compute
  const publicUrl = (): string => publicUrlOf(config, app.server)
  const tasks = buildTasks({
    store,
    authority,
    accessStore,
    grantToCreator,
    announcements,
    warehouses,
    useServiceEngine,
    findRequest: queryStore.findRequest,
    endsWritten,
    later: () => ({ queries, actorOf: users.actorOf }),
    clock,
    log,
  })
  const { materialized } = tasks
  const sealer = createSealer(await openSealingKeys(config.dataDir, config.secretKey))
  const catalog = await buildCatalog({
    store,
    internalStore,
    config,
    accountsDirectory,
    sealer,
    authority,
    accessStore,
    announcements,
    events,
    materialized,
    useServiceEngine,
    useEngine,
    connections,
    clock,
    log,
  })
  const identity = await buildIdentity({
    ...options,
    sealer,
    rateLimit,
    events,
    announcements,
    authority,
    objects: createObjectLookup({ schemas: catalog.schemas, warehouses }),
    warehouses,
    budgetLimits,
    compute,
    folders,
    publicUrl,
    clock,
    log,
    tell,
  })
  const { users, operator } = identity

  const effects = createEffects({ store: queryStore, useEngine, log })
  const oldEffects = createOldEffects({ store: queryStore, useEngine, clock, log })
  const analyses = createAnalyses({ workerPath: options.analysisWorker, names: engines.nameRules })
  const jsonReader = createJsonReader({ workerPath: options.jsonWorker })
  const privileges = {
    ...authority,
    ...createViewOwners({ store: accessStore, authority, actorOf: users.actorOf }),
    materialized: materialized.keysOf,
  }
  const objectsChanged = tasks.following(
    createObjectChanges({ transaction: store.transaction, store: accessStore, authority, grantToCreator }),
  )
  const history = createHistory({ db, endsWritten, costsOf: warehouses.costsOf })
  const queries = createQueries({
    analyses,
    store: queryStore,
    connections,
    sessions,
    warnings: createWarnings(),
    admission: warehouses,
    requireLetIn: identity.requireLetIn,
    privileges,
    objectsChanged,
    definitions: catalog.definitions,
    secondRuns: createSecondRuns(),
    writeWatch: tasks.sourceWrites,
    effects,
    useEngine,
    useServiceEngine,
    warehouses,
    systemTables: createSystemSources({ db, history, warehouses, accessStore }),
    statements: statementsOf({
      warehouses,
      access: identity.access,
      others: { ...catalog.statements, ...tasks.statements },
      activity: () => activity,
      clock,
    }),
    changes: createChangeAnnouncements({ announce: announcements.announce, log }),
    onEnded: (state) => metrics.statements.inc({ state }),
    clock,
    log,
  })
  const activity = createActivity({ db, queries, warehouses, clock })
  const { room, results, downloads, fullRuns, sharing } = buildResults(
    { db, queries, queryStore, authority, endsWritten, clock, log },
    { engines, folders, compute, engineUsers, users, identity },
  )
  const loads = buildLoads(
    { db, queries, findRequest: queryStore.findRequest, authority, warehouses, clock, log },
    { folders, compute, engineUsers, users, identity, announcements },
  )
  const queryEndpoint = { host: config.httpHost, port: config.mysqlPort, listening: false }
  const about = { version, engineVersion: engines.version, queryEndpoint }
  const editor = createEditor({ store: createEditorStore(db), clock, events })
  const firstStart = createFirstStart({ store: createFirstStartStore(db), useServiceEngine, clock, config })

  const errorReports = createErrorReports({ db, rateLimit, clock })
  let operatorDoor: Awaited<ReturnType<typeof openOperatorDoor>> | undefined

  const clientIpOf = clientIpBehind(config.proxies)
  const { authenticate } = users
  const atDoors = { authenticate, clientIpOf, nonces, loginQueue, jsonReader, clock, log }
  const app = createHttpServer({
    calls: [
      ...accountCalls(createAccounts({ store: createAccountStore(db), rateLimit, about })),
      ...editorCalls({ editor, queries }),
      ...identity.calls,
      ...loads.calls,
      ...logCalls(errorReports),
      ...queryCalls({ results, downloads, fullRuns, sharing, history, activity }),
      ...regionCalls(config.region),
      ...catalog.calls({ privileges, objectsChanged, queries }),
      ...warehouseCalls(warehouses, compute),
    ],
    ...atDoors,
    version,
    isSecure: config.publicUrl?.startsWith('https:') ?? false,
    times: httpTimes,
    centralUrl: config.centralUrl,
    consoleFiles,
    downloads,
    uploads: loads.uploads,
    paymentEvents: identity.payments.events,
    takesStripeCards: config.stripe !== null,
    metrics,
    checkHealth: async () => {
      await store.pool.query('select 1')
      return { store: store.mode, engine: engines.id, mysql: 'not available in this version' }
    },
  })
  const realtime = openRealtimeDoor(app.server, {
    queries,
    announcements,
    ...atDoors,
    authenticateLogin: users.authenticateLogin,
    events,
    metrics,
  })

  // Nothing runs yet: what the last server left behind is put right before anyone can ask.
  await identity.firewall.takeBackDue()
  await warehouses.recover()
  await queries.interruptUnfinished()
  await queries.prepareMonths()
  await downloads.recover()
  await loads.recover()
  await materialized.assumeWritten()
  await catalog.recover({ objectsChanged, actorOf: users.actorOf })
  const jobs = startJobs(
    [
      { name: 'forget nonces', everyMs: MINUTE_MS, run: nonces.forgetExpired },
      { name: 'forget attempts', everyMs: MINUTE_MS, run: rateLimit.forgetOld },
      ...[identity, tasks, catalog].flatMap((part) => part.jobs),
      ...queryJobs({ warehouses, compute, effects, room, results, downloads, queries, oldEffects, events }),
      ...loads.jobs,
      { name: 'forget error reports', everyMs: 10 * MINUTE_MS, run: errorReports.forgetOld },
      { name: 'empty bins of queries', everyMs: 10 * MINUTE_MS, run: editor.emptyBins },
      { name: 'forget announcements', everyMs: 10 * MINUTE_MS, run: announcements.forgetOld },
    ],
    log,
  )

  return {
    app,
    metrics,
    firstStart,
    editor,
    queries,
    results,
    downloads,
    loads,
    room,
    warehouses,
    compute,
    folders,
    catalog,
    endsWritten,
    identity,
    tasks,
    operator,
    publicUrl,
    async listenToOperator(path: string): Promise<void> {
      operatorDoor = await openOperatorDoor({ path, run: operator, log })
    },
    /** In order: no new work, no running work, no warehouses, no readers, no engines, no store. */
    async close(): Promise<void> {
      await operatorDoor?.close()
      await jobs.stop()
      await identity.close()
      realtime.close()
      await loads.closing()
      materialized.closing()
      await queries.close()
      await loads.close()
      await materialized.idle()
      await analyses.close()
      await jsonReader.close()
      await queryStore.close()
      await app.close()
      await warehouses.close()
      await room.close()
      await compute.close()
      catalog.close()
      await store.close()
    },
  }
}

export type Built = Awaited<ReturnType<typeof build>>
