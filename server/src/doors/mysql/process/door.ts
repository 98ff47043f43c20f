import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import { type SecureContext, createSecureContext } from 'node:tls'
import { Link } from '../link/frames.ts'
import type { DoorSettings, ToDoor, ToServer } from '../link/messages.ts'
import { Client, type ClientHost } from './client.ts'
import { Counting } from './figures.ts'
import { listen, turnAway } from './listener.ts'
import { PrivateDoor } from './private-door.ts'
import { SpoolSpace } from './results/spool-space.ts'
import { type Peer, Transport, addressOf } from './transport.ts'

const FIGURES_MS = 1_000
/** Before somebody is signed in. */
const UNKNOWN_PACKET_BYTES = 64 * 1024
const MOST_CLIENT_NUMBER = 0xffff_fffe

/** All connections of the process, and its end of the link. */
export class Door implements ClientHost {
  isStopping = false
  secureContext: SecureContext | null = null
  readonly cursorSpace = new SpoolSpace()
  readonly #link: Link<ToServer, ToDoor>
  readonly #clients = new Map<number, Client>()
  /** Those who are not signed in, by address, the oldest first. */
  readonly #unknown = new Map<string, Set<Client>>()
  readonly #counting = new Counting()
  readonly #closed: () => void
  #settings: DoorSettings | null = null
  #stopListening: (() => void) | null = null
  readonly #privateDoor = new PrivateDoor({
    accepted: (socket, peer) => this.#accept(socket, peer),
    listening: (port) => this.send({ kind: 'listening-privately', port }),
    failed: (message) => this.send({ kind: 'trouble', message }),
    refused: (cause) => this.refused(cause),
  })
  #lastNumber = 0
  #toldOpen = 0
  #timer: NodeJS.Timeout

  constructor(pipe: Duplex, closed: () => void) {
    this.#closed = closed
    this.#link = new Link(pipe, {
      message: (message) => this.#receive(message),
      rows: (client, batch, bytes) => this.#clients.get(client)?.receiveRows(batch, bytes),
      closed: () => this.#end(),
    })
    this.#timer = setInterval(() => this.#tellFigures(), FIGURES_MS)
  }

  get settings(): DoorSettings {
    if (!this.#settings) throw new Error('The server has not sent the settings yet.')
    return this.#settings
  }

  send(message: ToServer): void {
    this.#link.send(message)
  }

  sendFile(client: number, bytes: Uint8Array): number {
    return this.#link.sendFile(client, bytes)
  }

  signedIn(client: Client): void {
    this.#forgetUnknown(client)
  }

  commandStarted(): void {
    this.#counting.commands++
  }

  refused(cause: string): void {
    this.#counting.refused(cause)
  }

  #receive(message: ToDoor): void {
    if (message.kind === 'settings') return this.#use(message.settings)
    if (message.kind === 'stop') return this.#stop()
    const client = this.#clients.get(message.client)
    if (!client) return
    if (message.kind === 'hang-up') client.hangUp(message.error)
    else if (message.kind === 'file-granted') client.fileWindow.granted(message.bytes)
    else client.receive(message)
  }

  #use(settings: DoorSettings): void {
    this.#settings = settings
    try {
      const { certificate, key } = settings
      this.secureContext = createSecureContext({ cert: certificate, key, minVersion: 'TLSv1.2' })
    } catch (error) {
      // The one that was used before is better than none.
      const message = `The certificate of the MySQL door cannot be used: ${(error as Error).message}.`
      this.send({ kind: 'trouble', message })
    }
    if (this.#stopListening) return this.#privateDoor.use(settings.privateLink)
    if (!this.secureContext) return
    this.#lastNumber = settings.firstClient - 1
    this.#stopListening = listen({
      settings,
      accepted: (socket) => this.#accept(socket, { address: addressOf(socket) }),
      listening: (port) => {
        this.send({ kind: 'listening', port })
        // Trouble with it must not close the public address.
        this.#privateDoor.use(this.settings.privateLink)
      },
      failed: (message) => this.send({ kind: 'trouble', message }),
    })
  }

  #accept(socket: Socket, peer: Peer): void {
    const { mostConnections, mostUnknownPerAddress, signInMs } = this.settings
    const { address } = peer
    const unknown = this.#unknown.get(address) ?? new Set()
    if (unknown.size >= mostUnknownPerAddress) this.#endOldest(unknown)
    if (this.#clients.size >= mostConnections) {
      this.refused('too-many-connections')
      return turnAway(socket)
    }
    this.#counting.accepted++
    const number = this.#nextNumber()
    const transport = new Transport(socket, {
      peer,
      mostBytes: UNKNOWN_PACKET_BYTES,
      granted: (bytes) => {
        if (this.#clients.has(number)) client.granted(bytes)
      },
      closed: () => this.#forget(client, stalled),
      count: this.#counting,
    })
    const client = new Client(number, transport, this)
    const stalled = setTimeout(() => {
      if (client.isSignedIn) return
      this.refused('sign-in-too-slow')
      transport.destroy()
    }, signInMs)
    this.#clients.set(number, client)
    this.#unknown.set(address, unknown.add(client))
    void client.serve()
  }

  /** The client that stalls longest gives way: otherwise a few sockets that say nothing would lock out all others behind their address. */
  #endOldest(unknown: ReadonlySet<Client>): void {
    const [oldest] = unknown
    if (!oldest) return
    this.refused('too-many-unknown')
    this.#forgetUnknown(oldest)
    oldest.transport.destroy()
  }

  #forget(client: Client, stalled: NodeJS.Timeout): void {
    clearTimeout(stalled)
    this.#forgetUnknown(client)
    this.#clients.delete(client.number)
    client.gone()
    if (this.isStopping && this.#clients.size === 0) this.#end()
  }

  #forgetUnknown(client: Client): void {
    const { address } = client.transport
    const unknown = this.#unknown.get(address)
    unknown?.delete(client)
    if (unknown?.size === 0) this.#unknown.delete(address)
  }

  #nextNumber(): number {
    const { firstClient } = this.settings
    do this.#lastNumber = this.#lastNumber < MOST_CLIENT_NUMBER ? this.#lastNumber + 1 : firstClient
    while (this.#clients.has(this.#lastNumber))
    return this.#lastNumber
  }

  #stop(): void {
    this.isStopping = true
    this.#stopListening?.()
    this.#privateDoor.close()
    for (const client of this.#clients.values()) if (client.isIdle) client.transport.end()
    if (this.#clients.size === 0) this.#end()
  }

  /** About once a second, and not while nothing happens. */
  #tellFigures(): void {
    const figures = this.#counting.take(this.#clients.size)
    const happened = figures.accepted + figures.commands + figures.bytesIn + figures.bytesOut
    const isQuiet = happened === 0 && Object.keys(figures.refused).length === 0
    if (isQuiet && figures.open === this.#toldOpen) return
    this.#toldOpen = figures.open
    this.send({ kind: 'figures', figures })
  }

  #end(): void {
    clearInterval(this.#timer)
    this.#stopListening?.()
    this.#privateDoor.close()
    for (const client of this.#clients.values()) client.transport.destroy()
    this.#link.close()
    this.#closed()
  }
}
