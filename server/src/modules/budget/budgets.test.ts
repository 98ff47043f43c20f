import { randomUUID } from 'node:crypto'
import { budget, type BuiltInRole, CODES, messageCalls, MESSAGE_TYPES, warehouse } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { actorWith } from '../../testing/actor.ts'
import { DAYS } from '../../testing/fake-clock.ts'
import { keepData } from '../../testing/keep-data.ts'
import { spend } from '../../testing/spend.ts'
import { startApp, type TestApp, type TestUser } from '../../testing/start-app.ts'
import { verifyAudit } from '../audit/verify.ts'

/** The clock of a test begins on 1 March 2026. */
const MARCH = new Date('2026-03-01T00:00:00Z')
/** 6.32 USD at 1.58 USD a CCU. */
const HOUR = { hour: MARCH, seconds: 3_600 }

async function start() {
  const app = await startApp()
  await app.store.db.updateTable('users').set({ email: 'ada@rowing.example' }).execute()
  const admin = await app.admin()
  const { warehouses } = (await admin.call(warehouse.list, {})).data
  const { accountId } = app
  const warehouseId = warehouses[0]?.warehouseId ?? ''
  return { app, admin, accountId, warehouseId }
}

const first = async (user: TestUser) => (await user.call(budget.list, {})).data.budgets[0]

async function run(user: TestUser, text = 'select 1') {
  const channel = await user.channel()
  const [answer] = await channel.run(text)
  return answer
}

const letters = async (app: TestApp) => (await app.mails.outbox()).filter(({ kind }) => kind === 'budget')

test('budgets are set for the organisation and any account by the root account, for itself by another; nobody else sets any', async () => {
  const { app, admin, accountId, warehouseId } = await start()
  const other = await app.otherAccount()
  const stranger = await other.admin()
  const usd = '10'
  const plain = await app.user(['cluster_admin', 'user_admin'])
  expect((await plain.call(budget.set, { usd })).code).toBe(CODES.NoPermission.code)
  expect((await plain.call(budget.list, {})).code).toBe(CODES.NoPermission.code)
  expect((await stranger.call(budget.set, { usd })).code).toBe(CODES.NoPermission.code)
  expect((await stranger.call(budget.set, { usd, accountId })).code).toBe(CODES.NotFound.code)
  const foreign = { usd, accountId: other.accountId, warehouseId }
  expect((await stranger.call(budget.set, foreign)).code).toBe(CODES.NotFound.code)
  expect((await admin.call(budget.set, { usd, accountId: 'ZZZ99999' })).code).toBe(CODES.NotFound.code)
  expect((await admin.call(budget.set, { usd, warehouseId })).code).toBe(CODES.BadInput.code)
  for (const wrong of ['0', '-1', '1e3', '1.234', '', '0.00', '1000000000'])
    expect((await admin.call(budget.set, { usd: wrong })).code).toBe(CODES.BadInput.code)

  const all = (await admin.call(budget.set, { usd })).data.budgetId
  const ofOther = (await admin.call(budget.set, { usd: '5.5', accountId: other.accountId })).data.budgetId
  await admin.call(budget.set, { usd: '3', accountId, warehouseId, action: 'stop', warnPercent: 50 })
  await stranger.call(budget.set, { usd: '4', accountId: other.accountId })
  const { budgets, isRoot, month } = (await admin.call(budget.list, {})).data
  expect({ isRoot, month }).toEqual({ isRoot: true, month: '2026-03' })
  expect(budgets.map(({ scope, usd: amount, mayChange }) => [scope, amount, mayChange])).toEqual([
    ['organisation', '10.00', true],
    ['account', '5.50', true],
    ['warehouse', '3.00', true],
  ])
  const seen = (await stranger.call(budget.list, {})).data
  expect(seen.isRoot).toBe(false)
  expect(
    seen.budgets
      .map(({ usd: amount, mayChange }) => `${amount} ${mayChange}`)
      .toSorted((a, b) => a.localeCompare(b)),
  ).toEqual(['4.00 true', '5.50 false'])
  for (const budgetId of [all, ofOther])
    expect((await stranger.call(budget.delete, { budgetId })).code).toBe(CODES.NotFound.code)
  expect((await admin.call(budget.set, { usd: '20' })).data.budgetId, 'the same one').toBe(all)
  expect((await admin.call(budget.delete, { budgetId: all })).code).toBe(CODES.Ok.code)
  expect((await admin.call(budget.delete, { budgetId: all })).code).toBe(CODES.NotFound.code)
  expect(await verifyAudit(app.store.db, app.accountId)).toMatchObject([{ problem: null }])
})

