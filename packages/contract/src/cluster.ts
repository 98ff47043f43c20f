import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { EngineKind, WAREHOUSE_STATES } from './warehouse.ts'

/** A process that runs statements. */
export const ClusterNode = z.object({
  name: z.string(),
  /** `single` plans and computes. In a cluster one node plans and the others compute. */
  role: z.enum(['single', 'coordinator', 'worker']),
  /** `starting`: it does not take work yet. `silent`: it has not answered for so long that its state is not known. */
  state: z.enum(['starting', 'running', 'silent']),
  /** Null in a cluster that exists already, as the next two: it does not say. */
  since: z.nullable(z.string()),
  threads: z.nullable(z.int()),
  memoryBytes: z.nullable(z.int()),
  /** From 0 to 100; null while it is not known. */
  cpuPercent: z.nullable(z.number()),
})
export type ClusterNode = z.infer<typeof ClusterNode>

export const Cluster = z.object({
  warehouseId: z.uuid(),
  warehouse: z.string(),
  status: z.enum(WAREHOUSE_STATES),
  engine: EngineKind,
  /** Other warehouses of the account that run on the same nodes, as far as you may see them. */
  sharedWith: z.array(z.string()),
  /** None while the warehouse does not run. */
  nodes: z.array(ClusterNode),
})
export type Cluster = z.infer<typeof Cluster>

export const cluster = {
  describe: defineCall({
    path: '/cluster/describe',
    summary: 'Get the nodes that a warehouse runs on',
    needs: 'login',
    input: z.object({ warehouseId: z.uuid() }),
    output: Cluster,
    fails: ['NotFound'],
  }),
}
