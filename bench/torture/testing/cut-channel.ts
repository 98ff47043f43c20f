import { WebSocket } from 'ws'
import type { ClockLike } from '@boathouse/client/clock'
import {
  createRealtimeClient,
  type RealtimeClient,
  type SocketHandlers,
  type SocketLike,
} from '@boathouse/client/realtime-client'

/** The client that the console has too, on a channel that can be cut. */
export interface CutChannel {
  readonly client: RealtimeClient
  /** The line breaks: neither side says goodbye. */
  cut(): void
  /** From now on nothing of what the service says arrives, until the line breaks. */
  goDeaf(): void
}

/** ABNORMAL: what a browser reports when a line breaks. */
const BROKEN = 1006

/** Waits of the client pass faster than those of a person's browser, so that more happens between two kills. */
function hastyClock(haste: number): ClockLike {
  return {
    now: () => Date.now() * haste,
    setTimeout: (action, ms) => setTimeout(action, ms / haste),
    clearTimeout: (id) => clearTimeout(id as NodeJS.Timeout),
    setInterval: (action, ms) => setInterval(action, ms / haste),
    clearInterval: (id) => clearInterval(id as NodeJS.Timeout),
  }
}

class BreakableSocket implements SocketLike {
  readonly #socket: WebSocket
  #isDeaf = false

  constructor(url: string) {
    this.#socket = new WebSocket(url)
    // Also heard before anybody listens: an unheard error would end this process.
    this.#socket.on('error', () => undefined)
  }

  listen(handlers: SocketHandlers): void {
    const socket = this.#socket
    socket.on('open', () => handlers.opened())
    socket.on('message', (data, isBinary) => {
      if (!this.#isDeaf) handlers.received(isBinary ? data : (data as Buffer).toString())
    })
    socket.on('close', (code) => handlers.closed(this.#isDeaf ? BROKEN : code))
    socket.on('error', (error) => handlers.failed(error))
  }

  send(text: string): void {
    this.#socket.send(text)
  }

  close(): void {
    this.#socket.close()
  }

  goDeaf(): void {
    this.#isDeaf = true
  }

  cut(): void {
    this.#socket.terminate()
  }
}

export function openCutChannel(options: { address: () => string; haste: number }): CutChannel {
  let socket: BreakableSocket | undefined
  const client = createRealtimeClient({
    address: options.address,
    openSocket: (url) => (socket = new BreakableSocket(url)),
    clock: hastyClock(options.haste),
    log: () => undefined,
  })
  return { client, cut: () => socket?.cut(), goDeaf: () => socket?.goDeaf() }
}
