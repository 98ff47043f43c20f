import { warehouse } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import { presentWarehouse } from './present.ts'
import type { Warehouses } from './service.ts'

export const warehouseCalls = (warehouses: Warehouses, options: { evictionMs: number }) =>
  implement(warehouse, {
    list: async ({ actor }) => ({ warehouses: await warehouses.describeAll(actor) }),
    describe: ({ actor }, { warehouseId }) => warehouses.describe(actor, warehouseId),
    sizes: async ({ actor }) => ({ sizes: await warehouses.sizes(actor) }),
    create: async (from, draft) => presentWarehouse(await warehouses.create(from.actor, draft, from)),
    update: async (from, { warehouseId, ...edit }) =>
      presentWarehouse(await warehouses.update(from, warehouseId, edit)),
    suspend: async ({ actor }, { warehouseId }) => ({
      ...presentWarehouse(await warehouses.suspend(actor, warehouseId)),
      waitedAtMostMs: options.evictionMs,
    }),
    resume: async ({ actor }, { warehouseId }) =>
      presentWarehouse(await warehouses.resume(actor, warehouseId)),
    delete: async (from, { warehouseId }) => {
      await warehouses.delete(from.actor, warehouseId, from)
      return {}
    },
    grants: ({ actor }, { warehouseId }) => warehouses.grants(actor, warehouseId),
    activity: ({ actor }, page) => warehouses.activity(actor, page),
    usage: ({ actor }, { warehouseId }) => warehouses.usage(actor, warehouseId),
  })
