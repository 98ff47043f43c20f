import { DEFAULT_WAREHOUSE_NAME, hasPermission } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'

/**
 * Who may run statements in a warehouse, and see it. The default warehouse is everyone's in its account; the others
 * belong to those whose active roles bring `warehouse:use`. Grants on single warehouses (WH-23) come with privileges.
 */
export const mayUse = (actor: Pick<Actor, 'perms'>, warehouseName: string): boolean =>
  warehouseName === DEFAULT_WAREHOUSE_NAME || hasPermission(actor.perms, 'warehouse:use')
