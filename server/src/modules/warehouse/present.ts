import type { Warehouse, WarehouseActivity } from '@boathouse/contract'
import type { Selectable } from 'kysely'
import type { EngineKind } from '../../engines/engine/provider.ts'
import type { Schema } from '../../store/schema.ts'
import { engineIn, shownKind } from './engine-kinds.ts'
import type { WarehouseRow } from './store.ts'

/** WH-02 */
export const presentWarehouse = (row: WarehouseRow, kinds: readonly EngineKind[]): Warehouse => ({
  warehouseId: row.warehouse_id,
  name: row.name,
  description: row.description,
  size: row.size as Warehouse['size'],
  engine: shownKind(engineIn(kinds, row)),
  idleMinutes: row.auto_suspend_minutes,
  status: row.status as Warehouse['status'],
  createdBy: row.created_by,
  createdAt: row.created_at.toISOString(),
  resumedOn: row.resumed_at?.toISOString() ?? null,
})

/** WH-12 */
export const presentActivity = (row: Selectable<Schema['warehouse_activity']>): WarehouseActivity => ({
  activityId: row.activity_id,
  warehouseId: row.warehouse_id,
  warehouseName: row.warehouse_name,
  action: row.action as WarehouseActivity['action'],
  detail: row.detail,
  result: row.result as WarehouseActivity['result'],
  actor: row.actor,
  at: row.at.toISOString(),
})
