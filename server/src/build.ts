import { createLocalCompute } from './compute/local-compute.ts'
import type { Config } from './config.ts'
import { clientIpBehind } from './doors/client-ip.ts'
import type { ConsoleFiles } from './doors/http/console-files.ts'
import { createHttpServer } from './doors/http/server.ts'
import { createNonces } from './doors/http/signed-request.ts'
import { createMetrics } from './doors/metrics/metrics.ts'
import { openRealtimeDoor } from './doors/realtime/door.ts'
import type { EngineProvider } from './engines/engine.ts'
import { startJobs } from './jobs/jobs.ts'
import type { Clock } from './kernel/clock.ts'
import { createEvents } from './kernel/events.ts'
import type { Log } from './kernel/log.ts'
import { accountCalls } from './modules/account/calls.ts'
import { createAccounts } from './modules/account/service.ts'
import { createAccountStore } from './modules/account/store.ts'
import { createAnnouncements } from './modules/announcement/service.ts'
import { editorCalls } from './modules/editor/calls.ts'
import { createEditor } from './modules/editor/service.ts'
import { createEditorStore } from './modules/editor/store.ts'
import { createFirstStart } from './modules/first-start/service.ts'
import { createFirstStartStore } from './modules/first-start/store.ts'
import { logCalls } from './modules/log/calls.ts'
import { queryCalls } from './modules/query/calls.ts'
import { createChangeAnnouncements } from './modules/query/change-announcements.ts'
import { createConnections } from './modules/query/connections.ts'
import { createEffects } from './modules/query/effects.ts'
import { createEngineSessions } from './modules/query/engine-sessions.ts'
import { judge } from './modules/query/gate.ts'
import { createHistory } from './modules/query/history.ts'
import { createResultStore } from './modules/query/result-store.ts'
import { createResults, LOOK_MS } from './modules/query/results.ts'
import { createQueries } from './modules/query/service.ts'
import { createQueryStore } from './modules/query/store.ts'
import { keepingUnwritten } from './modules/query/unwritten.ts'
import { regionCalls } from './modules/region/calls.ts'
import { schemaCalls } from './modules/schema/calls.ts'
import { createSchemas } from './modules/schema/service.ts'
import { announcementsOfChange } from './modules/user/identity-changes.ts'
import { userCalls } from './modules/user/calls.ts'
import { createUsers } from './modules/user/service.ts'
import { createUserStore } from './modules/user/store.ts'
import { warehouseCalls } from './modules/warehouse/calls.ts'
import { createWarehouses } from './modules/warehouse/service.ts'
import { warehouseStatements } from './modules/warehouse/statements.ts'
import type { Store } from './store/store.ts'

