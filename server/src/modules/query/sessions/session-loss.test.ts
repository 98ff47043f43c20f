import { randomUUID } from 'node:crypto'
import { CODES, editor, query, type QueryReq, type QueryRsp, QUERY_STATES } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { HOURS } from '../../../testing/fake-clock.ts'
import { startApp } from '../../../testing/start-app.ts'

const { Finished, Failed } = QUERY_STATES
const finished = { queryState: Finished, errMsg: '' }

async function setUp() {
  const app = await startApp()
  const admin = await app.admin()
  const channel = await admin.channel()
  const run = async (sql: string, overrides: Partial<QueryReq> = {}): Promise<QueryRsp> => {
    const [answer, ...others] = await channel.run(sql, { connId, oriConnId: connId, ...overrides })
    if (!answer || others.length > 0) throw new Error(`One answer was expected, not ${others.length + 1}.`)
    return answer
  }
  let connId = 0
  connId = (await run('CREATE TABLE t (n int)')).connId

  return {
    app,
    admin,
    channel,
    run,
    connId,
    /** The engine ends as if it were killed, and may be started again at once. */
    crash() {
      app.engines.crash('killed by a test')
      app.clock.advance(HOURS / 60)
    },
    /** Closes the connection, and gives what a client sends to continue in a new one. */
    async close() {
      channel.send({ cmd: 3, connId })
      await expect.poll(async () => (await run('SELECT 1')).errCode).toBe(CODES.ConnectionLost.code)
      return { connId: 0, oriConnId: connId }
    },
    /** Sends it, and resolves when it is in the engine and goes no further. */
    async begin(sql: string): Promise<string> {
      const requestId = randomUUID()
      app.engines.hold()
      channel.send({ cmd: 2, queryReq: { connId, oriConnId: connId, channel: 'tab', requestId, sql } })
      await channel.hear((message) =>
        message.cmd === 2 && message.queryRsp.requestId === requestId ? true : undefined,
      )
      return requestId
    },
    end: async (requestId: string) => (await channel.finalAnswers(requestId))[0],
    count: async () => Number((await run('SELECT count(*) FROM t')).result[0]?.[0]),
  }
}

const ROLLED_BACK = expect.stringContaining(
  'your open transaction was rolled back: nothing of it took effect',
)
const rolledBack = { queryState: Failed, errCode: CODES.Interrupted.code, errMsg: ROLLED_BACK }

async function inDroppedDatabase() {
  const set = await setUp()
  await set.run('CREATE DATABASE g')
  await set.run('USE g')
  // By somebody else: who drops their own is moved at once.
  await set.run('DROP DATABASE g', { connId: 0, oriConnId: 0 })
  return set
}

const movedToMain = {
  queryState: Failed,
  errCode: CODES.QueryFailed.code,
  errMsg:
    'The database g no longer exists, so this session is now in main. Run the statement again, or choose another database with USE.',
  db: 'main',
  dbChange: true,
}

test('a session whose database is gone continues in main: the first statement does not run and says so', async () => {
  const { run, crash, count } = await inDroppedDatabase()
  crash()
  expect(await run('INSERT INTO t VALUES (1)')).toMatchObject(movedToMain)
  expect(await count()).toBe(0)
  expect(await run('INSERT INTO t VALUES (1)')).toMatchObject({ ...finished, db: 'main', dbChange: false })
  crash()
  expect(await count()).toBe(1)
})

test('statements of the service work in a session whose database is gone', async () => {
  const { run, crash } = await inDroppedDatabase()
  crash()
  expect(await run('SHOW DATABASES')).toMatchObject({
    ...finished,
    result: [['main']],
    notice: 'The database g, which this session used, no longer exists.',
  })
  expect(await run("SET time_zone = 'Asia/Tokyo'")).toMatchObject(finished)
  expect(await run('USE main')).toMatchObject({ ...finished, db: 'main', dbChange: true })
  expect(await run('SELECT n FROM t')).toMatchObject({ ...finished, notice: '' })
})

