import { randomUUID } from 'node:crypto'
import {
  CHANNEL_CLOSE,
  CODES,
  CONN_LOST,
  editor,
  LIMITS,
  newNonce,
  QUERY_STATES,
  user,
} from '@boathouse/contract'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { MINUTES } from '../../testing/fake-clock.ts'
import { startApp } from '../../testing/start-app.ts'
import { channelUrl } from '../../testing/test-channel.ts'

const handshake = (url: string): Promise<number> =>
  new Promise((resolve) => {
    const socket = new WebSocket(url)
    socket.on('open', () => resolve(101))
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    socket.on('error', () => undefined)
  })

test('the channel opens only for a signed address with a living login [CHANNEL-05, CHANNEL-06, CHANNEL-07]', async () => {
  const app = await startApp()
  const base = await app.url()
  const { token } = await app.admin()
  const now = app.clock.now()
  const good = channelUrl(base, { token, now })
  const changed = (name: string, value: string) => {
    const url = new URL(good)
    url.searchParams.set(name, value)
    return url.href
  }
  expect(await handshake(changed('signature', '0'.repeat(64)))).toBe(400)
  expect(await handshake(changed('nonce', newNonce()))).toBe(400)
  expect(await handshake(channelUrl(base, { token: 'unknown', now }))).toBe(401)
  expect(await handshake(channelUrl(base, { token, now: new Date(now.getTime() - 6 * MINUTES) }))).toBe(400)
  expect(await handshake(good)).toBe(101)
  expect(await handshake(good), 'the same address again').toBe(400)
})

test('a query is answered running, then finished, with rows, fields and its ids [CHANNEL-01, CHANNEL-25, CHANNEL-31, EDITOR-24]', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const channel = await (await app.admin()).channel()
  const [answer] = await channel.run("SELECT 9007199254740993 AS big, 'x' AS t, NULL AS n", {
    channel: 'tab-7',
    requestId: 'request-0001',
  })
  expect(answer).toMatchObject({
    errCode: 20000,
    channel: 'tab-7',
    requestId: 'request-0001',
    queryState: QUERY_STATES.Finished,
    result: [['9007199254740993', 'x', null]],
    totalRows: 1,
    errMsg: '',
    catalog: 'default_catalog',
    db: 'main',
    warehouse: 'default_warehouse',
    statementCount: 1,
  })
  expect(answer?.fields.map((field) => [field.name, field.type, field.family])).toEqual([
    ['big', 'BIGINT', 'number'],
    ['t', 'VARCHAR', 'text'],
    ['n', expect.any(String), expect.any(String)],
  ])
  expect(answer?.connId).toBeGreaterThan(0)
  const states = channel.heard.flatMap((message) => (message.cmd === 2 ? [message.queryRsp.queryState] : []))
  // On a slow machine it is first reported as running.
  expect(states.filter((state) => state !== QUERY_STATES.Running)).toEqual([QUERY_STATES.Finished])
})

test('bad SQL answers the message with line and column of the text that was sent', async () => {
  const app = await startApp()
  const channel = await (await app.admin()).channel()
  const [, second] = await channel.run('SELECT 1;\n  SELECT nowhere')
  expect(second).toMatchObject({
    queryState: QUERY_STATES.Failed,
    errCode: CODES.QueryFailed.code,
    errMsg: expect.stringContaining('nowhere'),
    errPosition: { line: 2, column: 10 },
  })
})

test('several statements run in order and stop at the first error, with an outcome each', async () => {
  const app = await startApp()
  const channel = await (await app.admin()).channel()
  const answers = await channel.run(
    'CREATE TABLE t (n int); INSERT INTO t VALUES (1), (2); SELECT broken; DROP TABLE t',
  )
  expect(answers.map((answer) => [answer.statementIndex, answer.queryState, answer.totalRows])).toEqual([
    [0, 2, 0],
    [1, 2, 2],
    [2, 3, 0],
    [3, 3, 0],
  ])
  expect(answers[3]?.errMsg).toBe('Not run, because statement 3 did not finish.')
  expect((await channel.run('SELECT count(*) FROM t'))[0]?.result).toEqual([['2']])
})

