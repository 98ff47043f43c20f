import { z } from 'zod'
import { defineCall } from './call.ts'

/** WH-33 to WH-43; Suspended is added, Success is not used for warehouses (WH-44). */
export const WAREHOUSE_STATES = [
  'Deploying',
  'Running',
  'Suspending',
  'Suspended',
  'Resuming',
  'Updating',
  'Scaling',
  'Expanding',
  'Releasing',
  'Failed',
  'Unknown',
] as const

/** Book section 4: CCU per hour, threads and GiB double with each step. */
export const WAREHOUSE_SIZES = {
  'X-Small': 1,
  Small: 2,
  Medium: 4,
  Large: 8,
  'X-Large': 16,
  '2X-Large': 32,
} as const
export type WarehouseSize = keyof typeof WAREHOUSE_SIZES
export const WarehouseSize = z.enum(['X-Small', 'Small', 'Medium', 'Large', 'X-Large', '2X-Large'])

/** WH-02 */
export const Warehouse = z.object({
  warehouseId: z.uuid(),
  name: z.string(),
  description: z.string(),
  size: WarehouseSize,
  /** Null: does not suspend by itself. */
  idleMinutes: z.int().nullable(),
  status: z.enum(WAREHOUSE_STATES),
  createdBy: z.string(),
  createdAt: z.string(),
  resumedOn: z.string().nullable(),
})
export type Warehouse = z.infer<typeof Warehouse>

export const warehouse = {
  list: defineCall({
    path: '/warehouse/list',
    summary: 'Warehouses this user may use',
    needs: 'login',
    input: z.object({}),
    output: z.object({ warehouses: z.array(Warehouse) }),
  }),
}
