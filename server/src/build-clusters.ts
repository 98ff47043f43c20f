import { DEFAULT_DATABASE } from '@boathouse/contract'
import { chown, mkdir } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { BuildOptions } from './build-options.ts'
import { openClusterDatabase } from './cluster-database.ts'
import { type OutsideForClusters, openClusterCatalogs } from './build-cluster-catalogs.ts'
import { buildExistingClusters } from './build-existing-clusters.ts'
import { type ClusterOffer, findClusterOffer, offerText } from './clusters-offered.ts'
import {
  createClusterProvisioner,
  type Clusters,
  type StartedCluster,
} from './compute/cluster/cluster-provisioner.ts'
import type { AccountFolders } from './compute/local/account-folders.ts'
import type { EngineProvisioner } from './compute/provisioner.ts'
import type { ClusterSpace } from './engines/engine/cluster-space.ts'
import type { OpenedCatalogs } from './engines/engine/opened-catalogs.ts'
import type { LocalProvider } from './engines/engine/local-space.ts'
import type { EngineProvider } from './engines/engine/provider.ts'
import { inFrontOfOpened, type OpenedParts } from './engines/trino/opened/provider.ts'
import type { Job } from './jobs/jobs.ts'
import type { Log } from './kernel/log.ts'
import { type AccountAccess, createAccountAccess } from './modules/access/account-access.ts'
import { LAKE, type Lakes } from './lakes.ts'
import { internalCatalog, TPCH_CATALOG } from './providers/trino/catalogs.ts'
import type { GivenCatalogs } from './providers/trino/given-catalogs.ts'
import type { LocalCluster } from './providers/trino/local-cluster.ts'
import { createLocalClusters, type LocalClusters } from './providers/trino/local-clusters.ts'
import { createStartCache } from './providers/trino/start-cache.ts'
import {
  type ClusterCatalog,
  openClusterCatalog,
  removeClusterCatalog,
  removeClusterRole,
} from './store/cluster-catalog.ts'
import { makeOpenFolder } from './store/embedded/paths.ts'
import type { Store } from './store/store.ts'

/** What could not be given before is tried again. */
const CATALOGS_MS = 60_000
/** With what a node needs to read its rules again, a grant applies within two seconds. */
const ACCESS_MS = 1_000

type Offered = Extract<ClusterOffer, { isOffered: 'here' }>

interface ClusterParts {
  readonly offer: Offered
  readonly provider: EngineProvider<ClusterSpace>
  readonly store: Pick<Store, 'db' | 'pool' | 'socket'>
  readonly databaseUrl: string | undefined
  readonly hasTpch: boolean
  readonly accountsDirectory: string
  readonly folders: Pick<AccountFolders, 'directoryOf'>
  readonly lakes: Lakes
  readonly osUserOf: (accountId: string) => Promise<number | null>
  readonly outside: OutsideForClusters
  readonly log: Log
}

type ClusterCatalogs = Awaited<ReturnType<typeof openClusterCatalogs>>

interface BuiltClusters {
  readonly provisioner: EngineProvisioner
  readonly catalogs: ClusterCatalogs
  readonly jobs: readonly Job[]
}

const NONE_OPENED: OpenedCatalogs = { of: () => [], whyNot: () => null, ask: async () => [] }

interface OfferedParts extends Pick<BuildOptions, 'config' | 'store' | 'clusterEngine' | 'log'> {
  readonly accountsDirectory: string
  /** Null where there is no engine for clusters. */
  readonly lakes: Lakes | null
  readonly osUserOf: (accountId: string) => Promise<number | null>
  readonly outside: OutsideForClusters
}

