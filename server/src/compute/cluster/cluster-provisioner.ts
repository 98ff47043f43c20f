import { availableParallelism } from 'node:os'
import { type StartStep, WAREHOUSE_SIZES, type WarehouseSize } from '@boathouse/contract'
import type { Cluster, ClusterSpace } from '../../engines/engine/cluster-space.ts'
import { EngineUnavailable } from '../../engines/engine/engine.ts'
import type { EngineProvider, EngineSize } from '../../engines/engine/provider.ts'
import type { AccountFolders } from '../local/account-folders.ts'
import type { EngineProvisioner } from '../provisioner.ts'

/** Processes of clusters, wherever they run. */
export interface Clusters {
  /** Takes over what runs of it. Rejects with the reason, as a sentence. */
  start(order: ClusterOrder): Promise<StartedCluster>
  /** Ids of the warehouses whose clusters run from before this service. */
  left(): Promise<readonly string[]>
  endLeft(warehouseId: string): Promise<void>
  lastAlive(accountId: string): Promise<Date | null>
  storedBytes(accountId: string): Promise<number>
  /** Ends all clusters of an account and removes what they keep, permanently. */
  remove(accountId: string): Promise<void>
  close(): Promise<void>
}

export interface ClusterOrder {
  readonly accountId: string
  readonly warehouseId: string
  readonly workers: number
  readonly onStep?: ((step: StartStep) => void) | undefined
}

/** As an engine sees it, but for its size, which is a number of workers. */
export interface StartedCluster extends Omit<Cluster, 'resize'> {
  resize(workers: number): Promise<void>
}

export interface ClusterProvisionerOptions {
  readonly provider: EngineProvider<ClusterSpace>
  readonly clusters: Clusters
  readonly folders: Pick<AccountFolders, 'directoryOf'>
  /** The memory of each, and how many a cluster may have; null: it exists already, with workers of its own. */
  readonly workers: { readonly bytes: number; readonly most: number } | null
  /** Of an account's own tables, which every cluster of it has; missing: they have none. */
  readonly catalog?: string
}

/** More workers start for seconds, and those that leave finish their work first. */
const RESIZING_MS = 300_000

/** A worker is what a thread is elsewhere. */
const workersIn = ({ threads }: EngineSize): number => threads

/**
 * Each warehouse is a cluster of its own, a coordinator and a worker for each unit of its size, or uses one that exists
 * already: then its size is only how many statements it runs at once.
 */
export function createClusterProvisioner(options: ClusterProvisionerOptions): EngineProvisioner {
  const { provider, clusters, folders, workers: own, catalog } = options
  const { id, label } = provider

  return {
    id,
    label,
    isCluster: true,
    ...(own === null && { isExisting: true as const }),
    ...(catalog !== undefined && { catalog }),
    isPerWarehouse: true,
    resizingMs: RESIZING_MS,
    // Those of the machine: each node uses as many as there are.
    processors: availableParallelism(),

    capacityOf(sizes: readonly WarehouseSize[]): EngineSize {
      if (own === null) return { threads: 0, memoryBytes: 0 }
      const units = sizes.reduce((sum, size) => sum + WAREHOUSE_SIZES[size], 0)
      const workers = Math.max(1, Math.min(units, own.most))
      return { threads: workers, memoryBytes: workers * own.bytes }
    },

    async start(accountId, size, { warehouseId, onStep }) {
      if (warehouseId === null) throw new EngineUnavailable('A cluster belongs to a warehouse.')
      const started = await clusters
        .start({ accountId, warehouseId, workers: workersIn(size), onStep })
        .catch((error: unknown) => {
          throw unavailable(error)
        })
      const cluster: Cluster = {
        ...started,
        // As it is when somebody asks.
        get catalogs() {
          return started.catalogs
        },
        get hides() {
          return started.hides
        },
        requireWorkers: () => started.requireWorkers().catch(refuse),
        resize: (next) => started.resize(workersIn(next)).catch(refuse),
      }
      try {
        const resultsDirectory = folders.directoryOf(accountId)
        return await provider.open({ accountId, warehouseId, resultsDirectory, cluster, ...size })
      } catch (error) {
        await started.stop()
        throw error
      }
    },

    left: () => clusters.left(),
    endLeft: (warehouseId) => clusters.endLeft(warehouseId),
    lastAlive: (accountId) => clusters.lastAlive(accountId),
    storedBytes: (accountId) => clusters.storedBytes(accountId),
    remove: (accountId) => clusters.remove(accountId),
    async close() {
      await clusters.close()
      await provider.close()
    },
  }
}

const unavailable = (error: unknown): EngineUnavailable =>
  new EngineUnavailable(error instanceof Error ? error.message : String(error), { cause: error })

function refuse(error: unknown): never {
  throw unavailable(error)
}
