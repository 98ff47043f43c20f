import { DEFAULT_CATALOG, DEFAULT_DATABASE } from '@boathouse/contract'
import type { Connection } from './connection.ts'

/** One that a user may run statements in. */
export interface UsableWarehouse {
  readonly warehouse_id: string
  readonly name: string
  /** The kind of engine that it has. */
  readonly engine: string
  /** In which sessions of that engine begin; missing: the one that every account has. */
  readonly catalog?: string
}

type Moved = Pick<Connection, 'warehouseId' | 'warehouse' | 'engine'> &
  Partial<Pick<Connection, 'catalog' | 'database'>>

/**
 * What a connection becomes that chooses a warehouse. An engine with a catalog of its own does not read the others: the
 * connection begins there, and leaves it with the engine.
 */
export function withWarehouse(
  { engine, catalog: from }: Pick<Connection, 'engine' | 'catalog'>,
  found: UsableWarehouse,
  usable: readonly UsableWarehouse[],
): Moved {
  const chosen = { warehouseId: found.warehouse_id, warehouse: found.name, engine: found.engine }
  if (found.engine === engine) return chosen
  const isOfEngine = usable.some(({ catalog }) => catalog === from)
  const catalog = found.catalog ?? (isOfEngine ? DEFAULT_CATALOG : from)
  return catalog === from ? chosen : { ...chosen, catalog, database: DEFAULT_DATABASE }
}
