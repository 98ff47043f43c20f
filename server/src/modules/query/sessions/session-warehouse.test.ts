import { CODES, DEFAULT_WAREHOUSE_NAME, query, QUERY_STATES, warehouse } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp } from '../../../testing/start-app.ts'

/** Somebody who works in a warehouse of their own. */
async function setUp() {
  const app = await startApp()
  const admin = await app.admin()
  const { warehouseId } = (await admin.call(warehouse.create, { name: 'skiff' })).data
  const channel = await admin.channel()
  const [first] = await channel.run('SET WAREHOUSE skiff')
  const { connId = 0 } = first ?? {}
  const run = async (sql: string) => (await channel.run(sql, { connId, oriConnId: connId })).at(-1)
  const history = async () => (await admin.call(query.history, {})).data.entries
  return { app, admin, channel, connId, warehouseId, run, history }
}

test('a new name of a warehouse is written in one row: sessions and the history hold its id', async () => {
  const { app, admin, warehouseId, run, history } = await setUp()
  await run('SELECT 1')
  await app.endsWritten()
  const { rows: before } = await app.store.pool.query(
    'select xmin::text, * from connections order by connection_id',
  )
  const { rows: ranBefore } = await app.store.pool.query(
    'select xmin::text, warehouse_id from statements order by query_id',
  )
  await admin.call(warehouse.update, { warehouseId, name: 'regatta' })
  expect(
    (await app.store.pool.query('select xmin::text, * from connections order by connection_id')).rows,
  ).toEqual(before)
  expect(
    (await app.store.pool.query('select xmin::text, warehouse_id from statements order by query_id')).rows,
  ).toEqual(ranBefore)
  expect(before).toMatchObject([{ warehouse_id: warehouseId }])
  expect(await run('SELECT 2')).toMatchObject({ errMsg: '', warehouse: 'regatta', result: [['2']] })
  expect((await run("SHOW VARIABLES LIKE 'warehouse'"))?.result).toEqual([['warehouse', 'regatta']])
  expect((await history()).map((entry) => entry.warehouse)).toEqual([
    'regatta',
    'regatta',
    'regatta',
    DEFAULT_WAREHOUSE_NAME,
  ])
})

test('a warehouse of the same name that is made later is another one', async () => {
  const { admin, warehouseId, run } = await setUp()
  await admin.call(warehouse.update, { warehouseId, name: 'regatta' })
  await admin.call(warehouse.create, { name: 'skiff' })
  expect(await run('SELECT 1')).toMatchObject({ errMsg: '', warehouse: 'regatta' })
})

test('of a warehouse that is gone the history keeps the name, and its sessions have to choose another', async () => {
  const { admin, warehouseId, run, history } = await setUp()
  await run('SELECT 1')
  await admin.call(warehouse.delete, { warehouseId })
  expect((await history())[0]).toMatchObject({ sql: 'SELECT 1', warehouse: 'skiff' })
  expect(await run('SELECT 2')).toMatchObject({
    queryState: QUERY_STATES.Failed,
    errCode: CODES.NotFound.code,
    errMsg: expect.stringContaining('SHOW WAREHOUSES lists those you may use.'),
  })
  expect(await run(`SET WAREHOUSE ${DEFAULT_WAREHOUSE_NAME}`)).toMatchObject({ errMsg: '' })
  expect(await run('SELECT 3')).toMatchObject({ errMsg: '', warehouse: DEFAULT_WAREHOUSE_NAME })
})

test('a session that takes over from another begins in its warehouse', async () => {
  const { channel, connId } = await setUp()
  expect(await channel.run('SELECT 1', { connId: 0, oriConnId: connId })).toMatchObject([
    { errMsg: '', warehouse: 'skiff' },
  ])
})

test('what the history says of a statement names the engine that ran it, and none where none did', async () => {
  const { run, history } = await setUp()
  await run('SELECT 1')
  await run('SHOW CATALOGS')
  await run('SELECT nothing FROM nowhere')
  expect((await history()).map(({ sql, engine }) => [sql, engine])).toEqual([
    ['SELECT nothing FROM nowhere', 'scripted'],
    ['SHOW CATALOGS', ''],
    ['SELECT 1', 'scripted'],
    ['SET WAREHOUSE skiff', ''],
  ])
})
