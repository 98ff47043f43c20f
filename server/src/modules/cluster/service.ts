import type { Cluster } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import type { Warehouses } from '../warehouse/service.ts'

interface Node {
  readonly startedAt: Date
  readonly isSilent: boolean
  readonly threads: number
  readonly memoryBytes: number
  readonly cpuPercent: number | null
}

interface ClustersOptions {
  readonly warehouses: Pick<Warehouses, 'describe' | 'listSeen'>
  readonly compute: {
    nodeOf(warehouseId: string): { readonly node: Node; readonly sharedBy: readonly string[] } | null
  }
}

/** The processes behind a warehouse, for users who may see the warehouse. */
export function createClusters({ warehouses, compute }: ClustersOptions) {
  return {
    async describe(actor: Actor, warehouseId: string): Promise<Cluster> {
      const { name, status, engine } = await warehouses.describe(actor, warehouseId)
      const found = compute.nodeOf(warehouseId)
      const about = { warehouseId, warehouse: name, status, engine }
      if (!found) return { ...about, sharedWith: [], nodes: [] }
      const { node, sharedBy } = found
      const seen = await warehouses.listSeen(actor)
      const others = seen.filter(({ warehouse_id: id }) => id !== warehouseId && sharedBy.includes(id))
      return {
        ...about,
        sharedWith: others.map((other) => other.name),
        nodes: [
          {
            name: engine.label,
            role: 'single',
            state: node.isSilent ? 'silent' : 'running',
            since: node.startedAt.toISOString(),
            threads: node.threads,
            memoryBytes: node.memoryBytes,
            cpuPercent: node.cpuPercent,
          },
        ],
      }
    },
  }
}

export type Clusters = ReturnType<typeof createClusters>
