import { once } from 'node:events'
import { CODES, load as loadCalls } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { DAYS } from '../../testing/fake-clock.ts'
import { filesOf, inspected, over, rowsIn } from '../../testing/load-kit.ts'
import { mysqlClient, WITH_MYSQL } from '../../testing/mysql-kit.ts'
import { startApp, type TestApp, type TestUser } from '../../testing/start-app.ts'
import { basic, begun, streamed } from '../../testing/stream-kit.ts'

const CSV = { column_separator: ',' }

async function started() {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  await rowsIn(admin, 'CREATE TABLE main.t (id BIGINT, name VARCHAR)')
  const writer = await app.user([])
  await rowsIn(admin, `GRANT INSERT, SELECT ON TABLE main.t TO USER ${writer.name}`)
  return { app, admin, writer }
}

const said = async (user: TestUser, sql: string) => (await (await user.channel()).run(sql))[0]

/** A load whose body has not come yet. */
async function open(app: TestApp, label: string, more: Record<string, string> = {}) {
  const headers = { ...CSV, label, expect: '100-continue', ...more }
  const { request, answer } = await begun(app, { headers })
  request.flushHeaders()
  await once(request, 'continue')
  request.write('1,a\n')
  return { request, answer }
}

const column = async (user: TestUser, name: string, rest = '') =>
  (await rowsIn(user, `SELECT ${name} FROM information_schema.loads ${rest}`))?.flat()

test('nobody cancels or sees the load of another user, one that is over, or one that is not there', async () => {
  const { app, admin, writer } = await started()
  const open1 = await open(app, 'hers')
  const none = 'There is no load with the label hers in main, or you may not see it.'
  expect((await said(writer, "CANCEL LOAD FROM main WHERE LABEL = 'hers'"))?.errMsg).toContain(none)
  expect(await rowsIn(writer, 'SHOW LOAD FROM main')).toEqual([])
  expect(await column(writer, 'LABEL')).toEqual([])
  expect((await said(admin, "CANCEL LOAD FROM main WHERE LABEL = 'none'"))?.errMsg).toContain('label none')
  expect((await said(admin, "CANCEL LOAD FROM other WHERE LABEL = 'hers'"))?.errMsg).toContain('in other')
  open1.request.end()
  expect((await open1.answer).body.Status).toBe('Success')
  expect((await said(admin, "CANCEL LOAD FROM main WHERE LABEL = 'hers'"))?.errMsg).toContain(
    'This load is finished.',
  )
  expect((await said(admin, 'SHOW LOAD FROM main ORDER BY nothing'))?.errMsg).toContain('no column nothing')
  expect((await said(admin, 'SHOW LOAD FROM main WHERE ID > 1'))?.errMsg).toContain('Write SHOW LOAD')
  expect((await said(admin, 'CANCEL LOAD FROM main'))?.errMsg).toContain('Write CANCEL LOAD')
  expect(await rowsIn(admin, 'SELECT * FROM main.t')).toEqual([['1', 'a']])
})

test('a stream load that runs is cancelled: its sender learns so, nothing is loaded, its label is free', async () => {
  const { app, admin, writer } = await started()
  const asWriter = { authorization: basic(app, writer.name) }
  const own = await open(app, 'own', asWriter)
  const numbers = 'LABEL, STATE, PROGRESS, SCAN_ROWS, SCAN_BYTES, FILTERED_ROWS, SINK_ROWS, LOAD_FINISH_TIME'
  const running = async () => (await rowsIn(writer, `SELECT ${numbers} FROM information_schema.loads`))?.[0]
  await expect.poll(running).toEqual(['own', 'LOADING', null, null, '4', null, null, null])
  expect(await rowsIn(writer, "CANCEL LOAD FROM main WHERE LABEL = 'own'")).toEqual([])
  const cancelled = { Status: 'Fail', Message: 'The load was cancelled. Nothing was loaded.' }
  expect((await own.answer).body).toMatchObject(cancelled)
  own.request.destroy()
  // An account administrator cancels those of others, also with the call.
  const second = await open(app, 'own', asWriter)
  expect(await rowsIn(admin, "CANCEL LOAD FROM MAIN WHERE LABEL = 'own'")).toEqual([])
  expect((await second.answer).body).toMatchObject(cancelled)
  second.request.destroy()
  const third = await open(app, 'own', asWriter)
  const { list } = (await admin.call(loadCalls.list, {})).data
  const last = list.find(({ state }) => state === 'running')
  expect(last?.actions).toEqual(['drop'])
  const drop = await admin.call(loadCalls.drop, { taskId: last?.taskId ?? '' })
  expect(drop.code).toBe(CODES.Ok.code)
  expect((await third.answer).body).toMatchObject(cancelled)
  third.request.destroy()
  expect(await column(writer, 'STATE')).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED'])
  expect(await rowsIn(admin, 'SELECT * FROM main.t')).toEqual([])
  expect(await filesOf(app)).toEqual([])
  const headers = { ...CSV, label: 'own' }
  expect((await streamed(app, '2,b\n', { headers })).body.Status).toBe('Success')
})

