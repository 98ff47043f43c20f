import { CODES } from '@boathouse/contract/codes'
import { CHANNEL_TIMES } from '@boathouse/contract/limits'
import {
  CHANNEL_CLOSE,
  type ClientMessage,
  CONN_NEW,
  QueryReq,
  type QueryRsp,
  ServerMessage,
} from '@boathouse/contract/realtime'
import type { TimerId } from './clock.ts'
import { createEmitter } from './emitter.ts'
import { createLastingSocket, type LastingSocketParts } from './lasting-socket.ts'
import { createPendingQueries } from './pending-queries.ts'
import type { DropReason, RealtimeEventName, RealtimeEvents, RealtimeStatus } from './realtime-events.ts'
import { createSeenEvents } from './seen-events.ts'

export type { SocketHandlers, SocketLike } from './lasting-socket.ts'
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
  /** Connects and stays connected; does nothing while nobody is signed in (CHANNEL-05). */
  open(): void
  close(): void
  /** Closes the channel until `open`, for another login of the same person: nothing is dropped. */
  pause(): void
  status(): RealtimeStatus
  /** What the browser says of its network: without one the channel is lost at once, with one it is tried at once. */
  networkChanged(isOnline: boolean): void
  /** A call got no answer: the channel is asked for a sign of life, and given up when there is none. */
  doubt(): void
  /** Sends a query now, or as soon as the channel is open. It ends with a final answer or with `dropped`. */
  submit(req: QueryReq): void
  /** Stops caring about a query: it is neither sent, nor sent again, nor retried. False if it was not pending. */
  forget(requestId: string): boolean
  /** Where to ask for the connection ids that tabs hold. */
  setConnections(ids: () => readonly number[]): void
  /** CHANNEL-26 */
  killConnection(connId: number): void
  /** Returns how to stop listening. */
  on<E extends RealtimeEventName>(event: E, listener: (value: RealtimeEvents[E]) => void): () => void
}

const MAX_CONN_IDS = 1000
/** RFC 6455: the message was larger than the other side takes. */
const MESSAGE_TOO_BIG = 1009
const REFUSING_CLOSES: readonly number[] = [CHANNEL_CLOSE.BadMessage, MESSAGE_TOO_BIG]

const noConnections = (): readonly number[] => []

