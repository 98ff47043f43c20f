import { CHANNEL_CLOSE } from '@boathouse/contract/realtime'
import { expect, test } from 'vitest'
import { query, startChannel } from './testing/start-channel.ts'

test('a channel that the firewall has closed says so, and running queries are requested again once it has access', () => {
  const { client, sockets, clock, heard } = startChannel('first')
  let blocked = 0
  client.on('blocked', () => blocked++)
  client.open()
  sockets.latest().accept()
  client.submit(query('running'))
  sockets.latest().drop(CHANNEL_CLOSE.IpBlocked)
  expect([blocked, heard.relogins, client.status()]).toEqual([1, 0, 'waiting'])
  clock.advance(10_000)
  sockets.latest().accept()
  expect(
    sockets
      .latest()
      .queries()
      .map((one) => one.requestId),
  ).toEqual(['running-'])
})
