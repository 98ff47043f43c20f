import {
  CallError,
  ChannelError,
  connect,
  type Field,
  type Row,
  StatementError,
} from '@boathouse/client/public/index'
import { loginCalls, query } from '@boathouse/contract'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { makeKey } from '../../testing/key-kit.ts'
import { startApp, type TestAppOptions } from '../../testing/start-app.ts'

afterEach(() => {
  vi.useRealTimers()
})

async function startServer(options: TestAppOptions = {}) {
  const app = await startApp({}, options)
  vi.useFakeTimers({ toFake: ['Date'], now: app.clock.now() })
  const admin = await app.admin()
  const { secret } = await makeKey(admin, { name: 'report' })
  return { app, admin, url: await app.url(), key: secret }
}

/** A client that ends with the test. */
async function connected(options: Parameters<typeof connect>[0]) {
  const client = await connect(options)
  onTestFinished(() => client.close().catch(() => undefined))
  return client
}

async function all(rows: AsyncIterable<Row>): Promise<Row[]> {
  const found: Row[] = []
  for await (const row of rows) found.push(row)
  return found
}

test('a wrong password, a wrong key, no server and no address are refused, each in its own way', async () => {
  const { app, url } = await startServer()
  const who = { url, account: app.accountId, user: 'admin' }
  await expect(connect({ ...who, password: 'Rowing_1999' })).rejects.toMatchObject({
    name: 'CallError',
    codeName: 'LoginFailed',
    code: 40007,
    path: '/user/login',
  })
  await expect(connect({ url, key: 'bh_nothing' })).rejects.toMatchObject({ codeName: 'LoginFailed' })
  await expect(connect({ url: 'http://127.0.0.1:1', key: 'bh_x' })).rejects.toMatchObject({
    codeName: 'NetworkError',
  })
  await expect(connect({ url: 'ftp://example.com', key: 'bh_x' })).rejects.toBeInstanceOf(TypeError)
})

test('a password opens a sign-in that ends with the client', async () => {
  const { app, admin, url } = await startServer()
  const client = await connect({ url, account: app.accountId, user: 'admin', password: app.password })
  expect(client).toMatchObject({ account: app.accountId, user: 'admin' })
  const { warehouses } = await client.api.warehouse.list()
  expect(warehouses.map(({ name }) => name)).toEqual(['default_warehouse'])
  const before = (await admin.call(loginCalls.listLogins, {})).data.logins.length
  await client.close()
  expect((await admin.call(loginCalls.listLogins, {})).data.logins).toHaveLength(before - 1)
  await expect(client.api.user.info()).rejects.toMatchObject({ codeName: 'LoginRequired' })
})

test('with a key statements run under the name of the key and of the program', async () => {
  const { admin, url, key } = await startServer()
  const client = await connected({ url, key, program: 'nightly report' })
  const session = await client.session()
  expect(await all(await session.run('select 42 as answer'))).toEqual([['42']])
  const { entries } = (await admin.call(query.history, {})).data
  expect(entries[0]).toMatchObject({ sql: 'select 42 as answer', key: 'report', program: 'nightly report' })
})