test('a database that is created again is the place of its sessions again', async () => {
  const { run, crash } = await inDroppedDatabase()
  crash()
  expect(await run('CREATE DATABASE g')).toMatchObject(finished)
  expect(await run('CREATE TABLE mine (n int)')).toMatchObject({ ...finished, db: 'g', notice: '' })
  expect(await run('SELECT * FROM g.mine')).toMatchObject(finished)
})

test('a new connection that takes its place from one whose database is gone continues in main', async () => {
  const { run, close } = await inDroppedDatabase()
  const successor = await close()
  const lossAnswer = await run('SELECT 1', successor)
  expect(lossAnswer).toMatchObject(movedToMain)
  expect(await run('SELECT 1', { connId: lossAnswer.connId })).toMatchObject({ ...finished, db: 'main' })
})

test('no statement runs outside a lost transaction before the loss is reported, also none of the service', async () => {
  const { run, crash, count } = await setUp()
  await run('BEGIN')
  await run('INSERT INTO t VALUES (1)')
  crash()
  expect(await run('CREATE DATABASE x')).toMatchObject(rolledBack)
  expect((await run('SHOW DATABASES')).result.flat()).not.toContain('x')
  expect(await run('CREATE DATABASE x')).toMatchObject({ ...finished, notice: '' })
  expect(await count()).toBe(0)
})

test('SHOW and USE work after a transaction was lost, and do not keep the loss from being reported', async () => {
  const { run, crash } = await setUp()
  await run('BEGIN')
  crash()
  expect(await run('USE main')).toMatchObject({ ...finished, notice: ROLLED_BACK })
  // The loss is not forgotten with another engine either.
  crash()
  expect(await run('SHOW TABLES')).toMatchObject({ ...finished, notice: ROLLED_BACK })
  expect(await run('INSERT INTO t VALUES (1)')).toMatchObject(rolledBack)
  expect(await run('INSERT INTO t VALUES (1)')).toMatchObject({ ...finished, notice: '' })
})

test('a ROLLBACK after its transaction was lost has what it asks for, and says why', async () => {
  const { run, crash } = await setUp()
  await run('BEGIN')
  await run('INSERT INTO t VALUES (1)')
  crash()
  expect(await run('ROLLBACK')).toMatchObject({ ...finished, notice: ROLLED_BACK })
  expect(await run('SELECT n FROM t')).toMatchObject({ ...finished, totalRows: 0, notice: '' })
})

test('what was lost with a connection that ended is reported to the one that takes its place', async () => {
  const { run, close } = await setUp()
  await run('CREATE TEMP TABLE mine AS SELECT 1')
  await run('BEGIN')
  await run('INSERT INTO t VALUES (1)')
  const successor = await close()
  const lossAnswer = await run('COMMIT', successor)
  expect(lossAnswer).toMatchObject(rolledBack)
  expect(lossAnswer.errMsg).toContain('Your temporary tables are gone.')
  expect(await run('SELECT n FROM t', { connId: lossAnswer.connId })).toMatchObject({
    ...finished,
    totalRows: 0,
    notice: '',
  })
})

test('a connection opened beside one that lives has lost nothing', async () => {
  const { run, connId, count } = await setUp()
  await run('BEGIN')
  await run('INSERT INTO t VALUES (1)')
  expect(await run('SELECT 1', { connId: 0, oriConnId: connId })).toMatchObject({ ...finished, notice: '' })
  expect(await run('COMMIT')).toMatchObject(finished)
  expect(await count()).toBe(1)
})

test('lost temporary tables are reported until a statement finishes', async () => {
  const { run, crash } = await setUp()
  await run('CREATE TEMP TABLE mine AS SELECT 1')
  crash()
  const gone = expect.stringContaining('your temporary tables are gone')
  expect(await run('SELECT * FROM mine')).toMatchObject({ queryState: Failed, notice: gone })
  crash()
  expect(await run('SELECT 1')).toMatchObject({ ...finished, notice: gone })
  expect(await run('SELECT 1')).toMatchObject({ ...finished, notice: '' })
})

