import { findAccountsDirectory } from './accounts-directory.ts'
import type { OutsideForClusters } from './build-cluster-catalogs.ts'
import { buildEngines } from './build-engines.ts'
import type { BuildOptions } from './build-options.ts'
import { buildSessions } from './build-sessions.ts'
import type { Further } from './compute/local/local-provisioner.ts'
import { createMetrics } from './doors/metrics/metrics.ts'
import { createEvents } from './kernel/events.ts'
import { rememberedBy } from './noted-clusters.ts'
import { createAuthority } from './modules/access/authority.ts'
import { createGrantToCreator } from './modules/access/creator-grants.ts'
import { createAccessStore } from './modules/access/store.ts'
import { createEngineUsers } from './modules/account/engine-users.ts'
import { createAnnouncements } from './modules/announcement/service.ts'
import { createRateLimit } from './modules/attempt/rate-limit.ts'
import { createBudgetLimits } from './modules/budget/limits.ts'
import { createQueryStore } from './modules/query/store.ts'
import { keepingUnwritten } from './modules/query/unwritten.ts'
import { createInternalStore } from './modules/schema/catalogs/internal-store.ts'
import { createWarehouses } from './modules/warehouse/service.ts'

type GroundOptions = Pick<
  BuildOptions,
  'config' | 'store' | 'engines' | 'otherEngines' | 'clusterEngine' | 'silentAfterMs' | 'clock' | 'log'
>

/** What is known only once it is known what there is in an account. */
interface LaterParts {
  readonly furtherOf: (accountId: string) => Promise<Further>
  readonly onSessionClosed: (connectionId: number) => void
  readonly outside: OutsideForClusters
}

/** Wires what all else stands on: engines, connections, privileges and warehouses; a part of `build`. */
export async function buildGround(options: GroundOptions, later: LaterParts) {
  const { config, store, engines, clusterEngine, clock, log } = options
  const { db } = store
  const events = createEvents()
  const metrics = createMetrics()
  const rateLimit = createRateLimit({ db, clock })

  const announcements = createAnnouncements({ db, clock, events })
  const engineUsers = createEngineUsers({ db, users: engines.users })
  metrics.engineIsolation.set(engines.users ? 1 : 0)
  if (!engines.users)
    log.warn('engines run as the same user as this service and are not isolated; see docs/operations.md')
  const internalStore = createInternalStore(db)
  const accountsDirectory = await findAccountsDirectory(config.dataDir)
  const { clusters, lakes, folders, compute } = await buildEngines({
    ...options,
    accountsDirectory,
    osUserOf: engineUsers.of,
    furtherOf: later.furtherOf,
    outside: later.outside,
  })
  const queryStore = keepingUnwritten(createQueryStore(db), log)
  const { sessions, connections } = buildSessions({
    store: queryStore,
    homeEngine: engines.id,
    limits: config.connectionLimits,
    onSessionClosed: later.onSessionClosed,
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
  return {
    events,
    metrics,
    rateLimit,
    announcements,
    engineUsers,
    internalStore,
    accountsDirectory,
    folders,
    compute,
    clusters,
    lakes,
    useEngine: compute.useEngine,
    useRemembering: rememberedBy(compute.useEngine, clusterEngine?.id),
    useServiceEngine: compute.useServiceEngine,
    queryStore,
    findRequest: queryStore.findRequest,
    endsWritten: queryStore.endsWritten,
    sessions,
    connections,
    accessStore,
    authority,
    grantToCreator,
    budgetLimits,
    warehouses,
  }
}

export type Ground = Awaited<ReturnType<typeof buildGround>>
