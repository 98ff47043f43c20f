import type { Duplex } from 'node:stream'
import { BatchMemory, type TakenBytes } from '../../engine/batch-memory.ts'
import type { RowSink } from '../../engine/sink.ts'
import {
  FRAME_HEAD,
  type Frame,
  type FrameContent,
  GRANT_BYTES,
  MOST_FRAME_BYTES,
  WINDOW_BYTES,
  contentOf,
} from '../host/row-frames.ts'
import { PassedBytes } from './passed-bytes.ts'

interface Receiving {
  readonly sink: RowSink
  readonly refuse: () => void
  /** Frames that the sink has not taken yet, and their bytes. */
  readonly waiting: Frame[]
  pending: number
  isBusy: boolean
}

/** A frame that has not come as a whole. */
interface Unfinished {
  readonly statement: number
  readonly kind: number
  readonly taken: TakenBytes
  filled: number
}

/**
 * The server's side of the pipe for rows: passes them to the sinks of their statements, one batch after the other.
 * An attacker who found a hole in the engine may control its host: the host is ended when it sends anything
 * unexpected.
 */
export class ReceivedRows {
  private readonly statements = new Map<number, Receiving>()
  private readonly head = Buffer.alloc(FRAME_HEAD)
  private headFilled = 0
  private frame: Unfinished | null = null
  private readonly passed = new PassedBytes()
  private readonly memory = new BatchMemory()

  constructor(
    private readonly pipe: Duplex,
    private readonly onViolation: () => void,
  ) {
    pipe.on('data', (data: Buffer) => this.receive(data))
    // The pipe ends with the process, whose end is reported elsewhere.
    pipe.on('error', () => undefined)
  }

  /** From now on rows of the statement go to its sink; `refuse` is called when that takes no more. */
  begin(statement: number, sink: RowSink, refuse: () => void): void {
    this.statements.set(statement, { sink, refuse, waiting: [], pending: 0, isBusy: false })
  }

  /** The sink is given nothing more. */
  end(statement: number): void {
    this.statements.delete(statement)
    if (this.statements.size === 0) this.memory.clear()
  }

  private receive(data: Buffer): void {
    try {
      for (let at = 0; at < data.length;)
        at += this.frame ? this.fill(this.frame, data, at) : this.open(data, at)
    } catch {
      this.pipe.destroy()
      this.onViolation()
    }
  }

  /** Reads on in the head of a frame; answers how many bytes it took. */
  private open(data: Buffer, at: number): number {
    const taken = data.copy(this.head, this.headFilled, at)
    this.headFilled += taken
    if (this.headFilled < FRAME_HEAD) return taken
    this.headFilled = 0
    const [statement, kind, length] = [0, 4, 8].map((from) => this.head.readUInt32LE(from))
    if (length === undefined || length > MOST_FRAME_BYTES)
      throw new RangeError('A frame of rows is too large.')
    this.frame = { statement: statement ?? 0, kind: kind ?? 0, taken: this.memory.take(length), filled: 0 }
    return taken
  }

  private fill(frame: Unfinished, data: Buffer, at: number): number {
    const { bytes } = frame.taken
    const read = Math.min(bytes.length - frame.filled, data.length - at)
    bytes.set(data.subarray(at, at + read), frame.filled)
    frame.filled += read
    if (frame.filled < bytes.length) return read
    this.frame = null
    const { statement, kind, taken } = frame
    const receiving = this.statements.get(statement)
    if (receiving) this.add(receiving, { statement, bytes: bytes.length, content: contentOf(kind, taken) })
    return read
  }

  private add(receiving: Receiving, frame: Frame): void {
    if (receiving.pending > 0 && receiving.pending + frame.bytes > WINDOW_BYTES)
      throw new RangeError('More rows were sent than were asked for.')
    receiving.pending += frame.bytes
    receiving.waiting.push(frame)
    if (!receiving.isBusy) void this.handOver(receiving)
  }

  private async handOver(receiving: Receiving): Promise<void> {
    const { sink, waiting } = receiving
    receiving.isBusy = true
    for (let frame = waiting.shift(); frame; frame = waiting.shift()) {
      const { statement, content, bytes } = frame
      if (this.statements.get(statement) !== receiving) return
      try {
        await take(sink, content)
      } catch {
        this.end(statement)
        return receiving.refuse()
      }
      receiving.pending -= bytes
      this.passed.add(bytes)
      this.grant(statement, bytes)
    }
    receiving.isBusy = false
  }

  private grant(statement: number, bytes: number): void {
    const grant = Buffer.alloc(GRANT_BYTES)
    grant.writeUInt32LE(statement, 0)
    grant.writeUInt32LE(bytes, 4)
    if (!this.pipe.destroyed) this.pipe.write(grant)
  }
}

function take(sink: RowSink, content: FrameContent): void | Promise<void> {
  if (content === 'end') return sink.end?.()
  if ('columns' in content) return sink.begin(content.columns)
  const { batch } = content
  if (batch.packed && !sink.takesPacked) throw new RangeError('Rows are packed, which nobody asked for.')
  return sink.write(batch)
}
