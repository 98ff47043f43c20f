import { CHANNEL_PATH, GLOBAL_EVENTS, newNonce, sign } from '@boathouse/contract'
import type { QueryClient } from '@tanstack/react-query'
import { callEvents } from './call-events.ts'
import { browserClock, type ClockLike } from './clock.ts'
import { logToConsole } from './console-log.ts'
import { type Hosts, pageHosts } from './hosts.ts'
import { createRealtimeClient, type RealtimeClient, type SocketLike } from './realtime-client.ts'
import { type Session, session } from './session.ts'

interface AddressParts {
  readonly session: Pick<Session, 'get'>
  readonly hosts: Hosts
  readonly clock: Pick<ClockLike, 'now'>
  /** Tells the windows of one browser apart. */
  readonly windowId: string
}

/** CHANNEL-05, CHANNEL-06, CHANNEL-07, CHANNEL-08 */
export function channelAddress({ session, hosts, clock, windowId }: AddressParts): string | null {
  const { token, ubid } = session.get()
  if (token === null) return null
  const nonce = newNonce()
  const timestamp = String(clock.now())
  const url = new URL(CHANNEL_PATH, hosts.regional())
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.search = new URLSearchParams({
    client_id: `${ubid}-${windowId}`,
    token,
    nonce,
    timestamp,
    signature: sign({ token, nonce, timestamp, body: '' }),
  }).toString()
  return url.href
}

function openBrowserSocket(url: string): SocketLike {
  const socket = new WebSocket(url)
  return {
    listen(handlers) {
      socket.addEventListener('open', () => handlers.opened())
      socket.addEventListener('message', (event) => handlers.received(event.data))
      socket.addEventListener('close', (event) => handlers.closed(event.code))
      // A browser tells pages nothing about the cause.
      socket.addEventListener('error', (event) => handlers.failed(event.type))
    },
    send: (text) => socket.send(text),
    close: () => socket.close(),
  }
}

/** CHANNEL-03, CHANNEL-04: open while somebody is signed in; another login gets a channel of its own. */
export function followSession(
  session: Pick<Session, 'get' | 'subscribe'>,
  client: Pick<RealtimeClient, 'open' | 'close'>,
): () => void {
  let token: string | null = null
  const follow = () => {
    const next = session.get().token
    if (next === token) return
    token = next
    client.close()
    if (token !== null) client.open()
  }
  follow()
  return session.subscribe(follow)
}

/** CHANNEL-32, CHANNEL-33: what a person may see has changed, so everything on the screen is asked for again. */
export const reloadOnPermissionChange = (client: Pick<RealtimeClient, 'on'>, queries: QueryClient) =>
  client.on('event', (event) => {
    if (event.type === GLOBAL_EVENTS[0]) void queries.invalidateQueries()
  })

function createBrowserRealtime(): RealtimeClient {
  const windowId = newNonce().slice(0, 8)
  const client = createRealtimeClient({
    address: () => channelAddress({ session, hosts: pageHosts, clock: browserClock, windowId }),
    openSocket: openBrowserSocket,
    clock: browserClock,
    log: logToConsole,
  })
  client.on('relogin', () => callEvents.emit({ type: 'relogin' }))
  followSession(session, client)
  return client
}

let shared: RealtimeClient | undefined

/** The page's one channel. It opens and closes with the login from the first time this is called. */
export function browserRealtime(): RealtimeClient {
  shared ??= createBrowserRealtime()
  return shared
}
