import type { Socket } from 'node:net'
import { holdsAddress } from '@boathouse/contract/ipv4'
import { BadProxyHeader, takeProxyHeader } from '../../private-link/proxy-header.ts'
import type { PrivateSettings } from '../link/messages.ts'
import { listen } from './listener.ts'
import { addressOf, type Peer } from './transport.ts'

export interface PrivateDoorParts {
  accepted(socket: Socket, peer: Peer): void
  listening(port: number): void
  failed(message: string): void
  refused(cause: string): void
}

/** A load balancer sends the header at once. */
const HEADER_MS = 5_000
/** Of those whose header has not come yet. */
const MOST_WAITING = 512

/** The address for clients of private links. Who is of no approved endpoint is cut off before the greeting. */
export class PrivateDoor {
  readonly #parts: PrivateDoorParts
  #settings: PrivateSettings | null = null
  #stopListening: (() => void) | null = null
  #waiting = 0

  constructor(parts: PrivateDoorParts) {
    this.#parts = parts
  }

  /** Listens where it does not yet. Who is let in from now on may be others than before. */
  use(settings: PrivateSettings | null): void {
    this.#settings = settings
    if (!settings || this.#stopListening) return
    this.#stopListening = listen({
      settings,
      accepted: (socket) => void this.#arrive(socket),
      listening: (port) => this.#parts.listening(port),
      failed: (message) => {
        this.#stopListening = null
        this.#parts.failed(message)
      },
    })
  }

  close(): void {
    this.#stopListening?.()
    this.#stopListening = null
  }

  async #arrive(socket: Socket): Promise<void> {
    // 'close' follows.
    socket.on('error', () => undefined)
    const peer = await this.#peerOf(socket)
    if (peer && this.#isApproved(peer)) return this.#parts.accepted(socket, peer)
    this.#parts.refused('no-private-link')
    socket.destroy()
  }

  async #peerOf(socket: Socket): Promise<Peer | null> {
    const proxies = this.#settings?.proxies
    if (!proxies) return { address: addressOf(socket), privateLink: { endpointId: null } }
    if (this.#waiting >= MOST_WAITING) return null
    this.#waiting++
    try {
      const { ip, endpointId } = await takeProxyHeader(socket, { from: proxies, withinMs: HEADER_MS })
      return { address: ip, privateLink: { endpointId } }
    } catch (error) {
      if (error instanceof BadProxyHeader) return null
      throw error
    } finally {
      this.#waiting--
    }
  }

  #isApproved({ address, privateLink }: Peer): boolean {
    const { endpointIds = [], ranges = [] } = this.#settings ?? {}
    const endpointId = privateLink?.endpointId ?? null
    return endpointId === null ? holdsAddress(ranges, address) : endpointIds.includes(endpointId)
  }
}
