import type { ClientMessage } from '@boathouse/contract'

/** A keep-alive names no more than this, however many were made one. */
const MOST_IDS = 1000
/** So much may wait; then nothing more is read from the socket until there is room. */
const MOST_WAITING = 100
const MOST_WAITING_BYTES = 4 * 1024 * 1024
/** To read more than this takes so long that another thread does. */
const LARGE = 64 * 1024

export interface InboxOptions {
  /** Null when it cannot be read, which is answered to its sender. `bytes` are null for a message that is not text. */
  read(bytes: Buffer | null): ClientMessage | null
  /** The same for a large one, by another thread. Never rejects. */
  readLarge(bytes: Buffer): Promise<ClientMessage | null>
  /** Resolves when the message behind it may be begun. Never rejects. */
  handle(message: ClientMessage): Promise<void>
  /** Stops and resumes reading from the socket. */
  pause(): void
  resume(): void
}

interface Waiting {
  readonly message: ClientMessage | null
  /** As it came: it is read when its turn comes. */
  readonly large: Buffer | null
  readonly bytes: number
}

/** Keep-alives that wait together ask the database once. Of `since` the one sent last is what its sender has seen. */
function united(before: Waiting['message'] | undefined, next: ClientMessage | null): ClientMessage | null {
  if (before?.cmd !== 1 || next?.cmd !== 1) return null
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

  /** `received` is null for a message that is not text. */
  put(received: Buffer | null): void {
    if (this.#isDropped) return
    const bytes = received?.length ?? 0
    const large = bytes > LARGE ? received : null
    const message = large ? null : this.#options.read(received)
    if (!large && !message) return
    const last = this.#waiting.at(-1)
    const both = united(last?.message, message)
    if (last && both) this.#waiting[this.#waiting.length - 1] = { ...last, message: both }
    else {
      this.#waiting.push({ message, large, bytes })
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
      const message = next.large ? await this.#readLarge(next.large) : next.message
      if (message) await this.#options.handle(message)
    }
    this.#isBusy = false
  }

  async #readLarge(bytes: Buffer): Promise<ClientMessage | null> {
    const message = await this.#options.readLarge(bytes)
    return this.#isDropped ? null : message
  }

  #pauseOrResume(): void {
    const isFull = this.#waiting.length >= MOST_WAITING || this.#bytes >= MOST_WAITING_BYTES
    if (isFull === this.#isPaused) return
    this.#isPaused = isFull
    if (isFull) this.#options.pause()
    else this.#options.resume()
  }
}
