import type { Catalog } from './build-catalog.ts'
import type { Ground } from './build-ground.ts'
import type { Identity } from './build-identity.ts'
import type { Loads } from './build-loads.ts'
import type { BuildOptions } from './build-options.ts'
import { buildInsight } from './build-insight.ts'
import { buildLineage, type LineageBase } from './build-lineage.ts'
import type { BuiltDashboards } from './build-dashboards.ts'
import type { BuiltSchedules } from './build-schedules.ts'
import type { QueryServices } from './build-queries.ts'
import type { ResultServices } from './build-results.ts'
import { clientIpBehind } from './doors/client-ip.ts'
import { createLoginQueue } from './doors/http/login-queue.ts'
import { createHttpServer, HTTP_TIMES } from './doors/http/server.ts'
import { createNonces } from './doors/http/signed-request.ts'
import { createMcpDoor } from './doors/mcp/door.ts'
import { MysqlDoor } from './doors/mysql/door.ts'
import { queryEndpointOf } from './doors/mysql/query-endpoint.ts'
import { createPrivateListener, type PrivateListener } from './doors/private-link/private-listener.ts'
import { createPrivateSockets } from './doors/private-link/private-sockets.ts'
import { openRealtimeDoor } from './doors/realtime/door.ts'
import type { ImplementedCall } from './kernel/implement.ts'
import { createJsonReader } from './kernel/json/reader.ts'
import { accountCalls } from './modules/account/calls.ts'
import { createAccounts } from './modules/account/service.ts'
import { createAccountStore } from './modules/account/store.ts'
import { assistantCalls } from './modules/assistant/calls.ts'
import { createAssistantService } from './modules/assistant/service.ts'
import { homeCalls } from './modules/home/calls.ts'
import { createHome } from './modules/home/service.ts'
import { editorCalls } from './modules/editor/calls.ts'
import type { Editor } from './modules/editor/service.ts'
import { iamRoleCalls } from './modules/iam/calls.ts'
import { integrationCalls } from './modules/integration/calls.ts'
import { createEndpoints } from './modules/integration/endpoints.ts'
import { lineageCalls } from './modules/lineage/calls.ts'
import { logCalls } from './modules/log/calls.ts'
import type { ErrorReports } from './modules/log/service.ts'
import { queryCalls } from './modules/query/calls.ts'
import { createPreviews } from './modules/query/previews.ts'
import { regionCalls } from './modules/region/calls.ts'
import { warehouseCalls } from './modules/warehouse/calls.ts'
import { createChatCompletions } from './providers/assistant/chat-completions.ts'

interface DoorParts
  extends
    Pick<BuildOptions, 'config' | 'version' | 'store' | 'engines' | 'consoleFiles' | 'jsonWorker'>,
    Pick<BuildOptions, 'callDescriptions'>,
    Pick<BuildOptions, 'mysqlDoor' | 'tell'>,
    Pick<BuildOptions, 'httpTimes' | 'clock' | 'log'>,
    Pick<Ground, 'events' | 'metrics' | 'rateLimit' | 'announcements' | 'warehouses' | 'compute'>,
    Pick<Ground, 'accountsDirectory' | 'endsWritten'> {
  readonly catalog: Pick<Catalog, 'calls' | 'objects' | 'iamRoles'>
  readonly lineage: LineageBase
  readonly identity: Pick<
    Identity,
    | 'calls'
    | 'payments'
    | 'users'
    | 'plainSignIn'
    | 'keySignIn'
    | 'approvedEndpoints'
    | 'approved'
    | 'integrations'
    | 'regions'
    | 'storage'
  >
  readonly statements: QueryServices
  readonly kept: ResultServices
  readonly loads: Pick<Loads, 'calls' | 'uploads' | 'streams' | 'tasks' | 'pipes'>
  readonly publicUrl: () => string
  readonly editor: Editor
  readonly schedules: Pick<BuiltSchedules, 'calls'>
  readonly dashboards: Pick<BuiltDashboards, 'calls' | 'recentFor' | 'framesOf'>
  readonly errorReports: ErrorReports
}

interface OpenDoors {
  readonly mysql: MysqlDoor | null
  /** Known once it listens. */
  readonly privateHttp: () => PrivateListener['address'] | null
}

