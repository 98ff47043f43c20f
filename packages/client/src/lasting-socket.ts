import { CHANNEL_TIMES } from '@boathouse/contract/limits'
import type { ClockLike, TimerId } from './clock.ts'
import type { RealtimeStatus } from './realtime-events.ts'
import { createReconnectWait } from './reconnect-wait.ts'

export interface SocketHandlers {
  opened(): void
  received(data: unknown): void
  closed(code: number): void
  failed(detail: unknown): void
}

/** As much of a WebSocket as the channel needs. */
export interface SocketLike {
  listen(handlers: SocketHandlers): void
  send(text: string): void
  close(): void
}

export interface LastingSocketParts {
  /** A new signed address for each try; null when nobody is signed in. */
  readonly address: () => string | null
  readonly openSocket: (url: string) => SocketLike
  readonly clock: ClockLike
  readonly log: (message: string, detail?: unknown) => void
  readonly statusChanged: (status: RealtimeStatus) => void
  /** `connectAt`: when the try began that now has succeeded. */
  readonly opened: (connectAt: number) => void
  readonly received: (data: unknown) => void
  /** Answers whether to connect again. */
  readonly lost: (code: number) => boolean
}

/** How long a socket that is doubted has to say something. */
const DOUBT_MS = 3_000

/** RFC 6455: closed without a closing frame. */
const ABNORMAL_CLOSE = 1006

/** A socket that is opened again whenever it closes or falls silent, until it is told to close. */
export function createLastingSocket(parts: LastingSocketParts) {
  const { clock, log } = parts
  const wait = createReconnectWait()
  let status: RealtimeStatus = 'closed'
  let socket: SocketLike | null = null
  let reconnectTimer: TimerId
  let silenceTimer: TimerId
  let connectAt = 0
  let heardAt = 0

  function become(next: RealtimeStatus): void {
    if (status === next) return
    status = next
    parts.statusChanged(next)
  }

  function connect(): void {
    const url = parts.address()
    if (url === null) return stop()
    connectAt = heardAt = clock.now()
    become('connecting')
    try {
      const opening = parts.openSocket(url)
      socket = opening
      opening.listen(handlersOf(opening))
    } catch (error) {
      log('The realtime channel cannot be opened.', error)
      socketLost(ABNORMAL_CLOSE)
    }
  }

  /** Events of a socket that was given up already are nobody's business any more. */
  function handlersOf(own: SocketLike): SocketHandlers {
    const ifCurrent = (action: () => void) => {
      if (socket === own) action()
    }
    return {
      opened: () => ifCurrent(socketOpened),
      received: (data) =>
        ifCurrent(() => {
          heardAt = clock.now()
          parts.received(data)
        }),
      closed: (code) => ifCurrent(() => socketLost(code)),
      // CHANNEL-21: a close follows, and that is what leads to the next try.
      failed: (detail) => ifCurrent(() => log('The realtime channel reports an error.', detail)),
    }
  }

  function socketOpened(): void {
    wait.reset()
    heardAt = clock.now()
    status = 'open'
    // Before anybody hears of it: what waited goes out ahead of what they may send.
    parts.opened(connectAt)
    parts.statusChanged(status)
  }

  function socketLost(code: number): void {
    socket = null
    if (!parts.lost(code)) return stop()
    // Whoever heard of the loss may have closed the channel meanwhile, or even opened it again.
    if (status === 'closed' || socket !== null) return
    become('waiting')
    reconnectTimer = clock.setTimeout(connect, wait.next())
  }

  function giveUpSocket(): void {
    const given = socket
    socket = null
    given?.close()
  }

  /** CHANNEL-19: a dead socket may take minutes to say that it is closed, so that is not waited for. */
  function checkSilence(): void {
    if (clock.now() - heardAt < CHANNEL_TIMES.silenceMs) return
    lose('The realtime channel was silent for too long and reconnects.')
  }

  function lose(why: string): void {
    if (socket === null) return
    log(why)
    giveUpSocket()
    socketLost(ABNORMAL_CLOSE)
  }

  function stop(): void {
    clock.clearTimeout(reconnectTimer)
    clock.clearInterval(silenceTimer)
    giveUpSocket()
    wait.reset()
    become('closed')
  }

  return {
    status: () => status,
    open(): void {
      if (status !== 'closed') return
      silenceTimer = clock.setInterval(checkSilence, CHANNEL_TIMES.silenceCheckMs)
      connect()
    },
    close: stop,
    /** There is no network: the socket would take long to notice. */
    offline: () => lose('There is no network. The realtime channel is closed.'),
    /** The network is back: nobody waits for the next try. */
    online(): void {
      if (status !== 'waiting') return
      clock.clearTimeout(reconnectTimer)
      connect()
    },
    /** Something was just asked; a socket that then says nothing is given up. */
    doubt(): void {
      const own = socket
      const since = clock.now()
      clock.setTimeout(() => {
        if (socket === own && heardAt < since) lose('The realtime channel does not answer and reconnects.')
      }, DOUBT_MS)
    },
    send(text: string): void {
      try {
        socket?.send(text)
      } catch (error) {
        log('A message could not be sent on the realtime channel.', error)
      }
    },
  }
}
