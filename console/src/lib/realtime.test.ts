import { createRealtimeClient } from '@boathouse/client/realtime-client'
import { fakeClock } from '@boathouse/client/testing/fake-clock'
import { fakeSockets } from '@boathouse/client/testing/fake-socket'
import { openChannel } from '@boathouse/client/testing/start-channel'
import { CHANNEL_PARAMETERS } from '@boathouse/contract/realtime'
import { sign } from '@boathouse/contract/signature'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { adaLovelace } from '../testing/people.ts'
import { type CallEvent, callEvents } from './call-events.ts'
import { browserRealtime, channelAddress, followSession, reloadOnPermissionChange } from './realtime.ts'
import { createSession, session } from './session.ts'

const hosts = (origin: string) => ({ regional: () => origin, central: () => 'http://central' })

describe('the address of the channel', () => {
  const clock = fakeClock(1_750_000_000_123)

  test('is /websocket/connect on the regional host with the five parameters [CHANNEL-06, CHANNEL-07]', () => {
    const own = createSession(window.localStorage)
    own.start({ token: 'a token/+', info: adaLovelace() })
    const address = channelAddress({
      session: own,
      hosts: hosts('http://eu-1.local:8080'),
      clock,
      windowId: 'w1',
    })
    const url = new URL(address ?? '')
    expect(url.origin + url.pathname).toBe('ws://eu-1.local:8080/websocket/connect')
    expect([...url.searchParams.keys()]).toEqual([...CHANNEL_PARAMETERS])
    const part = (name: string) => url.searchParams.get(name) ?? ''
    expect(part('client_id')).toBe(`${own.get().ubid}-w1`)
    expect(part('token')).toBe('a token/+')
    expect(part('timestamp')).toBe('1750000000123')
    expect(part('signature')).toBe(
      sign({ token: 'a token/+', nonce: part('nonce'), timestamp: '1750000000123', body: '' }),
    )
  })

  test('is encrypted where the page is, and new for each try', () => {
    const own = createSession(window.localStorage)
    own.start({ token: 'token', info: adaLovelace() })
    const parts = { session: own, hosts: hosts('https://eu-1.example.com'), clock, windowId: 'w1' }
    expect(channelAddress(parts)).toMatch(/^wss:\/\/eu-1\.example\.com\//)
    expect(channelAddress(parts)).not.toBe(channelAddress(parts))
  })

  test('does not exist without a token [CHANNEL-05]', () => {
    const own = createSession(window.localStorage)
    expect(
      channelAddress({ session: own, hosts: hosts('http://localhost'), clock, windowId: 'w1' }),
    ).toBeNull()
  })
})

function follow() {
  const own = createSession(window.localStorage)
  const sockets = fakeSockets()
  const client = createRealtimeClient({
    address: () => own.get().token,
    openSocket: sockets.open,
    clock: fakeClock(),
    log: () => undefined,
  })
  followSession(own, client)
  return { own, sockets, client }
}

describe('the channel and the login', () => {
  test('opens after login and closes at logout [CHANNEL-03, CHANNEL-04]', () => {
    const { own, sockets, client } = follow()
    expect(sockets.all).toHaveLength(0)
    own.start({ token: 'first', info: adaLovelace() })
    expect(sockets.latest().url).toBe('first')
    own.end()
    expect(sockets.latest().closedByClient()).toBe(true)
    expect(client.status()).toBe('closed')
  })

  test('another login gets a channel of its own; other changes leave it alone', () => {
    const { own, sockets } = follow()
    own.start({ token: 'first', info: adaLovelace() })
    own.setMenuMode('Collapse')
    expect(sockets.all).toHaveLength(1)
    own.start({ token: 'second', info: adaLovelace() })
    expect(sockets.all.map((socket) => [socket.url, socket.closedByClient()])).toEqual([
      ['first', true],
      ['second', false],
    ])
  })

  const req = { connId: 0, sql: 'select 1', channel: 'tab-1', requestId: 'request-1', oriConnId: 0 }

  test('the next login of the same user continues what the last one left', () => {
    const { own, sockets, client } = follow()
    own.start({ token: 'first', info: adaLovelace() })
    sockets.latest().accept()
    client.submit(req)
    own.lapse()
    expect(client.status()).toBe('closed')
    own.start({ token: 'second', info: adaLovelace() })
    sockets.latest().accept()
    expect(sockets.latest().queries()).toEqual([req])
  })

  test('the next login of somebody else does not', () => {
    const { own, sockets, client } = follow()
    own.start({ token: 'first', info: adaLovelace() })
    sockets.latest().accept()
    client.submit(req)
    own.lapse()
    own.start({ token: 'second', info: adaLovelace({ user: 'grace' }) })
    sockets.latest().accept()
    expect(sockets.latest().queries()).toEqual([])
  })
})

test('a changed permission reloads everything that is shown [CHANNEL-32]', () => {
  const queries = new QueryClient()
  queries.setQueryData(['/user/info'], {})
  const { client, sockets } = openChannel()
  reloadOnPermissionChange(client, queries)
  sockets.latest().deliver({ cmd: 3, seq: 1, type: 'SomethingElse', data: null })
  expect(queries.getQueryState(['/user/info'])?.isInvalidated).toBe(false)
  sockets.latest().deliver({ cmd: 3, seq: 2, type: 'GlobalEventTypePermissionChanged', data: null })
  expect(queries.getQueryState(['/user/info'])?.isInvalidated).toBe(true)
})

describe('in the browser', () => {
  class StandInSocket extends EventTarget {
    static readonly made: StandInSocket[] = []
    closed = false
    constructor(readonly url: string) {
      super()
      StandInSocket.made.push(this)
    }
    send(): void {}
    close(): void {
      this.closed = true
    }
  }
  afterEach(() => vi.unstubAllGlobals())

  test('there is one channel, of the session; the page learns of a login that it finds ended [CHANNEL-39]', () => {
    vi.stubGlobal('WebSocket', StandInSocket)
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const client = browserRealtime()
    expect(browserRealtime()).toBe(client)
    session.start({ token: 'token', info: adaLovelace() })
    const [socket] = StandInSocket.made
    expect(socket?.url).toContain('/websocket/connect?client_id=')
    socket?.dispatchEvent(new Event('open'))
    expect(client.status()).toBe('open')

    const received: CallEvent[] = []
    const stop = callEvents.subscribe((event) => received.push(event))
    socket?.dispatchEvent(new CloseEvent('close', { code: 4001 }))
    stop()
    expect(received).toEqual([{ type: 'relogin' }])
    expect(client.status()).toBe('closed')
  })
})
