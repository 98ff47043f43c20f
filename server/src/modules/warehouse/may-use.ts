import { DEFAULT_WAREHOUSE_NAME, objectOf, type Privilege } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import type { Authority } from '../access/authority.ts'

export interface NamedWarehouse {
  readonly id: string
  readonly name: string
}

const objectFor = ({ id }: NamedWarehouse) => objectOf('warehouse', { name: id })

/**
 * Who may do what with a warehouse (WH-23, ROLE-33). The default warehouse is everyone's to use in its account; all else
 * is granted, by a role or to a user.
 */
export function createWarehouseRights({ may, require }: Pick<Authority, 'may' | 'require'>) {
  const mayUse = async (actor: Actor, warehouse: NamedWarehouse): Promise<boolean> =>
    warehouse.name === DEFAULT_WAREHOUSE_NAME || (await may(actor, 'USAGE', objectFor(warehouse)))

  return {
    mayUse,

    /** Users who may change or drop a warehouse see it even if they may not use it. */
    async maySee(actor: Actor, warehouse: NamedWarehouse): Promise<boolean> {
      if (await mayUse(actor, warehouse)) return true
      const object = objectFor(warehouse)
      return (await may(actor, 'ALTER', object)) || may(actor, 'DROP', object)
    },

    /** Suspend, resume and change it, and so stop what runs in it. */
    mayOperate: (actor: Actor, warehouse: NamedWarehouse): Promise<boolean> =>
      may(actor, 'ALTER', objectFor(warehouse)),

    require: (actor: Actor, privilege: Privilege, warehouse: NamedWarehouse): Promise<void> =>
      require(actor, { privilege, object: objectFor(warehouse) }, `WAREHOUSE ${warehouse.name}`),
  }
}

export type WarehouseRights = ReturnType<typeof createWarehouseRights>
