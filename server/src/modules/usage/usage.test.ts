import { randomUUID } from 'node:crypto'
import { CODES, usage } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { spend } from '../../testing/spend.ts'
import { startApp } from '../../testing/start-app.ts'

const first = new Date('2026-03-01T00:00:00Z')

async function start() {
  const app = await startApp()
  const other = await app.otherAccount()
  const warehouseId = randomUUID()
  await app.store.db
    .insertInto('warehouse_runs')
    .values({
      run_id: randomUUID(),
      account_id: app.accountId,
      warehouse_id: warehouseId,
      warehouse_name: 'etl_wh',
      size: 'Medium',
      started_at: first,
      metered_until: first,
      ended_at: first,
    })
    .execute()
  await spend(app, { warehouseId, hour: first, seconds: 1_800 })
  await spend(app, { warehouseId, hour: first, seconds: 600, size: 'Small' })
  await spend(app, { hour: new Date('2026-02-28T23:00:00Z'), seconds: 3_600 })
  await spend(app, { accountId: other.accountId, hour: first, seconds: 3_600, usdPerCcu: '0.680000' })
  return { app, other, warehouseId }
}

test('the root account sees the usage of all accounts: in all, by day, by account and by warehouse [BILL-01, BILL-02, BILL-03, BILL-10]', async () => {
  const { app, other, warehouseId } = await start()
  const admin = await app.admin()
  const { data } = await admin.call(usage.summary, { month: '2026-03' })
  const total = { chargedSeconds: 6_000, ccu: '6.333333', usd: '6.406667' }
  expect(data).toMatchObject({
    isRoot: true,
    total,
    days: [{ date: '2026-03-01', ...total }],
    accounts: [
      { accountId: app.accountId, name: 'demo', ccu: '2.333333', usd: '3.686667' },
      { accountId: other.accountId, name: 'harbour', ccu: '4', usd: '2.72' },
    ],
    warehouses: [
      { warehouseId, name: 'etl_wh', usd: '3.686667' },
      { accountId: other.accountId, usd: '2.72' },
    ],
  })
  const ofOne = await admin.call(usage.summary, { month: '2026-03', accountId: other.accountId })
  expect(ofOne.data).toMatchObject({ total: { ccu: '4' }, accounts: [{ name: 'harbour' }] })
  const february = (await admin.call(usage.summary, { month: '2026-02' })).data
  expect(february.days).toHaveLength(28)
  expect(february.total).toMatchObject({ ccu: '4', usd: '6.32' })
})

test('details are by day, warehouse, size and price, page by page [BILL-04]', async () => {
  const { app } = await start()
  const admin = await app.admin()
  const page = async (number: number) =>
    (await admin.call(usage.details, { month: '2026-03', page: number, pageSize: 2 })).data
  const all = [...(await page(1)).rows, ...(await page(2)).rows]
  expect((await page(1)).total).toBe(3)
  expect(
    all.map(({ date, account, warehouse, size, ccu, usd, price }) => [
      date,
      account,
      warehouse,
      size,
      ccu,
      usd,
      price,
    ]),
  ).toEqual([
    ['2026-03-01', 'harbour', '', 'Medium', '4', '2.72', '0.68'],
    ['2026-03-01', 'demo', 'etl_wh', 'Medium', '2', '3.16', '1.58'],
    ['2026-03-01', 'demo', 'etl_wh', 'Small', '0.333333', '0.526667', '1.58'],
  ])
})

test('a normal account sees its own usage and no other; nobody without the role sees any [BILL-11]', async () => {
  const { app, other } = await start()
  const normal = await other.admin()
  const { data } = await normal.call(usage.summary, { month: '2026-03' })
  expect(data).toMatchObject({ isRoot: false, total: { ccu: '4' }, accounts: [{ name: 'harbour' }] })
  expect((await normal.call(usage.summary, { month: '2026-03', accountId: app.accountId })).code).toBe(
    CODES.NotFound.code,
  )
  expect((await normal.call(usage.details, { month: '2026-03', accountId: app.accountId })).code).toBe(
    CODES.NotFound.code,
  )
  expect((await (await app.user(['cluster_admin'])).call(usage.summary, { month: '2026-03' })).code).toBe(
    CODES.NoPermission.code,
  )
  expect((await normal.call(usage.summary, { month: 'March' })).code).toBe(CODES.BadInput.code)
})
