import { DEFAULT_CATALOG, LIMITS } from '@boathouse/contract'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { inBatches } from '../../../store/in-batches.ts'
import { jsonText } from '../../../store/json-text.ts'
import type { QueryStore } from '../store.ts'
import type { Connection, ConnectionChange, ConnectionRequest } from './connection.ts'
import { createCatalogRenamings } from './catalog-renamings.ts'
import { createConnectionCache, presentWith } from './connection-cache.ts'
import { type ConnectionLimits, openConnection } from './connection-opening.ts'

const IDLE_MS = 12 * 3_600_000

export interface ConnectionParts {
  readonly store: QueryStore
  /** The kind of engine that has an account's own data; warehouses have it unless they name another. */
  readonly homeEngine: string
  readonly clock: Clock
  /** Called with connections that were closed to make room for another. */
  readonly onClosed: (ids: readonly number[]) => void
  /** A warehouse with this kind of engine was chosen for the connection. */
  readonly onEngineChosen?: (id: number, engine: string) => unknown
  /** For a catalog that is renamed. */
  readonly mostWaitedMs?: number
  /** Those of the contract, unless the operator allows others. */
  readonly limits?: ConnectionLimits | undefined
}

const USUAL_LIMITS: ConnectionLimits = {
  perAccount: LIMITS.connectionsPerAccount,
  perUser: LIMITS.connectionsPerUser,
}

export function createConnections(parts: ConnectionParts) {
  const { store, homeEngine, clock, onClosed, onEngineChosen } = parts
  const present = presentWith(homeEngine)
  const { find, forget, forgetAllOf } = createConnectionCache(store, present)

  const opening = { store, present, clock, forget, onClosed, limits: parts.limits ?? USUAL_LIMITS }

  return {
    homeEngine,
    ...createCatalogRenamings(parts.mostWaitedMs),
    forgetAllOf,

    /** The connection that a request will run on, or take its variables from, before it is accepted. */
    async before(
      actor: Actor,
      { connectionId, previousConnectionId }: ConnectionRequest,
    ): Promise<Connection | undefined> {
      if (connectionId !== 0) return find(actor, connectionId)
      if (previousConnectionId <= 0) return undefined
      const previous = await store.anyConnection(actor.userId, previousConnectionId)
      return previous && present(previous)
    },

    /** CHANNEL-16, CHANNEL-35: a connection that is gone answers 40004, and the client asks for a new one. */
    async resolve(actor: Actor, request: ConnectionRequest): Promise<Connection> {
      if (request.connectionId === 0) return openConnection(opening, actor, request)
      const found = await find(actor, request.connectionId)
      if (!found) throw new AppError('ConnectionLost', 'The query connection was lost.')
      return found
    },

    /** Those of clients that a server had which has ended; says which number is the highest, null when there are none. */
    closeFrom: (least: number): Promise<number | null> => store.closeConnectionsFrom(least, clock.now()),

    /** As it is when a statement of it begins: its catalog may have been renamed. */
    async current(actor: Actor, connection: Connection): Promise<Connection> {
      if (connection.catalog === DEFAULT_CATALOG) return connection
      const { catalog } = (await find(actor, connection.id)) ?? connection
      return catalog === connection.catalog ? connection : { ...connection, catalog }
    },

    /** CHANNEL-30: keeps these alive, and says which of them the service no longer knows. */
    async keepAlive({ userId }: Pick<Actor, 'userId'>, ids: readonly number[]): Promise<number[]> {
      const asked = [...new Set(ids)].filter((id) => id > 0)
      const alive = asked.length === 0 ? [] : await store.keepConnectionsAlive(userId, asked, clock.now())
      const aliveIds = new Set(alive)
      return ids.filter((id) => !aliveIds.has(id))
    },

    async move(id: number, change: ConnectionChange): Promise<void> {
      await store.moveConnection(id, {
        ...(change.catalog === undefined ? {} : { catalog: change.catalog }),
        ...(change.database === undefined ? {} : { database_name: change.database }),
        ...(change.warehouseId === undefined
          ? {}
          : {
              warehouse: {
                id: change.warehouseId,
                name: change.warehouse ?? '',
                engine: change.engine ?? null,
              },
            }),
        ...(change.variables === undefined ? {} : { variables: jsonText(change.variables) }),
        ...(change.inTransaction === undefined ? {} : { in_transaction: change.inTransaction }),
        ...(change.hasTemporary === undefined ? {} : { has_temporary: change.hasTemporary }),
      })
      forget([id])
      if (change.engine !== undefined) onEngineChosen?.(id, change.engine)
    },

    async close(actor: Actor, id: number): Promise<boolean> {
      if (!(await find(actor, id))) return false
      await store.closeConnection(actor.accountId, id, clock.now())
      forget([id])
      return true
    },

    /** Of any user; the caller has checked that it may be closed. False when the account has no such connection. */
    async closeOf(accountId: string, id: number): Promise<boolean> {
      const isClosed = await store.closeConnection(accountId, id, clock.now())
      forget([id])
      return isClosed
    },

    async closeIdle(): Promise<number[]> {
      const unusedSince = new Date(clock.now().getTime() - IDLE_MS)
      const ids: number[] = []
      await inBatches(async (most) => {
        const rows = await store.closeIdleConnections(unusedSince, clock.now(), most)
        const closed = rows.map((row) => row.connection_id)
        forget(closed)
        ids.push(...closed)
        return closed.length
      })
      return ids
    },
  }
}

export type Connections = ReturnType<typeof createConnections>