/** What differs between the product, a test and a benchmark. */
export interface BuildOptions {
  readonly config: Config
  readonly version: string
  readonly store: Store
  readonly engines: EngineProvider & { readonly version: string }
  readonly consoleFiles: ConsoleFiles
  readonly clock: Clock
  readonly log: Log
}

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/** The only place that wires: top to bottom, each part given what it needs. */
export async function build({ config, version, store, engines, consoleFiles, clock, log }: BuildOptions) {
  const { db } = store
  const events = createEvents()
  const metrics = createMetrics()
  const nonces = createNonces({ db, clock })

  const announcements = createAnnouncements({ db, clock, events })
  const compute = createLocalCompute({ provider: engines, dataDir: config.dataDir, clock, log })
  const queryStore = keepingUnwritten(createQueryStore(db), log)
  const { endsWritten } = queryStore
  const sessions = createEngineSessions()
  const closeSessions = (ids: readonly number[]): void => {
    for (const id of ids)
      sessions
        .close(id)
        .catch((error: unknown) => log.warn({ err: error }, 'a session of the engine was not closed'))
  }
  const connections = createConnections({ store: queryStore, clock, onClosed: closeSessions })
  const warehouses = createWarehouses({
    db,
    compute,
    clock,
    log,
    onChanged: ({ accountId, ...data }) => {
      connections.forgetAll()
      const type = 'GlobalEventTypeWarehouseChanged'
      announcements
        .announce({ accountId, userId: null, type, data })
        .catch((error: unknown) => log.warn({ err: error }, 'a change of a warehouse was not announced'))
    },
  })

  const { serviceEngine, useServiceEngine } = compute
  const effects = createEffects({ store: queryStore, serviceEngine, log })
  const queries = createQueries({
    store: queryStore,
    connections,
    sessions,
    admission: warehouses,
    effects,
    serviceEngine,
    warehouses,
    statements: warehouseStatements(warehouses),
    changes: createChangeAnnouncements({ announce: announcements.announce, log }),
    onEnded: (state) => metrics.statements.inc({ state }),
    clock,
    log,
  })
  const results = createResults({
    store: createResultStore(db),
    endsWritten,
    useServiceEngine,
    accountDirectory: compute.directoryOf,
    clock,
    log,
  })
  const users = createUsers({
    store: createUserStore(db),
    clock,
    events,
    onChanged: (before, now) => {
      for (const announcement of announcementsOfChange(before, now))
        announcements
          .announce(announcement)
          .catch((error: unknown) => log.warn({ err: error }, 'a change of a user was not announced'))
    },
  })
  const queryEndpoint = { host: config.httpHost, port: config.mysqlPort, listening: false }
  const about = { version, engineVersion: engines.version, queryEndpoint }
  const accounts = createAccounts({ store: createAccountStore(db), clock, about })
  const editor = createEditor({ store: createEditorStore(db), clock })
  const firstStart = createFirstStart({ store: createFirstStartStore(db), serviceEngine, clock, config })

  const clientIpOf = clientIpBehind(config.proxies)
  const app = createHttpServer({
    calls: [
      ...accountCalls(accounts),
      ...editorCalls({ editor, queries }),
      ...logCalls({ db, clock }),
      ...queryCalls({ results, history: createHistory({ db, endsWritten }) }),
      ...regionCalls(config.region),
      ...schemaCalls(createSchemas({ useServiceEngine, judge })),
      ...userCalls(users),
      ...warehouseCalls(warehouses, compute),
    ],
    authenticate: users.authenticate,
    clientIpOf,
    nonces,
    clock,
    log,
    version,
    isSecure: config.publicUrl?.startsWith('https:') ?? false,
    centralUrl: config.centralUrl,
    consoleFiles,
    takeDownload: results.takeDownload,
    metrics,
    checkHealth: async () => {
      await store.pool.query('select 1')
      return { store: store.mode, engine: engines.id, mysql: 'not available in this version' }
    },
  })
  const realtime = openRealtimeDoor(app.server, {
    queries,
    announcements,
    authenticate: users.authenticate,
    authenticateLogin: users.authenticateLogin,
    clientIpOf,
    nonces,
    clock,
    events,
    metrics,
    log,
  })

  // Nothing runs yet: what the last server left behind is put right before anyone can ask.
  await warehouses.recover()
  await queries.interruptUnfinished()
  const jobs = startJobs(
    [
      { name: 'forget nonces', everyMs: MINUTE_MS, run: nonces.forgetExpired },
      { name: 'remove ended logins', everyMs: 10 * MINUTE_MS, run: users.removeEndedLogins },
      { name: 'meter warehouses', everyMs: SECOND_MS, run: warehouses.meter },
      { name: 'suspend idle warehouses', everyMs: 5 * SECOND_MS, run: warehouses.suspendIdle },
      { name: 'end unused engines', everyMs: 5 * SECOND_MS, run: compute.endUnusedEngines },
      { name: 'settle effects', everyMs: 5 * SECOND_MS, run: effects.settleAll },
      { name: 'expire results', everyMs: MINUTE_MS, run: results.expire },
      { name: 'keep results within quotas', everyMs: LOOK_MS, run: () => results.keepAllWithinQuota() },
      { name: 'forget old statements', everyMs: 60 * MINUTE_MS, run: queries.forgetOld },
      { name: 'forget announcements', everyMs: 10 * MINUTE_MS, run: announcements.forgetOld },
      { name: 'close idle connections', everyMs: 10 * MINUTE_MS, run: queries.closeIdleConnections },
    ],
    log,
  )

  return {
    app,
    firstStart,
    queries,
    results,
    warehouses,
    compute,
    endsWritten,
    /** In order: no new work, no running work, no warehouses, no engines, no store. */
    async close(): Promise<void> {
      await jobs.stop()
      realtime.close()
      await queries.close()
      await queryStore.close()
      await app.close()
      await warehouses.close()
      await compute.close()
      await store.close()
    },
  }
}

export type Built = Awaited<ReturnType<typeof build>>
