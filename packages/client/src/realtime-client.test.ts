import { CHANNEL_CLOSE } from '@boathouse/contract/realtime'
import { describe, expect, test } from 'vitest'
import { fakeClock } from './testing/fake-clock.ts'
import { answerTo, fakeSockets } from './testing/fake-socket.ts'
import { openChannel, query, reopen, startChannel } from './testing/start-channel.ts'
import { createRealtimeClient } from './realtime-client.ts'

describe('connecting', () => {
  test('does not connect without a token, and does as soon as there is one [CHANNEL-05]', () => {
    const { client, clock, sockets, login } = startChannel(null)
    client.open()
    clock.advance(120_000)
    expect(sockets.all).toHaveLength(0)
    expect(client.status()).toBe('closed')
    expect(clock.timers()).toBe(0)

    login.token = 'new'
    client.open()
    expect(sockets.latest().url).toContain('token=new')
  })

  test('changes from closed over connecting to open, and back on close', () => {
    const { client, clock, sockets, heard } = openChannel()
    client.close()
    expect(heard.statuses).toEqual(['connecting', 'open', 'closed'])
    expect(sockets.latest().closedByClient()).toBe(true)
    clock.advance(120_000)
    expect(sockets.all).toHaveLength(1)
    expect(clock.timers()).toBe(0)
  })

  test('opening an open channel changes nothing', () => {
    const { client, sockets } = openChannel()
    client.open()
    expect(sockets.all).toHaveLength(1)
  })

  test('waits 1, 2, 4, 8, 8 s between reconnects [CHANNEL-09, CHANNEL-10, CHANNEL-11, CHANNEL-12]', () => {
    const { client, clock, sockets } = startChannel()
    client.open()
    for (const seconds of [1, 2, 4, 8, 8]) {
      const before = sockets.all.length
      sockets.latest().drop()
      expect(client.status()).toBe('waiting')
      clock.advance(seconds * 1000 - 1)
      expect(sockets.all).toHaveLength(before)
      clock.advance(1)
      expect(sockets.all).toHaveLength(before + 1)
    }
  })

  test('starts again at 1 s once the channel has opened [CHANNEL-13]', () => {
    const { client, clock, sockets } = startChannel()
    client.open()
    for (const seconds of [1, 2, 4]) {
      sockets.latest().drop()
      clock.advance(seconds * 1000)
    }
    sockets.latest().accept()
    sockets.latest().drop()
    clock.advance(1000)
    expect(sockets.all).toHaveLength(5)
  })

  test('takes a new signed address for every try, and stops when the token has gone [CHANNEL-05]', () => {
    const { client, clock, sockets, login } = openChannel()
    login.token = 'second'
    sockets.latest().drop()
    clock.advance(1000)
    expect(sockets.latest().url).toContain('token=second')

    login.token = null
    sockets.latest().drop()
    clock.advance(60_000)
    expect(sockets.all).toHaveLength(2)
    expect(client.status()).toBe('closed')
  })

  test('only logs errors of the socket; the close that follows leads on [CHANNEL-21]', () => {
    const { client, sockets, logged, heard } = openChannel()
    sockets.latest().fail('broken pipe')
    expect(logged).toEqual(['The realtime channel reports an error.'])
    expect(client.status()).toBe('open')
    expect(heard.statuses).toEqual(['connecting', 'open'])
  })

  test('tries again when a socket cannot even be made', () => {
    const clock = fakeClock()
    const sockets = fakeSockets()
    let refusing = true
    const client = createRealtimeClient({
      address: () => 'ws://localhost',
      openSocket: (url) => {
        if (refusing) throw new SyntaxError('refused by policy')
        return sockets.open(url)
      },
      clock,
      log: () => undefined,
    })
    client.open()
    expect(client.status()).toBe('waiting')
    refusing = false
    clock.advance(1000)
    sockets.latest().accept()
    expect(client.status()).toBe('open')
  })
})

