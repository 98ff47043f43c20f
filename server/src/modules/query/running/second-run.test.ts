import { randomUUID } from 'node:crypto'
import { CODES, editor, query, type QueryRsp, QUERY_STATES } from '@boathouse/contract'
import { expect, onTestFinished, test } from 'vitest'
import { createEmbeddedProvider } from '../../../testing/embedded-engine.ts'
import { startApp, type TestApp } from '../../../testing/start-app.ts'
import type { TestChannel } from '../../../testing/test-channel.ts'

const { Finished, Failed } = QUERY_STATES
const RAN_AGAIN = expect.stringContaining('so it ran again from the start')

/** Sends it, and resolves when it runs. */
async function begin(channel: TestChannel, sql: string, connId = 0): Promise<string> {
  const requestId = randomUUID()
  channel.send({ cmd: 2, queryReq: { connId, oriConnId: connId, channel: 'tab', requestId, sql } })
  await channel.hear((message) =>
    message.cmd === 2 && message.queryRsp.requestId === requestId ? true : undefined,
  )
  return requestId
}

async function end(channel: TestChannel, requestId: string): Promise<QueryRsp> {
  const [answer] = await channel.finalAnswers(requestId)
  if (!answer) throw new Error('There is no answer.')
  return answer
}

async function twoUsers(app: TestApp) {
  const [anna, bert] = [await app.admin(), await app.user(['db_admin'])]
  const [first, second] = [await anna.channel(), await bert.channel()]
  await first.run('CREATE TABLE t AS SELECT 7 AS n')
  return { anna, bert, first, second }
}

test('a SELECT under which the engine ended runs again in the same request, and says so', async () => {
  const app = await startApp()
  const { bert, second } = await twoUsers(app)
  app.engines.hold()
  const requestId = await begin(second, 'SELECT n FROM t')
  app.engines.crash('killed by a test')
  app.engines.release()
  const answer = await end(second, requestId)
  expect(answer).toMatchObject({ queryState: Finished, result: [['7']], notice: RAN_AGAIN })
  await app.endsWritten()
  const { entry } = (await bert.call(query.detail, { queryId: answer.queryId })).data
  expect(entry).toMatchObject({ state: 'finished', rows: 1 })
})

test('of two that run again, the one under which the engine ends once more is suspected, and the other finishes', async () => {
  const app = await startApp()
  const { first, second } = await twoUsers(app)
  app.engines.hold()
  const requests = [
    [first, await begin(first, 'SELECT n FROM t')],
    [second, await begin(second, 'SELECT n + 1 FROM t')],
  ] as const
  app.engines.crash('killed by a test')
  // Both have left the engine; one of them is in the next one, where it is held.
  await expect.poll(() => app.engines.heldStatements()).toBe(1)
  app.engines.crash('killed again')
  app.engines.release()
  const answers = await Promise.all(requests.map(([channel, requestId]) => end(channel, requestId)))
  const [suspected, innocent] = answers.sort((a, b) => b.queryState - a.queryState)
  expect(suspected).toMatchObject({
    queryState: Failed,
    errCode: CODES.Interrupted.code,
    errMsg: expect.stringContaining('It is most likely the cause, so it does not run a third time'),
  })
  expect(innocent).toMatchObject({ queryState: Finished, notice: RAN_AGAIN })
})

test.each([
  ['that is in a transaction', 'BEGIN', 'SELECT n FROM t'],
  ['that has temporary tables', 'CREATE TEMP TABLE mine AS SELECT 1', 'SELECT n FROM t'],
  ['that draws from a sequence', 'CREATE SEQUENCE s', `SELECT nextval('s')`],
  ['that writes', 'SELECT 1', 'INSERT INTO t VALUES (8)'],
])('a statement %s is not retried automatically', async (_, before, sql) => {
  const app = await startApp()
  const { first } = await twoUsers(app)
  const [{ connId }] = (await first.run(before)) as [QueryRsp]
  app.engines.hold()
  const requestId = await begin(first, sql, connId)
  app.engines.crash('killed by a test')
  app.engines.release()
  expect(await end(first, requestId)).toMatchObject({ queryState: Failed, errCode: CODES.Interrupted.code })
})

test('one that is stopped while it waits to run again is cancelled', async () => {
  const app = await startApp()
  const { anna, first, second } = await twoUsers(app)
  app.engines.hold()
  const [ours, theirs] = [await begin(first, 'SELECT n FROM t'), await begin(second, 'SELECT n FROM t')]
  app.engines.crash('killed by a test')
  await expect.poll(() => app.engines.heldStatements()).toBe(1)
  await anna.call(editor.kill, { requestId: ours })
  expect(await end(first, ours)).toMatchObject({ errCode: CODES.Cancelled.code })
  app.engines.release()
  expect(await end(second, theirs)).toMatchObject({ queryState: Finished })
})

/** The product's own engine, which does not wait long for a statement to stop. */
async function startReal() {
  const provider = await createEmbeddedProvider({ cancelDeadlineMs: 500 })
  onTestFinished(() => provider.close())
  const app = await startApp({}, { engines: provider })
  return { app, ...(await twoUsers(app)) }
}

/** Runs for about so many seconds, and only reads. */
const LONG = (seconds: number) =>
  `SELECT count(*) FROM range(${seconds} * 40000000) a WHERE hash(a.range) % 7 = 3`

// A cast cannot be guarded: the engine takes the text apart by recursion.
const DEADLY = `SELECT length((repeat('[', 100000) || repeat(']', 100000))::JSON::VARIANT::VARCHAR)`
// One step of the engine that takes long and cannot be interrupted.
const STUBBORN = `SELECT json_extract(repeat('{"a":', 60000) || '1' || repeat('}', 60000), '$..a')`

test('a SELECT that ends the engine does so twice, and the SELECT of another user finishes', async () => {
  const { first, second } = await startReal()
  const innocent = await begin(second, LONG(2))
  const [guilty] = await first.run(DEADLY)
  expect(guilty).toMatchObject({ queryState: Failed, errCode: CODES.Interrupted.code })
  expect(await end(second, innocent)).toMatchObject({ queryState: Finished, errMsg: '' })
})

test('what is known to end the engine is refused, and nobody else notices', async () => {
  const { first, second } = await startReal()
  const innocent = await begin(second, LONG(1))
  const [refused] = await first.run(`SELECT json_structure(repeat('[', 100000) || repeat(']', 100000))`)
  expect(refused).toMatchObject({ queryState: Failed, errCode: CODES.QueryFailed.code })
  expect(await end(second, innocent)).toMatchObject({ queryState: Finished, notice: '' })
})

test('a timeout that needs the end of the engine is a timeout, and the SELECT of another user finishes', async () => {
  const { first, second } = await startReal()
  const [{ connId }] = (await first.run('SET query_timeout = 1')) as [QueryRsp]
  const innocent = await begin(second, LONG(2))
  const [late] = await first.run(STUBBORN, { connId, oriConnId: connId })
  expect(late).toMatchObject({ queryState: Failed, errCode: CODES.StatementTimedOut.code })
  expect(await end(second, innocent)).toMatchObject({ queryState: Finished, errMsg: '' })
})
