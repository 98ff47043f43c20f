import { cluster } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { Clusters } from './service.ts'

export const clusterCalls = (clusters: Clusters) =>
  implement(cluster, {
    describe: ({ actor }, { warehouseId }) => clusters.describe(actor, warehouseId),
  })
