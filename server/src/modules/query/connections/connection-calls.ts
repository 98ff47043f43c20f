import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Log } from '../../../kernel/log.ts'
import { type UsableWarehouse, withWarehouse } from '../sessions/chosen-warehouse.ts'
import type { Connections } from '../sessions/connections.ts'
import type { EngineSessions } from '../sessions/engine-sessions.ts'
import type { OpenClients } from './open-clients.ts'

export interface ConnectionCallParts {
  readonly connections: Pick<Connections, 'before' | 'resolve' | 'move' | 'keepAlive' | 'close' | 'closeOf'>
  readonly sessions: Pick<EngineSessions, 'close'>
  readonly warehouses: {
    /** Those this user may use. */
    list(actor: Actor): Promise<readonly UsableWarehouse[]>
  }
  /** Connections of programs, which learn that they were closed. */
  readonly clients: Pick<OpenClients, 'closed'>
  readonly log: Log
}

/** For clients that name their connection by its id: the console, and calls of the API. */
export function createConnectionCalls(parts: ConnectionCallParts) {
  const { connections, sessions, warehouses, clients, log } = parts

  const ownConnection = (actor: Actor, connectionId: number) =>
    connections.resolve(actor, { connectionId, previousConnectionId: 0, clientId: '' })

  /** Nobody waits for the engine: the connection is closed already. */
  function endSession(connectionId: number): void {
    clients.closed(connectionId)
    sessions
      .close(connectionId)
      .catch((error: unknown) => log.warn({ err: error }, 'a session of the engine was not closed'))
  }

  return {
    /** CATALOG-49 */
    async warehouseOf(actor: Actor, connectionId: number): Promise<string> {
      return (await ownConnection(actor, connectionId)).warehouse
    },

    /** CATALOG-48: for the next statement of the connection; one that runs stays where it is. */
    async setWarehouse(actor: Actor, connectionId: number, name: string): Promise<string> {
      const connection = await ownConnection(actor, connectionId)
      const all = await warehouses.list(actor)
      const found = all.find((one) => one.name.toLowerCase() === name.toLowerCase())
      if (!found)
        throw new AppError('NotFound', `The warehouse ${name} does not exist, or you may not use it.`)
      await connections.move(connection.id, withWarehouse(connection, found, all))
      return found.name
    },

    /** Whether this user has such a connection. */
    async hasConnection(actor: Actor, id: number): Promise<boolean> {
      return (
        (await connections.before(actor, { connectionId: id, previousConnectionId: 0, clientId: '' })) !==
        undefined
      )
    },

    keepAlive: (actor: Actor, ids: readonly number[]) => connections.keepAlive(actor, ids),

    /** CHANNEL-26. False when this user has no such connection. */
    async killConnection(actor: Actor, id: number): Promise<boolean> {
      const isClosed = await connections.close(actor, id)
      if (isClosed) endSession(id)
      return isClosed
    },

    /** Of any user of the account; the caller has checked that it may be closed. */
    async killAnyConnection(accountId: string, id: number): Promise<boolean> {
      const isClosed = await connections.closeOf(accountId, id)
      if (isClosed) endSession(id)
      return isClosed
    },
  }
}

export type ConnectionCalls = ReturnType<typeof createConnectionCalls>
