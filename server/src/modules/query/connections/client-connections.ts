import { CONN_NEW, DEFAULT_CATALOG, DEFAULT_DATABASE } from '@boathouse/contract'
import type { Actor } from '../../../kernel/actor.ts'
import type { RequireLetIn } from '../../firewall/gate.ts'
import { inOpenAccount, type Requester, requiring } from '../requester.ts'
import type { Connections } from '../sessions/connections.ts'
import { startOf } from '../sessions/door-variables.ts'
import { ClientConnection, type ClientParts } from './client-connection.ts'
import type { OpenClients } from './open-clients.ts'
import type { Origin } from './origin.ts'

export type ClientConnectionParts = ClientParts & {
  readonly connections: Pick<Connections, 'resolve' | 'keepAlive' | 'closeFrom'>
  readonly clients: OpenClients
  /** SEC-15: refuses addresses that the account's firewall does not allow. */
  readonly requireLetIn: RequireLetIn
}

/** Longer names of programs are cut. */
const PROGRAM_LENGTH = 128

/** The door that a client came by, and what its connections begin with. */
export interface ClientDoor extends Pick<Origin, 'door' | 'program'> {
  /** The number of the connection, where the door has given one to its client before it was known who it is. */
  readonly id?: number
  readonly variables?: Readonly<Record<string, string>>
}

/** Every request of a program is refused once its account is frozen or its address is blocked. */
const letInFrom = (identity: Requester, clientIp: string, requireLetIn: RequireLetIn): Requester =>
  requiring(inOpenAccount(identity), ({ accountId, identityVersion }) =>
    requireLetIn({ accountId, clientIp, identityVersion }),
  )

/** Connections of programs: each door opens one for each of its clients. */
export function createClientConnections(parts: ClientConnectionParts) {
  const { connections, clients, live, requireLetIn } = parts
  const open = new Map<number, ClientConnection>()

  return {
    /**
     * Opens a connection, which counts among those of the user and the account. Throws an `AppError` before anything can
     * run: the sign-in has ended, the account is frozen, the firewall blocks the address, or there are too many.
     */
    async open(identity: Requester, door: ClientDoor, clientIp: string): Promise<ClientConnection> {
      const requester = letInFrom(identity, clientIp, requireLetIn)
      const actor = await requester.now()
      const program = door.program?.slice(0, PROGRAM_LENGTH)
      const variables = { ...startOf(door.door), ...door.variables }
      const { id } = await connections.resolve(actor, {
        connectionId: CONN_NEW,
        previousConnectionId: 0,
        clientId: program ?? door.door,
        newId: door.id,
        place: { catalog: DEFAULT_CATALOG, database: DEFAULT_DATABASE, warehouseId: null, variables },
      })
      const closed = clients.add(id, actor.userId)
      const origin = { door: door.door, program, clientIp }
      const connection = new ClientConnection(parts, { id, requester, origin, variables, closed })
      open.set(id, connection)
      closed.addEventListener('abort', () => {
        // Who signs in as somebody else keeps the number.
        if (open.get(id) === connection) open.delete(id)
      })
      return connection
    },

    /** Closes those that an earlier server has left behind, of a door that gives numbers from this one on; says the highest. */
    closeFrom: (least: number): Promise<number | null> => connections.closeFrom(least),

    /** Marks all open connections as used: only those without a client are closed to make room. */
    async keepAlive(): Promise<void> {
      for (const [userId, ids] of clients.byUser())
        for (const lost of await connections.keepAlive({ userId }, ids)) clients.closed(lost)
    },

    /** Ends transactions and connections of clients that have sent nothing for longer than they may. */
    async endIdle(): Promise<void> {
      const ended = await Promise.allSettled([...open.values()].map((connection) => connection.endIdle()))
      const failed = ended.find((one) => one.status === 'rejected')
      if (failed) throw failed.reason
    },

    /** Stops what is done beside statements on another connection of the same user, as loading a file. */
    stopBeside(actor: Actor, connectionId: number): void {
      open.get(connectionId)?.stopBeside(actor)
    },

    /** Stops what runs on another connection of the same user, and keeps that connection. False when nothing does. */
    async cancel(actor: Actor, connectionId: number): Promise<boolean> {
      const requests = live.ofConnection(actor, connectionId)
      await Promise.all(requests.map((request) => request.cancel()))
      return requests.length > 0
    },
  }
}
