import type { BatchMemory, TakenBytes } from '../../engine/batch-memory.ts'

const FIRST_SIZE = 16 * 1024

/** Bytes that grow at their end. Room is reserved before something is written to `view` from `length` on. */
export class TextWriter {
  /** Where the next text begins. */
  length = 0
  view = new DataView(new ArrayBuffer(FIRST_SIZE))

  /** Room for so many bytes more. */
  reserve(count: number): void {
    const needed = this.length + count
    const { buffer } = this.view
    if (needed <= buffer.byteLength) return
    const larger = new Uint8Array(Math.max(needed, buffer.byteLength * 2))
    larger.set(new Uint8Array(buffer, 0, this.length))
    this.view = new DataView(larger.buffer)
  }

  /** All of it, as bytes of its own; the writer is empty afterwards. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = new Uint8Array(this.view.buffer.slice(0, this.length))
    this.length = 0
    return taken
  }

  /** The same in memory that is given back. */
  takeInto(memory: BatchMemory): TakenBytes {
    const taken = memory.take(this.length)
    taken.bytes.set(new Uint8Array(this.view.buffer, 0, this.length))
    this.length = 0
    return taken
  }

  /** Reserves its room itself. */
  text(text: string): void {
    this.reserve(text.length * 3)
    this.length += Buffer.from(this.view.buffer, this.length).write(text)
  }
}