test('a request sent twice runs once and answers twice, also on another channel [CHANNEL-14]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const [here, there] = [await admin.channel(), await admin.channel()]
  await here.run('CREATE TABLE t (n int)')
  const requestId = randomUUID()
  const insert = 'INSERT INTO t VALUES (1)'
  const [first] = await here.run(insert, { requestId })
  const [again] = await here.run(insert, { requestId })
  const [elsewhere] = await there.run(insert, { requestId })
  expect(first).toMatchObject({ queryState: 2, totalRows: 1 })
  expect([again, elsewhere]).toEqual(
    [first, { ...first }].map((answer) =>
      expect.objectContaining({ queryId: answer?.queryId, totalRows: 1 }),
    ),
  )
  expect((await here.run('SELECT count(*) FROM t'))[0]?.result).toEqual([['1']])
})

test('a request sent again while it runs attaches to the run [CHANNEL-14]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const [here, there] = [await admin.channel(), await admin.channel()]
  await here.run('CREATE TABLE t (n int)')
  const requestId = randomUUID()
  const request = { connId: 0, oriConnId: 0, channel: 'tab', requestId, sql: 'INSERT INTO t VALUES (1)' }
  app.engines.hold()
  here.send({ cmd: 2, queryReq: request })
  await here.hear((message) =>
    message.cmd === 2 && message.queryRsp.requestId === requestId ? true : undefined,
  )
  here.socket.terminate()
  there.send({ cmd: 2, queryReq: request })
  await there.hear((message) =>
    message.cmd === 2 && message.queryRsp.requestId === requestId ? true : undefined,
  )
  app.engines.release()
  expect(await there.finalAnswers(requestId)).toMatchObject([{ queryState: 2, totalRows: 1 }])
  expect((await there.run('SELECT count(*) FROM t'))[0]?.result).toEqual([['1']])
})

test("someone else's request id is refused, not answered", async () => {
  const app = await startApp()
  const [mine, theirs] = [await (await app.admin()).channel(), await (await app.user(['db_admin'])).channel()]
  const requestId = randomUUID()
  await mine.run("SELECT 'secret'", { requestId })
  expect((await theirs.run('SELECT 1', { requestId }))[0]).toMatchObject({
    errCode: CODES.Conflict.code,
    result: [],
  })
})

test('a connection that is gone, or not mine, answers 40004 with -1, and a new one takes over its place [CHANNEL-16, CHANNEL-26, CHANNEL-35]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const channel = await admin.channel()
  const [first] = await channel.run('CREATE DATABASE boats; USE boats')
  const connId = first?.connId ?? 0
  const [moved] = await channel.run('SELECT 1', { connId: 0, oriConnId: connId })
  expect(moved).toMatchObject({ db: 'boats' })
  expect(moved?.connId).not.toBe(connId)
  channel.send({ cmd: 3, connId })
  channel.send({ cmd: 1, connIds: [connId] })
  await channel.hear((message) =>
    message.cmd === 1 && message.keepAliveRsp.notAliveConnIds.includes(connId) ? true : undefined,
  )
  expect((await channel.run('SELECT 1', { connId }))[0]).toMatchObject({
    errCode: 40004,
    connId: CONN_LOST,
    queryState: 3,
  })
  const other = await (await app.user(['db_admin'])).channel()
  expect((await other.run('SELECT 1', { connId: moved?.connId ?? 0 }))[0]).toMatchObject({ errCode: 40004 })
  expect((await channel.run('SELECT 1', { connId: CONN_LOST }))[0]).toMatchObject({ errCode: 40004 })
  expect((await channel.run('SELECT 1', { connId: 0, oriConnId: connId }))[0]).toMatchObject({ db: 'boats' })
})

test('a keep-alive is answered with the ids that are not alive [CHANNEL-24, CHANNEL-30]', async () => {
  const app = await startApp()
  const channel = await (await app.admin()).channel()
  const [answer] = await channel.run('SELECT 1')
  const connId = answer?.connId ?? 0
  channel.send({ cmd: 1, connIds: [connId, 999_999, CONN_LOST] })
  const dead = await channel.hear((message) =>
    message.cmd === 1 ? message.keepAliveRsp.notAliveConnIds : undefined,
  )
  expect(dead).toEqual([999_999, CONN_LOST])
})