test('users are notified once when the warning and once when the end of a budget is reached, by mail and by message', async () => {
  const { app, admin } = await start()
  await admin.call(budget.set, { usd: '10' })
  await app.budgets.lookAtAll()
  expect(await letters(app)).toEqual([])
  await spend(app, HOUR)
  await app.budgets.lookAtAll()
  expect(await letters(app), '63 %').toEqual([])
  await spend(app, { ...HOUR, seconds: 968 })
  expect(await first(admin)).toMatchObject({ spentUsd: '8.02', percent: 80, state: 'warned' })
  await Promise.all([app.budgets.lookAtAll(), app.budgets.lookAtAll()])
  expect(await letters(app)).toMatchObject([{ subject: '80 % of the budget of the organisation are used' }])
  await spend(app, HOUR)
  await app.budgets.lookAtAll()
  await app.budgets.lookAtAll()
  expect((await letters(app)).map(({ subject }) => subject)).toEqual([
    'The budget of the organisation is used up',
    '80 % of the budget of the organisation are used',
  ])
  const { messages } = (await admin.call(messageCalls.listMessages, {})).data
  // Both were written at the same moment of a clock that does not move.
  expect(new Set(messages.map(({ type }) => type))).toEqual(
    new Set([MESSAGE_TYPES.BudgetWarning, MESSAGE_TYPES.BudgetReached]),
  )
  expect(messages).toHaveLength(2)
  expect((await run(admin))?.errMsg ?? '', 'it only notifies').toBe('')

  await admin.call(budget.set, { usd: '20', warnPercent: 70 })
  await app.budgets.lookAtAll()
  expect(await letters(app), 'a changed one is reported again').toHaveLength(3)
  app.clock.advance(31 * DAYS)
  const later = await app.admin()
  expect(await first(later), 'a new month').toMatchObject({ spentUsd: '0.00', percent: 0, state: 'open' })
})

test.each(['stop', 'suspend'] as const)(
  'a budget that is used up refuses new statements before they run, and warehouses to resume (%s)',
  async (action) => {
    const { app, admin, accountId, warehouseId } = await start()
    const other = await app.otherAccount()
    expect((await run(admin))?.errMsg ?? '').toBe('')
    await admin.call(budget.set, { usd: '6.32', accountId, action })
    await spend(app, { ...HOUR, accountId: other.accountId, seconds: 36_000 })
    await spend(app, { ...HOUR, seconds: 3_599 })
    expect((await run(admin))?.errMsg ?? '', 'one second is left').toBe('')
    await spend(app, { ...HOUR, seconds: 1 })
    const refused = await run(admin)
    expect(refused?.errMsg).toContain('The budget of the account demo for 2026-03 is used up.')
    await admin.call(warehouse.suspend, { warehouseId })
    expect((await admin.call(warehouse.resume, { warehouseId })).code).toBe(CODES.QuotaExceeded.code)
    expect((await admin.call(warehouse.describe, { warehouseId })).data.status).toBe('Suspended')
    expect((await admin.call(warehouse.create, { name: 'more' })).code).toBe(CODES.QuotaExceeded.code)
    expect((await admin.call(warehouse.list, {})).data.warehouses).toHaveLength(1)
    await admin.call(budget.set, { usd: '7', accountId, action })
    expect((await run(admin))?.errMsg ?? '', 'raised').toBe('')
  },
)

test('administrators without a mail address are named, for no mail reaches them', async () => {
  const { app, admin } = await start()
  expect((await admin.call(budget.list, {})).data.unmailed).toEqual([])
  const [ada] = [await app.user(['account_admin']), await app.user(['db_admin'])]
  expect((await admin.call(budget.list, {})).data.unmailed).toEqual([ada.name])
})

