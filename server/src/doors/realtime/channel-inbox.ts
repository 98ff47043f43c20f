import type { ClientMessage } from '@boathouse/contract'

/** A keep-alive names no more than this, however many were made one. */
const MOST_IDS = 1000
/** So much may wait; then nothing more is read from the line until there is room. */
const MOST_WAITING = 100
const MOST_WAITING_BYTES = 4 * 1024 * 1024
/** To read more than this takes so long that others are heard in between. */
const LARGE = 64 * 1024

export interface InboxOptions {
  /** Null when it cannot be read, which whoever sent it is told. */
  read(text: string | null): ClientMessage | null
  /** Resolves when the message behind it may be begun. Never rejects. */
  handle(message: ClientMessage): Promise<void>
  /** Resolves when a large message may be read. */
  turn(): Promise<void>
  /** Stops and goes on reading from the line. */
  pause(): void
  resume(): void
}

interface Waiting {
  /** As it came when it is large: it is read when its turn comes. */
  readonly message: ClientMessage | string
  readonly bytes: number
}

/** Keep-alives that wait together ask the database once. Of `since` the one sent last is what its sender has seen. */
function united(before: Waiting['message'] | undefined, next: ClientMessage): ClientMessage | null {
  if (typeof before !== 'object' || before.cmd !== 1 || next.cmd !== 1) return null
  const connIds = [...new Set([...before.connIds, ...next.connIds])]
  const since = next.since ?? before.since
  return connIds.length > MOST_IDS ? null : { cmd: 1, connIds, ...(since === undefined ? {} : { since }) }
}

/** What one channel has sent, handled in that order, one at a time: however much it is, it takes from others one turn. */
export class ChannelInbox {
  readonly #options: InboxOptions
  #waiting: Waiting[] = []
  #bytes = 0
  #isBusy = false
  #isPaused = false
  #isDropped = false

  constructor(options: InboxOptions) {
    this.#options = options
  }

  /** `text` is null for a message that is not text. */
  put(text: string | null): void {
    if (this.#isDropped) return
    const bytes = text?.length ?? 0
    const message = text !== null && bytes > LARGE ? text : this.#options.read(text)
    if (message === null) return
    const last = this.#waiting.at(-1)
    const both = typeof message === 'string' ? null : united(last?.message, message)
    if (last && both) this.#waiting[this.#waiting.length - 1] = { message: both, bytes: last.bytes }
    else {
      this.#waiting.push({ message, bytes })
      this.#bytes += bytes
    }
    if (!this.#isBusy) void this.#handleAll()
    this.#pauseOrResume()
  }

  /** The channel is closed: nobody waits for what has not begun. */
  drop(): void {
    this.#isDropped = true
    this.#waiting = []
    this.#bytes = 0
    this.#pauseOrResume()
  }

  async #handleAll(): Promise<void> {
    this.#isBusy = true
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      this.#bytes -= next.bytes
      this.#pauseOrResume()
      const message = typeof next.message === 'string' ? await this.#readLarge(next.message) : next.message
      if (message) await this.#options.handle(message)
    }
    this.#isBusy = false
  }

  async #readLarge(text: string): Promise<ClientMessage | null> {
    await this.#options.turn()
    return this.#isDropped ? null : this.#options.read(text)
  }

  #pauseOrResume(): void {
    const isFull = this.#waiting.length >= MOST_WAITING || this.#bytes >= MOST_WAITING_BYTES
    if (isFull === this.#isPaused) return
    this.#isPaused = isFull
    if (isFull) this.#options.pause()
    else this.#options.resume()
  }
}
