import { POOLED_BYTES, giveBuffer, takeBuffer } from './buffer-pool.ts'
import { LONGEST_PART, type Sequence } from './packet-reader.ts'

const HEAD = 4
const NO_BYTES = Buffer.alloc(0)
/** Less is copied to a buffer of its own, so that a client that does not read keeps no large one. */
const SMALL_BYTES = 16 * 1024

export interface WriterOptions {
  readonly sequence: Sequence
  /** Takes bytes on their way. They stay as they are until `isDone` is called. */
  write(bytes: Buffer, isDone: () => void): void
  /** So many bytes of rows have left. */
  granted(bytes: number): void
}

/**
 * Writes packets into large buffers, and each buffer at once. Who writes rows fills `buffer` from `at` on, between
 * `begin` and `end`.
 */
export class PacketWriter {
  buffer: Buffer = NO_BYTES
  at = 0
  readonly #options: WriterOptions
  #start = 0
  #owed = 0

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** Makes room for a packet of so many bytes at most. */
  begin(mostBytes: number): void {
    if (this.at + HEAD + mostBytes > this.buffer.length) this.#makeRoom(HEAD + mostBytes)
    this.#start = this.at
    this.at += HEAD
  }

  end(): void {
    const length = this.at - this.#start - HEAD
    if (length >= LONGEST_PART) return this.#split(length)
    this.#head(this.buffer, this.#start, length)
  }

  packet(payload: Uint8Array): void {
    this.begin(payload.length)
    this.buffer.set(payload, this.at)
    this.at += payload.length
    this.end()
  }

  /** Rows that are packets already, behind what was written before. They stay as they are until `left` is called. */
  packets(bytes: Buffer, left: () => void): void {
    if (this.at > 0) this.#handOn()
    this.#options.write(bytes, left)
  }

  /** Numbers a packet that is written elsewhere. */
  nextNumber(): number {
    const { sequence } = this.#options
    const number = sequence.next
    sequence.next = (number + 1) & 0xff
    return number
  }

  /** Bytes of rows that the server may send again when all that was written so far has left. */
  owe(bytes: number): void {
    this.#owed += bytes
  }

  flush(): void {
    const { buffer, at } = this
    const owed = this.#owed
    if (at === 0 && owed === 0) return
    this.#owed = 0
    this.buffer = NO_BYTES
    this.at = 0
    const isSmall = at < SMALL_BYTES
    const bytes = isSmall ? Buffer.from(buffer.subarray(0, at)) : buffer.subarray(0, at)
    if (isSmall) giveBuffer(buffer)
    this.#options.write(bytes, () => {
      if (!isSmall) giveBuffer(buffer)
      if (owed > 0) this.#options.granted(owed)
    })
  }

  #makeRoom(bytes: number): void {
    if (this.at > 0) this.#handOn()
    else if (this.buffer.length > 0) giveBuffer(this.buffer)
    this.buffer = bytes > POOLED_BYTES ? Buffer.allocUnsafeSlow(bytes) : takeBuffer()
    this.at = 0
  }

  #handOn(): void {
    const { buffer, at } = this
    this.buffer = NO_BYTES
    this.at = 0
    this.#options.write(buffer.subarray(0, at), () => giveBuffer(buffer))
  }

  #head(target: Buffer, at: number, length: number): void {
    target[at] = length
    target[at + 1] = length >>> 8
    target[at + 2] = length >>> 16
    target[at + 3] = this.nextNumber()
  }

  /** A packet that is too long for one head: it leaves in parts, behind what was written before. */
  #split(length: number): void {
    if (this.#start > 0) this.#options.write(this.buffer.subarray(0, this.#start), () => undefined)
    const payload = this.buffer.subarray(this.#start + HEAD, this.at)
    for (let from = 0; from <= length; from += LONGEST_PART) {
      const part = payload.subarray(from, from + LONGEST_PART)
      const head = Buffer.allocUnsafe(HEAD)
      this.#head(head, 0, part.length)
      this.#options.write(head, () => undefined)
      if (part.length > 0) this.#options.write(part, () => undefined)
    }
    this.buffer = NO_BYTES
    this.at = 0
  }
}
