import { randomUUID } from 'node:crypto'
import {
  CODES,
  query,
  type QueryReq,
  type QueryRsp,
  QUERY_STATES,
  schema,
  warehouse,
} from '@boathouse/contract'
import { expect, test } from 'vitest'
import { createScriptedProvider } from '../../engines/scripted/provider.ts'
import { EMBEDDED, EMBEDDED_LABEL } from '../../testing/embedded-engine.ts'
import { MINUTES } from '../../testing/fake-clock.ts'
import { startApp } from '../../testing/start-app.ts'

const { Finished, Failed } = QUERY_STATES
const finished = { queryState: Finished, errMsg: '' }
const SCRIPTED = 'scripted'
const HOME = 'default_warehouse'

/** An account with a warehouse in the embedded engine, which has its own data, and one in the scripted engine. */
async function setUp() {
  const scripted = createScriptedProvider()
  const app = await startApp({}, { engine: 'embedded', otherEngines: [scripted] })
  const admin = await app.admin()
  const created = await admin.call(warehouse.create, { name: 'script', engine: SCRIPTED })
  expect(created).toMatchObject({
    code: CODES.Ok.code,
    data: { engine: { id: SCRIPTED, label: 'Scripted' } },
  })
  const channel = await admin.channel()
  const all = (sql: string, overrides: Partial<QueryReq> = {}): Promise<QueryRsp[]> =>
    channel.run(sql, { connId, oriConnId: connId, ...overrides })
  const run = async (sql: string, overrides: Partial<QueryReq> = {}): Promise<QueryRsp> => {
    const [answer, ...others] = await all(sql, overrides)
    if (!answer || others.length > 0) throw new Error(`One answer was expected, not ${others.length + 1}.`)
    return answer
  }
  let connId = 0
  connId = (await run('SELECT 1')).connId
  return {
    app,
    admin,
    channel,
    all,
    run,
    connId,
    scripted,
    faultsOf: { [EMBEDDED]: app.engines, [SCRIPTED]: scripted },
    choose: async (name: string) => expect(await run(`SET WAREHOUSE ${name}`)).toMatchObject(finished),
    enginesOf: async () => {
      await app.endsWritten()
      const { entries } = (await admin.call(query.history, {})).data
      return entries.toReversed().map(({ sql, engine }) => [sql, engine])
    },
  }
}

test('each statement runs in the engine of its warehouse, and the history says which that was', async () => {
  const { all, run, choose, enginesOf } = await setUp()
  await run('CREATE TABLE boats (n int)')
  await choose('script')
  expect(await run('SELECT * FROM boats')).toMatchObject({ queryState: Failed })
  await run('CREATE TABLE oars (n int)')
  const text = `INSERT INTO oars VALUES (1); SET WAREHOUSE ${HOME}; INSERT INTO boats VALUES (7)`
  expect(await all(text)).toMatchObject([finished, finished, finished])
  expect(await run('SELECT n FROM boats')).toMatchObject({ ...finished, result: [['7']] })
  await run('CREATE DATABASE harbour')
  expect(await enginesOf()).toEqual([
    ['SELECT 1', EMBEDDED],
    ['CREATE TABLE boats (n int)', EMBEDDED],
    ['SET WAREHOUSE script', ''],
    ['SELECT * FROM boats', SCRIPTED],
    ['CREATE TABLE oars (n int)', SCRIPTED],
    ['INSERT INTO oars VALUES (1)', SCRIPTED],
    [`SET WAREHOUSE ${HOME}`, ''],
    ['INSERT INTO boats VALUES (7)', EMBEDDED],
    ['SELECT n FROM boats', EMBEDDED],
    ['CREATE DATABASE harbour', EMBEDDED],
  ])
})

test('the engine is written down before a statement runs, of each statement of a text', async () => {
  const { app, all, channel, connId, scripted } = await setUp()
  scripted.hold()
  const requestId = randomUUID()
  const sql = `SET WAREHOUSE script; CREATE TABLE t (n int); CREATE DATABASE g; SHOW TABLES`
  channel.send({ cmd: 2, queryReq: { connId, oriConnId: connId, channel: 'tab', requestId, sql } })
  await expect.poll(() => scripted.heldStatements()).toBe(1)
  const rows = await app.store.db
    .selectFrom('statements')
    .select(['engine', 'state'])
    .where('request_id', '=', requestId)
    .orderBy('statement_index')
    .execute()
  expect(rows.slice(1)).toEqual([
    { engine: SCRIPTED, state: 'running' },
    { engine: EMBEDDED, state: 'accepted' },
    { engine: null, state: 'accepted' },
  ])
  scripted.release()
  expect(await channel.finalAnswers(requestId)).toMatchObject([finished, finished, finished, finished])
  expect(await all('SELECT 1')).toMatchObject([finished])
})

