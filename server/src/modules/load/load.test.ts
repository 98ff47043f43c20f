import { randomUUID } from 'node:crypto'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CODES, LIMITS, load, query } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { DAYS, HOURS } from '../../testing/fake-clock.ts'
import {
  type By,
  filesOf,
  inspected,
  over,
  put,
  rowsIn,
  sent,
  taskOf,
  uploadsOf,
} from '../../testing/load-kit.ts'
import { createTaskStore } from './task-store.ts'
import { startApp } from '../../testing/start-app.ts'

test('a file is uploaded, previewed and loaded into a new table, as a statement of its user in a warehouse [WH-47]', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const { inspection, order } = await inspected({ app, user: admin }, 'id,paid\n1,2024-05-01\n2,\n')
  expect(inspection).toMatchObject({
    state: 'finished',
    reading: { delimiter: ',', header: true },
    columns: [
      { name: 'id', type: 'BIGINT' },
      { name: 'paid', type: 'DATE' },
    ],
    rows: [
      ['1', '2024-05-01'],
      ['2', null],
    ],
  })
  const made = await admin.call(load.create, order)
  expect(made.data).toMatchObject({ fileName: 'orders.csv', tableName: 'orders', user: 'admin' })
  const task = await over(admin, order.taskId)
  expect(task).toMatchObject({
    state: 'finished',
    rowsLoaded: 2,
    rowsRejected: 0,
    error: '',
    actions: ['drop'],
  })
  expect(await rowsIn(admin, 'SELECT count(*) FROM main.orders')).toEqual([['2']])
  expect(await filesOf(app)).toEqual([])
  await app.endsWritten()
  const { entries } = (await admin.call(query.history, { limit: 10 })).data
  expect(entries.find(({ queryId }) => queryId === task.queryId)).toMatchObject({
    sql: `LOAD FILE 'orders.csv' INTO "default_catalog"."main"."orders"`,
    state: 'finished',
    warehouse: 'default_warehouse',
    rows: 2,
  })
  // Sent again it is the same task, and nothing is loaded twice.
  expect((await admin.call(load.create, order)).data.taskId).toBe(order.taskId)
  expect(await rowsIn(admin, 'SELECT count(*) FROM main.orders')).toEqual([['2']])
  expect((await admin.call(load.drop, { taskId: order.taskId })).code).toBe(CODES.Ok.code)
  expect((await admin.call(load.list, {})).data).toEqual({ list: [], total: 0 })
})

test('parts come in any order, twice and cut off, and the file is whole when all are there', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const size = LIMITS.uploadPartBytes + 10
  const file = { name: 'big.csv', sizeBytes: size, fingerprint: 'then' }
  const { data } = await admin.call(load.beginUpload, file)
  const part = Buffer.alloc(LIMITS.uploadPartBytes, 'a')
  expect((await put(app, `${data.url}/1`, Buffer.alloc(10, 'b'))).statusCode).toBe(200)
  const short = await put(app, `${data.url}/0`, Buffer.alloc(7, 'x'))
  expect([short.statusCode, short.json<{ message: string }>().message]).toEqual([
    400,
    `Part 0 of this file has ${LIMITS.uploadPartBytes} bytes; 7 were announced.`,
  ])
  expect((await put(app, `${data.url}/2`, 'x')).json<{ message: string }>().message).toContain(
    'There is no part 2',
  )
  expect((await put(app, `${data.url}/nine`, 'x')).statusCode).toBe(400)
  expect((await put(app, '/upload/guessed/0', 'x')).statusCode).toBe(404)
  // A user who chooses the same file again resumes its upload, and the earlier address expires.
  const again = await admin.call(load.beginUpload, file)
  expect(again.data).toMatchObject({ uploadId: data.uploadId, received: [1], complete: false })
  expect((await put(app, `${data.url}/0`, part)).statusCode).toBe(404)
  // The later one takes over from the earlier, whose line is cut if it is still sending.
  const both = await Promise.allSettled([
    put(app, `${again.data.url}/0`, part),
    put(app, `${again.data.url}/0`, part),
  ])
  expect(both.map((one) => one.status === 'fulfilled' && one.value.statusCode)).toContain(200)
  expect((await put(app, `${again.data.url}/0`, part)).json()).toMatchObject({
    data: { part: 0, isNew: false },
  })
  expect((await admin.call(load.upload, { uploadId: data.uploadId })).data).toMatchObject({
    received: [0, 1],
    complete: true,
  })
  expect((await stat(join(uploadsOf(app), data.uploadId))).size).toBe(size)
  expect((await admin.call(load.dropUpload, { uploadId: data.uploadId })).code).toBe(CODES.Ok.code)
  expect(await filesOf(app)).toEqual([])
})