export function createRealtimeClient(parts: RealtimeParts): RealtimeClient {
  const { clock, log, read = readServerMessage, waitsForLogin = false } = parts
  const events = createEvents()
  const pending = createPendingQueries()
  const seen = createSeenEvents()
  let connections = noConnections
  /** Since the login; what comes after a second opening may have been preceded by something missed. */
  let hasOpened = false
  /** The channel is closed, and what is pending waits for the next login. */
  let paused = false
  let keepAliveTimer: TimerId
  /** CHANNEL-23: when we last sent anything, or else when the channel opened. */
  let saidAt = 0

  const socket = createLastingSocket({
    ...parts,
    statusChanged: (status) => {
      if (status === 'closed') stopped()
      events.emit('status', status)
    },
    opened,
    received,
    lost,
  })

  function say(message: ClientMessage): void {
    saidAt = clock.now()
    socket.send(JSON.stringify(message))
  }

  function sendQuery(req: QueryReq): void {
    if (pending.sent(req, clock.now())) say({ cmd: 2, queryReq: req })
  }

  function drop(reqs: readonly QueryReq[], reason: DropReason, message = ''): void {
    for (const { requestId, channel } of reqs) {
      pending.forget(requestId)
      events.emit('dropped', { requestId, channel, reason, message })
    }
  }

  const existingIds = (): number[] => [...new Set(connections())].filter((id) => id > CONN_NEW)

  function keepAlive(ids: readonly number[], since?: number): void {
    for (let start = 0; start === 0 || start < ids.length; start += MAX_CONN_IDS) {
      const connIds = ids.slice(start, start + MAX_CONN_IDS)
      say(start === 0 && since !== undefined ? { cmd: 1, connIds, since } : { cmd: 1, connIds })
    }
  }

  /** CHANNEL-22 */
  function keepAliveIfQuiet(): void {
    if (clock.now() - saidAt > CHANNEL_TIMES.keepAliveAfterMs) keepAlive(existingIds())
  }

  function opened(connectAt: number): void {
    saidAt = clock.now()
    keepAliveTimer = clock.setInterval(keepAliveIfQuiet, CHANNEL_TIMES.keepAliveCheckMs)
    const waiting = pending.waiting()
    const again = pending.sentShortlyBefore(connectAt)
    const tooOld = pending.underWay().filter((req) => !again.includes(req))
    // CHANNEL-15
    const ids = existingIds()
    if (hasOpened) keepAlive(ids, seen.highest())
    else if (ids.length > 0) keepAlive(ids)
    hasOpened = true
    for (const req of [...again, ...waiting]) sendQuery(req)
    // CHANNEL-17, CHANNEL-18: opening again is the reset; what is not sent again does not stay running.
    drop(tooOld, 'reset')
  }

  function lost(code: number): boolean {
    clock.clearInterval(keepAliveTimer)
    log(`The realtime channel was closed (code ${code}).`)
    if (code === CHANNEL_CLOSE.LoginRequired) {
      paused = waitsForLogin
      events.emit('relogin', null)
      return false
    }
    if (code === CHANNEL_CLOSE.IpBlocked) events.emit('blocked', null)
    // Sent again, such a message would only close the channel again.
    if (REFUSING_CLOSES.includes(code)) drop(pending.underWay(), 'refused')
    return true
  }

  function stopped(): void {
    clock.clearInterval(keepAliveTimer)
    if (!paused) forgetLogin()
  }

  function forgetLogin(): void {
    // The next login may be somebody else's, with other events.
    seen.clear()
    hasOpened = false
    drop([...pending.underWay(), ...pending.waiting()], 'closed')
  }

  function received(data: unknown): void {
    const parsed = read(data)
    if ('ignored' in parsed) {
      log('A message on the realtime channel was ignored.', parsed.ignored)
      events.emit('message-ignored', { reason: parsed.ignored })
      return
    }
    const { message } = parsed
    switch (message.cmd) {
      case 0:
        return
      case 1:
        if (message.keepAliveRsp.notAliveConnIds.length > 0)
          events.emit('lostConnections', message.keepAliveRsp.notAliveConnIds)
        return
      case 2:
        answered(message.queryRsp)
        return
      case 3:
        if (seen.add(message.seq)) events.emit('event', { type: message.type, data: message.data })
    }
  }

  function answered(rsp: QueryRsp): void {
    const { requestId, channel } = rsp
    if (rsp.errCode === CODES.ConnectionLost.code) {
      const verdict = pending.connectionLost(rsp)
      if (verdict.kind === 'retry') {
        events.emit('retry', { requestId, channel, attempt: verdict.attempt })
        return sendQuery(verdict.req)
      }
      if (verdict.kind === 'spent')
        return events.emit('dropped', { requestId, channel, reason: 'retriesSpent', message: rsp.errMsg })
    }
    const isRefused = rsp.errCode === CODES.LoginRequired.code
    if (isRefused && waitsForLogin && pending.hold(requestId)) return events.emit('relogin', null)
    pending.answered(rsp)
    events.emit('answer', rsp)
    if (isRefused) events.emit('relogin', null)
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
    submit(req) {
      const checked = QueryReq.safeParse(req)
      if (!checked.success)
        return drop([req], 'refused', checked.error.issues.map((issue) => issue.message).join('; '))
      if (!pending.add(req)) return drop([req], 'queueFull')
      if (socket.status() === 'open') sendQuery(req)
    },
    forget: pending.forget,
    setConnections(ids) {
      connections = ids
    },
    // Without a channel nothing is sent: a connection that no keep-alive names any more ends by itself.
    killConnection(connId) {
      if (connId > CONN_NEW && socket.status() === 'open') say({ cmd: 3, connId })
    },
    on: events.on,
  }
}

/** CHANNEL-34: answers of a later version are ignored, not refused. */
function readServerMessage(data: unknown): { message: ServerMessage } | { ignored: string } {
  if (typeof data !== 'string') return { ignored: 'not a text message' }
  try {
    const parsed = ServerMessage.safeParse(JSON.parse(data))
    if (parsed.success) return { message: parsed.data }
    return {
      ignored: parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
    }
  } catch {
    return { ignored: 'not JSON' }
  }
}

function createEvents() {
  const emitters = new Map<RealtimeEventName, ReturnType<typeof createEmitter<unknown>>>()
  function emitterOf(event: RealtimeEventName) {
    const found = emitters.get(event) ?? createEmitter<unknown>()
    emitters.set(event, found)
    return found
  }
  return {
    on: <E extends RealtimeEventName>(event: E, listener: (value: RealtimeEvents[E]) => void): (() => void) =>
      emitterOf(event).subscribe((value) => listener(value as RealtimeEvents[E])),
    emit: <E extends RealtimeEventName>(event: E, value: RealtimeEvents[E]): void =>
      emitterOf(event).emit(value),
  }
}
