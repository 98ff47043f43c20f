import { randomUUID } from 'node:crypto'
import { CODES, query, type QueryRsp, schema } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { HOURS } from '../../../testing/fake-clock.ts'
import { startApp, type TestAppOptions } from '../../../testing/start-app.ts'
import { CUT_OFF } from './ending.ts'

const LOOK_FIRST = 'Check whether it took effect before you run it again.'

async function setUp(...without: NonNullable<TestAppOptions['without']>) {
  const app = await startApp({}, { without })
  const admin = await app.admin()
  const channel = await admin.channel()
  const [first] = await channel.run('SELECT 1')
  const connId = first?.connId ?? 0
  const run = async (sql: string, requestId: string = randomUUID()): Promise<QueryRsp | undefined> =>
    (await channel.run(sql, { connId, oriConnId: connId, requestId }))[0]
  return { app, admin, run }
}

test('of a write that is lost with an engine that does not remember nobody claims to know', async () => {
  const { app, admin, run } = await setUp('effects')
  await run('CREATE TABLE t (n int)')
  app.engines.hold()
  const requestId = randomUUID()
  const lost = run('INSERT INTO t VALUES (1)', requestId)
  await expect.poll(() => app.engines.heldStatements()).toBe(1)
  app.engines.crash('killed by a test')
  app.engines.release()
  const expected = { errCode: CODES.Interrupted.code, errMsg: expect.stringContaining(LOOK_FIRST) }
  expect(await lost).toMatchObject(expected)
  expect(await run('INSERT INTO t VALUES (1)', requestId)).toMatchObject(expected)
  const { entries } = (await admin.call(query.history, { limit: 10 })).data
  expect(entries.find((entry) => entry.requestId === requestId)).toMatchObject({
    state: 'interrupted',
    effect: null,
  })
  app.clock.advance(HOURS / 60)
  expect(await run('SELECT count(*) FROM t')).toMatchObject({ result: [['0']] })
})

test('a write that was cut off with the server is not asked for again and again', async () => {
  const { app, run } = await setUp('effects')
  await run('CREATE TABLE t (n int)')
  const requestId = randomUUID()
  await run('INSERT INTO t VALUES (1)', requestId)
  await app.endsWritten()
  const sentAs = `${requestId}-x`
  // As a server leaves it that died in the middle.
  const message = `The engine ended while this statement ran (crashed). ${CUT_OFF.unknown}`
  for (const error of [null, JSON.stringify({ code: 'Interrupted', message, offset: null })]) {
    await app.store.db
      .updateTable('statements')
      .set({ state: 'interrupted', effect: 'unknown', row_count: null, request_id: sentAs, error })
      .where('request_id', 'in', [requestId, sentAs])
      .execute()
    expect(await run('INSERT INTO t VALUES (1)', sentAs)).toMatchObject({
      errCode: CODES.Interrupted.code,
      errMsg: expect.stringContaining(LOOK_FIRST),
    })
    const left = app.store.db.selectFrom('statements').select('effect').where('effect', '=', 'unknown')
    expect(await left.execute()).toEqual([])
  }
})

test('an engine that shows no plans is not asked for one', async () => {
  const { run } = await setUp()
  expect(await run('EXPLAIN SELECT 1')).toMatchObject({
    errCode: CODES.QueryFailed.code,
    errMsg: 'EXPLAIN is not available: the engine of this warehouse has no plans.',
  })
})

test('a statement whose profile is wanted runs where there are none, and says so', async () => {
  const { admin, run } = await setUp()
  await run('SET enable_profile = true')
  const answer = await run('SELECT 42')
  expect(answer).toMatchObject({
    result: [['42']],
    notice: 'There is no profile: the engine of this warehouse does not support profiles.',
  })
  const { data } = await admin.call(query.detail, { queryId: answer?.queryId ?? '' })
  expect(data.profile).toBeNull()
})

test.each([
  'SHOW DATABASES',
  'SHOW TABLES FROM main',
  'SHOW ALL TABLES',
  'USE main',
  'CREATE DATABASE boats',
  'DROP DATABASE boats',
])('without catalogs there is nothing to list, to make or to enter: %s', async (sql) => {
  const { admin, run } = await setUp('catalogs')
  expect(await run(sql)).toMatchObject({
    errCode: CODES.QueryFailed.code,
    errMsg: 'The engine of this account has no databases.',
  })
  const nothing = { code: CODES.NotFound.code, message: expect.stringContaining('no databases or tables') }
  const catalog = 'default_catalog'
  expect(await admin.call(schema.databases, { catalog })).toMatchObject(nothing)
  expect(await run('SELECT 1')).toMatchObject({ result: [['1']] })
})

test('a setting that its engine does not have keeps a statement from running, and is never left out in silence', async () => {
  const { run } = await setUp()
  expect(await run(`SET default_null_order = 'nulls first'`)).toMatchObject({ errCode: CODES.Ok.code })
  expect(await run('SELECT 1')).toMatchObject({
    errCode: CODES.QueryFailed.code,
    errMsg: expect.stringContaining('does not have the setting default_null_order'),
  })
  expect(await run('SET default_null_order = DEFAULT')).toMatchObject({ errCode: CODES.Ok.code })
  expect(await run('SELECT 1')).toMatchObject({ errCode: CODES.Ok.code, result: [['1']] })
})
