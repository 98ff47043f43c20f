import { randomUUID } from 'node:crypto'
import { alert, ALERT_EVENTS, budget, load, perms } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { inspected, over } from '../../testing/load-kit.ts'
import { spend } from '../../testing/spend.ts'
import { startApp, type TestApp, type TestUser } from '../../testing/start-app.ts'

/** One rule for each event, to a receiver that is never asked here. */
async function watch(admin: TestUser): Promise<void> {
  for (const event of ALERT_EVENTS) {
    const made = await admin.call(alert.create, { name: event, event, url: 'https://example.com' })
    expect(made.message).toBe('')
  }
}

async function told(app: TestApp) {
  await app.alerts.passOn()
  const { rows } = await app.store.pool.query<{ body: string }>(
    'select body from alert_deliveries order by delivery_id',
  )
  return rows.map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> })
}

async function warehouseOf(app: TestApp): Promise<string> {
  const { rows } = await app.store.pool.query<{ id: string }>(
    'select warehouse_id as id from warehouses where account_id = $1',
    [app.accountId],
  )
  return rows[0]?.id ?? ''
}

test('nothing is noted where no rule is about it, and nothing of what did not come about', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const noted = async () => (await app.store.pool.query('select from alert_events')).rowCount
  await admin.call(perms.createUser, { user: 'ada', email: 'ada@example.com' })
  expect(await noted()).toBe(0)
  await watch(admin)
  const undone = app.store.transaction(async (trx) => {
    await app.links.create(trx, { purpose: 'invitation', subject: 'nobody', accountId: app.accountId })
    throw new Error('changed our mind')
  })
  await expect(undone).rejects.toThrow('changed our mind')
  expect(await noted()).toBe(0)
})

test('an invitation, a failed statement, a used-up budget and a lost warehouse are delivered, each once', async () => {
  const app = await startApp()
  const admin = await app.admin()
  await watch(admin)
  await admin.call(perms.createUser, { user: 'ada', email: 'ada@example.com' })
  expect(await told(app)).toMatchObject([{ type: 'user.invited', data: { user: 'ada' } }])
  const channel = await admin.channel()
  await channel.run('SELECT 1')
  await channel.run('USE nothing_of_this_name')
  await app.endsWritten()
  const [, statement] = await told(app)
  expect(statement).toMatchObject({
    type: 'statement.failed',
    data: { user: admin.name, state: 'failed', message: expect.stringContaining('nothing_of_this_name') },
  })
  expect(statement?.data, 'texts of statements hold what is secret').not.toHaveProperty('sql')
  await admin.call(budget.set, { usd: '1' })
  await spend(app, { hour: new Date('2026-03-01T08:00:00Z'), seconds: 36_000 })
  await app.budgets.lookAtAll()
  await app.budgets.lookAtAll()
  expect((await told(app))[2]).toMatchObject({
    type: 'budget.reached',
    data: { month: '2026-03', usd: '1.00', action: 'warn' },
  })
  app.engines.crash('killed by a test')
  await expect
    .poll(async () => (await told(app)).slice(3))
    .toMatchObject([
      { type: 'warehouse.abnormal', data: { warehouse: 'default_warehouse', status: 'Failed' } },
    ])
})

test('loads and tasks that end are delivered with what became of them', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  await watch(admin)
  const by = { app, user: admin }
  const good = await inspected(by, 'a\n1\n2\n')
  await admin.call(load.create, good.order)
  await over(admin, good.order.taskId)
  expect(await told(app)).toMatchObject([{ type: 'load.ended', data: { table: 'orders', rowsLoaded: 2 } }])
  const bad = await inspected(by, 'a\n1\nx\n')
  await admin.call(load.create, {
    ...bad.order,
    tableName: 'numbers',
    columns: [{ name: 'a', type: 'BIGINT', into: 'a' }],
  })
  expect((await over(admin, bad.order.taskId)).state).toBe('failed')
  const ofLoads = (await told(app)).filter(({ type }) => type.startsWith('load.'))
  expect(ofLoads[1]).toMatchObject({ type: 'load.failed', data: { table: 'numbers', user: admin.name } })
  const channel = await (await app.user()).channel()
  await channel.run('SUBMIT TASK grow AS INSERT INTO default_catalog.main.orders VALUES (9)')
  await app.materialized.idle()
  const ofTasks = (await told(app)).filter(({ type }) => type === 'task.failed')
  expect(ofTasks).toMatchObject([
    { data: { task: 'grow', message: expect.stringContaining('INSERT on TABLE') } },
  ])
})

test('a rule for one warehouse or for own statements is silent about the others', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const ada = await app.user(['account_admin'])
  await ada.call(alert.create, {
    name: 'mine',
    event: 'statement.failed',
    ownOnly: true,
    url: 'https://example.com',
  })
  const [own, other] = [await warehouseOf(app), randomUUID()]
  await ada.call(alert.create, {
    name: 'one warehouse',
    event: 'warehouse.abnormal',
    warehouseId: own,
    url: 'https://example.com',
  })
  for (const [warehouseId, name] of [
    [other, 'another'],
    [own, 'the one'],
  ])
    await app.store.pool.query(
      `select note_alert_event($1, 'warehouse.abnormal', $2, null, jsonb_build_object('warehouse', $3::text), $4)`,
      [app.accountId, warehouseId, name, app.clock.now()],
    )
  expect(await told(app)).toMatchObject([{ data: { warehouse: 'the one' } }])
  await (await admin.channel()).run('USE of_the_admin')
  await (await ada.channel()).run('USE of_ada')
  await app.endsWritten()
  expect((await told(app)).slice(1)).toMatchObject([{ data: { user: ada.name } }])
})
