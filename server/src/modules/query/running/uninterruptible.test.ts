import { randomUUID } from 'node:crypto'
import { CODES, editor, type QueryRsp, QUERY_STATES } from '@boathouse/contract'
import { expect, onTestFinished, test } from 'vitest'
import { createEmbeddedProvider, type EmbeddedEngine } from '../../../testing/embedded-engine.ts'
import { sharedApp, startApp } from '../../../testing/start-app.ts'

const { Finished, Failed } = QUERY_STATES

const nested = (levels: number, open: string, close: string, inner: string): string =>
  open.repeat(levels) + inner + close.repeat(levels)

const shared = sharedApp()

test.each([
  [
    'lambdas',
    `select ${nested(23, 'list_transform([1], x -> ', ')', 'x')}`,
    'nested too deeply for the engine',
  ],
  ['subqueries', `select ${nested(23, '(select ', ')', '1')}`, 'nested too deeply for the engine'],
  ['arrows', `select '{}'::json${"->'a'".repeat(30)}`, 'one path instead of several arrows'],
  ['lists', `select ${nested(120, '[', ']', '1')}`, 'structures is 100 levels'],
  [
    'lambdas in a view',
    `create view v as select ${nested(23, 'apply([1], lambda x: ', ')', 'x')}`,
    'nested too deeply',
  ],
])('%s without end are refused before an engine sees them, with their place', async (_, sql, words) => {
  const user = await (await shared()).user([])
  const [answer] = await (await user.channel()).run(sql)
  expect(answer).toMatchObject({ queryState: Failed, errCode: CODES.QueryFailed.code })
  expect(answer?.errMsg).toContain(words)
})

test('a statement that cannot be interrupted is stopped for its user: the engine stays, and its session says what it lost', async () => {
  const provider = await createEmbeddedProvider({ spare: false, stopDeadlineMs: 500 })
  onTestFinished(() => provider.close())
  const opened: EmbeddedEngine[] = []
  const app = await startApp(
    {},
    {
      engines: {
        ...provider,
        async open(space) {
          const engine = await provider.open(space)
          opened.push(engine)
          return engine
        },
      },
    },
  )
  const [admin, user] = [await app.admin(), await app.user(['db_admin'])]
  const [first, second] = [await admin.channel(), await user.channel()]
  await first.run('CREATE TABLE t (n INTEGER)')
  const [{ connId }] = (await second.run('BEGIN')) as [QueryRsp]
  const requestId = randomUUID()
  const sql = `SELECT len(json_extract(repeat('{"a":', 900) || '1' || repeat('}', 900), '$..a..a..a..a'))`
  second.send({ cmd: 2, queryReq: { connId, oriConnId: connId, channel: 'tab', requestId, sql } })
  await second.hear((message) =>
    message.cmd === 2 && message.queryRsp.requestId === requestId ? true : undefined,
  )
  expect((await first.run('INSERT INTO t VALUES (1)'))[0]).toMatchObject({ queryState: Finished })
  await user.call(editor.kill, { requestId })
  const [stopped] = await second.finalAnswers(requestId)
  expect(stopped).toMatchObject({ errCode: CODES.Cancelled.code, errMsg: 'Stopped at your request.' })
  const onIt = { connId, oriConnId: connId }
  expect((await second.run('SELECT 1', onIt))[0]).toMatchObject({
    queryState: Failed,
    errMsg: expect.stringContaining('your open transaction was rolled back'),
  })
  expect((await second.run('SELECT count(*) FROM t', onIt))[0]).toMatchObject({
    queryState: Finished,
    result: [['1']],
  })
  expect((await first.run('INSERT INTO t VALUES (2)'))[0]).toMatchObject({
    queryState: Finished,
    notice: '',
  })
  expect(opened).toHaveLength(1)
})