describe('silence', () => {
  test('closes and reopens after 60 s without any message, looking every 60 s [CHANNEL-19, CHANNEL-20]', () => {
    const { client, clock, sockets } = openChannel()
    clock.advance(30_000)
    sockets.latest().deliver({ cmd: 0 })
    // At 60 s the last message is 30 s old; at 119 s it is 89 s old, and nobody has looked again yet.
    clock.advance(89_999)
    expect(sockets.all[0]?.closedByClient()).toBe(false)
    clock.advance(1)
    expect(sockets.all[0]?.closedByClient()).toBe(true)
    expect(client.status()).toBe('waiting')
    clock.advance(1000)
    expect(sockets.all).toHaveLength(2)
  })

  test('any message is a sign of life, even a heartbeat or one that is not understood [CHANNEL-19, CHANNEL-29]', () => {
    const { clock, sockets, heard } = openChannel()
    for (let beat = 0; beat < 15; beat++) {
      clock.advance(20_000)
      sockets.latest().deliverRaw(beat % 2 === 0 ? '{"cmd":0}' : '{"cmd":99}')
    }
    expect(sockets.all).toHaveLength(1)
    expect(heard.answers).toEqual([])
  })

  test('a try that never opens is given up too, and what its socket says later is not heard', () => {
    const { client, clock, sockets, heard } = startChannel()
    client.open()
    clock.advance(61_000)
    expect(sockets.all).toHaveLength(2)
    sockets.latest().accept()
    sockets.all[0]?.accept()
    sockets.all[0]?.deliver({ cmd: 3, seq: 1, type: 'late', data: null })
    sockets.all[0]?.drop()
    expect(client.status()).toBe('open')
    expect(heard.events).toEqual([])
  })
})

describe('keep-alive', () => {
  test('names existing connections when more than 25 s have passed since we last sent [CHANNEL-15, CHANNEL-22, CHANNEL-24]', () => {
    const { client, clock, sockets } = openChannel()
    client.setConnections(() => [7, 9, 7, 0, -1])
    clock.advance(10_000)
    expect(sockets.latest().sent).toEqual([])
    client.submit(query('first'))
    sockets.latest().sent.length = 0
    // Heartbeats of the service do not count: it must hear from us which connections are still in use.
    clock.advance(20_000)
    sockets.latest().deliver({ cmd: 0 })
    clock.advance(5_000)
    expect(sockets.latest().sent).toEqual([])
    clock.advance(5_000)
    expect(sockets.latest().sent).toEqual([{ cmd: 1, connIds: [7, 9] }])
    clock.advance(30_000)
    expect(sockets.latest().sent).toHaveLength(2)
  })

  test('names them at once when the channel opens again [CHANNEL-15]', () => {
    const { client, clock, sockets } = openChannel()
    client.setConnections(() => [7])
    sockets.latest().drop()
    clock.advance(1000)
    sockets.latest().accept()
    expect(sockets.all[0]?.sent).toEqual([])
    expect(sockets.latest().sent).toEqual([{ cmd: 1, connIds: [7], since: 0 }])
  })

  test('sends nothing while the channel is not open', () => {
    const { client, clock, sockets } = openChannel()
    client.setConnections(() => [7])
    sockets.latest().drop()
    clock.advance(59_000)
    expect(sockets.all.flatMap((socket) => socket.sent)).toEqual([])
  })

  test('splits more ids than one message may hold', () => {
    const { client, clock, sockets } = openChannel()
    client.setConnections(() => Array.from({ length: 2001 }, (_, index) => index + 1))
    clock.advance(30_000)
    expect(sockets.latest().sent.map((message) => message.cmd === 1 && message.connIds.length)).toEqual([
      1000, 1000, 1,
    ])
  })

  test('reports which connections are gone [CHANNEL-30]', () => {
    const { sockets, heard } = openChannel()
    sockets.latest().deliver({ cmd: 1, keepAliveRsp: { notAliveConnIds: [] } })
    sockets.latest().deliver({ cmd: 1, keepAliveRsp: { notAliveConnIds: [7, 9] } })
    expect(heard.lost).toEqual([7, 9])
  })

  test('kills a connection with cmd 3 [CHANNEL-26]', () => {
    const { client, sockets } = openChannel()
    client.killConnection(7)
    client.killConnection(0)
    client.killConnection(-1)
    expect(sockets.latest().sent).toEqual([{ cmd: 3, connId: 7 }])
  })
})