const LINE = `7000001,2024-05-01,${'x'.repeat(200)}\n`
const LINES = Math.ceil((2 * LIMITS.uploadPartBytes) / LINE.length)

/** A file of three parts, of which the columns are found in the first. */
async function arriving(by: By, last: string) {
  const { app, user } = by
  const content = `id,paid,note\n${LINE.repeat(LINES)}${last}`
  const file = { name: 'large.csv', sizeBytes: content.length }
  const { url, uploadId } = (await user.call(load.beginUpload, file)).data
  const send = async (part: number) => {
    const bytes = content.slice(part * LIMITS.uploadPartBytes, (part + 1) * LIMITS.uploadPartBytes)
    expect((await put(app, `${url}/${part}`, bytes)).statusCode).toBe(200)
  }
  const { order } = await inspected(by, 'a\n1\n', { name: 'small.csv' })
  const asked = { uploadId, warehouseId: order.warehouseId }
  const look = (format: 'csv' | 'ndjson' = 'csv') =>
    user.call(load.inspect, { ...asked, reading: { format } })
  const found = async () => (await user.call(load.upload, { uploadId })).data.inspection
  return { send, look, found, order: { ...order, ...asked, tableName: 'large' } }
}

test('the columns of a large CSV file are found while it arrives; it is loaded when it is there', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const { send, look, found, order } = await arriving({ app, user: admin }, '1.5,2024-05-02,late\n')
  await send(1)
  expect(await look()).toMatchObject({ code: CODES.Conflict.code })
  await send(0)
  // Any record of JSON may have a column that the others do not have.
  expect(await look('ndjson')).toMatchObject({ code: CODES.Conflict.code })
  expect(await look()).toMatchObject({ code: CODES.Ok.code })
  await expect.poll(async () => (await found())?.state, { timeout: 30_000 }).toBe('finished')
  expect(await found()).toMatchObject({
    sampledBytes: LIMITS.sampleBytes,
    columns: [
      { name: 'id', type: 'BIGINT' },
      { name: 'paid', type: 'DATE' },
      { name: 'note', type: 'VARCHAR' },
    ],
  })
  const columns = [
    { name: 'id', type: 'BIGINT', into: 'id' },
    { name: 'paid', type: 'DATE', into: 'paid' },
    { name: 'note', type: 'VARCHAR', into: null },
  ]
  const early = await admin.call(load.create, { ...order, columns })
  expect([early.code, early.message]).toEqual([
    CODES.Conflict.code,
    'The upload of this file is incomplete. Send the missing parts.',
  ])
  await send(2)
  const rejecting = { ...order, columns, widens: false, mostRejected: 0 }
  await admin.call(load.create, rejecting)
  const refused = await over(admin, order.taskId)
  expect(refused).toMatchObject({
    state: 'failed',
    error: expect.stringContaining(`line ${LINES + 2}: 1.5 is not of the type BIGINT`),
  })
  const { list } = (await admin.call(load.rejections, { taskId: order.taskId })).data
  expect(list).toMatchObject([{ line: LINES + 2, column: 'id', text: '1.5' }])
  const taskId = randomUUID()
  await admin.call(load.create, { ...order, columns, taskId })
  expect(await over(admin, taskId)).toMatchObject({
    state: 'finished',
    rowsLoaded: LINES + 1,
    widened: [{ column: 'id', from: 'BIGINT', to: 'DOUBLE', line: LINES + 2 }],
  })
  expect(await rowsIn(admin, 'SELECT min(id), max(paid) FROM main.large')).toEqual([['1.5', '2024-05-02']])
})

test('room is reserved before anything arrives, and what is not loaded is gone after a day, as after a crash', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const begin = (sizeBytes: number, name = `${sizeBytes}.csv`) =>
    admin.call(load.beginUpload, { name, sizeBytes })
  const { data } = await begin(10)
  await app.store.db
    .updateTable('uploads')
    .set({ size_bytes: LIMITS.uploadBytesPerUser - 5 })
    .execute()
  expect(await begin(20)).toMatchObject({
    code: CODES.QuotaExceeded.code,
    message: expect.stringContaining('the maximum of uploaded files of one user is 20, and 10 GB in total'),
  })
  expect((await begin(LIMITS.uploadBytes + 1)).code).toBe(CODES.BadInput.code)
  for (const name of ['sheet.xls', 'sheet.XLSB', 'sheet.csv.bz2'])
    expect(await begin(5, name)).toMatchObject({
      code: CODES.BadInput.code,
      message: expect.stringMatching(/only load XLSX|compressed as GZ, ZST or ZIP/),
    })
  await writeFile(join(uploadsOf(app), 'left-behind'), 'x')
  app.clock.advance(23 * HOURS)
  await app.loads.expire()
  expect(await filesOf(app)).toEqual([data.uploadId])
  app.clock.advance(2 * HOURS)
  await app.loads.expire()
  expect(await filesOf(app)).toEqual([])
  // Logins end too.
  const again = await (await app.admin()).call(load.beginUpload, { name: 'x.csv', sizeBytes: 20 })
  expect(again.code).toBe(CODES.Ok.code)
})

