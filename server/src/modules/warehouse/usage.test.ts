import { randomUUID } from 'node:crypto'
import { warehouse } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { DAYS, HOURS, MINUTES } from '../../testing/fake-clock.ts'
import { startApp } from '../../testing/start-app.ts'

const allIdle = (ccu: string, usd: string) => ({ ccu, usd, idle: { ccu, usd } })
const zero = { chargedSeconds: 0, ...allIdle('0', '0.00') }

test('usage adds up what ran this month and on each of the last seven days [WH-11]', async () => {
  const app = await startApp()
  const manager = await app.user(['cluster_admin'])
  const { warehouseId } = (await manager.call(warehouse.create, { name: 'oars', idleMinutes: null })).data
  // Sunday 1 March 2026, 09:00 UTC: an hour of X-Small, then half an hour of Medium, then 10 s more.
  app.clock.advance(1 * HOURS)
  await manager.call(warehouse.update, { warehouseId, size: 'Medium' })
  app.clock.advance(30 * MINUTES)
  await manager.call(warehouse.suspend, { warehouseId })
  app.clock.advance(1 * DAYS)
  const again = await app.user(['cluster_admin'])
  await again.call(warehouse.resume, { warehouseId })
  app.clock.advance(10_000)
  await again.call(warehouse.suspend, { warehouseId })
  expect((await again.call(warehouse.usage, { warehouseId })).data).toEqual({
    monthToDate: { chargedSeconds: 5460, activeSeconds: 5410, ...allIdle('3.066667', '4.845333') },
    days: [
      { date: '2026-02-24', ...zero },
      { date: '2026-02-25', ...zero },
      { date: '2026-02-26', ...zero },
      { date: '2026-02-27', ...zero },
      { date: '2026-02-28', ...zero },
      { date: '2026-03-01', chargedSeconds: 5400, ...allIdle('3', '4.74') },
      { date: '2026-03-02', chargedSeconds: 60, ...allIdle('0.066667', '0.105333') },
    ],
  })
})

test('what runs at this moment is counted up to this moment, and last month is another month', async () => {
  const app = await startApp()
  const manager = await app.user(['cluster_admin'])
  const { warehouseId } = (await manager.call(warehouse.create, { name: 'oars', idleMinutes: null })).data
  await app.store.db
    .insertInto('warehouse_usage')
    .values({
      account_id: app.accountId,
      warehouse_id: warehouseId,
      hour: new Date('2026-02-28T23:00:00Z'),
      size: 'X-Small',
      seconds: 100,
      edition: 'standard',
      region: 'local-1',
      usd_per_ccu: '1.580000',
    })
    .execute()
  await app.store.db
    .insertInto('warehouse_runs')
    .values({
      run_id: randomUUID(),
      account_id: app.accountId,
      warehouse_id: warehouseId,
      warehouse_name: 'oars',
      size: 'X-Small',
      started_at: new Date('2026-02-28T23:58:20Z'),
      metered_until: new Date('2026-03-01T00:00:05Z'),
      ended_at: new Date('2026-03-01T00:00:05Z'),
      end_reason: 'crashed',
    })
    .execute()
  app.clock.advance(90_500)
  const { monthToDate, days } = (await manager.call(warehouse.usage, { warehouseId })).data
  expect(monthToDate).toMatchObject({ chargedSeconds: 90, activeSeconds: 95 })
  expect(days.slice(-2).map(({ chargedSeconds }) => chargedSeconds)).toEqual([100, 90])
})

test('past usage keeps the price, edition and region at which it was used', async () => {
  const app = await startApp()
  const manager = await app.user(['cluster_admin'])
  const { warehouseId } = (await manager.call(warehouse.create, { name: 'oars', idleMinutes: null })).data
  app.clock.advance(30 * MINUTES)
  await manager.call(warehouse.suspend, { warehouseId })
  const before = (await manager.call(warehouse.usage, { warehouseId })).data.monthToDate
  expect(before).toMatchObject({ ccu: '0.5', usd: '0.79' })

  await app.store.db.updateTable('accounts').set({ edition: 'lake', region: 'far-1' }).execute()
  expect((await manager.call(warehouse.usage, { warehouseId })).data.monthToDate).toEqual(before)
  await manager.call(warehouse.resume, { warehouseId })
  app.clock.advance(15 * MINUTES)
  await manager.call(warehouse.suspend, { warehouseId })
  expect((await manager.call(warehouse.usage, { warehouseId })).data.monthToDate).toMatchObject({
    ccu: '0.75',
    usd: '0.96',
  })
  const kept = await app.store.db
    .selectFrom('warehouse_usage')
    .select(['edition', 'region', 'usd_per_ccu', 'seconds'])
    .orderBy('usd_per_ccu', 'desc')
    .execute()
  expect(kept).toEqual([
    { edition: 'standard', region: 'local-1', usd_per_ccu: '1.580000', seconds: 1800 },
    { edition: 'lake', region: 'far-1', usd_per_ccu: '0.680000', seconds: 900 },
  ])
})