test('a stream load is cancelled while its statement runs, and one among small ones that wait', async () => {
  const { app, admin } = await started()
  const cancelled = { Status: 'Fail', Message: 'The load was cancelled. Nothing was loaded.' }
  const held = await open(app, 'held', { enable_merge_commit: 'false' })
  app.engines.hold()
  held.request.end()
  await expect.poll(() => app.engines.heldStatements(), { timeout: 30_000 }).toBe(1)
  expect((await said(admin, "CANCEL LOAD FROM main WHERE LABEL = 'held'"))?.errMsg).toBe('')
  app.engines.release()
  expect((await held.answer).body).toMatchObject(cancelled)
  const merges = { enable_merge_commit: 'true', merge_commit_interval_ms: '2000' }
  const [waits, stays] = [await open(app, 'waits', merges), await open(app, 'stays', merges)]
  waits.request.end()
  stays.request.end()
  expect((await said(admin, "CANCEL LOAD FROM main WHERE LABEL = 'waits'"))?.errMsg).toBe('')
  expect((await waits.answer).body).toMatchObject(cancelled)
  expect((await stays.answer).body.Status).toBe('Success')
  expect(await rowsIn(admin, 'SELECT * FROM main.t')).toEqual([['1', 'a']])
  expect(await column(admin, 'STATE', 'ORDER BY LABEL')).toEqual(['CANCELLED', 'FINISHED', 'CANCELLED'])
})

test('a load of a file is listed under its id, and cancelled by it; one that is over is not', async () => {
  const { app, admin } = await started()
  const { order } = await inspected({ app, user: admin }, 'id\n1\n2\n')
  const cancel = `CANCEL LOAD FROM main WHERE LABEL = '${order.taskId}'`
  app.engines.hold()
  await admin.call(loadCalls.create, order)
  await expect.poll(() => app.engines.heldStatements(), { timeout: 30_000 }).toBe(1)
  expect((await said(admin, cancel))?.errMsg).toBe('')
  app.engines.release()
  expect(await over(admin, order.taskId)).toMatchObject({ state: 'cancelled', rowsLoaded: null })
  expect((await said(admin, cancel))?.errMsg).toContain('This load is cancelled.')
  const next = await inspected({ app, user: admin }, 'id\n1\n2\n')
  await admin.call(loadCalls.create, next.order)
  await over(admin, next.order.taskId)
  const shown = await rowsIn(
    admin,
    `SELECT LABEL, TYPE, STATE, PROGRESS, TABLE_NAME, SCAN_ROWS, SCAN_BYTES, FILTERED_ROWS, SINK_ROWS, LOAD_START_TIME
      FROM information_schema.loads WHERE LABEL = '${next.order.taskId}'`,
  )
  expect(shown).toEqual([
    [next.order.taskId, 'FILE', 'FINISHED', '100%', 'orders', null, '7', '0', '2', null],
  ])
  expect((await said(admin, cancel.replace(order.taskId, next.order.taskId)))?.errMsg).toContain(
    'This load is finished.',
  )
  expect(await column(admin, 'LABEL')).toHaveLength(2)
})

