import { randomUUID } from 'node:crypto'
import { CODES, editor, query, type QueryRsp, QUERY_STATES } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp, type TestAppOptions } from '../../../testing/start-app.ts'
import type { TestChannel } from '../../../testing/test-channel.ts'

const setUp = async (options: TestAppOptions = {}) => {
  const app = await startApp({}, options)
  const admin = await app.admin()
  const channel = await admin.channel()
  const [first] = await channel.run('SELECT 1')
  return { app, admin, channel, connId: first?.connId ?? 0 }
}

/** Sends them all before the first is answered; gives their request ids. */
function pipeline(channel: TestChannel, connId: number, texts: readonly string[]): string[] {
  return texts.map((sql) => {
    const requestId = randomUUID()
    channel.send({ cmd: 2, queryReq: { connId, oriConnId: connId, channel: 'tab', requestId, sql } })
    return requestId
  })
}

async function lastOf(channel: TestChannel, requestId: string | undefined): Promise<QueryRsp | undefined> {
  return (await channel.finalAnswers(requestId ?? '')).at(-1)
}

const historyOf = async ({ admin }: Awaited<ReturnType<typeof setUp>>, requestId: string | undefined) => {
  const { data } = await admin.call(query.history, { limit: 50 })
  return data.entries.find((entry) => entry.requestId === requestId)
}

test('requests sent one behind the other find the session as the one before left it', async () => {
  const { channel, connId } = await setUp({ engine: 'embedded' })
  const ids = pipeline(channel, connId, [
    'CREATE DATABASE harbour',
    'USE harbour',
    'CREATE TABLE boats AS SELECT 1 AS n',
    "SET time_zone = 'Asia/Tokyo'",
    'SET sql_select_limit = 7',
    'SHOW TABLES',
    "SELECT TIMESTAMPTZ '2026-01-01 00:00:00+00' FROM range(20)",
  ])
  const answers = await Promise.all(ids.map((id) => lastOf(channel, id)))
  expect(answers.map((answer) => answer?.errMsg)).toEqual(ids.map(() => ''))
  expect(answers[5]?.result).toEqual([['boats']])
  expect(answers[6]?.result).toHaveLength(7)
  expect(answers[6]?.result[0]?.[0]).toContain('09:00:00')
})

test('what waits behind a request of its own connection holds no slot that others could use', async () => {
  const world = await setUp()
  const { app, channel, connId } = world
  app.engines.hold()
  const ids = pipeline(
    channel,
    connId,
    Array.from({ length: 10 }, () => 'SELECT 2'),
  )
  const other = channel.run('SELECT 3')
  const [runs, waits] = await channel.hear(() => {
    const running = channel.heard.flatMap((one) =>
      one.cmd === 2 && one.queryRsp.queryState === QUERY_STATES.Running ? [one.queryRsp] : [],
    )
    return running.length >= 2
      ? [running, running.filter(({ queuePlace }) => queuePlace !== null)]
      : undefined
  })
  expect(runs.map(({ requestId }) => requestId)).toContain(ids[0])
  expect(waits).toEqual([])
  expect(await historyOf(world, ids[0])).toMatchObject({ state: 'running' })
  expect(await historyOf(world, ids[9])).toMatchObject({ state: 'accepted', startedAt: null })
  app.engines.release()
  expect((await other)[0]?.result).toEqual([['3']])
  expect((await lastOf(channel, ids[9]))?.result).toEqual([['2']])
  expect(await historyOf(world, ids[9])).toMatchObject({ state: 'finished', startedAt: expect.any(String) })
})

test('stopping a request that waits behind another ends it at once, and the order stays', async () => {
  const { app, admin, channel, connId } = await setUp()
  app.engines.hold()
  const [first, second, third] = pipeline(channel, connId, ['SELECT 1', 'SELECT 2', 'SELECT 3'])
  await expect.poll(async () => (await admin.call(query.history, { limit: 10 })).data.entries.length).toBe(4)
  await admin.call(editor.kill, { requestId: second ?? '' })
  expect(await lastOf(channel, second)).toMatchObject({ errCode: CODES.Cancelled.code })
  const { data } = await admin.call(query.history, { limit: 10 })
  expect(data.entries.find((entry) => entry.requestId === third)).toMatchObject({ state: 'accepted' })
  app.engines.release()
  expect((await lastOf(channel, first))?.result).toEqual([['1']])
  expect((await lastOf(channel, third))?.result).toEqual([['3']])
})

test('a request whose connection ends before its turn in the queue fails with ConnectionLost', async () => {
  const { app, admin, channel, connId } = await setUp()
  app.engines.hold()
  const [first, second] = pipeline(channel, connId, ['SELECT 1', 'SELECT 2'])
  await expect.poll(async () => (await admin.call(query.history, { limit: 10 })).data.entries.length).toBe(3)
  channel.send({ cmd: 3, connId })
  expect(await lastOf(channel, first)).toMatchObject({ errCode: CODES.Cancelled.code })
  expect(await lastOf(channel, second)).toMatchObject({ errCode: CODES.ConnectionLost.code })
  app.engines.release()
})

test('a statement that is queued for a slot has not started, and starts when it gets one', async () => {
  const world = await setUp()
  const { app, channel } = world
  app.engines.hold()
  const running = Array.from({ length: 4 }, () => channel.run('SELECT 1'))
  const requestId = randomUUID()
  const queued = channel.run('SELECT 2', { requestId })
  const place = await channel.hear((message) =>
    message.cmd === 2 && message.queryRsp.queuePlace !== null ? message.queryRsp.requestId : undefined,
  )
  await expect
    .poll(() => historyOf(world, place))
    .toMatchObject({ state: 'accepted', startedAt: null, acceptedAt: expect.any(String) })
  app.clock.advance(5000)
  app.engines.release()
  await Promise.all([...running, queued])
  const entry = await historyOf(world, place)
  expect(entry).toMatchObject({ state: 'finished' })
  expect(Date.parse(entry?.startedAt ?? '') - Date.parse(entry?.acceptedAt ?? '')).toBe(5000)
})

test('a request that was answered is answered again over a connection that is gone', async () => {
  const { channel, connId } = await setUp()
  const requestId = randomUUID()
  await channel.run('CREATE TABLE once (i INTEGER)', { connId, oriConnId: connId })
  await channel.run('INSERT INTO once VALUES (1)', { connId, oriConnId: connId, requestId })
  channel.send({ cmd: 3, connId })
  const [again] = await channel.run('INSERT INTO once VALUES (1)', { connId, oriConnId: connId, requestId })
  expect(again).toMatchObject({ queryState: QUERY_STATES.Finished, totalRows: 1 })
  expect((await channel.run('SELECT count(*) FROM once'))[0]?.result).toEqual([['1']])
})

test('a request id that comes again with another text is refused, and nothing of it runs', async () => {
  const { app, channel, connId } = await setUp()
  const requestId = randomUUID()
  await channel.run('SELECT 1', { connId, oriConnId: connId, requestId })
  const [other] = await channel.run('CREATE TABLE never (i INTEGER)', {
    connId,
    oriConnId: connId,
    requestId,
  })
  expect(other).toMatchObject({ errCode: CODES.Conflict.code })
  app.engines.hold()
  const running = randomUUID()
  const first = channel.run('SELECT 2', { requestId: running })
  const [meanwhile] = await channel.run('SELECT 3', { requestId: running })
  expect(meanwhile).toMatchObject({ errCode: CODES.Conflict.code })
  app.engines.release()
  await first
  expect((await channel.run('SELECT * FROM never'))[0]?.errMsg).toContain('never')
})
