import { DEFAULT_CATALOG, DEFAULT_DATABASE } from '@boathouse/contract'
import type { OutsideForClusters } from './build-cluster-catalogs.ts'
import { createOfferedClusters } from './build-clusters.ts'
import { buildCompute } from './build-compute.ts'
import type { BuildOptions } from './build-options.ts'
import { createAccountFolders } from './compute/local/account-folders.ts'
import type { Further } from './compute/local/local-provisioner.ts'
import type { Engine } from './engines/engine/engine.ts'
import { inFrontOfLakes } from './engines/lake/provider.ts'
import { openLakes } from './lakes.ts'
import { notingWrites, requireOverIn } from './noted-clusters.ts'

interface EngineParts extends Pick<
  BuildOptions,
  'config' | 'store' | 'engines' | 'otherEngines' | 'clusterEngine' | 'silentAfterMs' | 'clock' | 'log'
> {
  readonly accountsDirectory: string
  readonly osUserOf: (accountId: string) => Promise<number | null>
  readonly furtherOf: (accountId: string) => Promise<Further>
  readonly outside: OutsideForClusters
}

/** Wires engines of every kind, and what those of the accounts' own data list of clusters; a part of `build`. */
export async function buildEngines(options: EngineParts) {
  const { store, engines, clusterEngine, accountsDirectory, osUserOf, furtherOf, outside } = options
  const lakes = clusterEngine
    ? await openLakes({
        store,
        engine: clusterEngine.id,
        folders: createAccountFolders(accountsDirectory),
        requireOver: requireOverIn(() => compute),
      })
    : null
  const home = { catalog: DEFAULT_CATALOG, database: DEFAULT_DATABASE }
  const staging = engines.staging?.((accountId, work) => compute.useServiceEngine(accountId, work), home)
  const clusters = createOfferedClusters({
    ...options,
    ...(clusterEngine && lakes && { clusterEngine: notingWrites(clusterEngine, lakes, staging) }),
    lakes,
    accountsDirectory,
    osUserOf,
    outside,
  })
  const beside = {
    home,
    inCluster: <T>(accountId: string, work: (cluster: Engine) => Promise<T>): Promise<T> =>
      compute.useEngine({ accountId, engine: clusterEngine?.id ?? null }, work),
  }
  const inFront = clusters.inFront(engines, beside)
  const { folders, compute } = await buildCompute({
    ...options,
    engines: lakes ? inFrontOfLakes(inFront, { lake: lakes, ...beside }) : engines,
    accountsDirectory,
    osUserOf,
    furtherOf,
    further: clusters.open,
  })
  return { clusters, lakes, folders, compute }
}