test('stopping a statement ends it as cancelled and keeps its connection [CHANNEL-27, EDITOR-66]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const channel = await admin.channel()
  const [{ connId } = { connId: 0 }] = await channel.run('SELECT 1')
  const requestId = randomUUID()
  app.engines.hold()
  channel.send({
    cmd: 2,
    queryReq: { connId, oriConnId: connId, channel: 'tab', requestId, sql: 'SELECT 2' },
  })
  await channel.hear((message) =>
    message.cmd === 2 && message.queryRsp.requestId === requestId ? true : undefined,
  )
  const other = await app.user(['account_admin'])
  expect((await other.call(editor.kill, { requestId })).code).toBe(CODES.NotFound.code)
  expect((await admin.call(editor.kill, { requestId })).data).toEqual({ stopped: true })
  expect(await channel.finalAnswers(requestId)).toMatchObject([
    {
      queryState: 3,
      errCode: CODES.Cancelled.code,
      errMsg: expect.stringMatching(/^Stopped at your request/),
    },
  ])
  app.engines.release()
  expect((await channel.run('SELECT 3', { connId }))[0]).toMatchObject({ result: [['3']], connId })
})

test('an engine that dies in the middle is a named outcome, and the next statement runs on a new one', async () => {
  const app = await startApp()
  const channel = await (await app.admin()).channel()
  await channel.run('CREATE TABLE t AS SELECT 1 AS n')
  const requestId = randomUUID()
  app.engines.hold()
  channel.send({
    cmd: 2,
    queryReq: { connId: 0, oriConnId: 0, channel: 'tab', requestId, sql: 'INSERT INTO t VALUES (2)' },
  })
  await expect.poll(() => app.engines.heldStatements()).toBe(1)
  app.engines.crash('killed by a test')
  app.engines.release()
  expect(await channel.finalAnswers(requestId)).toMatchObject([
    { queryState: 3, errCode: CODES.Interrupted.code, errMsg: expect.stringContaining('killed by a test') },
  ])
  app.clock.advance(MINUTES)
  expect((await channel.run('SELECT n FROM t'))[0]?.result).toEqual([['1']])
})

test('a user without a privilege gets the name of the missing one', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  await (await (await app.admin()).channel()).run('CREATE TABLE t (a INT)')
  const channel = await (await app.user(['public'])).channel()
  expect((await channel.run('FROM t'))[0]).toMatchObject({
    errCode: CODES.NoPermission.code,
    errMsg: expect.stringContaining('SELECT on TABLE default_catalog.main.t'),
  })
})

test('logging out closes the channel of that login [CHANNEL-04]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const [channel, other] = [await admin.channel(), await (await app.admin()).channel()]
  await admin.call(user.logout, {})
  expect(await channel.closed).toMatchObject({ code: CHANNEL_CLOSE.LoginRequired })
  expect((await other.run('SELECT 1'))[0]?.queryState).toBe(QUERY_STATES.Finished)
})

test('a login that expired answers 40001 to a query [CHANNEL-39]', async () => {
  const app = await startApp()
  const channel = await (await app.admin()).channel()
  app.clock.advance(13 * 60 * MINUTES)
  expect((await channel.run('SELECT 1'))[0]).toMatchObject({ errCode: 40001, queryState: 3 })
})

test.each([
  ['no JSON', 'hello'],
  ['bytes that are no text', Buffer.from([0xff, 0x00, 0x80])],
  ['an unknown cmd', '{"cmd":9}'],
  ['a query that does not say which one it is', '{"cmd":2,"queryReq":{"sql":"SELECT 1"}}'],
])('%s is answered with what is wrong, and the channel lives on', async (_, message) => {
  const app = await startApp()
  const channel = await (await app.admin()).channel()
  channel.socket.send(message)
  const answer = await channel.hear((heard) =>
    heard.cmd === 3 && heard.type === 'BadMessage' ? heard : undefined,
  )
  expect(answer.data).toEqual({ message: expect.stringMatching(/cmd|queryReq/) })
  expect((await channel.run('SELECT 1'))[0]?.queryState).toBe(QUERY_STATES.Finished)
})

