import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { plainAddress, type Ranges } from '@boathouse/contract'
import type { Events } from '../../kernel/events.ts'
import type { Log } from '../../kernel/log.ts'
import type { PrivateArrival } from '../../modules/vpce/approved.ts'
import type { PrivateSockets } from './private-sockets.ts'
import { BadProxyHeader, takeProxyHeader } from './proxy-header.ts'

export interface PrivateListenerParts {
  readonly host: string
  readonly port: number
  /** Load balancers that say who their client is; null: clients connect themselves. */
  readonly proxies: Ranges | null
  /** Serves clients that were let in, as it serves all others. */
  readonly server: HttpServer
  readonly sockets: PrivateSockets
  readonly events: Pick<Events, 'on'>
  readonly log: Log
}

const MOST_CONNECTIONS = 2_000
/** A load balancer sends the header at once. */
const HEADER_MS = 5_000

const closeFollows = (): void => undefined

/**
 * The second address of the HTTP door, for clients of private links. It only lets in, or does not: connections that came in
 * here are served by the same server as all others, which knows from their socket where they came in.
 */
export function createPrivateListener(parts: PrivateListenerParts) {
  const { host, server, sockets, log } = parts

  async function arrivalOf(socket: Socket): Promise<PrivateArrival> {
    if (parts.proxies) return takeProxyHeader(socket, { from: parts.proxies, withinMs: HEADER_MS })
    return { ip: plainAddress(socket.remoteAddress ?? ''), endpointId: null }
  }

  async function accept(socket: Socket): Promise<void> {
    socket.on('error', closeFollows)
    try {
      const arrival = await arrivalOf(socket)
      if (!sockets.add(socket, arrival)) return refuse(socket, 'no approved private endpoint')
      socket.off('error', closeFollows)
      server.emit('connection', socket)
    } catch (error) {
      if (!(error instanceof BadProxyHeader)) throw error
      refuse(socket, error.message)
    }
  }

  /** Strangers learn nothing, not even that somebody listens. */
  function refuse(socket: Socket, reason: string): void {
    log.info({ reason, address: socket.remoteAddress }, 'a connection of the private listener was refused')
    socket.destroy()
  }

  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    accept(socket).catch((error: unknown) => {
      log.error({ err: error }, 'a connection of the private listener was not served')
      socket.destroy()
    })
  })
  listener.maxConnections = MOST_CONNECTIONS
  const stopWatching = parts.events.on('privateLinksChanged', () => sockets.sweep())

  return {
    get address(): { readonly host: string; readonly port: number } {
      const address = listener.address() as AddressInfo | null
      return { host, port: address?.port ?? parts.port }
    },

    async start(): Promise<void> {
      listener.listen({ host, port: parts.port })
      await once(listener, 'listening')
    },

    close(): void {
      stopWatching()
      listener.close()
      sockets.closeAll()
    },
  }
}

export type PrivateListener = ReturnType<typeof createPrivateListener>
