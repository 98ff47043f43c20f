import { thisMachine } from './compute/local/capacity.ts'
import type { Config } from './config.ts'
import { type ClusterLimits, clusterLimits } from './providers/trino/cluster-limits.ts'
import { findInstallation, type Installation } from './providers/trino/installation.ts'
import { ClusterRefused } from './providers/trino/refused.ts'

/** Whether warehouses can be clusters here, and why not. */
export type ClusterOffer =
  | { readonly isOffered: true; readonly installation: Installation; readonly limits: ClusterLimits }
  | { readonly isOffered: false; readonly reason: string }

export async function findClusterOffer({ clusters }: Pick<Config, 'clusters'>): Promise<ClusterOffer> {
  try {
    const installation = await findInstallation(clusters)
    return { isOffered: true, installation, limits: clusterLimits(clusters, thisMachine().memoryBytes) }
  } catch (error) {
    if (error instanceof ClusterRefused) return { isOffered: false, reason: error.message }
    throw error
  }
}

/** In a line, for `boathouse config` and `boathouse status`. */
export function offerText(offer: ClusterOffer): string {
  if (!offer.isOffered) return `not offered: ${offer.reason}`
  const { installation, limits } = offer
  return `offered: Trino ${installation.version} on Java ${installation.javaVersion}, up to ${limits.mostWorkers} workers in a cluster`
}