describe('messages', () => {
  test('hands on typed events [CHANNEL-32, CHANNEL-34]', () => {
    const { sockets, heard } = openChannel()
    sockets
      .latest()
      .deliver({ cmd: 3, seq: 1, type: 'GlobalEventTypePermissionChanged', data: { user: 'ada' } })
    expect(heard.events).toEqual([{ type: 'GlobalEventTypePermissionChanged', data: { user: 'ada' } }])
  })

  test('pain 9: asks after a lost channel for the events it missed, and hands on each once', () => {
    const channel = openChannel()
    const { sockets, heard } = channel
    const changed = (seq: number) =>
      sockets.latest().deliver({ cmd: 3, seq, type: 'GlobalEventTypeWarehouseChanged', data: seq })
    changed(12)
    changed(11)
    reopen(channel)
    expect(sockets.latest().sent).toEqual([{ cmd: 1, connIds: [], since: 12 }])
    changed(12)
    changed(14)
    reopen(channel)
    expect(sockets.latest().sent).toEqual([{ cmd: 1, connIds: [], since: 14 }])
    changed(14)
    changed(15)
    expect(heard.events.map((event) => event.data)).toEqual([12, 11, 14, 15])
  })

  test('asks for all events when it had heard none before the channel was lost', () => {
    const channel = openChannel()
    channel.client.setConnections(() => [7])
    reopen(channel)
    expect(channel.sockets.latest().sent).toEqual([{ cmd: 1, connIds: [7], since: 0 }])
  })

  test('does not know the events of another login', () => {
    const { client, sockets, heard } = openChannel()
    const event = { cmd: 3, seq: 12, type: 'GlobalEventTypeWarehouseChanged', data: null } as const
    sockets.latest().deliver(event)
    client.close()
    client.open()
    sockets.latest().accept()
    expect(sockets.latest().sent).toEqual([])
    sockets.latest().deliver(event)
    expect(heard.events).toHaveLength(2)
  })

  test.each([
    ['an unknown cmd', '{"cmd":42}'],
    ['a broken answer', '{"cmd":2,"queryRsp":{}}'],
    ['no JSON', 'hello'],
    ['JSON that is no message', 'null'],
    ['bytes', new ArrayBuffer(2)],
  ])('ignores %s and lives on [CHANNEL-34]', (_, data) => {
    const { client, sockets, heard } = openChannel()
    sockets.latest().deliverRaw(data)
    expect(heard.ignored).toHaveLength(1)
    expect(client.status()).toBe('open')
    client.submit(query('first'))
    sockets.latest().deliver(answerTo(query('first')))
    expect(heard.answers.map((rsp) => rsp.requestId)).toEqual(['first---'])
  })

  test('code 40001 in an answer fires relogin and still ends the query [CHANNEL-39]', () => {
    const { client, clock, sockets, heard } = openChannel()
    client.submit(query('first'))
    sockets.latest().deliver(answerTo(query('first'), { errCode: 40001, queryState: 3 }))
    expect(heard.relogins).toBe(1)
    expect(heard.answers.map((rsp) => rsp.requestId)).toEqual(['first---'])
    sockets.latest().drop()
    clock.advance(1000)
    sockets.latest().accept()
    expect(sockets.latest().queries()).toEqual([])
  })

  test('a channel closed because the login ended fires relogin and stays closed', () => {
    const { client, clock, sockets, heard } = openChannel()
    client.submit(query('first'))
    sockets.latest().drop(CHANNEL_CLOSE.LoginRequired)
    clock.advance(60_000)
    expect(heard.relogins).toBe(1)
    expect(client.status()).toBe('closed')
    expect(sockets.all).toHaveLength(1)
    expect(heard.dropped).toMatchObject([{ requestId: 'first---', reason: 'closed' }])
  })
})
