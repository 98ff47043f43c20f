import type { Actor } from '../../kernel/actor.ts'
import type { NamedWarehouse, WarehouseRights } from './may-use.ts'
import { missing } from './steps.ts'
import type { WarehouseRow, WarehouseStore } from './store.ts'

interface FinderOptions {
  readonly store: Pick<WarehouseStore, 'find' | 'findByName' | 'list'>
  readonly rights: WarehouseRights
}

export const named = (row: WarehouseRow): NamedWarehouse => ({ id: row.warehouse_id, name: row.name })

/** Warehouses as far as somebody may see, use or change them. */
export function createFinder({ store, rights }: FinderOptions) {
  async function find(actor: Actor, warehouseId: string): Promise<WarehouseRow> {
    const row = await store.find(actor.accountId, warehouseId)
    if (!row || !(await rights.maySee(actor, named(row)))) throw missing()
    return row
  }

  async function listBy(actor: Actor, right: 'mayUse' | 'maySee' | 'mayOperate'): Promise<WarehouseRow[]> {
    const rows = await store.list(actor.accountId)
    const isListed = await Promise.all(rows.map((row) => rights[right](actor, named(row))))
    return rows.filter((_, index) => isListed[index])
  }

  async function findFor(
    actor: Actor,
    warehouseId: string,
    privilege: 'ALTER' | 'DROP',
  ): Promise<WarehouseRow> {
    const row = await find(actor, warehouseId)
    await rights.require(actor, privilege, named(row))
    return row
  }

  return {
    find,
    findFor,
    listBy,

    /** By the name used in statements, letter case ignored. */
    async findByName(actor: Actor, name: string): Promise<WarehouseRow | undefined> {
      const row = await store.findByName(actor.accountId, name)
      return row && (await rights.maySee(actor, named(row))) ? row : undefined
    },

    /** Whether it is there and this user may suspend it. */
    async isOperated(actor: Actor, warehouseId: string): Promise<boolean> {
      const row = await store.find(actor.accountId, warehouseId)
      return row !== undefined && (await rights.mayOperate(actor, named(row)))
    },
  }
}

export type Finder = ReturnType<typeof createFinder>