test('lists are those of the home engine, whichever warehouse is chosen', async () => {
  const { admin, run, choose } = await setUp()
  await run('CREATE TABLE boats (n int)')
  const listed = async () => {
    const catalog = 'default_catalog'
    const { data } = await admin.call(schema.tables, { catalog, databaseName: 'main' })
    return [
      (await run('SHOW TABLES')).result.flat(),
      (await run('SHOW DATABASES')).result.flat(),
      data.list.map(({ tableName }) => tableName),
    ]
  }
  const before = await listed()
  expect(before).toEqual([['boats'], ['main'], ['boats']])
  await choose('script')
  await run('CREATE TABLE oars (n int)')
  expect(await listed()).toEqual(before)
  expect((await run('SHOW WAREHOUSES')).result.map((row) => row.at(-1))).toEqual([EMBEDDED_LABEL, 'Scripted'])
})

test('results of both engines are read again and exported', async () => {
  const { app, admin, run, choose } = await setUp()
  const kept = async (n: number) => {
    await run('CREATE TABLE t (n int)')
    await run(`INSERT INTO t VALUES (${n})`)
    return (await run('SELECT n FROM t')).queryId
  }
  const inEmbedded = await kept(7)
  await choose('script')
  const inScripted = await kept(8)
  for (const [queryId, n] of [
    [inEmbedded, '7'],
    [inScripted, '8'],
  ] as const) {
    const { data } = await admin.call(query.resultWindow, { queryId, offset: 0, limit: 10 })
    expect(data.rows).toEqual([[n]])
    const file = (await admin.call(query.exportResult, { queryId, format: 'csv' })).data
    expect((await app.http.inject(file.url)).body).toMatch(new RegExp(`^n\\r?\\n${n}\\r?\\n$`))
  }
})

type SetUp = Awaited<ReturnType<typeof setUp>>

/** A table of the same name in both engines, each with one row that its own INSERT made. */
async function written({ run, choose }: SetUp) {
  const inserts: Record<string, QueryRsp> = {}
  for (const [name, engine] of [
    [HOME, EMBEDDED],
    ['script', SCRIPTED],
  ] as const) {
    await choose(name)
    await run('CREATE TABLE t (n int)')
    inserts[engine] = await run('INSERT INTO t VALUES (1)')
  }
  return inserts
}

/** As a server leaves a write that died in the middle of it; under another id, nothing of it remained. */
async function cutOff({ app }: SetUp, { queryId }: Pick<QueryRsp, 'queryId'>, change: { query_id?: string }) {
  await app.endsWritten()
  const requestId = randomUUID()
  await app.store.db
    .updateTable('statements')
    .set({ state: 'interrupted', effect: 'unknown', row_count: null, request_id: requestId, ...change })
    .where('query_id', '=', queryId)
    .execute()
  return requestId
}

const INSERT = 'INSERT INTO t VALUES (1)'
const took = { queryState: Finished, totalRows: 1 }
const didNotTake = {
  queryState: Failed,
  errCode: CODES.Interrupted.code,
  errMsg: expect.stringContaining('It did not take effect'),
}
const notKnown = { queryState: Failed, errCode: CODES.Interrupted.code }

test('the effect of a write that was cut off with the server is asked of the engine that ran it', async () => {
  const set = await setUp()
  const inserts = await written(set)
  const again = (requestId: string) => set.run(INSERT, { requestId })
  for (const engine of [EMBEDDED, SCRIPTED]) {
    const insert = inserts[engine] ?? { queryId: '' }
    expect(await again(await cutOff(set, insert, {}))).toMatchObject(took)
    expect(await again(await cutOff(set, insert, { query_id: randomUUID() }))).toMatchObject(didNotTake)
  }
})

