import { systemClock } from './clock.ts'
import { addressOf, type Login } from './login.ts'
import { createRealtimeClient, type RealtimeClient, type RealtimeParts } from './realtime-client.ts'
import { createSession, type Session } from './session.ts'
import { openWebSocket, type WebSocketClass } from './web-socket.ts'

export interface OpenSessionOptions {
  /** Node 20 has none of its own: that of the package ws. */
  readonly WebSocket?: WebSocketClass
  readonly log?: RealtimeParts['log']
  readonly read?: RealtimeParts['read']
}

export interface OpenSession extends Session {
  readonly channel: RealtimeClient
  close(): void
}

const OPEN_WITHIN_MS = 10_000

/** The first connection fails at once if there is no service; only a session that was open reconnects. */
export function untilOpen(channel: RealtimeClient): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = systemClock.setTimeout(() => channel.close(), OPEN_WITHIN_MS)
    const stop = channel.on('status', (status) => {
      if (status === 'connecting') return
      systemClock.clearTimeout(late)
      stop()
      if (status === 'open') return resolve()
      channel.close()
      reject(new Error('The realtime channel cannot be opened: the service does not answer or refuses it.'))
    })
    channel.open()
  })
}

/** A session on a channel of its own. It reconnects until it is closed. */
export async function openSession(login: Login, options: OpenSessionOptions = {}): Promise<OpenSession> {
  const channel = createRealtimeClient({
    address: () => addressOf(login),
    openSocket: (url) => openWebSocket(url, options.WebSocket),
    clock: systemClock,
    log: options.log ?? (() => undefined),
    ...(options.read ? { read: options.read } : {}),
  })
  const session = createSession(channel, 'session')
  channel.setConnections(() => [session.connId()])
  await untilOpen(channel)
  return { ...session, channel, close: () => channel.close() }
}
