import type { Duplex } from 'node:stream'
import { deserialize, serialize } from 'node:v8'
import { batchParts, bytesOf, lentBatch } from '../../../engines/engine/batch-bytes.ts'
import { BatchMemory, type TakenBytes } from '../../../engines/engine/batch-memory.ts'
import type { RowBatch } from '../../../engines/engine/sink.ts'

/**
 * The link between the server and the process of the MySQL door: one pipe, so that what is said of a statement stays in
 * order with its rows. A frame is the number of its client, its kind and the length of what follows, each of 32 bits.
 */
const HEAD = 12
const MESSAGE = 0
const ROWS = 1
const FILE = 2

/** A row has no more than 64 MB of text, and some bytes for each column. */
const MOST_FRAME_BYTES = 72 * 1024 * 1024

/** Of one client's rows, or of its file, that are on their way and were not granted yet. A larger batch is sent alone. */
export const LINK_WINDOW_BYTES = 1024 * 1024

/** Where the pipe stands among those that the process is started with. */
export const LINK_PIPE = 3

export interface LinkEnd<Incoming> {
  message(message: Incoming): void
  /** How many bytes it counts for in the window: those of its frame. */
  rows?(client: number, batch: RowBatch, bytes: number): void
  file?(client: number, bytes: Uint8Array): void
  /** The other process has ended, or sends what nobody can read. */
  closed(): void
}

interface Written {
  readonly parts: readonly Uint8Array[]
  /** Called when nothing reads the parts any more. */
  readonly left?: (() => void) | undefined
}

/** One end of the link. */
export class Link<Outgoing extends object, Incoming> {
  readonly #pipe: Duplex
  readonly #end: LinkEnd<Incoming>
  readonly #head = Buffer.alloc(HEAD)
  #headFilled = 0
  #isCorked = false
  readonly #memory = new BatchMemory()
  #frame: { client: number; kind: number; taken: TakenBytes; filled: number } | null = null

  constructor(pipe: Duplex, end: LinkEnd<Incoming>) {
    this.#pipe = pipe
    this.#end = end
    pipe.on('data', (data: Buffer) => this.#receive(data))
    pipe.on('close', () => end.closed())
    // 'close' follows.
    pipe.on('error', () => undefined)
  }

  send(message: Outgoing): void {
    this.#write(0, MESSAGE, { parts: [serialize(message)] })
  }

  /** Gives how many bytes it counts for in the client's window. */
  sendRows(client: number, batch: RowBatch): number {
    return this.#write(client, ROWS, { parts: batchParts(batch), left: batch.release })
  }

  sendFile(client: number, bytes: Uint8Array): number {
    return this.#write(client, FILE, { parts: [bytes] })
  }

  close(): void {
    this.#pipe.destroy()
  }

  #write(client: number, kind: number, { parts, left }: Written): number {
    const length = parts.reduce((sum, part) => sum + part.length, 0)
    if (this.#pipe.destroyed) return length
    this.#gather()
    this.#pipe.write(bytesOf(Uint32Array.of(client, kind, length)))
    const last = parts.at(-1)
    for (const part of parts) if (part.length > 0) this.#pipe.write(part, part === last ? left : undefined)
    return length
  }

  /** What is written before anything else happens here leaves at once: each write wakes the other process up. */
  #gather(): void {
    if (this.#isCorked) return
    this.#isCorked = true
    this.#pipe.cork()
    process.nextTick(() => {
      this.#isCorked = false
      this.#pipe.uncork()
    })
  }

  #receive(data: Buffer): void {
    try {
      for (let at = 0; at < data.length;) at += this.#frame ? this.#fill(data, at) : this.#open(data, at)
    } catch {
      this.#pipe.destroy()
    }
  }

  /** Gives how many bytes it took. */
  #open(data: Buffer, at: number): number {
    const taken = data.copy(this.#head, this.#headFilled, at)
    this.#headFilled += taken
    if (this.#headFilled < HEAD) return taken
    this.#headFilled = 0
    const length = this.#head.readUInt32LE(8)
    if (length > MOST_FRAME_BYTES) throw new RangeError('A frame is too large.')
    const [client, kind] = [this.#head.readUInt32LE(0), this.#head.readUInt32LE(4)]
    this.#frame = { client, kind, taken: this.#memory.take(length), filled: 0 }
    if (length === 0) this.#handOver()
    return taken
  }

  #fill(data: Buffer, at: number): number {
    const frame = this.#frame
    if (!frame) return 0
    const { bytes } = frame.taken
    const read = Math.min(bytes.length - frame.filled, data.length - at)
    bytes.set(data.subarray(at, at + read), frame.filled)
    frame.filled += read
    if (frame.filled === bytes.length) this.#handOver()
    return read
  }

  #handOver(): void {
    const frame = this.#frame
    this.#frame = null
    if (!frame) return
    const { client, kind, taken } = frame
    const { bytes } = taken
    if (kind === MESSAGE) this.#end.message(deserialize(bytes) as Incoming)
    else if (kind === ROWS) this.#end.rows?.(client, lentBatch(taken), bytes.length)
    else if (kind === FILE) this.#end.file?.(client, bytes)
    else throw new RangeError('A frame is of an unknown kind.')
  }
}