test('an engine that cannot be asked does not keep the others from being asked', async () => {
  const set = await setUp()
  const inserts = await written(set)
  const lost = await cutOff(set, inserts[SCRIPTED] ?? { queryId: '' }, {})
  const other = await cutOff(set, inserts[EMBEDDED] ?? { queryId: '' }, {})
  set.scripted.crash('killed by a test')
  set.app.clock.advance(MINUTES)
  set.scripted.failNextOpen('no room on the disk')
  expect(await set.run(INSERT, { requestId: lost })).toMatchObject(notKnown)
  expect(await set.run(INSERT, { requestId: other })).toMatchObject(took)
  expect(await set.run(INSERT, { requestId: lost })).toMatchObject(took)
})

test('the effect of a write in an engine that is no longer configured stays unknown', async () => {
  const set = await setUp()
  const inserts = await written(set)
  const insert = inserts[SCRIPTED] ?? { queryId: '' }
  const requestId = await cutOff(set, insert, {})
  const { db } = set.app.store
  await db.updateTable('statements').set({ engine: 'gone' }).where('request_id', '=', requestId).execute()
  expect(await set.run(INSERT, { requestId })).toMatchObject({
    ...notKnown,
    errMsg: expect.not.stringContaining('It did not take effect'),
  })
  // Of those from before engines were written down, the home engine knows.
  await db.updateTable('statements').set({ engine: null }).where('request_id', '=', requestId).execute()
  expect(await set.run(INSERT, { requestId })).toMatchObject(didNotTake)
})

test.each([
  [EMBEDDED, HOME, 'script'],
  [SCRIPTED, 'script', HOME],
] as const)(
  'a write that is cut off with its engine (%s) says truly that it did not take effect, and the other engine stays',
  async (engine, own, other) => {
    const { app, channel, connId, run, choose, faultsOf, ...set } = await setUp()
    await written({ app, channel, connId, run, choose, faultsOf, ...set })
    await choose(other)
    await run('CREATE TEMP TABLE mine (n int)')
    await choose(own)
    const faults = faultsOf[engine]
    faults.hold()
    const requestId = randomUUID()
    const request = { connId, oriConnId: connId, channel: 'tab', requestId, sql: 'INSERT INTO t VALUES (2)' }
    channel.send({ cmd: 2, queryReq: request })
    await expect.poll(() => faults.heldStatements()).toBe(1)
    faults.crash('killed by a test')
    app.clock.advance(MINUTES)
    faults.release()
    expect((await channel.finalAnswers(requestId))[0]).toMatchObject(didNotTake)
    expect(await run('SELECT count(*) FROM t')).toMatchObject({ ...finished, result: [['1']] })
    await choose(other)
    expect((await run('SELECT count(*) FROM t')).result).toEqual([['1']])
  },
)

const inTransaction = async ({ run }: Pick<SetUp, 'run'>) => {
  await run('CREATE TABLE t (n int)')
  await run('BEGIN')
  await run('INSERT INTO t VALUES (1)')
}

test('SHOW and USE leave the session in the other engine alone: its transaction and its temporary tables stay', async () => {
  const set = await setUp()
  const { run, choose } = set
  await run('CREATE DATABASE harbour')
  await choose('script')
  await run('CREATE TEMP TABLE mine (n int)')
  await inTransaction(set)
  for (const sql of ['SHOW TABLES', 'SHOW DATABASES', 'USE main', "SET time_zone = 'Asia/Tokyo'"])
    expect(await run(sql)).toMatchObject({ ...finished, notice: '' })
  expect(await run('SELECT count(*) FROM t')).toMatchObject({ ...finished, notice: '', result: [['1']] })
  expect(await run('SELECT count(*) FROM mine')).toMatchObject({ ...finished, notice: '' })
  expect(await run('COMMIT')).toMatchObject(finished)
  expect(await run('SELECT count(*) FROM t', { connId: 0 })).toMatchObject({ ...finished, result: [['1']] })
})

test('the session in the other engine follows a USE, with its transaction', async () => {
  const set = await setUp()
  const { app, run, choose } = set
  await run('CREATE DATABASE harbour')
  await choose('script')
  const make = 'MAKE default_catalog.harbour'
  await app.compute.useEngine({ accountId: app.accountId, engine: SCRIPTED }, async (engine) => {
    const state = { catalog: 'default_catalog', database: 'main', timeZone: 'UTC', variables: {} }
    const session = await engine.openSession(state)
    const options = { takenFor: null, authorize: 'all', maxRows: 1, queryId: randomUUID() } as const
    await session.execute(make, { ...options, keep: null, profile: null }).outcome
    await session.close()
  })
  await run('CREATE TABLE harbour.quays (n int)')
  await inTransaction(set)
  expect(await run('USE harbour')).toMatchObject({ ...finished, db: 'harbour' })
  expect(await run('SELECT count(*) FROM quays')).toMatchObject(finished)
  expect(await run('SELECT count(*) FROM main.t')).toMatchObject({ ...finished, result: [['1']] })
  expect(await run('ROLLBACK')).toMatchObject(finished)
})

