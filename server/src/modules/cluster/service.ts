import type { Cluster, ClusterNode } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import type { Warehouses } from '../warehouse/service.ts'

interface Node {
  /** Of a cluster. */
  readonly name?: string
  readonly role: ClusterNode['role']
  readonly state: ClusterNode['state']
  readonly startedAt: Date | null
  readonly threads: number | null
  readonly memoryBytes: number | null
  readonly cpuPercent: number | null
}

interface ClustersOptions {
  readonly warehouses: Pick<Warehouses, 'describe' | 'listSeen'>
  readonly compute: {
    nodesOf(
      warehouseId: string,
    ): { readonly nodes: readonly Node[]; readonly sharedBy: readonly string[] } | null
  }
}

/** The processes behind a warehouse, for users who may see the warehouse. */
export function createClusters({ warehouses, compute }: ClustersOptions) {
  return {
    async describe(actor: Actor, warehouseId: string): Promise<Cluster> {
      const { name, status, engine } = await warehouses.describe(actor, warehouseId)
      const found = compute.nodesOf(warehouseId)
      const about = { warehouseId, warehouse: name, status, engine }
      if (!found) return { ...about, sharedWith: [], nodes: [] }
      const { nodes, sharedBy } = found
      const seen = await warehouses.listSeen(actor)
      const others = seen.filter(({ warehouse_id: id }) => id !== warehouseId && sharedBy.includes(id))
      return {
        ...about,
        sharedWith: others.map((other) => other.name),
        nodes: nodes.map(({ startedAt, ...node }) => ({
          name: engine.label,
          ...node,
          since: startedAt?.toISOString() ?? null,
        })),
      }
    },
  }
}

export type Clusters = ReturnType<typeof createClusters>
