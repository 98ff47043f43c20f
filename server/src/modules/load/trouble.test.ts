import { connect } from 'node:net'
import { CODES, LIMITS, load, schema } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { HTTP_TIMES } from '../../doors/http/server.ts'
import { spreadsheet } from '../../testing/spreadsheet.ts'
import { filesOf, inspected, over, put, rowsIn, sent } from '../../testing/load-kit.ts'
import { startApp, type TestUser } from '../../testing/start-app.ts'

const MAIN = { catalog: 'default_catalog', databaseName: 'main' }
const row = (...values: (number | string)[]) =>
  `<row>${values.map((value) => (typeof value === 'number' ? `<c><v>${value}</v></c>` : `<c t="inlineStr"><is><t>${value}</t></is></c>`)).join('')}</row>`

test('a sheet of a spreadsheet is chosen, previewed and loaded, and an invalid spreadsheet is reported in the same way', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const book = await spreadsheet({
    sheets: {
      Ports: row('port', 'ships') + row('Oslo', 4),
      Crews: row('crew') + row(7) + row('many') + row(9),
    },
  })
  const first = await inspected({ app, user: admin }, book, { name: 'fleet.xlsx' })
  expect(first.inspection).toMatchObject({
    state: 'finished',
    sheets: ['Ports', 'Crews'],
    reading: { format: 'xlsx', sheet: 'Ports', header: true },
    columns: [
      { name: 'port', type: 'VARCHAR' },
      { name: 'ships', type: 'BIGINT' },
    ],
    rows: [['Oslo', '4']],
  })
  const { order, inspection } = await inspected({ app, user: admin }, book, {
    name: 'fleet.xlsx',
    sheet: 'Crews',
  })
  expect(inspection?.columns).toEqual([{ name: 'crew', type: 'VARCHAR', values: 3 }])
  const columns = [{ name: 'crew', type: 'BIGINT', into: 'crew' }]
  await admin.call(load.create, { ...order, columns, tableName: 'crews', mostRejected: 1 })
  expect(await over(admin, order.taskId)).toMatchObject({ state: 'finished', rowsLoaded: 2, rowsRejected: 1 })
  expect((await admin.call(load.rejections, { taskId: order.taskId })).data.list).toEqual([
    { line: 3, column: 'crew', reason: 'The value of crew is not of the type BIGINT.', text: 'many' },
  ])
  expect(await rowsIn(admin, 'SELECT crew FROM main.crews ORDER BY 1')).toEqual([['7'], ['9']])
  const lying = await inspected({ app, user: admin }, 'a,b\n1,2\n', { name: 'lying.xlsx' })
  expect(lying.inspection).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('This is not XLSX'),
  })
})

/** Sends the beginning of a part, and cuts the connection. */
async function cutOff(address: string, path: string, bytes: number): Promise<void> {
  const { hostname, port, host } = new URL(address)
  await new Promise<void>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `PUT ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/octet-stream\r\nContent-Length: ${bytes}\r\n\r\n`,
      )
      socket.write(Buffer.alloc(Math.floor(bytes / 2), 'x'), () => socket.resetAndDestroy())
    })
    socket.once('close', () => resolve())
    socket.once('error', reject)
  })
}

test('an upload that is cut within a part does not have that part, and resumes with it', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const line = `7,${'x'.repeat(61)}\n`
  const rows = LIMITS.uploadPartBytes / line.length
  const content = `id,name\n${line.repeat(rows)}`
  const sizeBytes = Buffer.byteLength(content)
  const file = { name: 'cut.csv', sizeBytes, fingerprint: 'then' }
  const { data } = await admin.call(load.beginUpload, file)
  await cutOff(await app.url(), `${data.url}/0`, LIMITS.uploadPartBytes)
  const warehouseId = (await inspected({ app, user: admin }, 'a\n1\n', { name: 'other.csv' })).order
    .warehouseId
  const early = await admin.call(load.inspect, {
    uploadId: data.uploadId,
    warehouseId,
    reading: { format: 'csv' },
  })
  expect([early.code, early.message]).toEqual([
    CODES.Conflict.code,
    'The upload of this file is incomplete. Send the missing parts.',
  ])
  const again = await admin.call(load.beginUpload, file)
  expect(again.data).toMatchObject({ uploadId: data.uploadId, received: [] })
  const part = (at: number) => content.slice(at * LIMITS.uploadPartBytes, (at + 1) * LIMITS.uploadPartBytes)
  for (const at of [0, 1]) expect((await put(app, `${again.data.url}/${at}`, part(at))).statusCode).toBe(200)
  const { order } = await inspectedAgain(admin, { uploadId: data.uploadId, warehouseId })
  await admin.call(load.create, order)
  expect(await over(admin, order.taskId)).toMatchObject({
    state: 'finished',
    rowsLoaded: rows,
  })
  expect(await rowsIn(admin, 'SELECT sum(id) FROM main.cut')).toEqual([[String(7 * rows)]])
})

