import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StartStep } from '@boathouse/contract'
import { createKeyedMutex } from '../../kernel/keyed-mutex.ts'
import type { Log } from '../../kernel/log.ts'
import { renderRules, type UserAccess } from './access-rules.ts'
import type { CatalogDefinition } from './catalogs.ts'
import { type ClusterNodes, openClusterNodes } from './cluster-nodes.ts'
import { readRecord } from './cluster-record.ts'
import { type ClusterSecrets, openSecrets } from './cluster-secrets.ts'
import type { Installation } from './installation.ts'
import { LocalCluster } from './local-cluster.ts'
import type { FileOwner } from './private-files.ts'
import { end } from './process-identity.ts'
import type { StartCache } from './start-cache.ts'

const STOP_MS = 10_000
const KEPT_MS = 60_000

export interface LocalClustersOptions {
  /** Has a folder for each cluster. */
  readonly directory: string
  readonly installation: Installation
  readonly cache: Pick<StartCache, 'options'>
  readonly log: Log
}

export interface ClusterPlan {
  /** Of the warehouse. */
  readonly id: string
  readonly workers: number
  readonly coordinatorHeapBytes: number
  readonly workerHeapBytes: number
  /** Made when its secrets are known. */
  catalogs(secrets: ClusterSecrets): Promise<readonly CatalogDefinition[]>
  /** Of catalogs that it is given while it runs, by their names in its environment. */
  readonly keys: Readonly<Record<string, string>>
  readonly users: readonly UserAccess[]
  readonly owner: FileOwner
  readonly onStep?: ((step: StartStep) => void) | undefined
}

/** Clusters of this machine: one for each warehouse that runs. They outlive a crash of the service, and are taken over. */
export function createLocalClusters({ directory, installation, cache, log }: LocalClustersOptions) {
  const running = new Map<string, { readonly cluster: LocalCluster; readonly nodes: ClusterNodes }>()
  const placeOf = (id: string): string => join(directory, id)
  const ids = (): Promise<string[]> => readdir(directory).catch(() => [])

  /** One starts only when the one before it has ended. */
  const mutex = createKeyedMutex()

  async function startNow(plan: ClusterPlan): Promise<LocalCluster> {
    const { id, workers, coordinatorHeapBytes, workerHeapBytes, users, owner, onStep } = plan
    const place = placeOf(id)
    await running.get(id)?.cluster.settled()
    // Others may pass through, to files that are theirs.
    await mkdir(place, { recursive: true, mode: 0o711 })
    const secrets = await openSecrets(place)
    const nodes = await openClusterNodes({
      directory: place,
      environment: `boathouse_${id.replaceAll(/[^a-z0-9]/g, '_')}`,
      installation,
      secrets,
      catalogs: await plan.catalogs(secrets),
      keys: plan.keys,
      rules: renderRules(users),
      coordinatorHeapBytes,
      workerHeapBytes,
      owner,
      cache,
      onLaunch: () => onStep?.({ step: 'launch', ready: 0, of: workers }),
    })
    const { tokenKey } = secrets
    const cluster = await LocalCluster.open({ nodes, directory: place, tokenKey, log, onStep }, workers)
    running.set(id, { cluster, nodes })
    void cluster.lost.then(() => endIfUnwanted(id, cluster))
    return cluster
  }

  /** Its workers are kept for a while for the next coordinator, which somebody may need at once. */
  async function endIfUnwanted(id: string, lost: LocalCluster): Promise<void> {
    await sleep(KEPT_MS, undefined, { ref: false })
    await mutex.run(id, async () => {
      if (running.get(id)?.cluster === lost) await stopNow(id)
    })
  }

  async function stopNow(id: string): Promise<void> {
    const known = running.get(id)
    running.delete(id)
    if (known) return known.cluster.stop()
    const { nodes } = await readRecord(placeOf(id))
    await Promise.all(nodes.map((node) => end(node, STOP_MS)))
  }

  return {
    /** Rejects with a `ClusterRefused`. */
    start: (plan: ClusterPlan): Promise<LocalCluster> => mutex.run(plan.id, () => startNow(plan)),

    /** From now on, within a second. Does nothing where it does not run: its next start has them. */
    async setAccess(id: string, users: readonly UserAccess[]): Promise<void> {
      await running.get(id)?.nodes.setRules(renderRules(users))
    },

    stop: (id: string): Promise<void> => mutex.run(id, () => stopNow(id)),

    /** Of all that ever ran and were not removed. */
    ids,

    running: (): string[] => [...running.keys()],

    /** Those that an earlier service has left running, by their ids. */
    async left(): Promise<string[]> {
      const found = await Promise.all(
        (await ids()).map(async (id) => ((await readRecord(placeOf(id))).nodes.length > 0 ? [id] : [])),
      )
      return found.flat().filter((id) => !running.has(id))
    },

    /** Ends it, with its secrets and logs. */
    remove: (id: string): Promise<void> =>
      mutex.run(id, async () => {
        await stopNow(id)
        await rm(placeOf(id), { recursive: true, force: true })
      }),
  }
}

export type LocalClusters = ReturnType<typeof createLocalClusters>
