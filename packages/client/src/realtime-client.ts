import { CHANNEL_CLOSE, CONN_NEW, type QueryReq } from '@boathouse/contract/realtime'
import { createKeepAlive } from './keep-alive.ts'
import { createLastingSocket, type LastingSocketParts } from './lasting-socket.ts'
import { createPendingQueries } from './pending-queries.ts'
import { createQueryAnswers } from './query-answers.ts'
import { createRealtimeEmitter } from './realtime-emitter.ts'
import type { RealtimeEventName, RealtimeEvents, RealtimeStatus } from './realtime-events.ts'
import { createSeenEvents } from './seen-events.ts'
import { createReceiver, readServerMessage } from './server-message.ts'

export type { SocketHandlers, SocketLike } from './current-socket.ts'
export type { DroppedQuery, DropReason, RealtimeEvents, RealtimeStatus } from './realtime-events.ts'

export interface RealtimeParts extends Pick<LastingSocketParts, 'address' | 'openSocket' | 'clock' | 'log'> {
  /** What a message says, when it need not be checked against the contract first. */
  readonly read?: typeof readServerMessage
  /**
   * For a page that waits for its user to sign in again: queries wait with it when the login has ended, until `open`
   * or `close`. Otherwise they are dropped at once.
   */
  readonly waitsForLogin?: boolean
}

export interface RealtimeClient {
  /** Connects and stays connected; does nothing while nobody is signed in. */
  open(): void
  close(): void
  /** Closes the channel until `open`, for another login of the same person: nothing is dropped. */
  pause(): void
  status(): RealtimeStatus
  /** The browser has lost its network, which closes the channel at once, or has it again, which reconnects at once. */
  networkChanged(isOnline: boolean): void
  /** A call got no answer: the channel is given up if it does not answer a keep-alive either. */
  doubt(): void
  /** Sends a query now, or as soon as the channel is open. It ends with a final answer or with `dropped`. */
  submit(req: QueryReq): void
  /** A query that is no longer needed is neither sent, nor sent again, nor retried. False if it was not pending. */
  forget(requestId: string): boolean
  /** Gives the connection ids that tabs hold. */
  setConnections(ids: () => readonly number[]): void
  killConnection(connId: number): void
  /** Returns how to stop listening. */
  on<E extends RealtimeEventName>(event: E, listener: (value: RealtimeEvents[E]) => void): () => void
}

/** RFC 6455: the message was larger than the other side takes. */
const MESSAGE_TOO_BIG = 1009
const REFUSING_CLOSES: readonly number[] = [CHANNEL_CLOSE.BadMessage, MESSAGE_TOO_BIG]

export function createRealtimeClient(parts: RealtimeParts): RealtimeClient {
  const { clock, log, read = readServerMessage, waitsForLogin = false } = parts
  const events = createRealtimeEmitter()
  const pending = createPendingQueries()
  const seen = createSeenEvents()
  /** Since the login. Events can have been missed before a second opening. */
  let hasOpened = false
  /** The channel is closed, and pending queries wait for the next login. */
  let paused = false

  const socket = createLastingSocket({
    ...parts,
    statusChanged: (status) => {
      if (status === 'closed') stopped()
      events.emit('status', status)
    },
    opened,
    received: (data) => received(data),
    lost,
  })
  const alive = createKeepAlive({ clock, send: socket.send })
  const { say, keepAlive, existingIds } = alive
  const queries = createQueryAnswers({ pending, events, say, clock, waitsForLogin })
  const { sendQuery, submit, drop } = queries
  const received = createReceiver({ read, log, events, seen, answered: queries.answered })

  function opened(connectAt: number): void {
    alive.start()
    const waiting = pending.waiting()
    const again = pending.sentShortlyBefore(connectAt)
    const tooOld = pending.underWay().filter((req) => !again.includes(req))
    const ids = existingIds()
    if (hasOpened) keepAlive(ids, seen.highest())
    else if (ids.length > 0) keepAlive(ids)
    hasOpened = true
    for (const req of [...again, ...waiting]) sendQuery(req)
    // A reconnect is the reset: a query that is not sent again does not stay running.
    drop(tooOld, 'reset')
  }

  function lost(code: number): boolean {
    alive.stop()
    log(`The realtime channel was closed (code ${code}).`)
    if (code === CHANNEL_CLOSE.LoginRequired) {
      paused = waitsForLogin
      events.emit('relogin', null)
      return false
    }
    if (code === CHANNEL_CLOSE.IpBlocked) events.emit('blocked', null)
    // Sending such a message again would only close the channel again.
    if (REFUSING_CLOSES.includes(code)) drop(pending.underWay(), 'refused')
    return true
  }

  function stopped(): void {
    alive.stop()
    if (!paused) forgetLogin()
  }

  function forgetLogin(): void {
    // The next login may be of another user, with other events.
    seen.clear()
    hasOpened = false
    drop([...pending.underWay(), ...pending.waiting()], 'closed')
  }

  return {
    open() {
      paused = false
      socket.open()
    },
    close() {
      const wasPaused = paused
      paused = false
      socket.close()
      if (wasPaused) forgetLogin()
    },
    pause() {
      paused = true
      socket.close()
    },
    status: socket.status,
    networkChanged: (isOnline) => (isOnline ? socket.online() : socket.offline()),
    doubt() {
      if (socket.status() !== 'open') return
      socket.doubt()
      keepAlive(existingIds())
    },
    submit: (req) => submit(req, socket.status() === 'open'),
    forget: pending.forget,
    setConnections: alive.setConnections,
    // Without a channel nothing is sent: a connection that no keep-alive names expires.
    killConnection(connId) {
      if (connId > CONN_NEW && socket.status() === 'open') say({ cmd: 3, connId })
    },
    on: events.on,
  }
}