/** Of a file that has arrived. */
async function inspectedAgain(user: TestUser, of: { uploadId: string; warehouseId: string }) {
  await user.call(load.inspect, { ...of, reading: { format: 'csv' } })
  const look = async () => (await user.call(load.upload, of)).data.inspection
  await expect.poll(async () => (await look())?.state, { timeout: 30_000 }).toBe('finished')
  const columns = ((await look())?.columns ?? []).map((column) => ({ ...column, into: column.name }))
  const into = { ...MAIN, tableName: 'cut', makesTable: true }
  return { order: { taskId: crypto.randomUUID(), ...of, ...into, columns } }
}

test('a part that stops arriving ends with its connection, is not there, and can be sent again', async () => {
  const app = await startApp({}, { httpTimes: { ...HTTP_TIMES, refusalMs: 0, silentMs: 100 } })
  const admin = await app.admin()
  const file = { name: 'silent.csv', sizeBytes: 10, fingerprint: 'then' }
  const { data } = await admin.call(load.beginUpload, file)
  const { hostname, port, host } = new URL(await app.url())
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(
        `PUT ${data.url}/0 HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/octet-stream\r\nContent-Length: 10\r\n\r\nid\n1`,
      ),
    )
    socket.once('close', () => resolve())
    // It may be reset.
    socket.once('error', () => resolve())
  })
  expect((await admin.call(load.upload, { uploadId: data.uploadId })).data).toMatchObject({
    received: [],
    complete: false,
  })
  expect((await put(app, `${data.url}/0`, 'id\n1\n2\n333')).statusCode).toBe(200)
})

test('of two users who load, create or drop the same at once one succeeds, and the other is refused with a message', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const [ada, grace] = [await app.admin(), await app.user(['db_admin', 'account_admin'])]
  const [one, two] = [
    await inspected({ app, user: ada }, 'id\n1\n'),
    await inspected({ app, user: grace }, 'id\n2\n3\n'),
  ]
  await Promise.all([ada.call(load.create, one.order), grace.call(load.create, two.order)])
  const ended = [await over(ada, one.order.taskId), await over(grace, two.order.taskId)]
  expect(ended.map(({ state }) => state).toSorted()).toEqual(['failed', 'finished'])
  expect(ended.find(({ state }) => state === 'failed')?.error).toMatch(/orders|conflict/i)
  const loaded = ended.find(({ state }) => state === 'finished')?.rowsLoaded
  expect(await rowsIn(ada, 'SELECT count(*) FROM main.orders')).toEqual([[String(loaded)]])
  // Nothing is left of the file of who has it in a table; the other one can still be resumed.
  expect(await filesOf(app)).toHaveLength(1)

  const uploadId = await sent({ app, user: ada }, 'x\n1\n', { name: 'twice.csv' })
  const drops = await Promise.all([0, 1].map(() => ada.call(load.dropUpload, { uploadId })))
  expect(drops.map(({ code }) => code)).toContain(CODES.Ok.code)
  expect(drops.every(({ code }) => code === CODES.Ok.code || code === CODES.NotFound.code)).toBe(true)

  /** Of two at once exactly one succeeds; the other gets one of these codes. */
  const race = async (work: (user: TestUser) => Promise<{ code: number }>, ...expected: number[]) => {
    const [first, second] = await Promise.all([work(ada), work(grace)])
    const codes = [first.code, second.code]
    expect(codes.filter((code) => code === CODES.Ok.code)).toHaveLength(1)
    expect(expected).toContain(codes.find((code) => code !== CODES.Ok.code))
  }
  const { NameTaken, NotFound, Conflict, QueryFailed } = CODES
  const taken = [NameTaken.code, Conflict.code, QueryFailed.code]
  const gone = [NotFound.code, Conflict.code, QueryFailed.code]
  const dock = { catalog: MAIN.catalog, databaseName: 'dock' }
  await race((user) => user.call(schema.createDatabase, dock), ...taken)
  const table = { ...dock, tableName: 'boats' }
  const columns = [{ name: 'id', type: 'BIGINT' }]
  await race((user) => user.call(schema.createTable, { ...table, columns }), ...taken)
  await race((user) => user.call(schema.dropTable, table), ...gone)
  const asStatement = (sql: string) => async (user: TestUser) => {
    const [answer] = await (await user.channel()).run(sql)
    return { code: answer?.errCode ?? -1 }
  }
  await race(asStatement('CREATE MATERIALIZED VIEW dock.seen AS SELECT 1 AS a'), ...taken)
  expect(await rowsIn(ada, 'SELECT * FROM dock.seen')).toEqual([['1']])
  await race(asStatement('DROP MATERIALIZED VIEW dock.seen'), ...gone)
  await race((user) => user.call(schema.dropDatabase, dock), ...gone)
})
