import { load, schema, CODES } from '@boathouse/contract'
import { expect, onTestFinished, test } from 'vitest'
import { inspected, over, rowsIn } from '../../testing/load-kit.ts'
import { startApp } from '../../testing/start-app.ts'

test('what a server has left is gone on with: what took effect is not loaded again', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const { order } = await inspected({ app, user: admin }, 'id\n1\n2\n')
  await admin.call(load.create, order)
  const done = await over(admin, order.taskId)
  // As it is when the server ends before it has written down how the run ended.
  const left = { state: 'running', rows_loaded: null, ended_at: null, query_id: done.queryId }
  await app.store.db.updateTable('load_tasks').set(left).execute()
  await app.loads.resumeLeft()
  expect(await over(admin, order.taskId)).toMatchObject({ state: 'finished', rowsLoaded: 2 })
  expect(await rowsIn(admin, 'SELECT count(*) FROM main.orders')).toEqual([['2']])

  const next = await inspected({ app, user: admin }, 'id\n3\n')
  app.engines.hold()
  await admin.call(load.create, { ...next.order, tableName: 'orders', makesTable: false })
  await expect.poll(() => app.engines.heldStatements(), { timeout: 30_000 }).toBe(1)
  app.engines.crash('killed by a test')
  app.engines.release()
  const lost = await over(admin, next.order.taskId)
  expect(lost).toMatchObject({ state: 'failed', error: expect.stringContaining('did not take effect') })
  await admin.call(load.resume, { taskId: next.order.taskId })
  expect(await over(admin, next.order.taskId)).toMatchObject({ state: 'finished', rowsLoaded: 1 })
  expect(await rowsIn(admin, 'SELECT count(*) FROM main.orders')).toEqual([['3']])
})

test('a load that is started again while its end is still being written runs after that', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const { order } = await inspected({ app, user: admin }, 'id\n1\n2\n')
  app.engines.hold()
  await admin.call(load.create, order)
  await expect.poll(() => app.engines.heldStatements()).toBe(1)
  const other = await app.store.pool.connect()
  onTestFinished(() => other.release())
  // Its file cannot be removed meanwhile.
  await other.query('begin')
  await other.query('select from uploads where upload_id = $1 for update', [order.uploadId])
  app.engines.release()
  const { queryId } = await over(admin, order.taskId)
  const left = { state: 'running', rows_loaded: null, ended_at: null, query_id: queryId }
  await app.store.db.updateTable('load_tasks').set(left).execute()
  await app.loads.resumeLeft()
  await other.query('commit')
  expect(await over(admin, order.taskId)).toMatchObject({ state: 'finished', rowsLoaded: 2 })
  expect(await rowsIn(admin, 'SELECT count(*) FROM main.orders')).toEqual([['2']])
})

test('a load goes into its catalog whatever that is called by then, once', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  expect((await admin.call(schema.createCatalog, { name: 'archive' })).code).toBe(CODES.Ok.code)
  const renamed = async (catalog: string, newName: string) =>
    (await admin.call(schema.renameCatalog, { catalog, newName })).code
  const { order } = await inspected({ app, user: admin }, 'id\n1\n2\n')
  const { taskId } = order
  app.engines.hold()
  await admin.call(load.create, { ...order, catalog: 'archive' })
  await expect.poll(() => app.engines.heldStatements(), { timeout: 30_000 }).toBe(1)
  expect((await admin.call(load.pause, { taskId })).data.state).toBe('paused')
  app.engines.release()
  expect(await renamed('archive', 'sea')).toBe(CODES.Ok.code)
  expect((await admin.call(load.resume, { taskId })).code).toBe(CODES.Ok.code)
  const done = await over(admin, taskId)
  expect(done).toMatchObject({ state: 'finished', rowsLoaded: 2, catalog: 'sea' })
  expect(await rowsIn(admin, 'SELECT count(*) FROM sea.main.orders')).toEqual([['2']])

  // As it is when the server ends before it has written down how the run ended, and the catalog is renamed then.
  const left = { state: 'running', rows_loaded: null, ended_at: null, query_id: done.queryId }
  await app.store.db.updateTable('load_tasks').set(left).execute()
  expect(await renamed('sea', 'ocean')).toBe(CODES.Ok.code)
  await app.loads.resumeLeft()
  expect(await over(admin, taskId)).toMatchObject({ state: 'finished', rowsLoaded: 2, catalog: 'ocean' })
  expect(await rowsIn(admin, 'SELECT count(*) FROM ocean.main.orders')).toEqual([['2']])
})

test('a load whose table has another name by then says so, loads nothing, and is resumed when it is there', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  await rowsIn(admin, 'CREATE TABLE main.orders (id BIGINT)')
  const { order } = await inspected({ app, user: admin }, 'id\n1\n2\n')
  const { taskId } = order
  app.engines.hold()
  await admin.call(load.create, { ...order, makesTable: false })
  await expect.poll(() => app.engines.heldStatements(), { timeout: 30_000 }).toBe(1)
  expect((await admin.call(load.pause, { taskId })).data.state).toBe('paused')
  app.engines.release()
  await rowsIn(admin, 'ALTER TABLE main.orders RENAME TO voyages')
  await admin.call(load.resume, { taskId })
  expect(await over(admin, taskId)).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(/no table main\.orders/),
    actions: expect.arrayContaining(['resume']),
  })
  expect(await rowsIn(admin, 'SELECT count(*) FROM main.voyages')).toEqual([['0']])
  await rowsIn(admin, 'ALTER TABLE main.voyages RENAME TO orders')
  await admin.call(load.resume, { taskId })
  expect(await over(admin, taskId)).toMatchObject({ state: 'finished', rowsLoaded: 2 })
  expect(await rowsIn(admin, 'SELECT count(*) FROM main.orders')).toEqual([['2']])
})
