import { type Clusters, createClusterProvisioner } from './compute/cluster/cluster-provisioner.ts'
import type { AccountFolders } from './compute/local/account-folders.ts'
import type { EngineProvisioner } from './compute/provisioner.ts'
import type { ClusterSpace } from './engines/engine/cluster-space.ts'
import type { EngineProvider } from './engines/engine/provider.ts'
import { userIn } from './engines/trino/fence.ts'
import { EngineUnavailable } from './engines/engine/engine.ts'
import type { OpenedCatalogs } from './engines/engine/opened-catalogs.ts'
import { AppError } from './kernel/app-error.ts'
import type { ExistingOffer } from './existing-cluster-offered.ts'
import type { Log } from './kernel/log.ts'
import { LAKE, type Lakes } from './lakes.ts'
import { catalogsFor } from './open-catalogs.ts'
import { createExistingCluster } from './providers/trino/existing/existing-cluster.ts'
import { openLine } from './providers/trino/existing/line.ts'
import { ClusterRefused } from './providers/trino/refused.ts'
import { hasCatalogNamed, removeClusterCatalog } from './store/cluster-catalog.ts'
import type { Store } from './store/store.ts'

/** Every cluster has these, and they show what others have and run. */
const OF_THE_CLUSTER = ['system', 'jmx']

interface ExistingParts {
  readonly offer: ExistingOffer
  readonly provider: EngineProvider<ClusterSpace>
  readonly store: Pick<Store, 'pool'>
  readonly folders: Pick<AccountFolders, 'directoryOf'>
  /** What clusters of this machine have left, should there have been some before. */
  readonly lakes: Pick<Lakes, 'removed' | 'storedBytes'>
  readonly log: Log
}

interface BuiltExisting {
  readonly provisioner: EngineProvisioner
  readonly opened: OpenedCatalogs
}

/** Wires warehouses that use a cluster which exists already; a part of `build`. */
export function buildExistingClusters(parts: ExistingParts): BuiltExisting {
  const { offer, provider, store, folders, lakes, log } = parts
  const line = openLine(offer.address)
  const cluster = createExistingCluster({ line, log })

  /** Those of the setting, but for names that the account has given to catalogs of its own. */
  async function openTo(accountId: string): Promise<readonly string[]> {
    const named = await Promise.all(
      catalogsFor(offer.open, accountId).map(async (name) =>
        (await hasCatalogNamed(store.pool, accountId, name)) ? [] : [name],
      ),
    )
    return named.flat()
  }

  const clusters: Clusters = {
    async start({ accountId, onStep }) {
      const own = await openTo(accountId)
      if (own.length === 0)
        throw new ClusterRefused(
          'No catalog of the cluster is open to this account. The operator of this service opens them.',
        )
      onStep?.({ step: 'coordinator', ready: 0, of: 0 })
      await cluster.check(userIn(accountId, 'check'))
      const known = (): string[] => own.filter((name) => cluster.catalogs.has(name))
      if (known().length === 0)
        throw new ClusterRefused(
          `The cluster has none of the catalogs that are open to this account: ${own.join(', ')}.`,
        )
      const use = cluster.use()
      return {
        url: line.url,
        fetch: line.fetch,
        headersFor: line.headersFor,
        addressOf: line.addressOf,
        get catalogs() {
          const there = known()
          return there.length > 0 ? there : own
        },
        get hides() {
          return new Set([...cluster.catalogs, ...OF_THE_CLUSTER].filter((name) => !own.includes(name)))
        },
        whyNoCatalog(name) {
          if (own.includes(name)) return `The catalog ${name} is not in the cluster at this moment.`
          return name === LAKE
            ? `There is no catalog ${LAKE} in a cluster that exists already. This warehouse reads ${own.join(', ')}.`
            : null
        },
        lost: use.lost,
        requireWorkers: () => cluster.requireWorkers(),
        // Its size is how many statements it runs at once.
        resize: () => Promise.resolve(),
        nodes: () => cluster.nodes(),
        async cpuMs() {
          await cluster.answers()
          return null
        },
        // The cluster stays as it is.
        stop: async () => use.end(),
      }
    },
    left: async () => [],
    endLeft: async () => undefined,
    lastAlive: async () => null,
    storedBytes: lakes.storedBytes,
    async remove(accountId) {
      lakes.removed(accountId)
      await removeClusterCatalog(store.pool, accountId)
    },
    close: async () => cluster.close(),
  }
  const opened: OpenedCatalogs = {
    of: (accountId) => catalogsFor(offer.open, accountId),
    whyNot: (catalog) => cluster.whyNot(catalog),
    async ask({ accountId, user, sql, most }) {
      try {
        return await cluster.names(sql, { accountId, user: userIn(accountId, user), most })
      } catch (error) {
        if (error instanceof ClusterRefused || error instanceof AppError)
          throw new EngineUnavailable(error.message, { cause: error })
        throw error
      }
    },
  }
  return {
    provisioner: createClusterProvisioner({ provider, clusters, folders, workers: null }),
    opened,
  }
}
