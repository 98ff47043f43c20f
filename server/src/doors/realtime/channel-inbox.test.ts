import type { ClientMessage } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { ChannelInbox } from './channel-inbox.ts'

const query = (requestId: string): ClientMessage => ({
  cmd: 2,
  queryReq: { connId: 1, sql: 'SELECT 1', channel: '', requestId, oriConnId: 0 },
})
const keepAlive = (connIds: number[], since?: number): ClientMessage =>
  since === undefined ? { cmd: 1, connIds } : { cmd: 1, connIds, since }

/** An inbox whose messages are begun one by one, when the test says so. */
function startInbox() {
  const handled: ClientMessage[] = []
  const line: string[] = []
  let begun = (): void => undefined
  const inbox = new ChannelInbox({
    handle(message) {
      handled.push(message)
      return new Promise((resolve) => (begun = resolve))
    },
    pause: () => line.push('paused'),
    resume: () => line.push('resumed'),
  })
  const next = async (): Promise<void> => {
    begun()
    // The inbox goes on in the microtasks behind this.
    await Promise.resolve()
    await Promise.resolve()
  }
  return { inbox, handled, line, next }
}

test('a message is handled at once, and those behind it in their order, each when the one before has begun', async () => {
  const { inbox, handled, next } = startInbox()
  const messages: ClientMessage[] = [query('a'), { cmd: 3, connId: 1 }, keepAlive([1]), query('b')]
  for (const message of messages) inbox.put(message, 10)
  expect(handled).toEqual(messages.slice(0, 1))
  for (const count of [2, 3, 4, 4]) {
    await next()
    expect(handled).toEqual(messages.slice(0, count))
  }
})

test('keep-alives that wait next to each other become one, with all ids and the since that was sent last', async () => {
  const { inbox, handled, next } = startInbox()
  inbox.put(keepAlive([1], 3), 10)
  inbox.put(keepAlive([2, 1], 8), 10)
  inbox.put(keepAlive([3, 2], 7), 10)
  inbox.put(keepAlive([4]), 10)
  inbox.put({ cmd: 3, connId: 4 }, 10)
  inbox.put(keepAlive([4]), 10)
  for (let turn = 0; turn < 5; turn++) await next()
  expect(handled).toEqual([
    keepAlive([1], 3),
    keepAlive([2, 1, 3, 4], 7),
    { cmd: 3, connId: 4 },
    keepAlive([4]),
  ])
})

test('a united keep-alive stays within the ids that one may name', async () => {
  const { inbox, handled, next } = startInbox()
  const ids = (from: number) => Array.from({ length: 600 }, (_, number) => from + number)
  for (const message of [query('a'), keepAlive(ids(0)), keepAlive(ids(600)), keepAlive(ids(600))])
    inbox.put(message, 10)
  for (let turn = 0; turn < 4; turn++) await next()
  expect(handled.slice(1)).toEqual([keepAlive(ids(0)), keepAlive(ids(600))])
})

test('the line is not read while 100 messages wait, and again when one of them has begun', async () => {
  const { inbox, line, next } = startInbox()
  for (let sent = 0; sent <= 99; sent++) inbox.put(query(`request-${sent}`), 10)
  expect(line).toEqual([])
  inbox.put(query('one-too-many'), 10)
  expect(line).toEqual(['paused'])
  await next()
  expect(line).toEqual(['paused', 'resumed'])
})

test('nor while 4 MiB of text wait', () => {
  const { inbox, line } = startInbox()
  for (let sent = 0; sent < 5; sent++) inbox.put(query(`request-${sent}`), 1024 * 1024)
  expect(line).toEqual(['paused'])
})

test('what has not begun when the channel is closed is dropped, and so is what comes later', async () => {
  const { inbox, handled, line, next } = startInbox()
  for (let sent = 0; sent < 200; sent++) inbox.put(query(`request-${sent}`), 10)
  inbox.drop()
  inbox.put(query('later'), 10)
  await next()
  expect(handled).toHaveLength(1)
  expect(line).toEqual(['paused', 'resumed'])
})
