import type { Log } from './kernel/log.ts'
import type { GivenCatalog } from './kernel/outside.ts'
import { openCatalogRelay, type RelayedCatalogs } from './providers/trino/catalog-relay.ts'
import { secretKeyVariable } from './providers/trino/catalogs.ts'
import { createGivenCatalogs, type GivenCatalogs } from './providers/trino/given-catalogs.ts'
import type { LocalCluster } from './providers/trino/local-cluster.ts'

/** What is known of catalogs over data elsewhere, once it is known what there is in an account. */
export interface OutsideForClusters extends RelayedCatalogs {
  of(accountId: string): Promise<readonly GivenCatalog[]>
  /** Null where each table has keys of its own. */
  secretKey(accountId: string, catalogId: string): Promise<string | null>
}

/** Secret keys to files, of the catalogs that there are when a cluster is started. */
interface CatalogKeys {
  readonly ids: ReadonlySet<string>
  readonly environment: Readonly<Record<string, string>>
}

interface ClusterCatalogParts {
  readonly outside: OutsideForClusters
  readonly portFile: string
  readonly log: Log
}

interface Known {
  readonly accountId: string
  readonly token: string
  readonly given: GivenCatalogs
}

interface ReadyCluster {
  readonly id: string
  readonly accountId: string
  readonly token: string
  readonly keys: CatalogKeys
  readonly fixed: readonly string[]
  readonly cluster: Pick<LocalCluster, 'run'>
}

/** Wires how clusters of this machine have the catalogs over data elsewhere that their accounts have; a part of `buildClusters`. */
export async function openClusterCatalogs({ outside, portFile, log }: ClusterCatalogParts) {
  const relay = await openCatalogRelay(outside, { portFile, log })
  const known = new Map<string, Known>()

  const follow = async ({ accountId, given }: Known): Promise<void> =>
    given
      .follow(await outside.of(accountId))
      .catch((error: unknown) => log.warn({ err: error }, 'a cluster did not follow changes of catalogs'))

  return {
    /** What the processes of a cluster have to know from their start on. */
    async keysOf(accountId: string): Promise<CatalogKeys> {
      const environment: Record<string, string> = {}
      const ids = new Set<string>()
      for (const { id, accessKey, whyNot } of await outside.of(accountId)) {
        if (accessKey === null || whyNot !== null) continue
        const key = await outside.secretKey(accountId, id).catch((error: unknown) => {
          log.warn({ err: error, catalogId: id }, 'the key of a catalog cannot be had')
          return null
        })
        if (key === null) continue
        environment[secretKeyVariable(id)] = key
        ids.add(id)
      }
      return { ids, environment }
    },

    /** It takes statements: it is given what its account has. */
    async give({ id, accountId, token, keys, fixed, cluster }: ReadyCluster): Promise<GivenCatalogs> {
      const run = (sql: string) => cluster.run(sql)
      const given = createGivenCatalogs({ fixed, relayUrl: relay.url, keys: keys.ids, run, log })
      const one = { accountId, token, given }
      relay.admit(token, accountId)
      known.set(id, one)
      await follow(one)
      return given
    },

    ended(id: string): void {
      const one = known.get(id)
      if (one) relay.dismiss(one.token)
      known.delete(id)
    },

    /** What one account has is another; null: of all accounts. */
    async changed(accountId: string | null): Promise<void> {
      const affected = [...known.values()].filter((one) => accountId === null || one.accountId === accountId)
      await Promise.all(affected.map(follow))
    },

    /** Why a catalog is not there in one of the account's clusters that run; null: it is there in all. */
    whyNot(accountId: string, catalog: string): string | null {
      const own = [...known.values()].filter((one) => one.accountId === accountId)
      return own.map(({ given }) => given.whyNot(catalog)).find((why) => why !== null) ?? null
    },

    close: () => relay.close(),
  }
}
