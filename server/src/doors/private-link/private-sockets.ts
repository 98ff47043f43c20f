import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { API_PREFIX, type ConnectionType } from '@boathouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import { throughEndpoint } from '../../kernel/client-address.ts'
import type { ApprovedEndpoints, PrivateArrival } from '../../modules/vpce/approved.ts'

/** What takes data, which is for endpoints of their own. */
const OF_STREAMING = new RegExp(`^${API_PREFIX}/(?:.*/_stream_load|transaction/.*|_load_error_log)$`)
/** For the operator, whose network the private one is not. */
const OF_OPERATOR = '/metrics'

/** As the router reads it. */
function pathOf({ url = '' }: IncomingMessage): string {
  const [path = ''] = url.split('?', 1)
  try {
    return decodeURIComponent(path)
  } catch {
    // No route is found for it either.
    return path
  }
}

const typeOf = (request: IncomingMessage): ConnectionType =>
  OF_STREAMING.test(pathOf(request)) ? 'streaming' : 'sql'

/** Sockets that came in by the private listener. A request knows its socket, and so from where it is. */
export function createPrivateSockets(approved: Pick<ApprovedEndpoints, 'find'>) {
  const arrivals = new Map<Duplex, PrivateArrival>()

  const mayStay = (arrival: PrivateArrival): boolean =>
    approved.find(arrival, 'sql') !== null || approved.find(arrival, 'streaming') !== null

  return {
    /** False: nobody comes in from there. */
    add(socket: Duplex, arrival: PrivateArrival): boolean {
      if (!mayStay(arrival)) return false
      arrivals.set(socket, arrival)
      socket.once('close', () => arrivals.delete(socket))
      return true
    },

    /** In front of how others are found: what a private client writes into its headers says nothing. */
    addressOf:
      (publicAddressOf: (request: IncomingMessage) => string) =>
      (request: IncomingMessage): string => {
        const arrival = arrivals.get(request.socket)
        if (!arrival) return publicAddressOf(request)
        return throughEndpoint(arrival.ip, approved.find(arrival, typeOf(request))?.endpointId ?? null)
      },

    /** Throws for what an endpoint of this kind is not for. */
    requireFor(request: IncomingMessage): void {
      const arrival = arrivals.get(request.socket)
      if (!arrival) return
      if (pathOf(request) === OF_OPERATOR)
        throw new AppError('UnknownCall', 'There is nothing at this address.')
      const type = typeOf(request)
      if (!approved.find(arrival, type)) throw new AppError('IpBlocked', REFUSALS[type])
    },

    /** Cuts off those that may not be here any more. */
    sweep(): void {
      for (const [socket, arrival] of arrivals) if (!mayStay(arrival)) socket.destroy()
    },

    closeAll(): void {
      for (const socket of arrivals.keys()) socket.destroy()
    },
  }
}

const REFUSALS: Readonly<Record<ConnectionType, string>> = {
  sql: 'The private endpoint that you came through is for streaming only. Use an endpoint of the connection type SQL.',
  streaming:
    'The private endpoint that you came through is for SQL only. Use an endpoint of the connection type Streaming.',
}

export type PrivateSockets = ReturnType<typeof createPrivateSockets>
