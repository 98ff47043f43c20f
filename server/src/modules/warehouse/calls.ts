import { warehouse } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import { presentWarehouse } from './present.ts'
import type { Compute } from './compute-port.ts'
import type { Warehouses } from './service.ts'
import type { WarehouseRow } from './store.ts'

type CallOptions = Pick<Compute, 'evictionMs' | 'kinds'>

export function warehouseCalls(warehouses: Warehouses, { evictionMs, kinds }: CallOptions) {
  const present = (row: WarehouseRow) => presentWarehouse(row, kinds)
  return implement(warehouse, {
    list: async ({ actor }) => ({ warehouses: await warehouses.describeAll(actor) }),
    describe: ({ actor }, { warehouseId }) => warehouses.describe(actor, warehouseId),
    sizes: ({ actor }, { engine }) => warehouses.sizes(actor, engine ?? null),
    create: async (from, draft) => present(await warehouses.create(from.actor, draft, from)),
    update: async (from, { warehouseId, ...edit }) =>
      present(await warehouses.update(from, warehouseId, edit)),
    suspend: async ({ actor }, { warehouseId }) => ({
      ...present(await warehouses.suspend(actor, warehouseId)),
      waitedAtMostMs: evictionMs,
    }),
    resume: async ({ actor }, { warehouseId }) => present(await warehouses.resume(actor, warehouseId)),
    delete: async (from, { warehouseId }) => {
      await warehouses.delete(from.actor, warehouseId, from)
      return {}
    },
    grants: ({ actor }, { warehouseId }) => warehouses.grants(actor, warehouseId),
    activity: ({ actor }, page) => warehouses.activity(actor, page),
    usage: ({ actor }, { warehouseId }) => warehouses.usage(actor, warehouseId),
  })
}
