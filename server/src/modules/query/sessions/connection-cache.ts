import { DEFAULT_WAREHOUSE_NAME } from '@boathouse/contract'
import type { Actor } from '../../../kernel/actor.ts'
import { BoundedMap } from '../../../kernel/bounded-map.ts'
import type { Connection } from './connection.ts'
import type { ConnectionRow } from './connection-store.ts'

/** Connections. */
const REMEMBERED = 10_000

interface Remembered {
  readonly userId: string
  /** Of its account, see `forgotten`. */
  readonly round: number
  readonly connection: Connection
}

/** A warehouse that names no engine has the home engine. */
export const presentWith =
  (homeEngine: string) =>
  (row: ConnectionRow): Connection => ({
    id: row.connection_id,
    catalog: row.catalog,
    database: row.database_name,
    warehouseId: row.warehouse_id,
    warehouse: row.warehouse_id === null ? DEFAULT_WAREHOUSE_NAME : (row.warehouse_name ?? ''),
    engine: row.warehouse_engine ?? homeEngine,
    variables: row.variables as Record<string, string>,
    inTransaction: row.in_transaction,
    hasTemporary: row.has_temporary,
  })

export type Present = ReturnType<typeof presentWith>

export interface ConnectionCacheParts {
  connections(userId: string, ids: readonly number[]): Promise<readonly ConnectionRow[]>
}

/** Connections as they are, of those used last. One server has the database for itself, so nobody else changes them. */
export function createConnectionCache(store: ConnectionCacheParts, present: Present) {
  const remembered = new BoundedMap<Remembered>(REMEMBERED)
  /** How often all of an account were forgotten. */
  const forgotten = new Map<string, number>()
  /** Goes up with every change: what was read before a change may be outdated. */
  let changes = 0

  return {
    /** An open connection of this user; undefined when there is none. */
    async find(actor: Actor, id: number): Promise<Connection | undefined> {
      const known = remembered.get(String(id))
      const round = forgotten.get(actor.accountId) ?? 0
      if (known?.round === round) return known.userId === actor.userId ? known.connection : undefined
      const changesBefore = changes
      const [row] = id > 0 ? await store.connections(actor.userId, [id]) : []
      const connection = row && present(row)
      if (connection && changes === changesBefore)
        remembered.set(String(id), { userId: actor.userId, round, connection }, 1)
      return connection
    },

    /** To be called when the change is written. */
    forget(ids: readonly number[]): void {
      changes++
      for (const id of ids) remembered.delete(String(id))
    },

    /** Something else has changed some of an account's, as the name of a warehouse. */
    forgetAllOf(accountId: string): void {
      changes++
      forgotten.set(accountId, (forgotten.get(accountId) ?? 0) + 1)
    },
  }
}
