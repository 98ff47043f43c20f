import { type Warehouse, warehouse } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { WarehouseStore } from './store.ts'

type WarehouseRow = Awaited<ReturnType<WarehouseStore['list']>>[number]

const present = (row: WarehouseRow): Warehouse => ({
  warehouseId: row.warehouse_id,
  name: row.name,
  description: row.description,
  size: row.size as Warehouse['size'],
  idleMinutes: row.auto_suspend_minutes,
  status: row.status as Warehouse['status'],
  createdBy: row.created_by,
  createdAt: row.created_at.toISOString(),
  resumedOn: row.resumed_at?.toISOString() ?? null,
})

export const warehouseCalls = (store: WarehouseStore) =>
  implement(warehouse, {
    list: async ({ actor }) => ({ warehouses: (await store.list(actor.accountId)).map(present) }),
  })