test('a database that the other engine does not have is reported as one that no longer exists', async () => {
  const { run, choose } = await setUp()
  await choose('script')
  await run('SELECT 1')
  await run('CREATE DATABASE harbour')
  await run('USE harbour')
  expect(await run('SELECT 1')).toMatchObject({
    queryState: Failed,
    errMsg: expect.stringContaining('The database harbour no longer exists'),
    db: 'main',
  })
  expect(await run('SELECT 1')).toMatchObject({ ...finished, db: 'main' })
  await choose(HOME)
  await run('CREATE TABLE here (n int)')
  expect((await run('SHOW TABLES FROM main')).result.flat()).toEqual(['here'])
})

test.each([
  [HOME, 'script'],
  ['script', HOME],
])(
  'choosing another engine closes the session in the first one (%s), and says what was lost',
  async (from, to) => {
    const set = await setUp()
    const { run, choose } = set
    await choose(from)
    await run('CREATE TEMP TABLE mine (n int)')
    await inTransaction(set)
    await choose(to)
    expect(await run('SHOW DATABASES')).toMatchObject(finished)
    const refused = await run('SELECT 1')
    expect(refused).toMatchObject({ queryState: Failed, errCode: CODES.Interrupted.code })
    expect(refused.errMsg).toBe(
      'You chose a warehouse of another engine since your last statement, and your open transaction was rolled back: nothing of it took effect. Begin it again. Your temporary tables are gone.',
    )
    expect(await run('SELECT 1')).toMatchObject({ ...finished, notice: '' })
    await choose(from)
    expect(await run('SELECT count(*) FROM t')).toMatchObject({ ...finished, notice: '', result: [['0']] })
    expect(await run('SELECT * FROM mine')).toMatchObject({ queryState: Failed })
  },
)

test('a transaction does not stay open in the engine that its connection has left', async () => {
  const { run, choose } = await setUp()
  await run('CREATE TABLE t (n int)')
  await run('INSERT INTO t VALUES (1)')
  await run('BEGIN')
  await run('UPDATE t SET n = 2')
  const update = async () => (await run('UPDATE t SET n = 3', { connId: 0, oriConnId: 0 })).queryState
  expect(await update()).toBe(Failed)
  await choose('script')
  await expect.poll(update).toBe(Finished)
})

test('where the warehouse is in the home engine, SHOW sees what its transaction has made', async () => {
  const { run } = await setUp()
  await run('BEGIN')
  await run('CREATE TABLE fresh (n int)')
  expect((await run('SHOW TABLES')).result.flat()).toEqual(['fresh'])
  await run('ROLLBACK')
  expect((await run('SHOW TABLES')).result).toEqual([])
})

test('what a statement has defined in another engine is in the audit log after the server ended in the middle', async () => {
  const { app, run, choose } = await setUp()
  await choose('script')
  const { queryId } = await run('CREATE TABLE t (n int)')
  const { db } = app.store
  const taken = { account_id: app.accountId, begun_at: app.clock.now(), engine: SCRIPTED }
  const noted = (name: string) =>
    JSON.stringify({
      event: {
        by: { kind: 'user', userId: null, name: 'admin', clientIp: null },
        action: 'table.create',
        object: { type: 'table', id: name, name },
        before: null,
        after: { name },
      },
      follows: [],
    })
  await db
    .insertInto('catalog_changes')
    .values([
      { change_id: queryId, ...taken, told: noted('kept') },
      { change_id: randomUUID(), ...taken, told: noted('dropped') },
    ])
    .execute()
  await app.notes.settle()
  expect(await db.selectFrom('catalog_changes').selectAll().execute()).toEqual([])
  const entries = await db.selectFrom('audit_entries').select('entry').execute()
  const told = entries.map(({ entry }) => entry).filter((entry) => /"name":"(kept|dropped)"/.test(entry))
  expect(told).toHaveLength(1)
  expect(told[0]).toContain('kept')
})
