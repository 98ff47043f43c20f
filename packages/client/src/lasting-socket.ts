import { CHANNEL_TIMES } from '@boathouse/contract/limits'
import type { ClockLike, TimerId } from './clock.ts'
import { createCurrentSocket, type SocketLike } from './current-socket.ts'
import type { RealtimeStatus } from './realtime-events.ts'
import { createReconnectWait } from './reconnect-wait.ts'

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

/** How long a socket has to answer after `doubt`. */
const DOUBT_MS = 3_000

/** RFC 6455: closed without a closing frame. */
const ABNORMAL_CLOSE = 1006

/** A socket that reconnects whenever it closes or falls silent, until `close`. */
export function createLastingSocket(parts: LastingSocketParts) {
  const { clock, log } = parts
  const wait = createReconnectWait()
  let status: RealtimeStatus = 'closed'
  let reconnectTimer: TimerId
  let silenceTimer: TimerId
  let connectAt = 0
  let heardAt = 0

  const socket = createCurrentSocket({
    openSocket: parts.openSocket,
    opened: socketOpened,
    received: (data) => {
      heardAt = clock.now()
      parts.received(data)
    },
    closed: socketLost,
    // A close follows, and that leads to the next try.
    failed: (detail) => log('The realtime channel reports an error.', detail),
  })

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
      socket.open(url)
    } catch (error) {
      log('The realtime channel cannot be opened.', error)
      socketLost(ABNORMAL_CLOSE)
    }
  }

  function socketOpened(): void {
    wait.reset()
    heardAt = clock.now()
    status = 'open'
    // Waiting queries go out before listeners can send others.
    parts.opened(connectAt)
    parts.statusChanged(status)
  }

  function socketLost(code: number): void {
    socket.forget()
    if (!parts.lost(code)) return stop()
    // A listener may have closed the channel by now, or even opened it again.
    if (status === 'closed' || socket.get() !== null) return
    become('waiting')
    reconnectTimer = clock.setTimeout(connect, wait.next())
  }

  function checkSilence(): void {
    if (clock.now() - heardAt < CHANNEL_TIMES.silenceMs) return
    lose('The realtime channel was silent for too long and reconnects.')
  }

  function lose(why: string): void {
    if (socket.get() === null) return
    log(why)
    socket.giveUp()
    socketLost(ABNORMAL_CLOSE)
  }

  function stop(): void {
    clock.clearTimeout(reconnectTimer)
    clock.clearInterval(silenceTimer)
    socket.giveUp()
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
    /** There is no network, which the socket would take long to notice. */
    offline: () => lose('There is no network. The realtime channel is closed.'),
    /** The network is back: connects at once, without waiting for the next try. */
    online(): void {
      if (status !== 'waiting') return
      clock.clearTimeout(reconnectTimer)
      connect()
    },
    /** The caller has just sent something; a socket that does not answer is given up. */
    doubt(): void {
      const own = socket.get()
      const since = clock.now()
      clock.setTimeout(() => {
        if (socket.get() === own && heardAt < since)
          lose('The realtime channel does not answer and reconnects.')
      }, DOUBT_MS)
    },
    send(text: string): void {
      try {
        socket.send(text)
      } catch (error) {
        log('A message could not be sent on the realtime channel.', error)
      }
    },
  }
}
