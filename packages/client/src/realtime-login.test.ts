import { CHANNEL_CLOSE } from '@boathouse/contract/realtime'
import { expect, test } from 'vitest'
import { answerTo } from './testing/fake-socket.ts'
import { query, startChannel } from './testing/start-channel.ts'

/** A channel of a page that waits for its user to sign in again. */
function openWaiting() {
  const channel = startChannel('first', { waitsForLogin: true })
  channel.client.open()
  channel.sockets.latest().accept()
  return channel
}

function signInAgain({ client, sockets, login }: ReturnType<typeof openWaiting>): void {
  login.token = 'second'
  client.pause()
  client.open()
  sockets.latest().accept()
}

test('a query that ran when the login ended is requested again after the next', () => {
  const channel = openWaiting()
  const { client, sockets, heard } = channel
  client.submit(query('running'))
  sockets.latest().drop(CHANNEL_CLOSE.LoginRequired)
  expect(heard.relogins).toBe(1)
  expect(client.status()).toBe('closed')
  client.submit(query('waiting', { channel: 'tab-2' }))
  signInAgain(channel)
  expect(sockets.latest().url).toContain('second')
  expect(
    sockets
      .latest()
      .queries()
      .map((one) => one.requestId),
  ).toEqual(['running-', 'waiting-'])
  expect(heard.dropped).toEqual([])
})

test('a query that ran for longer is dropped with reset, as after any loss of the channel [CHANNEL-17]', () => {
  const channel = openWaiting()
  channel.client.submit(query('running'))
  channel.sockets.latest().drop(CHANNEL_CLOSE.LoginRequired)
  channel.clock.advance(3_600_000)
  signInAgain(channel)
  expect(channel.heard.dropped).toMatchObject([{ requestId: 'running-', reason: 'reset' }])
})

test('a query that is refused because the login has ended is sent after the next', () => {
  const channel = openWaiting()
  const { client, sockets, heard } = channel
  client.submit(query('refused'))
  sockets.latest().deliver(answerTo(query('refused'), { errCode: 40001, queryState: 3 }))
  expect(heard.relogins).toBe(1)
  expect(heard.answers).toEqual([])
  signInAgain(channel)
  expect(
    sockets
      .latest()
      .queries()
      .map((one) => one.requestId),
  ).toEqual(['refused-'])
})

test('events that were missed in between are requested', () => {
  const channel = openWaiting()
  channel.sockets.latest().deliver({ cmd: 3, seq: 7, type: 'Something', data: null })
  channel.sockets.latest().drop(CHANNEL_CLOSE.LoginRequired)
  signInAgain(channel)
  expect(channel.sockets.latest().sent).toContainEqual({ cmd: 1, connIds: [], since: 7 })
})

test('who leaves instead leaves nothing for the next', () => {
  const channel = openWaiting()
  const { client, sockets, heard, login } = channel
  client.submit(query('running'))
  sockets.latest().drop(CHANNEL_CLOSE.LoginRequired)
  client.close()
  expect(heard.dropped).toMatchObject([{ requestId: 'running-', reason: 'closed' }])
  login.token = 'second'
  client.open()
  sockets.latest().accept()
  expect(sockets.latest().sent).toEqual([])
})
