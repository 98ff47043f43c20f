import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { payment, usage } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { createLog } from '../../kernel/log.ts'
import { DAYS, HOURS } from '../../testing/fake-clock.ts'
import { startApp, type TestApp } from '../../testing/start-app.ts'
import { gbMonthsText, hoursOfMonth, microUsdPerGbMonth, unitsOfHour } from './prices.ts'
import { createStorage } from './service.ts'

const GB = 1_000_000_000

const storageOf = (app: TestApp, bytes: () => number) =>
  createStorage({
    db: app.store.db,
    accountIds: async () => [app.accountId, 'ZZZ99999'],
    storedBytes: async () => bytes(),
    clock: app.clock,
    log: createLog('silent'),
  })

test('a price holds from its day on, in its region, and a month has as many hours as it has', () => {
  const prices = [
    { from: '2026-01-01', region: '*', edition: 'lake', microUsd: 25_000 },
    { from: '2026-03-10', region: '*', edition: 'lake', microUsd: 30_000 },
    { from: '2026-01-01', region: 'far-1', edition: 'lake', microUsd: 40_000 },
  ] as const
  const at = (day: string, region = 'local-1') =>
    microUsdPerGbMonth({ edition: 'lake', region, at: new Date(`${day}T12:00:00Z`) }, prices)
  expect([at('2026-03-09'), at('2026-03-10'), at('2026-03-10', 'far-1')]).toEqual([25_000, 30_000, 40_000])
  expect(() => at('2025-12-31')).toThrow('There is no price')
  expect(['2028-02', '2027-02', '2026-03', '2026-04'].map(hoursOfMonth)).toEqual([696, 672, 744, 720])
  // A GB for all of a month is its price, whatever the month, but for a part of a unit in each hour.
  for (const month of ['2028-02-01', '2026-03-01']) {
    const hour = unitsOfHour({ hour: new Date(month), bytes: GB, microUsd: 25_000 })
    const missing = 25_000n * 3_600n - hour * BigInt(hoursOfMonth(month))
    expect(missing >= 0n && missing < BigInt(hoursOfMonth(month))).toBe(true)
  }
  expect(gbMonthsText(BigInt(GB) * 372n, '2026-03-01')).toBe('0.500000')
})

test('managed data is measured once an hour and is a line of the invoice; hours without the service are free', async () => {
  const app = await startApp()
  let bytes = 0
  const storage = storageOf(app, () => bytes)
  for (let hour = 0; hour < 4; hour++) {
    bytes = hour * 1_000 * GB
    await Promise.all([storage.meter(), storage.meter()])
    bytes = 9_999 * GB
    await storage.meter()
    app.clock.advance(1 * HOURS)
  }
  app.clock.advance(1 * DAYS)
  const admin = await app.admin()
  // 6,000 GB-hours of 744.
  const { storage: stored, totalUsd } = (await admin.call(usage.summary, { month: '2026-03' })).data
  expect(stored).toEqual({ gbMonths: '8.064516', usd: '0.201613' })
  expect(totalUsd).toBe('0.201613')
  expect((await admin.call(payment.overview, {})).data.monthToDate).toEqual({ ccu: '0', usd: '0.20' })
  app.clock.advance(31 * DAYS)
  await app.payments.closing.closeDue()
  await app.payments.closing.closeDue()
  const later = await app.admin()
  const { invoices } = (await later.call(payment.listInvoices, {})).data
  expect(invoices).toMatchObject([{ month: '2026-03', ccu: '0.000', usageUsd: '0.20', dueUsd: '0.20' }])
  const invoiceId = invoices[0]?.invoiceId ?? ''
  expect((await later.call(payment.invoiceLines, { invoiceId })).data).toMatchObject({
    usd: '0.201613',
    lines: [{ warehouseId: null, gbMonths: '8.064516', price: '0.025000', usd: '0.201613' }],
  })
  const lineId = (await later.call(payment.invoiceLines, { invoiceId })).data.lines[0]?.lineId ?? ''
  expect((await later.call(payment.lineHours, { lineId })).data).toMatchObject({
    usd: '0.201613',
    total: 3,
    hours: [
      { hour: '2026-03-01T10:00:00.000Z', bytes: 1_000 * GB, usd: '0.033602' },
      { hour: '2026-03-01T11:00:00.000Z', bytes: 2_000 * GB, usd: '0.067204' },
      { hour: '2026-03-01T12:00:00.000Z', bytes: 3_000 * GB, usd: '0.100807' },
    ],
  })
  const csv = (await later.call(payment.invoiceFile, { invoiceId, file: 'csv' })).data.base64
  expect(Buffer.from(csv, 'base64').toString()).toContain(',0.201613,false,0,storage,8.064516,0.025000,0')
})

test('what is measured is the data of the account itself', async () => {
  const app = await startApp()
  expect(await app.compute.storedBytes(app.accountId)).toBe(0)
  const directory = app.folders.directoryOf(app.accountId)
  for (const folder of ['catalogs', 'results', 'exports', 'tmp'])
    await mkdir(join(directory, folder), { recursive: true })
  await writeFile(join(directory, 'default_catalog.data'), Buffer.alloc(5_000))
  await writeFile(join(directory, 'default_catalog.log'), Buffer.alloc(300))
  await writeFile(join(directory, 'catalogs', 'further.data'), Buffer.alloc(20))
  for (const folder of ['results', 'exports', 'tmp'])
    await writeFile(join(directory, folder, 'kept'), Buffer.alloc(9_999))
  await app.storage.meter()
  const rows = await app.store.db.selectFrom('storage_usage').select(['account_id', 'bytes']).execute()
  expect(rows).toEqual([{ account_id: app.accountId, bytes: 5_320 }])
})