test('nobody reaches what is another user’s or another account’s, or loads what they may not [WH-47]', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const [admin, user, stranger] = [await app.admin(), await app.user([]), await app.stranger(['db_admin'])]
  const { order } = await inspected({ app, user: admin }, 'id\n1\n')
  const { taskId, uploadId } = order
  for (const other of [user, stranger]) {
    expect((await other.call(load.upload, { uploadId })).code).toBe(CODES.NotFound.code)
    expect((await other.call(load.dropUpload, { uploadId })).code).toBe(CODES.NotFound.code)
    expect(
      (
        await other.call(load.inspect, {
          uploadId,
          warehouseId: order.warehouseId,
          reading: { format: 'csv' },
        })
      ).code,
    ).toBe(CODES.NotFound.code)
  }
  expect((await user.call(load.create, order)).code).toBe(CODES.NoPermission.code)
  expect((await user.call(load.create, { ...order, makesTable: false })).code).toBe(CODES.NoPermission.code)
  expect((await stranger.call(load.create, order)).code).toBe(CODES.NotFound.code)
  await admin.call(load.create, order)
  await over(admin, taskId)
  for (const other of [user, stranger]) {
    for (const call of [load.describe, load.pause, load.resume, load.drop])
      expect((await other.call(call, { taskId })).code).toBe(CODES.NotFound.code)
    expect((await other.call(load.rejections, { taskId })).code).toBe(CODES.NotFound.code)
    expect((await other.call(load.list, {})).data.list).toEqual([])
  }
  const boss = await app.user(['account_admin'])
  expect((await boss.call(load.describe, { taskId })).data.taskId).toBe(taskId)
})

test('columns that the file does not have, invalid types, and a file that was not previewed are refused', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const { order } = await inspected({ app, user: admin }, 'id,word\n1,a\n')
  const [id, word] = order.columns
  const refused = async (columns: unknown) =>
    (await admin.call(load.create, { ...order, columns: columns as typeof order.columns })).message
  expect(await refused([id])).toContain('not those of the file')
  expect(
    await refused([
      { ...id, into: null },
      { ...word, into: null },
    ]),
  ).toContain('All are left out')
  expect(await refused([id, { ...word, into: 'ID' }])).toContain('Two go into id')
  expect(await refused([{ ...id, type: 'INT); DROP TABLE t; --' }, word])).toContain('The type of id is none')
  const uploadId = await sent({ app, user: admin }, 'x\n', { name: 'other.csv' })
  const unseen = await admin.call(load.create, { ...order, uploadId })
  expect([unseen.code, unseen.message]).toEqual([
    CODES.Conflict.code,
    'This file has not been inspected yet. Preview it first.',
  ])
  const failed = await inspected({ app, user: admin }, 'PAR1', { name: 'lies.csv' })
  expect(failed.inspection).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('Load it as Parquet'),
  })
})

test('rejected rows are kept with line and reason, also of a load that failed, which then is resumed', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const { order } = await inspected({ app, user: admin }, 'id\n1\nx\n3\n')
  const columns = order.columns.map((column) => ({ ...column, type: 'BIGINT' }))
  await admin.call(load.create, { ...order, columns, mostRejected: 0 })
  const failed = await over(admin, order.taskId)
  expect(failed).toMatchObject({
    state: 'failed',
    rowsLoaded: null,
    rowsRejected: 1,
    actions: ['resume', 'drop'],
  })
  expect(failed.error).toContain('nothing was loaded')
  const rejections = (await admin.call(load.rejections, { taskId: order.taskId })).data
  expect(rejections).toMatchObject({ total: 1, list: [{ line: 3, column: 'id', text: 'x' }] })
  await admin.call(load.resume, { taskId: order.taskId })
  expect(await over(admin, order.taskId)).toMatchObject({ state: 'failed', rowsRejected: 1 })
  const second = { ...order, taskId: randomUUID(), columns, mostRejected: 5 }
  await admin.call(load.create, second)
  expect(await over(admin, second.taskId)).toMatchObject({
    state: 'finished',
    rowsLoaded: 2,
    rowsRejected: 1,
  })
})