test('storage is spent too, by the organisation and its accounts and by no warehouse', async () => {
  const { app, admin, accountId, warehouseId } = await start()
  await admin.call(budget.set, { usd: '10' })
  await admin.call(budget.set, { usd: '10', accountId, action: 'stop' })
  await admin.call(budget.set, { usd: '10', accountId, warehouseId })
  await spend(app, { ...HOUR, warehouseId })
  // 109,600 GB for an hour of March.
  await keepData(app, { hour: MARCH, bytes: 109_600_000_000_000 })
  await keepData(app, { hour: new Date('2026-02-28T23:00:00Z'), bytes: 9e15 })
  const { budgets } = (await admin.call(budget.list, {})).data
  expect(budgets.map(({ scope, spentUsd }) => [scope, spentUsd])).toEqual([
    ['organisation', '10.00'],
    ['account', '10.00'],
    ['warehouse', '6.32'],
  ])
  await app.budgets.lookAtAll()
  expect(new Set((await letters(app)).map(({ subject }) => subject))).toEqual(
    new Set(['The budget of the account demo is used up', 'The budget of the organisation is used up']),
  )
  expect((await run(admin))?.errMsg).toContain('The budget of the account demo for 2026-03 is used up.')
})

test.each([
  ['warehouse', 'the warehouse default_warehouse'],
  ['account', 'the account demo'],
  ['organisation', 'the organisation'],
] as const)('a budget of the %s warns and ends by message and mail that name it', async (scope, name) => {
  const { app, admin, accountId, warehouseId } = await start()
  const of = { warehouse: { accountId, warehouseId }, account: { accountId }, organisation: {} }[scope]
  await admin.call(budget.set, { usd: '10', action: 'suspend', ...of })
  await run(admin)
  const types = async () =>
    (await admin.call(messageCalls.listMessages, {})).data.messages.map(({ type }) => type)
  await spend(app, { ...HOUR, warehouseId, seconds: 5_000 })
  await app.budgets.lookAtAll()
  expect((await letters(app)).map(({ subject }) => subject)).toEqual([
    `87 % of the budget of ${name} are used`,
  ])
  expect(await types()).toEqual([MESSAGE_TYPES.BudgetWarning])
  expect((await admin.call(warehouse.describe, { warehouseId })).data.status).toBe('Running')
  app.clock.advance(1)
  await spend(app, { ...HOUR, warehouseId, hour: new Date('2026-03-01T01:00:00Z') })
  await app.budgets.lookAtAll()
  expect((await letters(app))[0]?.subject).toBe(`The budget of ${name} is used up`)
  expect(await types()).toEqual([MESSAGE_TYPES.BudgetReached, MESSAGE_TYPES.BudgetWarning])
  expect((await admin.call(warehouse.describe, { warehouseId })).data.status).toBe('Suspended')
  expect((await run(admin))?.errMsg).toContain(`The budget of ${name} for 2026-03 is used up.`)
})

test('a budget that suspends ends what runs in its warehouse and in no other, and says why', async () => {
  const { app, admin, accountId, warehouseId } = await start()
  const { warehouseId: second } = (await admin.call(warehouse.create, { name: 'second' })).data
  await run(admin)
  await admin.call(budget.set, { usd: '6', accountId, warehouseId, action: 'suspend' })
  await spend(app, { ...HOUR, warehouseId })
  await app.budgets.lookAtAll()
  const stateOf = async (id: string) =>
    (await admin.call(warehouse.describe, { warehouseId: id })).data.status
  expect([await stateOf(warehouseId), await stateOf(second)]).toEqual(['Suspended', 'Running'])
  const { activities } = (await admin.call(warehouse.activity, { warehouseId })).data
  expect(activities[0]).toMatchObject({ action: 'Suspend', detail: 'A budget is used up.' })
  const runs = await app.store.db
    .selectFrom('warehouse_runs')
    .select('end_reason')
    .where('warehouse_id', '=', warehouseId)
    .execute()
  expect(runs).toEqual([{ end_reason: 'over budget' }])
  expect((await run(admin))?.errMsg).toContain('The budget of the warehouse default_warehouse')
  app.clock.advance(31 * DAYS)
  expect((await run(await app.admin()))?.errMsg ?? '', 'the next month').toBe('')
})