/** Clusters as far as they are configured and can be had. What is missing is reported, and keeps nothing else from starting. */
export function createOfferedClusters(parts: OfferedParts) {
  const { config, clusterEngine, lakes, log } = parts
  let text = 'not offered: this version has no engine for them.'
  let jobs: readonly Job[] = []
  let catalogs: ClusterCatalogs | undefined
  let opened: OpenedCatalogs = NONE_OPENED
  return {
    async open(folders: AccountFolders): Promise<readonly EngineProvisioner[]> {
      if (!clusterEngine || !lakes) return []
      const offer = await findClusterOffer(config)
      text = await offerText(offer)
      if (!offer.isOffered) {
        if (isAsked(config)) log.warn({ reason: offer.reason }, 'clusters are not offered')
        return []
      }
      const { databaseUrl } = config
      const { hasTpch } = config.clusters
      const shared = { ...parts, lakes, provider: clusterEngine, folders }
      if (offer.isOffered === 'existing') {
        const existing = buildExistingClusters({ ...shared, offer })
        opened = existing.opened
        return [existing.provisioner]
      }
      const built = await buildClusters({ ...shared, offer, databaseUrl, hasTpch })
      ;({ jobs, catalogs } = built)
      return [built.provisioner]
    },
    /** Which catalogs of a cluster that exists already this account has. */
    openedTo: (accountId: string): readonly string[] => opened.of(accountId),
    /** The same engines, in front of those. */
    inFront: <Provider extends LocalProvider>(
      engines: Provider,
      beside: Omit<OpenedParts, 'opened'>,
    ): Provider => inFrontOfOpened(engines, { ...beside, opened: () => opened }),
    /** In a line. */
    offer: (): string => text,
    jobs: (): readonly Job[] => jobs,
    /** The account has other catalogs over data elsewhere. Why clusters that run do not have this one; null: they do. */
    async catalogsChanged(accountId: string, catalog: string): Promise<string | null> {
      await catalogs?.changed(accountId)
      return catalogs?.whyNot(accountId, catalog) ?? null
    },
  }
}

const isAsked = ({ clusters: { home, existing } }: BuildOptions['config']): boolean =>
  home !== undefined || existing.url !== undefined

/** Wires warehouses that are clusters of this machine; a part of `build`. */
async function buildClusters(parts: ClusterParts): Promise<BuiltClusters> {
  const { offer, provider, store, accountsDirectory, folders, lakes, osUserOf, log } = parts
  const { installation, limits } = offer
  const { pool } = store
  const samples = parts.hasTpch ? [TPCH_CATALOG] : []
  const place = join(dirname(accountsDirectory), 'clusters')
  await mkdir(place, { recursive: true, mode: 0o711 })
  // Nodes run as users of the accounts, and pass through it, also where no other engine has run before.
  await makeOpenFolder(accountsDirectory)
  const database = await openClusterDatabase(parts, join(place, 'database.port'))
  const cache = createStartCache({ directory: join(place, 'start-cache'), installation, log })
  const local = createLocalClusters({ directory: join(place, 'running'), installation, cache, log })
  const access = createAccountAccess(store)
  const catalogs = await openClusterCatalogs({ ...parts, portFile: join(place, 'relay.port') })

  /** Nothing of it is left: its next start has other secrets. */
  async function remove(id: string): Promise<void> {
    catalogs.ended(id)
    await local.remove(id)
    await removeClusterRole(pool, partsOf(id).warehouseId)
  }

  const clusters: Clusters = {
    async start({ accountId, warehouseId, workers, onStep }) {
      const osUser = await osUserOf(accountId)
      const owner = osUser === null ? null : { uid: osUser, gid: osUser }
      const folder = lakes.folderOf(accountId)
      await makeLake(folders.directoryOf(accountId), folder, owner)
      const id = idOf(accountId, warehouseId)
      const keys = await catalogs.keysOf(accountId)
      let token = ''
      const cluster = await local.start({
        id,
        workers,
        ...limits,
        catalogs: async ({ catalogPassword: password, relayToken }) => {
          token = relayToken
          const opened = await openLake(parts, { accountId, clusterId: warehouseId, password })
          const databaseUrl = database.urlOf(opened.schema)
          return [
            internalCatalog({ name: LAKE, databaseUrl, user: opened.role, password, folder }),
            ...samples,
          ]
        },
        keys: keys.environment,
        users: await access.of(accountId),
        owner,
        onStep,
      })
      onStep?.({ step: 'catalog', ready: workers, of: workers })
      try {
        // Every session begins in a database that is there.
        await cluster.run(`create schema if not exists ${LAKE}.${DEFAULT_DATABASE}`)
      } catch (error) {
        await remove(id)
        throw error
      }
      const fixed = [LAKE, ...samples.map(({ name }) => name)]
      const given = await catalogs.give({ id, accountId, token, keys, fixed, cluster })
      // The next one starts faster.
      void cache.prepare()
      return handedOut(cluster, { fixed, given, stop: () => remove(id) })
    },
    left: async () => (await local.left()).map((id) => partsOf(id).warehouseId),
    async endLeft(warehouseId) {
      for (const id of await local.left()) if (partsOf(id).warehouseId === warehouseId) await remove(id)
    },
    lastAlive: async () => null,
    storedBytes: lakes.storedBytes,
    async remove(accountId) {
      const own = (await local.ids()).filter((id) => partsOf(id).accountId === accountId)
      for (const id of own) await remove(id)
      lakes.removed(accountId)
      await removeClusterCatalog(pool, accountId)
    },
    async close() {
      await cache.close()
      for (const id of local.running()) await remove(id)
      await database.close()
      await catalogs.close()
    },
  }

  // Of those that ended with the machine, only files are left.
  const left = await local.left()
  for (const id of await local.ids()) if (!left.includes(id)) await remove(id)

  const provisioner = createClusterProvisioner({
    provider,
    clusters,
    folders,
    workers: { bytes: limits.workerHeapBytes, most: limits.mostWorkers },
    catalog: LAKE,
  })
  return {
    provisioner,
    catalogs,
    jobs: [
      { name: 'tell clusters of grants', everyMs: ACCESS_MS, run: accessRenewal(local, access) },
      { name: 'give clusters their catalogs', everyMs: CATALOGS_MS, run: () => catalogs.changed(null) },
    ],
  }
}

