import type { ClientMessage } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { ChannelInbox } from './channel-inbox.ts'

const query = (requestId: string): ClientMessage => ({
  cmd: 2,
  queryReq: { connId: 1, sql: 'SELECT 1', channel: '', requestId, oriConnId: 0 },
})
const keepAlive = (connIds: number[], since?: number): ClientMessage =>
  since === undefined ? { cmd: 1, connIds } : { cmd: 1, connIds, since }

/** With blanks behind it, until it is as long. */
const padded = (message: ClientMessage, length: number): Buffer =>
  Buffer.from(JSON.stringify(message).padEnd(length))

const parsed = (bytes: Buffer): ClientMessage => JSON.parse(bytes.toString()) as ClientMessage
const sent = (message: ClientMessage): Buffer => Buffer.from(JSON.stringify(message))

/** The inbox continues in microtasks. */
async function settle(): Promise<void> {
  for (let microtask = 0; microtask < 5; microtask++) await Promise.resolve()
}

/** An inbox whose messages are begun one by one, when the test says so. */
function startInbox() {
  const handled: ClientMessage[] = []
  const line: string[] = []
  const turns: (() => void)[] = []
  let begun = (): void => undefined
  const inbox = new ChannelInbox({
    read: (bytes) => (bytes === null ? null : parsed(bytes)),
    readLarge: (bytes) => new Promise((resolve) => turns.push(() => resolve(parsed(bytes)))),
    handle(message) {
      handled.push(message)
      return new Promise((resolve) => (begun = resolve))
    },
    pause: () => line.push('paused'),
    resume: () => line.push('resumed'),
  })
  const next = async (): Promise<void> => {
    begun()
    await settle()
  }
  return { inbox, handled, line, turns, next }
}

test('a message is handled at once, and those behind it in their order, each when the one before has begun', async () => {
  const { inbox, handled, next } = startInbox()
  const messages: ClientMessage[] = [query('a'), { cmd: 3, connId: 1 }, keepAlive([1]), query('b')]
  for (const message of messages) inbox.put(sent(message))
  expect(handled).toEqual(messages.slice(0, 1))
  for (const count of [2, 3, 4, 4]) {
    await next()
    expect(handled).toEqual(messages.slice(0, count))
  }
})

test('keep-alives that wait next to each other become one, with all ids and the since that was sent last', async () => {
  const { inbox, handled, next } = startInbox()
  inbox.put(sent(keepAlive([1], 3)))
  inbox.put(sent(keepAlive([2, 1], 8)))
  inbox.put(sent(keepAlive([3, 2], 7)))
  inbox.put(sent(keepAlive([4])))
  inbox.put(sent({ cmd: 3, connId: 4 }))
  inbox.put(sent(keepAlive([4])))
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
    inbox.put(sent(message))
  for (let turn = 0; turn < 4; turn++) await next()
  expect(handled.slice(1)).toEqual([keepAlive(ids(0)), keepAlive(ids(600))])
})

test('the line is not read while 100 messages wait, and again when one of them has begun', async () => {
  const { inbox, line, next } = startInbox()
  for (let count = 0; count <= 99; count++) inbox.put(sent(query(`request-${count}`)))
  expect(line).toEqual([])
  inbox.put(sent(query('one-too-many')))
  expect(line).toEqual(['paused'])
  await next()
  expect(line).toEqual(['paused', 'resumed'])
})

test('nor while 4 MiB of text wait', () => {
  const { inbox, line } = startInbox()
  for (let sent = 0; sent < 5; sent++) inbox.put(padded(query(`request-${sent}`), 1024 * 1024))
  expect(line).toEqual(['paused'])
})

test('what has not begun when the channel is closed is dropped, and so is what comes later', async () => {
  const { inbox, handled, line, next } = startInbox()
  for (let count = 0; count < 200; count++) inbox.put(sent(query(`request-${count}`)))
  inbox.drop()
  inbox.put(sent(query('later')))
  await next()
  expect(handled).toHaveLength(1)
  expect(line).toEqual(['paused', 'resumed'])
})

test('a large message is read when its turn comes, and what is behind it waits', async () => {
  const { inbox, handled, turns, next } = startInbox()
  inbox.put(padded(query('large'), 65 * 1024))
  inbox.put(sent(query('small')))
  await settle()
  expect(handled).toEqual([])
  turns.shift()?.()
  await settle()
  expect(handled).toEqual([query('large')])
  await next()
  expect(handled).toEqual([query('large'), query('small')])
})

test('a message that cannot be read is not handled, large or small', async () => {
  const handled: ClientMessage[] = []
  const read: (string | undefined)[] = []
  const inbox = new ChannelInbox({
    read(bytes) {
      read.push(bytes?.toString())
      return null
    },
    async readLarge(bytes) {
      read.push(bytes.toString())
      return null
    },
    handle: async (message) => void handled.push(message),
    pause: () => undefined,
    resume: () => undefined,
  })
  const large = 'x'.repeat(65 * 1024)
  for (const bytes of [null, Buffer.from('nonsense'), Buffer.from(large)]) inbox.put(bytes)
  await settle()
  expect(read).toEqual([undefined, 'nonsense', large])
  expect(handled).toEqual([])
})