test('statements that run when a budget suspends its warehouse are ended with a reason; one that only stops lets them continue', async () => {
  const { app, admin, accountId, warehouseId } = await start()
  const channel = await admin.channel()
  const begin = async (requestId: string): Promise<void> => {
    app.engines.hold()
    const queryReq = { connId: 0, oriConnId: 0, channel: 'tab', requestId, sql: 'SELECT 2' }
    channel.send({ cmd: 2, queryReq })
    // It has its slot.
    await expect.poll(() => app.compute.load(warehouseId).running, { timeout: 20_000 }).toBe(1)
  }
  await admin.call(budget.set, { usd: '6', accountId, action: 'stop' })
  const stopped = randomUUID()
  await begin(stopped)
  await spend(app, HOUR)
  await app.budgets.lookAtAll()
  app.engines.release()
  expect((await channel.finalAnswers(stopped))[0]?.errMsg ?? '').toBe('')

  await admin.call(budget.set, { usd: '10', accountId, action: 'suspend' })
  const suspended = randomUUID()
  await begin(suspended)
  await spend(app, HOUR)
  const looked = app.budgets.lookAtAll()
  const [answer] = await channel.finalAnswers(suspended)
  app.engines.release()
  await looked
  expect(answer).toMatchObject({
    errCode: CODES.QuotaExceeded.code,
    errMsg: expect.stringContaining('The budget of the account demo for 2026-03 is used up.') as string,
  })
})

test('a budget of the organisation stops all its accounts, and one of an account no other', async () => {
  const { app, admin } = await start()
  const other = await app.otherAccount()
  const stranger = await other.admin()
  const created = await stranger.call(warehouse.create, { name: 'oars' })
  await admin.call(budget.set, { usd: '6', accountId: app.accountId, action: 'stop' })
  await spend(app, HOUR)
  const resume = { warehouseId: created.data.warehouseId }
  await stranger.call(warehouse.suspend, resume)
  expect((await stranger.call(warehouse.resume, resume)).code).toBe(CODES.Ok.code)
  await admin.call(budget.set, { usd: '6', action: 'stop' })
  await stranger.call(warehouse.suspend, resume)
  const refused = await stranger.call(warehouse.resume, resume)
  expect(refused.code).toBe(CODES.QuotaExceeded.code)
  expect(refused.message, 'what others spend stays theirs').not.toMatch(/\d USD/)
})

test('a user without access to a warehouse is not notified of its budget', async () => {
  const { app, admin, accountId } = await start()
  const { warehouseId } = (await admin.call(warehouse.create, { name: 'secret' })).data
  await admin.call(budget.set, { usd: '1', accountId, action: 'stop' })
  await spend(app, HOUR)
  const admitted = (roles: readonly BuiltInRole[]) =>
    app.warehouses.admit(
      actorWith(accountId, roles),
      { id: warehouseId, name: 'it' },
      { queryId: randomUUID(), onQueued: () => undefined, signal: new AbortController().signal },
    )
  await expect(admitted(['cluster_admin'])).rejects.toMatchObject({ code: 'QuotaExceeded' })
  await expect(admitted(['db_admin'])).rejects.toMatchObject({ code: 'NotFound' })
})

test('budgets are not set without end', async () => {
  const { app, admin, accountId } = await start()
  const { organisation_id } = await app.store.db
    .selectFrom('organisations')
    .select('organisation_id')
    .executeTakeFirstOrThrow()
  await app.store.pool.query(
    `insert into warehouses (warehouse_id, account_id, name, description, size, auto_resume, status, created_by, created_at)
     select gen_random_uuid(), $1, 'w' || n, '', 'Small', true, 'Suspended', 'admin', now() from generate_series(1, 200) n`,
    [accountId],
  )
  await app.store.pool.query(
    `insert into budgets (budget_id, organisation_id, owner_account_id, account_id, warehouse_id, micro_usd, warn_percent, action, created_at)
     select gen_random_uuid(), $2, account_id, account_id, warehouse_id, 1, 80, 'warn', now()
     from warehouses where account_id = $1 limit 200`,
    [accountId, organisation_id],
  )
  expect((await admin.call(budget.set, { usd: '1' })).code).toBe(CODES.LimitReached.code)
})
