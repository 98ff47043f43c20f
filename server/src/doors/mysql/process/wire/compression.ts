import * as zlib from 'node:zlib'
import { ByteQueue } from './byte-queue.ts'
import { AHEAD_BYTES } from './packet-reader.ts'
import { FatalProtocolError } from './protocol-error.ts'

export type Compression = 'zlib' | 'zstd'

const HEAD = 7
/** Shorter ones cost more time than they save. */
const WORTH_BYTES = 150
/** Of what one compressed packet holds. */
const MOST_INSIDE = 0xff_ffff

type Convert = (bytes: Buffer, limit: { maxOutputLength: number }) => Promise<Buffer>
type ZlibCall = (
  bytes: Buffer,
  options: object,
  callback: (error: Error | null, converted: Buffer) => void,
) => void

const asPromised =
  (call: ZlibCall, options: object = {}): Convert =>
  (bytes, limit) =>
    new Promise((resolve, reject) => {
      call(bytes, { ...options, ...limit }, (error, converted) =>
        error ? reject(error) : resolve(converted),
      )
    })

/** Newer versions of Node have it. */
const { zstdCompress, zstdDecompress } = zlib as unknown as Record<string, ZlibCall | undefined>
export const hasZstd = zstdCompress !== undefined && zstdDecompress !== undefined

const CONVERTERS: Readonly<Record<Compression, { pack: Convert | null; unpack: Convert | null }>> = {
  zlib: { pack: asPromised(zlib.deflate, { level: 1 }), unpack: asPromised(zlib.inflate) },
  zstd: {
    pack: zstdCompress ? asPromised(zstdCompress) : null,
    unpack: zstdDecompress ? asPromised(zstdDecompress) : null,
  },
}

export interface CompressedOptions {
  /** Of one packet of a client. */
  mostBytes(): number
  /** Whether somebody waits for a packet. */
  isWanted(): boolean
  /** There is more than anybody waits for. */
  pause(): void
  received(bytes: Buffer): void
  failed(error: Error): void
  write(bytes: Buffer, isDone: () => void): void
}

/** Packets within compressed ones, which have heads and numbers of their own. Work is done beside, in order. */
export class CompressedPackets {
  readonly #pack: Convert
  readonly #unpack: Convert
  readonly #options: CompressedOptions
  #sequence = 0
  #pending = new ByteQueue()
  /** Bytes until the next packet is whole, or its head. */
  #needed = HEAD
  #isUnpacking = false
  #outgoing: Promise<void> = Promise.resolve()

  constructor(compression: Compression, options: CompressedOptions) {
    const { pack, unpack } = CONVERTERS[compression]
    if (!pack || !unpack) throw new Error(`There is no ${compression} here.`)
    this.#pack = pack
    this.#unpack = unpack
    this.#options = options
  }

  startCommand(): void {
    this.#sequence = 0
  }

  push(bytes: Buffer): void {
    this.#pending.push(bytes)
    if (!this.#options.isWanted() && this.#pending.length > AHEAD_BYTES) this.#options.pause()
    this.resume()
  }

  /** Unpacks what is there, as long as somebody waits for it: what is inside may be much larger. */
  resume(): void {
    if (!this.#isUnpacking) void this.#unpackAll()
  }

  write(bytes: Buffer, isDone: () => void): void {
    this.#outgoing = this.#sendAfter(this.#outgoing, bytes, isDone)
  }

  /** When all that was written is packed. */
  settled(): Promise<void> {
    return this.#outgoing
  }

  /** Null while a part of it is missing. */
  #packet(): { sequence: number; inside: number; bytes: Buffer } | null {
    const pending = this.#pending
    if (pending.length < this.#needed) return null
    const head = pending.peek(HEAD)
    const length = head.readUIntLE(0, 3)
    if (length > this.#options.mostBytes() + HEAD) {
      this.#fail('packet-too-large')
      return null
    }
    this.#needed = HEAD + length
    if (pending.length < this.#needed) return null
    this.#needed = HEAD
    pending.take(HEAD)
    return { sequence: head.readUInt8(3), inside: head.readUIntLE(4, 3), bytes: pending.take(length) }
  }

  async #unpackAll(): Promise<void> {
    this.#isUnpacking = true
    while (this.#options.isWanted()) {
      const packet = this.#packet()
      if (!packet) break
      const { sequence, inside, bytes } = packet
      this.#sequence = (sequence + 1) & 0xff
      try {
        this.#options.received(inside === 0 ? bytes : await this.#unpacked(bytes, inside))
      } catch {
        this.#fail('bad-compression')
      }
    }
    this.#isUnpacking = false
  }

  async #unpacked(bytes: Buffer, inside: number): Promise<Buffer> {
    const unpacked = await this.#unpack(bytes, { maxOutputLength: inside })
    if (unpacked.length !== inside) throw new RangeError('It has another length than it says.')
    return unpacked
  }

  async #sendAfter(before: Promise<void>, bytes: Buffer, isDone: () => void): Promise<void> {
    await before
    for (let from = 0; from < bytes.length; from += MOST_INSIDE)
      await this.#send(bytes.subarray(from, from + MOST_INSIDE))
    this.#options.write(Buffer.alloc(0), isDone)
  }

  async #send(bytes: Buffer): Promise<void> {
    const packed = bytes.length < WORTH_BYTES ? null : await this.#packed(bytes)
    const isShorter = packed !== null && packed.length < bytes.length
    const body = isShorter ? packed : bytes
    const head = Buffer.alloc(HEAD)
    head.writeUIntLE(body.length, 0, 3)
    head.writeUInt8(this.#sequence, 3)
    head.writeUIntLE(isShorter ? bytes.length : 0, 4, 3)
    this.#sequence = (this.#sequence + 1) & 0xff
    this.#options.write(Buffer.concat([head, body]), () => undefined)
  }

  async #packed(bytes: Buffer): Promise<Buffer | null> {
    try {
      return await this.#pack(bytes, { maxOutputLength: bytes.length })
    } catch {
      // It would have grown.
      return null
    }
  }

  #fail(cause: string): void {
    this.#pending = new ByteQueue()
    const message = 'Could not uncompress a communication packet'
    this.#options.failed(new FatalProtocolError(cause, { code: 1157, sqlState: '08S01', message }))
  }
}