test('SHOW LOAD and information_schema.loads have the same rows with true numbers, newest first', async () => {
  const { app, admin, writer } = await started()
  const one = { ...CSV, label: 'day_1', max_filter_ratio: '0.5', strict_mode: 'true', where: 'id < 10' }
  await streamed(app, '1,a\n2,b\nx,c\n99,d\n', { headers: one })
  app.clock.advance(1_000)
  await streamed(app, 'x,a\n', { headers: { ...CSV, strict_mode: 'true', label: 'day2' } })
  app.clock.advance(1_000)
  await streamed(app, '3,e\n', {
    headers: { ...CSV, label: 'dayly', authorization: basic(app, writer.name) },
  })
  const numbers = 'LABEL, STATE, SCAN_ROWS, FILTERED_ROWS, UNSELECTED_ROWS, SINK_ROWS, SCAN_BYTES, TYPE'
  expect(await rowsIn(admin, `SELECT ${numbers} FROM information_schema.loads`)).toEqual([
    ['dayly', 'FINISHED', '1', '0', '0', '1', '4', 'STREAM'],
    ['day2', 'CANCELLED', '1', '1', '0', '0', '4', 'STREAM'],
    ['day_1', 'FINISHED', '4', '1', '1', '2', '17', 'STREAM'],
  ])
  const shown = await said(admin, 'SHOW LOAD FROM main')
  const all = await rowsIn(admin, 'SELECT ID, LABEL, PROFILE_ID, DB_NAME FROM information_schema.loads')
  expect(shown?.result.map((row) => row.slice(0, 4))).toEqual(all)
  const labels = async (rest: string, user = admin) =>
    (await rowsIn(user, `SHOW LOAD FROM main ${rest}`))?.map(([, label]) => label)
  expect(await labels("LIKE 'day\\_%'")).toEqual(['day_1'])
  expect(await labels("WHERE LABEL LIKE 'DAY_' AND STATE = 'cancelled'")).toEqual(['day2'])
  expect(await labels("WHERE LABEL = 'day2'")).toEqual(['day2'])
  expect(await labels("WHERE STATE = 'no such state'")).toEqual([])
  expect(await labels('ORDER BY label LIMIT 2')).toEqual(['day2', 'day_1'])
  expect(await labels('ORDER BY SINK_ROWS DESC, label')).toEqual(['day_1', 'dayly', 'day2'])
  expect(await labels('LIMIT 1')).toEqual(['dayly'])
  expect(await labels('LIMIT 0')).toEqual([])
  expect(await labels('', writer)).toEqual(['dayly'])
  const [path] = (await column(admin, 'REJECTED_RECORD_PATH', "WHERE LABEL = 'day_1'")) ?? []
  expect((await streamed(app, '', { path: path ?? '', method: 'GET' })).body).toContain('row 3\tid')
  expect(await column(admin, 'ERROR_MSG IS NULL', "WHERE LABEL = 'day_1'")).toEqual(['true'])
  app.clock.advance(2 * DAYS)
  const later = await app.admin()
  expect(await column(later, 'REJECTED_RECORD_PATH', "WHERE LABEL = 'day_1'")).toEqual([null])
})

test('clients of MySQL find and cancel their loads, in a database that they have selected', async () => {
  const app = await startApp(WITH_MYSQL, { engine: 'embedded' })
  await rowsIn(await app.admin(), 'CREATE TABLE main.t (id BIGINT, name VARCHAR)')
  const client = await mysqlClient(app)
  await client.query('USE main')
  const running = await open(app, 'theirs')
  const rowsOf = async (sql: string) => (await client.query(sql))[0]
  const theirs = [{ LABEL: 'theirs', STATE: 'LOADING', DB_NAME: 'main', SINK_ROWS: null }]
  const sql = `SELECT LABEL, STATE, DB_NAME, SINK_ROWS FROM information_schema.loads WHERE LABEL = 'theirs'`
  expect(await rowsOf(sql)).toEqual(theirs)
  expect(await rowsOf("SHOW LOAD WHERE LABEL = 'theirs' ORDER BY CREATE_TIME DESC LIMIT 1")).toMatchObject(
    theirs,
  )
  await client.query("CANCEL LOAD WHERE LABEL = 'theirs'")
  expect((await running.answer).body.Status).toBe('Fail')
  running.request.destroy()
  await expect(client.query("CANCEL LOAD WHERE LABEL = 'theirs'")).rejects.toThrow('This load is cancelled')
})
