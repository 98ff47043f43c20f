import { thisMachine } from './compute/local/capacity.ts'
import type { Config } from './config.ts'
import { type ExistingOffer, findExistingCluster, stateOf } from './existing-cluster-offered.ts'
import { type ClusterLimits, clusterLimits } from './providers/trino/cluster-limits.ts'
import { findInstallation, type Installation } from './providers/trino/installation.ts'
import { ClusterRefused } from './providers/trino/refused.ts'

/** Whether warehouses can be clusters here, and why not: on this machine, or in one that exists already. */
export type ClusterOffer =
  | { readonly isOffered: 'here'; readonly installation: Installation; readonly limits: ClusterLimits }
  | (ExistingOffer & { readonly isOffered: 'existing' })
  | { readonly isOffered: false; readonly reason: string }

export async function findClusterOffer({ clusters }: Pick<Config, 'clusters'>): Promise<ClusterOffer> {
  try {
    if (clusters.existing.url !== undefined)
      return { isOffered: 'existing', ...(await findExistingCluster(clusters)) }
    const installation = await findInstallation(clusters)
    const limits = clusterLimits(clusters, thisMachine().memoryBytes)
    return { isOffered: 'here', installation, limits }
  } catch (error) {
    if (error instanceof ClusterRefused) return { isOffered: false, reason: error.message }
    throw error
  }
}

/** In a line, for `boathouse config` and `boathouse status`. Asks a cluster that exists already how it is. */
export async function offerText(offer: ClusterOffer): Promise<string> {
  if (!offer.isOffered) return `not offered: ${offer.reason}`
  if (offer.isOffered === 'existing')
    return `offered: the cluster at ${offer.address.url}. ${await stateOf(offer)} (${new Date().toISOString()})`
  const { installation, limits } = offer
  return `offered: Trino ${installation.version} on Java ${installation.javaVersion}, up to ${limits.mostWorkers} workers in a cluster`
}
