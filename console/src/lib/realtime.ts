import { channelAddress as signedAddress } from '@boathouse/client/channel-address'
import { systemClock, type ClockLike } from '@boathouse/client/clock'
import { createRealtimeClient, type RealtimeClient } from '@boathouse/client/realtime-client'
import { openWebSocket } from '@boathouse/client/web-socket'
import { GLOBAL_EVENTS } from '@boathouse/contract/realtime'
import { user } from '@boathouse/contract/user'
import { newNonce } from '@boathouse/contract/signature'
import type { QueryClient } from '@tanstack/react-query'
import { callEvents } from './call-events.ts'
import { logToConsole } from './console-log.ts'
import { type Hosts, pageHosts } from './hosts.ts'
import { watchLogin } from './login-watch.ts'
import { send } from './send.ts'
import { type Session, session } from './session.ts'

interface AddressParts {
  readonly session: Pick<Session, 'get'>
  readonly hosts: Hosts
  readonly clock: Pick<ClockLike, 'now'>
  /** Distinguishes the windows of one browser. */
  readonly windowId: string
}

export function channelAddress({ session, hosts, clock, windowId }: AddressParts): string | null {
  const { token, ubid } = session.get()
  if (token === null) return null
  return signedAddress({
    host: hosts.regional(),
    token,
    clientId: `${ubid}-${windowId}`,
    now: clock.now(),
  })
}

/**
 * Open while a user is signed in; another login gets a channel of its own, which continues what the last one left if it
 * is of the same user.
 */
export function followSession(
  session: Pick<Session, 'get' | 'subscribe'>,
  client: Pick<RealtimeClient, 'open' | 'close' | 'pause'>,
): () => void {
  if (session.get().token !== null) client.open()
  return watchLogin(session, ({ token, isSamePerson }) => {
    if (isSamePerson) client.pause()
    else client.close()
    if (token !== null) client.open()
  })
}

/** A lost connection is reported at once, by the browser or by a call that got no answer. */
function followNetwork(
  page: Pick<Window, 'addEventListener'>,
  client: Pick<RealtimeClient, 'networkChanged' | 'doubt'>,
): void {
  page.addEventListener('offline', () => client.networkChanged(false))
  page.addEventListener('online', () => client.networkChanged(true))
  callEvents.subscribe((event) => {
    if (event.type === 'failed' && event.error.codeName === 'NetworkError') client.doubt()
  })
}

/** The user's access has changed, so everything on the screen is loaded again. */
export const reloadOnPermissionChange = (client: Pick<RealtimeClient, 'on'>, queries: QueryClient) =>
  client.on('event', (event) => {
    if (event.type === GLOBAL_EVENTS[0]) void queries.invalidateQueries()
  })

/** Any call tells which address it is, and so shows the page for it. */
function askIfBlocked(): void {
  send(user.info, {}, { silent: true }).catch((reason: unknown) =>
    logToConsole('The realtime channel was refused to this address.', String(reason)),
  )
}

function createBrowserRealtime(): RealtimeClient {
  const windowId = newNonce().slice(0, 8)
  const client = createRealtimeClient({
    address: () => channelAddress({ session, hosts: pageHosts, clock: systemClock, windowId }),
    openSocket: (url) => openWebSocket(url),
    clock: systemClock,
    waitsForLogin: true,
    log: logToConsole,
  })
  client.on('relogin', () => callEvents.emit({ type: 'relogin' }))
  client.on('blocked', askIfBlocked)
  followSession(session, client)
  followNetwork(window, client)
  return client
}

let shared: RealtimeClient | undefined

/** The page's one channel. It opens and closes with the login from the first time this is called. */
export function browserRealtime(): RealtimeClient {
  shared ??= createBrowserRealtime()
  return shared
}