function callsOf(parts: DoorParts, { mysql, privateHttp }: OpenDoors): ImplementedCall[] {
  const { config, version, store, engines, rateLimit, warehouses, compute, editor, errorReports } = parts
  const { catalog, identity, statements, kept, loads } = parts
  const { queries, analyses, history, activity, privileges, objectsChanged } = statements
  const { results, work, downloads, fullRuns, sharing } = kept
  const about = {
    version,
    engineVersion: engines.version,
    get queryEndpoint() {
      return queryEndpointOf(mysql, config)
    },
  }
  const { approvedEndpoints: approved, integrations } = identity
  const endpoints = createEndpoints({
    hosts: config.hosts,
    publicUrl: parts.publicUrl,
    queryEndpoint: () => about.queryEndpoint,
    approved,
    privateListeners: { http: privateHttp, mysql: () => mysql?.privateAddress ?? null },
  })
  const objects = catalog.objects(privileges)
  const lineage = buildLineage({ ...parts, objects, history, pipes: loads.pipes })
  return [
    ...accountCalls(
      createAccounts({
        store: createAccountStore(store.db),
        rateLimit,
        about,
        privateWay: endpoints.privateWay,
        hostOf: identity.regions.map.hostOf,
      }),
    ),
    ...assistantCalls(
      createAssistantService({
        db: store.db,
        assistant: config.assistant && createChatCompletions(config.assistant),
        rateLimit,
        clock: parts.clock,
      }),
    ),
    ...editorCalls({ editor, queries }),
    ...homeCalls(
      createHome({
        editor,
        lineage,
        dashboards: { recent: parts.dashboards.recentFor },
        activity,
        tasks: loads.tasks,
        pipes: loads.pipes,
      }),
    ),
    ...identity.calls,
    ...integrationCalls({ ...integrations, endpoints: endpoints.of }),
    ...lineageCalls(lineage),
    ...loads.calls,
    ...logCalls(errorReports),
    ...parts.schedules.calls,
    ...parts.dashboards.calls,
    ...queryCalls({
      results,
      work,
      downloads,
      fullRuns,
      previews: createPreviews({
        connections: queries.connections,
        analyses,
        isRunning: warehouses.isRunning,
      }),
      sharing,
      history,
      activity,
    }),
    ...regionCalls(identity.regions.map),
    ...iamRoleCalls(catalog.iamRoles),
    ...catalog.calls({ privileges, objects, objectsChanged, queries }),
    ...warehouseCalls(warehouses, compute),
    ...buildInsight({ ...parts, mysqlEndpoint: () => queryEndpointOf(mysql, config) }),
  ]
}

/** Null: it is switched off. */
function mysqlDoorOf(parts: DoorParts): MysqlDoor | null {
  const { config, mysqlDoor: program, identity, statements, events, metrics, clock, log, tell } = parts
  const { mysql: settings, dataDir, publicUrl } = config
  if (!settings) return null
  const hosts = publicUrl === undefined ? [] : [new URL(publicUrl).hostname]
  const { plainSignIn, approved } = identity
  const { host, mysqlPort: port, proxies } = config.privateLink
  const { connections } = statements.queries
  const { loadData } = parts.loads.streams
  return new MysqlDoor({
    settings,
    privateLink: port === null ? null : { host, port, proxies, approved },
    dataDir,
    hosts,
    program,
    plainSignIn,
    connections,
    loadData,
    events,
    metrics,
    clock,
    log,
    tell,
  })
}

/** Wires what answers from outside: calls and files over HTTP, the channel, and the MySQL protocol; a part of `build`. */
export function buildDoors(parts: DoorParts) {
  const { config, version, store, engines, events, metrics, announcements, clock, log } = parts
  const { identity, statements, kept, loads } = parts
  const { users } = identity
  const nonces = createNonces({ db: store.db, clock })
  const loginQueue = createLoginQueue()
  const jsonReader = createJsonReader({ workerPath: parts.jsonWorker })
  const privateSockets = createPrivateSockets(identity.approved)
  const clientIpOf = privateSockets.addressOf(clientIpBehind(config.proxies))
  const { authenticate } = users
  const { signIn: signInByKey } = identity.keySignIn
  const atDoors = { authenticate, signInByKey, clientIpOf, nonces, loginQueue, jsonReader, clock, log }
  const mysql = mysqlDoorOf(parts)
  const calls = callsOf(parts, { mysql, privateHttp: () => privateHttp?.address ?? null })
  const { connections } = statements.queries
  const app = createHttpServer({
    calls,
    ...atDoors,
    requireFor: privateSockets.requireFor,
    version,
    isSecure: config.publicUrl?.startsWith('https:') ?? false,
    times: parts.httpTimes ?? HTTP_TIMES,
    centralUrl: config.centralUrl,
    consoleFiles: parts.consoleFiles,
    framesOf: parts.dashboards.framesOf,
    callDescriptions: parts.callDescriptions ?? {},
    downloads: kept.downloads,
    uploads: loads.uploads,
    streams: {
      streams: loads.streams,
      signIn: identity.plainSignIn.signIn,
      signInByKey,
      publicUrl: parts.publicUrl,
      log,
    },
    mcp: {
      door: config.takesAgents ? createMcpDoor({ connections, calls, version, log }) : null,
      publicUrl: parts.publicUrl,
    },
    paymentEvents: identity.payments.events,
    regionDoor: identity.regions.door,
    takesStripeCards: config.stripe !== null,
    metrics,
    checkHealth: async () => {
      await store.pool.query('select 1')
      return { store: store.mode, engine: engines.id, mysql: mysql?.health ?? 'off' }
    },
  })
  const realtime = openRealtimeDoor(app.server, {
    queries: statements.queries,
    announcements,
    ...atDoors,
    authenticateLogin: users.authenticateLogin,
    events,
    metrics,
  })
  const { host, httpPort: port, proxies } = config.privateLink
  const privateHttp =
    port === null
      ? null
      : createPrivateListener({
          host,
          port,
          proxies,
          server: app.server,
          sockets: privateSockets,
          events,
          log,
        })
  return { app, realtime, mysql, privateHttp, nonces, jsonReader }
}

export type Doors = ReturnType<typeof buildDoors>
