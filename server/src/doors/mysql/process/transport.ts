import { once } from 'node:events'
import type { Socket } from 'node:net'
import { type SecureContext, TLSSocket } from 'node:tls'
import { type Compression, CompressedPackets } from './wire/compression.ts'
import { PacketReader, type Sequence } from './wire/packet-reader.ts'
import { PacketWriter } from './wire/packet-writer.ts'
import { ClientGone, FatalProtocolError } from './wire/protocol-error.ts'

/** Who is at the other end: a client itself, or one behind a load balancer. */
export interface Peer {
  readonly address: string
  /** Missing: it came over the public address. */
  readonly privateLink?: { readonly endpointId: string | null }
}

export interface TransportOptions {
  readonly peer: Peer
  readonly mostBytes: number
  granted(bytes: number): void
  /** The socket is closed; called once. */
  closed(): void
  readonly count: { bytesIn: number; bytesOut: number }
}

/** An address of IPv4 that reaches a socket of IPv6 is the same address. */
export const addressOf = ({ remoteAddress = '' }: Socket): string =>
  remoteAddress.replace(/^::ffff:(?=[\d.]+$)/, '')

/** The socket of a client as packets: plain, then perhaps with TLS, then perhaps compressed. */
export class Transport {
  readonly sequence: Sequence = { next: 0 }
  readonly reader: PacketReader
  readonly writer: PacketWriter
  readonly address: string
  readonly privateLink: Peer['privateLink']
  readonly #options: TransportOptions
  #stream: Socket
  #compressed: CompressedPackets | null = null
  readonly #closing = new AbortController()

  constructor(socket: Socket, options: TransportOptions) {
    const { sequence } = this
    this.#stream = socket
    this.#options = options
    this.address = options.peer.address
    this.privateLink = options.peer.privateLink
    this.reader = new PacketReader({
      sequence,
      mostBytes: options.mostBytes,
      flow: (isWanted) => this.#flow(isWanted),
    })
    this.writer = new PacketWriter({
      sequence,
      granted: options.granted,
      write: (bytes, isDone) => this.#write(bytes, isDone),
    })
    socket.setNoDelay(true)
    socket.setKeepAlive(true, 60_000)
    this.#listen(socket)
  }

  get isSecure(): boolean {
    return this.#stream instanceof TLSSocket
  }

  get isOnThisMachine(): boolean {
    return !this.privateLink && /^127\.|^::1$/.test(this.address)
  }

  /** What the client sent behind its request is the beginning of TLS, and may have come with it. */
  async startTls(secureContext: SecureContext): Promise<void> {
    const plain = this.#stream
    plain.removeListener('data', this.#receive)
    plain.pause()
    plain.unshift(this.reader.takeRest())
    const secure = new TLSSocket(plain, { isServer: true, secureContext })
    this.#stream = secure
    this.#listen(secure)
    await new Promise<void>((resolve, reject) => {
      secure.once('secure', () => resolve())
      secure.once('error', () => reject(tlsFailed()))
      secure.once('close', () => reject(tlsFailed()))
    })
  }

  compress(compression: Compression): void {
    this.#compressed = new CompressedPackets(compression, {
      mostBytes: () => this.reader.mostBytes,
      isWanted: () => this.reader.isWaiting,
      pause: () => this.#stream.pause(),
      received: (bytes) => this.reader.push(bytes),
      failed: (error) => this.reader.fail(error),
      write: (bytes, isDone) => this.#send(bytes, isDone),
    })
    this.reader.checksSequence = false
  }

  /** The next packet of a client is a command. */
  startCommand(): void {
    this.sequence.next = 0
    this.#compressed?.startCommand()
  }

  async drained(): Promise<void> {
    const { signal } = this.#closing
    await this.#compressed?.settled()
    if (!this.#stream.writableNeedDrain) return
    await once(this.#stream, 'drain', { signal }).catch(() => signal.throwIfAborted())
  }

  /** Sends what was written, and closes. A client that does not read it is cut off. */
  end(): void {
    if (this.#closing.signal.aborted) return
    this.writer.flush()
    const close = (): void => {
      this.#stream.end()
      this.#stream.resume()
      this.cutOffSoon()
    }
    if (this.#compressed) void this.#compressed.settled().then(close)
    else close()
  }

  /** Whether or not the client has taken what was sent. */
  cutOffSoon(): void {
    setTimeout(() => this.destroy(), LAST_WORDS_MS).unref()
  }

  destroy(): void {
    this.#stream.destroy()
  }

  readonly #receive = (bytes: Buffer): void => {
    this.#options.count.bytesIn += bytes.length
    if (this.#compressed) this.#compressed.push(bytes)
    else this.reader.push(bytes)
  }

  #listen(stream: Socket): void {
    stream.on('data', this.#receive)
    // 'close' follows.
    stream.on('error', () => undefined)
    stream.on('end', () => stream.destroy())
    stream.on('close', () => {
      if (this.#closing.signal.aborted || stream !== this.#stream) return
      this.#closing.abort(new ClientGone())
      this.reader.fail(new ClientGone())
      this.#options.closed()
    })
  }

  #flow(isWanted: boolean): void {
    if (!isWanted) return void this.#stream.pause()
    this.#stream.resume()
    this.#compressed?.resume()
  }

  #write(bytes: Buffer, isDone: () => void): void {
    if (this.#compressed) this.#compressed.write(bytes, isDone)
    else this.#send(bytes, isDone)
  }

  #send(bytes: Buffer, isDone: () => void): void {
    this.#options.count.bytesOut += bytes.length
    this.#stream.write(bytes, isDone)
  }
}

/** For a client to take the reason why it is cut off. */
const LAST_WORDS_MS = 2_000

function tlsFailed(): FatalProtocolError {
  return new FatalProtocolError('tls-failed', {
    code: 2026,
    sqlState: 'HY000',
    message: 'The TLS handshake failed.',
  })
}