test.each(['CREATE DATABASE x', 'DROP DATABASE g'])(
  '%s that is cut off says truly whether it took effect',
  async (sql) => {
    const { app, run, begin, end, crash } = await setUp()
    await run('CREATE DATABASE g')
    const requestId = await begin(sql)
    crash()
    app.engines.release()
    const answer = await end(requestId)
    expect(answer).toMatchObject({ queryState: Failed, errCode: CODES.Interrupted.code })
    const taken = answer?.errMsg.includes('It took effect completely.') ?? false
    expect(taken || answer?.errMsg.includes('It did not take effect, so you can run it again.')).toBe(true)
    const names = (await run('SHOW DATABASES')).result.flat()
    expect([names.includes('x'), names.includes('g')]).toEqual(
      sql.startsWith('CREATE') ? [taken, true] : [false, !taken],
    )
    const again = await app.admin()
    const { entry } = (await again.call(query.detail, { queryId: answer?.queryId ?? '' })).data
    expect(entry).toMatchObject({ state: 'interrupted', effect: taken ? 'taken' : 'not taken' })
  },
)

test('a USE that is cut off moves nothing and says so', async () => {
  const { app, run, begin, end, crash } = await setUp()
  await run('CREATE DATABASE g')
  const requestId = await begin('USE g')
  crash()
  app.engines.release()
  expect(await end(requestId)).toMatchObject({
    errCode: CODES.Interrupted.code,
    errMsg: expect.stringContaining('It did not take effect, so you can run it again.'),
    db: 'main',
    dbChange: false,
  })
})

test.each([
  ["SELECT nextval('s')", 'may have used numbers of a sequence'],
  ['SHOW TABLES', 'It only reads'],
])('of %s that is cut off it is said: %s', async (sql, words) => {
  const { app, run, begin, end, crash } = await setUp()
  await run('CREATE SEQUENCE s')
  const requestId = await begin(sql)
  crash()
  app.engines.release()
  expect((await end(requestId))?.errMsg).toContain(words)
})

test.each(['SHOW TABLES', 'USE main', "SET time_zone = 'Asia/Tokyo'", 'CREATE DATABASE x'])(
  '%s is stopped like any other statement [EDITOR-66]',
  async (sql) => {
    const { app, admin, begin, end } = await setUp()
    const requestId = await begin(sql)
    expect((await admin.call(editor.kill, { requestId })).code).toBe(CODES.Ok.code)
    expect(await end(requestId)).toMatchObject({ queryState: Failed, errCode: CODES.Cancelled.code })
    app.engines.release()
  },
)

test('a statement of the service runs out of time like any other', async () => {
  const { app, run, begin, end } = await setUp()
  await run('SET query_timeout = 1')
  const requestId = await begin('SHOW DATABASES')
  expect(await end(requestId)).toMatchObject({ errCode: CODES.StatementTimedOut.code })
  app.engines.release()
})

test('a transaction whose COMMIT was cut off with the server is not reported as rolled back', async () => {
  const app = await startApp()
  const channel = await (await app.admin()).channel()
  const [begun] = await channel.run('BEGIN')
  const connId = begun?.connId ?? 0
  const [committed] = await channel.run('COMMIT', { connId })
  // As a server leaves it that died in the middle.
  const { db } = app.store
  const unfinished = { state: 'running', ended_at: null, effect: null } as const
  await db
    .updateTable('statements')
    .set(unfinished)
    .where('query_id', '=', committed?.queryId ?? '')
    .execute()
  await db.updateTable('connections').set({ in_transaction: true }).execute()
  await app.queries.interruptUnfinished()
  const left = db.selectFrom('connections').select('in_transaction').where('connection_id', '=', connId)
  expect(await left.execute()).toEqual([{ in_transaction: false }])
})
