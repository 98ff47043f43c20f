import { CODES, messageCalls, user } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp, type TestApp, type TestUser } from '../../testing/start-app.ts'
import { writeMessages } from './service.ts'

async function write(app: TestApp, reader: TestUser, count = 1): Promise<void> {
  const { user_id: userId } = await app.store.db
    .selectFrom('users')
    .select('user_id')
    .where('account_id', '=', reader.accountId)
    .where('name', '=', reader.name)
    .executeTakeFirstOrThrow()
  const userIds = Array.from({ length: count }, () => userId)
  await app.store.transaction((trx) =>
    writeMessages(trx, { accountId: reader.accountId, userIds, type: 1, at: app.clock.now() }),
  )
}

const unread = async (reader: TestUser) => (await reader.call(user.listUnreadMessages, {})).data.messages

test('a message is unread until it is marked, for the one it was written to [ACCOUNT-12, ACCOUNT-47, ACCOUNT-48]', async () => {
  const app = await startApp()
  const [reader, colleague, stranger] = [await app.user(), await app.user(), await app.stranger()]
  await write(app, reader)
  const [message] = await unread(reader)
  expect(message).toEqual({
    messageId: expect.any(String),
    type: 1,
    about: '',
    read: false,
    createdAt: app.clock.now().toISOString(),
  })
  expect(await unread(colleague)).toEqual([])
  const messageId = message?.messageId ?? ''
  for (const other of [colleague, stranger])
    expect((await other.call(user.markMessageRead, { messageId })).code).toBe(CODES.NotFound.code)
  expect((await reader.call(user.markMessageRead, { messageId })).code).toBe(CODES.Ok.code)
  expect((await reader.call(user.markMessageRead, { messageId })).code, 'twice is no error').toBe(
    CODES.Ok.code,
  )
  expect(await unread(reader)).toEqual([])
})

test('a long absence does not make a long answer', async () => {
  const app = await startApp()
  const reader = await app.user()
  await write(app, reader, 120)
  expect(await unread(reader)).toHaveLength(100)
})

test('an invalid message id is refused, and nobody reads without a login', async () => {
  const app = await startApp()
  const reader = await app.user()
  expect((await reader.call(user.markMessageRead, { messageId: '7' })).code).toBe(CODES.BadInput.code)
  expect((await app.call(user.listUnreadMessages, {})).code).not.toBe(CODES.Ok.code)
})

const pageAfter = async (reader: TestUser, cursor: string | null) =>
  (await reader.call(messageCalls.listMessages, { cursor, limit: 2 })).data

test('all messages are listed page by page, newest first, each to its own user alone', async () => {
  const app = await startApp()
  const [reader, colleague] = [await app.user(), await app.user()]
  await write(app, reader, 3)
  app.clock.advance(1000)
  await write(app, reader, 2)
  const [oldest] = await unread(reader)
  await reader.call(user.markMessageRead, { messageId: oldest?.messageId ?? '' })
  const seen: string[] = []
  let cursor: string | null = null
  for (let page = 0; page < 3; page++) {
    const { messages, nextCursor } = await pageAfter(reader, cursor)
    seen.push(...messages.map(({ messageId }) => messageId))
    expect(messages.map(({ read }) => read)).toEqual(
      messages.map(({ messageId }) => messageId === oldest?.messageId),
    )
    cursor = nextCursor
  }
  expect(cursor).toBeNull()
  expect(new Set(seen).size).toBe(5)
  expect((await colleague.call(messageCalls.listMessages, {})).data.messages).toEqual([])
  const foreign = await colleague.call(messageCalls.listMessages, { cursor: seen[0] ?? null })
  expect(foreign.data.messages).toEqual([])
})

test('a page of messages has its limits, and needs a login', async () => {
  const app = await startApp()
  const reader = await app.user()
  for (const bad of [{ limit: 0 }, { limit: 101 }, { cursor: 'x' }])
    expect((await reader.call(messageCalls.listMessages, bad)).code).toBe(CODES.BadInput.code)
  expect((await app.call(messageCalls.listMessages, {})).code).not.toBe(CODES.Ok.code)
})