/** A cluster as its engine is given it. */
function handedOut(
  cluster: LocalCluster,
  { fixed, given, stop }: { fixed: readonly string[]; given: GivenCatalogs; stop: () => Promise<void> },
): StartedCluster {
  return {
    url: cluster.url,
    get catalogs() {
      return [...fixed, ...given.names()]
    },
    whyNoCatalog: (name) => given.whyNot(name),
    lost: cluster.lost,
    headersFor: (user) => cluster.headersFor(user),
    addressOf: (link) => cluster.addressOf(link),
    requireWorkers: () => cluster.requireWorkers(),
    resize: (count) => cluster.resize(count),
    nodes: () => cluster.nodes(),
    cpuMs: () => cluster.cpuMs(),
    stop,
  }
}

/** Names of an account's tables, for one of its clusters. */
async function openLake(
  { store, lakes }: Pick<ClusterParts, 'store' | 'lakes'>,
  order: { readonly accountId: string; readonly clusterId: string; readonly password: string },
): Promise<ClusterCatalog> {
  const { accountId, clusterId } = order
  const catalog = await openClusterCatalog(store.pool, order)
  // There before the cluster is: who chooses its warehouse begins in it.
  await lakes.of(accountId).createDatabase(DEFAULT_DATABASE, clusterId)
  lakes.opened(accountId)
  return catalog
}

/** Notifies clusters of accounts in which users, roles or grants have changed. */
function accessRenewal(local: LocalClusters, access: AccountAccess): () => Promise<void> {
  const known = new Map<string, number>()
  return async () => {
    const running = local.running()
    const accounts = [...new Set(running.map((id) => partsOf(id).accountId))]
    for (const account of known.keys()) if (!accounts.includes(account)) known.delete(account)
    for (const [account, version] of await access.versionsOf(accounts)) {
      if (known.get(account) === version) continue
      const users = await access.of(account)
      for (const id of running) if (partsOf(id).accountId === account) await local.setAccess(id, users)
      known.set(account, version)
    }
  }
}

const idOf = (accountId: string, warehouseId: string): string => `${accountId}.${warehouseId}`

function partsOf(id: string): { accountId: string; warehouseId: string } {
  const [accountId = '', warehouseId = ''] = id.split('.')
  return { accountId, warehouseId }
}

/** Down from the folder of the account, each one is its user's: nobody gets through a folder that is another's. */
async function makeLake(
  account: string,
  folder: string,
  owner: { uid: number; gid: number } | null,
): Promise<void> {
  const places = relative(account, folder).split(sep)
  for (const depth of [0, ...places.map((_, index) => index + 1)]) {
    const place = join(account, ...places.slice(0, depth))
    await mkdir(place, { recursive: true, mode: 0o700 })
    if (owner) await chown(place, owner.uid, owner.gid)
  }
}
