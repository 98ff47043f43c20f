import { gzipSync } from 'node:zlib'
import { randomUUID } from 'node:crypto'
import { CODES, load } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { filesOf, inspected, over, rowsIn } from '../../testing/load-kit.ts'
import { sharedApp } from '../../testing/start-app.ts'

const shared = sharedApp({}, { engine: 'embedded' })

const by = async () => {
  const app = await shared()
  return { app, user: await app.admin() }
}

const asColumn =
  (type: string, misfits: 'null' | 'reject') => (column: { name: string; into: string | null }) => ({
    ...column,
    type,
    misfits,
  })

test('what spoils a type is named; after a failure the same file is loaded with NULL in these places, once', async () => {
  const { app, user } = await by()
  const lines = Array.from({ length: 200 }, (_, at) => (at === 100 ? 'n/a' : String(at)))
  const { inspection, order } = await inspected({ app, user }, `n\n${lines.join('\n')}\n`)
  expect(inspection).toMatchObject({
    columns: [{ name: 'n', type: 'VARCHAR', values: 200 }],
    spoiled: [{ column: 'n', type: 'BIGINT', format: null, misfits: 1, rows: [{ line: 102, text: 'n/a' }] }],
    broken: { count: 0 },
  })
  const strict = { ...order, tableName: 'spoiled', columns: order.columns.map(asColumn('BIGINT', 'reject')) }
  await user.call(load.create, strict)
  expect(await over(user, strict.taskId)).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('line 102'),
  })
  // The upload is still there: nothing has to be chosen or sent again.
  const lenient = { ...strict, taskId: randomUUID(), columns: order.columns.map(asColumn('BIGINT', 'null')) }
  expect((await user.call(load.create, lenient)).code).toBe(CODES.Ok.code)
  expect(await over(user, lenient.taskId)).toMatchObject({
    state: 'finished',
    rowsLoaded: 200,
    rowsRejected: 0,
    nulled: [{ column: 'n', values: 1, line: 102, reason: 'n/a is not of the type BIGINT.' }],
  })
  expect(await rowsIn(user, 'SELECT count(*), count(n) FROM main.spoiled')).toEqual([['200', '199']])
  // Its file is gone with it, so the task that failed cannot load it a second time.
  expect((await user.call(load.resume, { taskId: strict.taskId })).code).toBe(CODES.Conflict.code)
  expect(await filesOf(app)).toEqual([])
})

test('days and numbers are previewed and loaded as they are said to be written, and a wrong pattern is refused', async () => {
  const { app, user } = await by()
  const { order } = await inspected({ app, user }, 'paid;price\n01/02/2024;1.234,5\n')
  const { uploadId, warehouseId } = order
  const reading = { format: 'csv' as const }
  const wrong = await user.call(load.inspect, {
    uploadId,
    warehouseId,
    reading: { ...reading, written: { date: '%Q' } },
  })
  expect([wrong.code, wrong.message]).toEqual([CODES.BadInput.code, expect.stringContaining('%d/%m/%Y')])
  const written = { date: '%d/%m/%Y', decimal: ',' as const, thousands: '.' as const }
  await user.call(load.inspect, { uploadId, warehouseId, reading: { ...reading, written } })
  const look = async () => (await user.call(load.upload, { uploadId })).data.inspection
  await expect.poll(async () => (await look())?.state).toBe('finished')
  expect(await look()).toMatchObject({ rows: [['2024-02-01', '1234.5']], reading: { written } })
  const types = ['DATE', 'DOUBLE']
  const columns = order.columns.map((column, at) => ({ ...column, type: types[at] ?? '' }))
  await user.call(load.create, { ...order, columns, tableName: 'written' })
  expect(await over(user, order.taskId)).toMatchObject({ state: 'finished', rowsLoaded: 1 })
  expect(await rowsIn(user, 'SELECT paid::VARCHAR, price::VARCHAR FROM main.written')).toEqual([
    ['2024-02-01', '1234.5'],
  ])
})

test('a compressed file of lines with a broken one is loaded without it', async () => {
  const { app, user } = await by()
  const content = gzipSync('{"a": 1}\n{"a":\n{"a": 3}\n{"a": 4}\n')
  const { inspection, order } = await inspected({ app, user }, content, { name: 'lines.json.gz' })
  expect(inspection).toMatchObject({
    state: 'finished',
    reading: { format: 'ndjson' },
    broken: { count: 1, rows: [{ line: 2, reason: 'This is not a JSON object.' }] },
  })
  await user.call(load.create, { ...order, tableName: 'lines', mostRejected: 1 })
  expect(await over(user, order.taskId)).toMatchObject({ state: 'finished', rowsLoaded: 3, rowsRejected: 1 })
  const refused = await user.call(load.beginUpload, { name: 'all.tar.gz', sizeBytes: 1 })
  expect([refused.code, refused.message]).toEqual([
    CODES.BadInput.code,
    expect.stringContaining('GZ, ZST or ZIP'),
  ])
})

test('how dates were found to be written is said, so that other files can be read alike', async () => {
  const { app, user } = await by()
  const { inspection } = await inspected({ app, user }, 'paid\n25/02/2024\n01/03/2024\n')
  expect(inspection).toMatchObject({
    columns: [{ type: 'DATE' }],
    detected: { date: '%d/%m/%Y', timestamp: null },
  })
  const { inspection: plain } = await inspected({ app, user }, 'n\n1\n')
  expect(plain).toMatchObject({ detected: { date: null, timestamp: null } })
})

test('decimal commas are found with a row that shows them, and are not guessed from groups of three', async () => {
  const { app, user } = await by()
  const content = 'price;amount;price_us;code\n1.234,5;2,25;1,234;a,b\n17;1,5;12,500;c\n'
  const { inspection, order } = await inspected({ app, user }, content)
  expect(inspection?.decimalCommas).toMatchObject([
    { column: 'price', thousands: '.', values: 2, fits: 2, rows: [{ line: 2, text: '1.234,5' }] },
    { column: 'amount', thousands: null, values: 2, fits: 2, rows: [{ line: 2 }, { line: 3, text: '1,5' }] },
  ])
  const { uploadId, warehouseId } = order
  const written = { decimal: ',' as const, thousands: '.' as const }
  await user.call(load.inspect, { uploadId, warehouseId, reading: { format: 'csv', written } })
  const look = async () => (await user.call(load.upload, { uploadId })).data.inspection
  await expect.poll(async () => (await look())?.state).toBe('finished')
  expect(await look()).toMatchObject({
    decimalCommas: [],
    columns: [{ type: 'DOUBLE' }, { type: 'DOUBLE' }, {}, { type: 'VARCHAR' }],
  })
})
