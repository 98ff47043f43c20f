import { ByteQueue } from './byte-queue.ts'
import { FatalProtocolError } from './protocol-error.ts'

const HEAD = 4
/** A packet of this length is continued by the next one. */
export const LONGEST_PART = 0xff_ffff

/** Of what a client may send ahead while its last command runs. */
export const AHEAD_BYTES = 64 * 1024

/** The number of the next packet, whichever side sends it. It starts at 0 with each command. */
export interface Sequence {
  next: number
}

export interface ReaderOptions {
  readonly sequence: Sequence
  /** Of one packet. */
  readonly mostBytes: number
  /** Asks for more bytes, or for none until further notice. */
  flow(isWanted: boolean): void
}

/** Cuts what a client sends into packets, one at a time and only when it is asked for the next. */
export class PacketReader {
  mostBytes: number
  /** Inside of compressed packets, which have numbers of their own, clients count as they like. */
  checksSequence = true
  readonly #options: ReaderOptions
  readonly #arrived = new ByteQueue()
  #parts: Buffer[] = []
  #partBytes = 0
  #waiting: { resolve(packet: Buffer): void; reject(error: Error): void } | null = null
  #failure: Error | null = null

  constructor(options: ReaderOptions) {
    this.#options = options
    this.mostBytes = options.mostBytes
  }

  get isWaiting(): boolean {
    return this.#waiting !== null
  }

  /** Something of the next packet is here already. */
  get hasMore(): boolean {
    return this.#arrived.length > 0
  }

  push(bytes: Buffer): void {
    this.#arrived.push(bytes)
    if (this.#waiting) this.#serve()
    if (!this.#waiting && this.#arrived.length > AHEAD_BYTES) this.#options.flow(false)
  }

  /** Nothing more will come. */
  fail(error: Error): void {
    this.#failure ??= error
    const waiting = this.#waiting
    this.#waiting = null
    waiting?.reject(this.#failure)
  }

  next(): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#serve()
      if (this.#waiting) this.#options.flow(true)
    })
  }

  /** What came behind the last packet, for who reads it in another way. */
  takeRest(): Buffer {
    return this.#arrived.take(this.#arrived.length)
  }

  #serve(): void {
    const waiting = this.#waiting
    if (!waiting) return
    try {
      const packet = this.#packet()
      if (packet) {
        this.#waiting = null
        waiting.resolve(packet)
      } else if (this.#failure) this.fail(this.#failure)
    } catch (error) {
      this.fail(error as Error)
    }
  }

  /** Null while a part of it is missing. */
  #packet(): Buffer | null {
    for (;;) {
      if (this.#arrived.length < HEAD) return null
      const head = this.#arrived.peek(HEAD).readUInt32LE(0)
      const length = head & LONGEST_PART
      if (this.#partBytes + length > this.mostBytes) throw tooLarge()
      const { sequence } = this.#options
      if (this.checksSequence && head >>> 24 !== sequence.next) throw outOfOrder()
      if (this.#arrived.length < HEAD + length) return null
      this.#arrived.take(HEAD)
      sequence.next = ((head >>> 24) + 1) & 0xff
      const part = this.#arrived.take(length)
      if (length < LONGEST_PART && this.#parts.length === 0) return part
      this.#parts.push(part)
      this.#partBytes += length
      if (length < LONGEST_PART) return this.#joined()
    }
  }

  #joined(): Buffer {
    const packet = Buffer.concat(this.#parts, this.#partBytes)
    this.#parts = []
    this.#partBytes = 0
    return packet
  }
}

function tooLarge(): FatalProtocolError {
  const message = `Got a packet bigger than 'max_allowed_packet' bytes`
  return new FatalProtocolError('packet-too-large', { code: 1153, sqlState: '08S01', message })
}

function outOfOrder(): FatalProtocolError {
  return new FatalProtocolError('packets-out-of-order', {
    code: 1156,
    sqlState: '08S01',
    message: 'Got packets out of order',
  })
}