test('a load is paused, resumed and dropped, and its rows are there once or not at all [WH-46]', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  let admin = await app.admin()
  const { order } = await inspected({ app, user: admin }, 'id\n1\n2\n')
  const { taskId } = order
  app.engines.hold()
  await admin.call(load.create, order)
  await expect.poll(() => app.engines.heldStatements(), { timeout: 30_000 }).toBe(1)
  expect((await admin.call(load.pause, { taskId })).data).toMatchObject({
    state: 'paused',
    actions: ['resume', 'drop'],
  })
  app.engines.release()
  expect((await admin.call(load.pause, { taskId })).code).toBe(CODES.Conflict.code)
  app.clock.advance(3 * DAYS)
  await app.loads.expire()
  // Logins end too.
  admin = await app.admin()
  expect((await admin.call(load.resume, { taskId })).data.state).toMatch(/queued|running|finished/)
  expect(await over(admin, taskId)).toMatchObject({ state: 'finished', rowsLoaded: 2 })
  expect(await rowsIn(admin, 'SELECT count(*) FROM main.orders')).toEqual([['2']])
  expect((await admin.call(load.resume, { taskId })).code).toBe(CODES.Conflict.code)

  const next = await inspected({ app, user: admin }, 'id\n3\n')
  app.engines.hold()
  await admin.call(load.create, { ...next.order, tableName: 'never' })
  await expect.poll(() => app.engines.heldStatements(), { timeout: 30_000 }).toBe(1)
  expect((await admin.call(load.drop, { taskId: next.order.taskId })).code).toBe(CODES.Ok.code)
  app.engines.release()
  expect(await taskOf(admin, next.order.taskId)).toMatchObject({ state: 'cancelled', rowsLoaded: null })
  expect(await filesOf(app)).toEqual([])
  const [missing] = await (await admin.channel()).run('SELECT * FROM main.never')
  expect(missing?.errMsg).toContain('never')
})

test('the words of loads are nobody’s to write, and an engine that reads no files says so', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const channel = await admin.channel()
  for (const sql of [`LOAD FILE 'x' INTO t`, `INSPECT FILE 'x'`]) {
    const [answer] = await channel.run(sql)
    expect(answer?.errMsg).toContain('can be run by the service only')
  }
  const { inspection } = await inspected({ app, user: admin }, 'id\n1\n')
  expect(inspection).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('The engine of this warehouse loads no files'),
  })
})

test('of 30 files that one user begins at once 20 have room, and a colleague’s has too', async () => {
  const app = await startApp()
  const [admin, bea] = [await app.admin(), await app.user()]
  const begun = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      admin.call(load.beginUpload, { name: `${index}.csv`, sizeBytes: 10 }),
    ),
  )
  expect(begun.filter(({ code }) => code === CODES.Ok.code)).toHaveLength(LIMITS.uploadsPerUser)
  expect(begun.find(({ code }) => code !== CODES.Ok.code)).toMatchObject({
    code: CODES.QuotaExceeded.code,
    message: expect.stringContaining('uploaded files of one user'),
  })
  expect((await bea.call(load.beginUpload, { name: 'b.csv', sizeBytes: 10 })).code).toBe(CODES.Ok.code)
})

test('of 12 loads that one user begins or resumes at once 8 are under way, however they come to be', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const store = createTaskStore(app.store.db)
  const { user_id } = await app.store.db.selectFrom('users').select('user_id').executeTakeFirstOrThrow()
  const row = (index: number) => ({
    task_id: `00000000-0000-4000-8000-0000000000${String(index).padStart(2, '0')}`,
    account_id: app.accountId,
    user_id,
    user_name: admin.name,
    upload_id: null,
    file_name: 'boats.csv',
    size_bytes: 10,
    catalog: 'default_catalog',
    database_name: 'main',
    table_name: 'boats',
    makes_table: false,
    warehouse_id: randomUUID(),
    warehouse_name: '',
    reading: '{}',
    columns: '[]',
    most_rejected: 0,
    state: 'queued' as const,
    created_at: app.clock.now(),
  })
  const requireUnderLimit = ({ ofUser }: { ofUser: number }) => {
    if (ofUser >= LIMITS.loadTasksUnderWayPerUser) throw new Error('too many')
  }
  const made = await Promise.allSettled(
    Array.from({ length: 12 }, (_, index) => store.insert(row(index), requireUnderLimit)),
  )
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(LIMITS.loadTasksUnderWayPerUser)
  await app.store.db.updateTable('load_tasks').set({ state: 'paused' }).execute()
  for (let index = 20; index < 28; index++) await store.insert(row(index), requireUnderLimit)
  const [paused] = await app.store.db
    .selectFrom('load_tasks')
    .selectAll()
    .where('state', '=', 'paused')
    .execute()
  if (!paused) throw new Error('There is one.')
  await expect(store.resume(paused, {}, requireUnderLimit)).rejects.toThrow('too many')
})