test('a call that takes no keys says so, and one with bad input names the field', async () => {
  const { url, key } = await startServer()
  const client = await connected({ url, key })
  const refused = await client.api.key.create({ name: 'more' }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(CallError)
  expect(refused).toMatchObject({ codeName: 'NoPermission', path: '/key/create' })
  await expect(client.api.query.history({ limit: 0 })).rejects.toThrow('limit: ')
})

test('a failed statement says where and of which kind, and the session stays', async () => {
  const { url, key } = await startServer({ engine: 'embedded' })
  const client = await connected({ url, key })
  const session = await client.session()
  const failed = await session.run('select 1;\nselect * from nowhere').catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(StatementError)
  expect(failed).toMatchObject({
    codeName: 'QueryFailed',
    kind: 'missing',
    statementIndex: 1,
    position: { line: 2 },
  })
  for (const text of ['', ';', 'x'.repeat(1_048_577)])
    await expect(session.run(text)).rejects.toMatchObject({ name: 'StatementError', codeName: 'BadInput' })
  const results = await session.runAll(
    'create table t (a int); insert into t values (1), (2); select a from t order by a',
  )
  expect(results.map(({ rowsChanged }) => rowsChanged)).toEqual([0, 2, null])
  const objects = []
  for await (const one of results[2]?.objects() ?? []) objects.push(one)
  expect(objects).toEqual([{ a: '1' }, { a: '2' }])
})

test('a session begins in its place, and is refused where there is none', async () => {
  const { url, key } = await startServer({ engine: 'embedded' })
  const client = await connected({ url, key })
  await (await client.session()).run('create database voyages')
  const session = await client.session({ database: 'voyages', warehouse: 'default_warehouse' })
  expect(session.place()).toEqual({
    catalog: 'default_catalog',
    database: 'voyages',
    warehouse: 'default_warehouse',
  })
  await expect(client.session({ database: 'nowhere' })).rejects.toBeInstanceOf(StatementError)
  await expect(client.session({ warehouse: 'none"; drop table t; --' })).rejects.toBeInstanceOf(
    StatementError,
  )
})

test('rows beyond the first thousand are read in windows, long values whole, and read again the same', async () => {
  const { url, key } = await startServer({ engine: 'embedded' })
  const client = await connected({ url, key })
  const session = await client.session()
  const long = 'ä'.repeat(10_000)
  const result = await session.run(
    `select i, case when i in (3, 2400) then repeat('ä', 10000) end as text from range(2500) r(i) order by i`,
  )
  expect(result.fields.map(({ name, family }: Field) => [name, family])).toEqual([
    ['i', 'number'],
    ['text', 'text'],
  ])
  expect(result.isComplete).toBe(true)
  for (let time = 0; time < 2; time++) {
    const rows = await all(result)
    expect(rows).toHaveLength(2500)
    expect(rows.every(([i], at) => i === String(at))).toBe(true)
    expect([rows[3]?.[1], rows[2400]?.[1], rows[5]?.[1]]).toEqual([long, long, null])
  }
})

test('a limit that was asked for is no error, and is said', async () => {
  const { url, key } = await startServer({ engine: 'embedded' })
  const client = await connected({ url, key })
  const limited = await client.session({ rowLimit: 10 })
  const ten = await limited.run('select * from range(50)')
  expect([(await all(ten)).length, ten.isComplete]).toEqual([10, false])
})

test('an aborted signal stops the statement on the server, and the session stays', async () => {
  const { admin, url, key } = await startServer({ engine: 'embedded' })
  const never = 'select count(*) from range(1000000) a, range(1000000) b where a.range <> b.range'
  const client = await connected({ url, key })
  const session = await client.session()
  const stop = new AbortController()
  const running = session.run(never, { signal: stop.signal })
  running.catch(() => undefined)
  await vi.waitFor(async () =>
    expect((await admin.call(query.running, {})).data.entries.map(({ sql }) => sql)).toEqual([never]),
  )
  stop.abort(new Error('enough'))
  await expect(running).rejects.toThrow('enough')
  await vi.waitFor(async () => expect((await admin.call(query.running, {})).data.entries).toEqual([]))
  expect(await all(await session.run('select 42 as answer'))).toEqual([['42']])
  await expect(
    session.run('select 42 as answer', { signal: AbortSignal.abort(new Error('never')) }),
  ).rejects.toThrow('never')
})

test('a client that was closed runs nothing more, and does not hang', async () => {
  const { url, key } = await startServer()
  const client = await connect({ url, key })
  const session = await client.session()
  await client.close()
  await expect(session.run('select 42 as answer')).rejects.toBeInstanceOf(ChannelError)
})
