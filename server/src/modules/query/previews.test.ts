import { CODES, LIMITS, query, type Sent, warehouse } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { createScriptedProvider } from '../../engines/scripted/provider.ts'
import { signedCall } from '../../testing/signed-call.ts'
import { sharedApp, startApp, type TestUser } from '../../testing/start-app.ts'

type Asked = Partial<Sent<typeof query.preview>>

async function previewOf(user: TestUser, sql: string, asked: Asked = {}) {
  const place = { catalog: '', database: '', warehouse: '' }
  const { code, data } = await user.call(query.preview, { sql, ...place, resumes: true, ...asked })
  expect(code).toBe(CODES.Ok.code)
  return data
}

const ran = async (user: TestUser) =>
  (await user.call(query.history, { user: user.name })).data.entries.filter(
    ({ program }) => program === 'Preview',
  )

const app = sharedApp({}, { engine: 'embedded' })

test.each([
  ['CREATE TABLE previewed (a INT)', 'Only a statement that reads'],
  ['INSERT INTO previewed VALUES (1)', 'Only a statement that reads'],
  ['EXPLAIN ANALYZE INSERT INTO previewed VALUES (1)', 'Only a statement that reads'],
  [`SET query_timeout = 1`, 'Only a statement that reads'],
  [`SELECT nextval('numbers')`, 'Only a statement that reads'],
  ['SELECT 1; DROP TABLE previewed', 'this text has 2'],
  ['   ', 'this text has 0'],
])('%s has no preview', async (sql, why) => {
  const admin = await (await app()).admin()
  const { problem, rows } = await previewOf(admin, sql)
  expect(problem).toEqual({ code: 'BadInput', message: expect.stringContaining(why) })
  expect(rows).toEqual([])
})

test('nobody previews what they may not read, nor in a warehouse that they may not use', async () => {
  const admin = await (await app()).admin()
  const channel = await admin.channel()
  await channel.run('CREATE TABLE hidden_from_previews AS SELECT 42 AS n')
  const other = await (await app()).user([])
  const refused = await previewOf(other, 'SELECT * FROM hidden_from_previews')
  expect(refused).toMatchObject({ rows: [], problem: { code: 'NoPermission' } })
  const elsewhere = await previewOf(other, 'SELECT 1', { warehouse: 'no such one' })
  expect(elsewhere.problem).toMatchObject({ code: 'NotFound' })
  expect(await ran(other)).toEqual([])
})

test('a preview has the first rows of its statement in its place, and the history says so', async () => {
  const admin = await (await app()).admin()
  const channel = await admin.channel()
  await channel.run('CREATE DATABASE writing; CREATE TABLE writing.lines AS SELECT range AS n FROM range(80)')
  const data = await previewOf(admin, 'SELECT n FROM lines ORDER BY n', { database: 'writing' })
  expect(data).toMatchObject({ hasMore: true, fields: [{ name: 'n', family: 'number' }] })
  expect(data.rows).toEqual(Array.from({ length: LIMITS.queryPreviewRows }, (_, n) => [String(n)]))
  const [listed] = await ran(admin)
  expect(listed).toMatchObject({ queryId: data.queryId, state: 'finished', door: 'channel' })

  const values = { least: { type: 'number', value: '78' } } as const
  const bound = await previewOf(admin, 'SELECT n FROM lines WHERE n >= :least', {
    database: 'writing',
    values,
  })
  expect(bound).toMatchObject({ rows: [['78'], ['79']], hasMore: false })
})

test('half a statement is answered, and the history does not list it', async () => {
  const writer = await (await app()).user(['account_admin'])
  const half = await previewOf(writer, 'SELECT * FROM nowhere_to_be_found')
  const problem = { code: 'QueryFailed', message: expect.stringContaining('nowhere_to_be_found') }
  expect(half.problem).toEqual(problem)
  expect((await previewOf(writer, 'SELECT 1 +')).problem).toMatchObject({ code: 'QueryFailed' })
  expect(await ran(writer)).toEqual([])
})

test('a suspended warehouse is resumed only for who asks for that', async () => {
  const own = await startApp()
  const admin = await own.admin()
  const [found] = (await admin.call(warehouse.list, {})).data.warehouses
  const warehouseId = found?.warehouseId ?? ''
  await admin.call(warehouse.suspend, { warehouseId })
  const stateOf = async () => (await admin.call(warehouse.describe, { warehouseId })).data.status
  await expect.poll(stateOf).toBe('Suspended')
  const asleep = await previewOf(admin, 'SELECT 1', { resumes: false })
  expect(asleep.problem).toMatchObject({ code: 'NoRunningWarehouse' })
  expect(await stateOf()).toBe('Suspended')
  expect((await previewOf(admin, 'SELECT 1')).rows).toEqual([['1']])
  expect((await previewOf(admin, 'SELECT 1', { resumes: false })).problem).toBeNull()
})

test('the next preview of a user stops the one before, and nobody else’s', async () => {
  const engines = createScriptedProvider({ without: ['describing'] })
  const own = await startApp({}, { engines })
  const admin = await own.admin()
  const other = await own.user(['account_admin'])
  let release = (): void => undefined
  const after = new Promise<void>((resolve) => (release = resolve))
  engines.answer('SELECT 10', { after })
  engines.answer('SELECT 20', { after })
  const first = previewOf(admin, 'SELECT 10')
  const others = previewOf(other, 'SELECT 20')
  const running = async () => (await admin.call(query.running, {})).data.entries.map(({ sql }) => sql).sort()
  await expect.poll(running).toEqual(['SELECT 10', 'SELECT 20'])
  expect((await previewOf(admin, 'SELECT 2')).rows).toEqual([['2']])
  release()
  expect((await first).problem).toMatchObject({ code: 'Cancelled' })
  expect((await others).problem).toBeNull()
})

test('a preview that nobody waits for any more is stopped', async () => {
  const own = await app()
  const writer = await own.user(['account_admin'])
  const sql = 'SELECT count(*) FROM range(1000000) a, range(1000000) b'
  const asked = { sql, catalog: '', database: '', warehouse: '', resumes: true }
  const {
    url,
    method,
    headers,
    payload = '',
  } = signedCall(query.preview, asked, {
    token: writer.token,
    now: own.clock.now(),
  })
  const leaving = new AbortController()
  const { signal } = leaving
  const answer = fetch(new URL(url, await own.url()), { method, headers, body: payload, signal })
  const states = async () => (await ran(writer)).map(({ state }) => state)
  await expect.poll(states).toEqual(['running'])
  leaving.abort()
  await expect(answer).rejects.toThrow('aborted')
  // What runs out of time has failed.
  await expect.poll(states).toEqual(['cancelled'])
})
