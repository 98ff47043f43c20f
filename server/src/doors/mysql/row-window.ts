import { batchLength } from '../../engines/engine/batch-bytes.ts'
import type { Column } from '../../engines/engine/columns.ts'
import type { RowBatch, RowSink } from '../../engines/engine/sink.ts'
import { LINK_WINDOW_BYTES } from './link/frames.ts'

export interface RowWindowParts {
  sendColumns(columns: readonly Column[]): void
  /** Gives how many bytes it counts for. */
  sendRows(batch: RowBatch): number
}

/** The rows of one client: no more of them are on their way than a window, so that who reads slowly waits alone. */
export class RowWindow implements RowSink {
  readonly #parts: RowWindowParts
  #unread = 0
  #isClosed = false
  #changed: (() => void) | null = null
  /** Whether rows of the statement that runs are sent on as texts, as they are: then the process wants them packed. */
  takesPacked = false

  constructor(parts: RowWindowParts) {
    this.#parts = parts
  }

  begin(columns: readonly Column[]): void {
    if (this.#isClosed) throw new Error('The client is gone.')
    this.#parts.sendColumns(columns)
  }

  async write(batch: RowBatch): Promise<void> {
    const bytes = batchLength(batch)
    while (!this.#isClosed && this.#unread > 0 && this.#unread + bytes > LINK_WINDOW_BYTES)
      await new Promise<void>((resolve) => (this.#changed = resolve))
    if (this.#isClosed) throw new Error('The client is gone.')
    this.#unread += this.#parts.sendRows(batch)
  }

  granted(bytes: number): void {
    this.#unread = Math.max(0, this.#unread - bytes)
    this.#changed?.()
  }

  /** Nobody reads any more. */
  close(): void {
    this.#isClosed = true
    this.#changed?.()
  }
}
