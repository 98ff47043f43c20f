import type { Duplex } from 'node:stream'
import type { RowSink } from '../../engine/sink.ts'
import {
  GRANT_BYTES,
  type SentFrame,
  WINDOW_BYTES,
  batchFrame,
  columnsFrame,
  endFrame,
} from './row-frames.ts'

/** The frames of one statement that the server has not taken yet. */
class Sending {
  private pending = 0
  private wake: (() => void) | null = null

  constructor(private readonly pipe: Duplex) {}

  async add({ parts, bytes, left }: SentFrame): Promise<void> {
    while (this.pending > 0 && this.pending + bytes > WINDOW_BYTES) await this.granted()
    this.pending += bytes
    // All parts leave by one call of the system, from where they lie.
    this.pipe.cork()
    const last = parts.at(-1)
    for (const part of parts) if (part.length > 0) this.pipe.write(part, part === last ? left : undefined)
    this.pipe.uncork()
  }

  async allTaken(): Promise<void> {
    while (this.pending > 0) await this.granted()
  }

  grant(bytes: number): void {
    this.pending -= bytes
    this.wake?.()
    this.wake = null
  }

  private granted(): Promise<void> {
    return new Promise((resolve) => (this.wake = resolve))
  }
}

/** The host's side of the pipe for rows. */
export class SentRows {
  private readonly statements = new Map<number, Sending>()
  /** The beginning of a grant that has not come as a whole. */
  private rest: Buffer = Buffer.alloc(0)

  constructor(private readonly pipe: Duplex) {
    pipe.on('data', (data: Buffer) => this.receive(data))
    // The pipe ends with the server, and the host notices that by other means.
    pipe.on('error', () => undefined)
  }

  /** For the rows of a statement, until `end`. */
  sinkOf(statement: number, takesPacked = false): RowSink {
    const sending = new Sending(this.pipe)
    this.statements.set(statement, sending)
    return {
      takesPacked,
      begin: (columns) => sending.add(columnsFrame(statement, columns)),
      write: (batch) => sending.add(batchFrame(statement, batch)),
      async end() {
        await sending.add(endFrame(statement))
        await sending.allTaken()
      },
    }
  }

  end(statement: number): void {
    this.statements.delete(statement)
  }

  private receive(data: Buffer): void {
    const grants = this.rest.length > 0 ? Buffer.concat([this.rest, data]) : data
    let at = 0
    for (; at + GRANT_BYTES <= grants.length; at += GRANT_BYTES)
      this.statements.get(grants.readUInt32LE(at))?.grant(grants.readUInt32LE(at + 4))
    this.rest = grants.subarray(at)
  }
}