test('a query that cannot be read, but says which one it is, fails as that query', async () => {
  const app = await startApp()
  const channel = await (await app.admin()).channel()
  channel.socket.send('{"cmd":2,"queryReq":{"requestId":"a-bad-request","channel":"tab","connId":"x"}}')
  expect(await channel.finalAnswers('a-bad-request')).toMatchObject([
    { errCode: CODES.BadInput.code, channel: 'tab', errMsg: expect.stringContaining('queryReq.connId') },
  ])
})

test('a channel on which nothing can be read is closed with a reason', async () => {
  const app = await startApp()
  const channel = await (await app.admin()).channel()
  for (let sent = 0; sent <= 100; sent++) channel.socket.send('nonsense')
  expect(await channel.closed).toMatchObject({ code: CHANNEL_CLOSE.BadMessage })
})

test('the channel opens with a heartbeat [CHANNEL-29]', async () => {
  const app = await startApp()
  const channel = await (await app.admin()).channel()
  expect(await channel.hear((message) => (message.cmd === 0 ? message : undefined))).toEqual({ cmd: 0 })
})

test('a user holds a bounded number of channels, and the next one is closed with a reason', async () => {
  const app = await startApp()
  const admin = await app.admin()
  for (let open = 0; open < LIMITS.channelsPerUser; open++) await admin.channel()
  expect(await (await admin.channel()).closed).toEqual({
    code: CHANNEL_CLOSE.LimitReached,
    reason: 'You have 32 open channels, the maximum. Close windows of the console.',
  })
})

test('a channel opens again once another one of the user is gone', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const channels = []
  for (let open = 0; open < LIMITS.channelsPerUser; open++) channels.push(await admin.channel())
  channels[0]?.socket.close()
  await expect.poll(async () => (await app.http.inject('/metrics')).body).toContain('boathouse_channels 31')
  expect((await (await admin.channel()).run('SELECT 1'))[0]?.queryState).toBe(QUERY_STATES.Finished)
})

test('a channel that was refused can send bytes that are no message, and the service lives on', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const channel = await admin.channel()
  for (let open = 1; open < LIMITS.channelsPerUser; open++) await admin.channel()
  const refused = new WebSocket(channelUrl(await app.url(), { token: admin.token, now: app.clock.now() }))
  // Clients must mask what they send: the server takes this for an error of the protocol.
  refused.on('open', () => refused.send('unmasked', { mask: false }))
  await new Promise((resolve) => refused.on('close', resolve))
  expect((await channel.run('SELECT 1'))[0]?.queryState).toBe(QUERY_STATES.Finished)
})

test('what the last server left unfinished is answered as interrupted', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const channel = await admin.channel()
  const requestId = randomUUID()
  const [answer] = await channel.run('SELECT 1', { requestId })
  await app.endsWritten()
  await app.store.db
    .updateTable('statements')
    .set({
      state: 'interrupted',
      error: JSON.stringify({ code: 'Interrupted', message: 'The service ended.', offset: null }),
      request_id: 'cut-off-request',
    })
    .where('query_id', '=', answer?.queryId ?? '')
    .execute()
  expect((await channel.run('SELECT 1', { requestId: 'cut-off-request' }))[0]).toMatchObject({
    queryState: 3,
    errCode: CODES.Interrupted.code,
  })
})

test('a text with U+0000 is refused in words', async () => {
  const app = await startApp()
  const channel = await (await app.admin()).channel()
  expect((await channel.run("SELECT '\0'"))[0]).toMatchObject({
    errCode: CODES.BadInput.code,
    errMsg: expect.stringContaining('U+0000'),
  })
})

test('a client that does not answer the close of its channel does not hold up the end of the service', async () => {
  let end = (): Promise<void> => Promise.resolve()
  const app = await startApp({}, { ends: (given) => (end = given) })
  const channel = await (await app.admin()).channel()
  channel.socket.pause()
  await end()
  expect(channel.socket.readyState).toBe(WebSocket.OPEN)
  channel.socket.terminate()
})
