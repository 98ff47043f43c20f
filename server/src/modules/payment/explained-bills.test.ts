import { randomUUID } from 'node:crypto'
import { CODES, payment, usage, type UsageAmount, WarehouseSize } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { DAYS, HOURS } from '../../testing/fake-clock.ts'
import { spend } from '../../testing/spend.ts'
import { startApp, type TestApp } from '../../testing/start-app.ts'

const MARCH = new Date('2026-03-01T00:00:00Z')
const PRICES = ['1.580000', '0.680000', '1.234567', '0.000001']

const micros = (usd: string): bigint => {
  const [whole = '0', fraction = ''] = usd.split('.')
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'))
}
const signedMicros = (usd: string): bigint => (usd.startsWith('-') ? -micros(usd.slice(1)) : micros(usd))
const sumOf = (rows: readonly { usd: string }[]): bigint =>
  rows.reduce((all, { usd }) => all + micros(usd), 0n)

interface Ran {
  readonly app: TestApp
  readonly accountId?: string
  readonly warehouseId: string
  readonly user: string
  readonly micros: number
  readonly sql?: string
}

/** A statement that took its part of the first hour of March. */
async function ran({
  app,
  accountId = app.accountId,
  warehouseId,
  user,
  micros: part,
  sql = 'select 1',
}: Ran) {
  const query_id = randomUUID()
  const common = { account_id: accountId, warehouse_id: warehouseId, hour: MARCH, size: 'Medium' }
  const price = { edition: 'standard', region: 'local-1', usd_per_ccu: '1.580000' }
  await app.store.db
    .insertInto('statement_usage')
    .values({ query_id, ...common, ...price, micros: part })
    .execute()
  await app.store.db
    .updateTable('warehouse_usage')
    .set((eb) => ({ busy_micros: eb('busy_micros', '+', part) }))
    .where('warehouse_id', '=', warehouseId)
    .where('hour', '=', MARCH)
    .execute()
  await app.store.db
    .insertInto('statements')
    .values({
      query_id,
      account_id: accountId,
      user_id: randomUUID(),
      user_name: user,
      request_id: randomUUID(),
      statement_index: 0,
      statement_count: 1,
      door: 'channel',
      sql,
      kind: 'select',
      state: 'finished',
      accepted_at: MARCH,
      started_at: MARCH,
      ended_at: MARCH,
    })
    .execute()
}

async function withUsage() {
  const app = await startApp()
  const other = await app.otherAccount()
  const [etl, theirs] = [randomUUID(), randomUUID()]
  await spend(app, { warehouseId: etl, hour: MARCH, seconds: 3_000 })
  await spend(app, { warehouseId: etl, hour: new Date(MARCH.getTime() + 5 * HOURS), seconds: 7 })
  await spend(app, { accountId: other.accountId, warehouseId: theirs, hour: MARCH, seconds: 600 })
  for (const part of [1_000_001, 333_333, 333_334, 7])
    await ran({ app, warehouseId: etl, user: 'ada', micros: part, sql: `select ${part}` })
  await ran({ app, warehouseId: etl, user: 'bob', micros: 17_001 })
  await ran({ app, accountId: other.accountId, warehouseId: theirs, user: 'eve', micros: 5_000_000 })
  return { app, other, etl, theirs }
}

test('a month is explained by people and by statements: with what was idle they are the total, to the last place', async () => {
  const { app, other, etl } = await withUsage()
  const admin = await app.admin()
  const { total } = (await admin.call(usage.summary, { month: '2026-03' })).data
  const people = (await admin.call(usage.byUser, { month: '2026-03' })).data
  expect(people.users.map(({ account, user, statements }) => [account, user, statements])).toEqual([
    ['harbour', 'eve', 1],
    ['demo', 'ada', 4],
    ['demo', 'bob', 1],
  ])
  const whole = (parts: {
    total: UsageAmount
    idle: { usd: string } | null
    forgotten: { usd: string } | null
    rounding: { usd: string }
  }) =>
    micros(parts.idle?.usd ?? '0') + micros(parts.forgotten?.usd ?? '0') + signedMicros(parts.rounding.usd)
  expect(people.total).toEqual(total)
  expect(sumOf(people.users) + whole(people)).toBe(micros(total.usd))

  const pages = []
  for (const page of [1, 2, 3])
    pages.push((await admin.call(usage.byStatement, { month: '2026-03', page, pageSize: 2 })).data)
  const statements = pages.flatMap((page) => page.statements)
  expect(pages[0]?.count).toBe(6)
  expect(sumOf(statements) + whole(pages[0] ?? people)).toBe(micros(total.usd))
  expect(statements.map(({ sql }) => sql)).toEqual([
    null,
    'select 1000001',
    'select 333334',
    'select 333333',
    'select 1',
    'select 7',
  ])

  const ofAda = { month: '2026-03', accountId: app.accountId, user: 'ada' }
  const hers = (await admin.call(usage.byStatement, ofAda)).data
  expect(hers).toMatchObject({ count: 4, idle: null, forgotten: null })
  expect(sumOf(hers.statements) + whole(hers)).toBe(micros(hers.total.usd))

  const hour = MARCH.toISOString()
  const inHour = { month: '2026-03', accountId: app.accountId, warehouseId: etl, hour }
  const opened = (await admin.call(usage.byStatement, inHour)).data
  expect(opened.total).toMatchObject({ chargedSeconds: 3_000, ccu: '3.333333', usd: '5.266667' })
  expect(sumOf(opened.statements) + whole(opened)).toBe(micros(opened.total.usd))

  await app.store.pool.query(
    `delete from statement_usage where query_id in (select query_id from statements where user_name = 'bob')`,
  )
  const forgot = (await admin.call(usage.byUser, { month: '2026-03', accountId: app.accountId })).data
  expect(micros(forgot.forgotten?.usd ?? '0')).toBeGreaterThan(0n)
  expect(sumOf(forgot.users) + whole(forgot)).toBe(micros(forgot.total.usd))

  const stranger = await other.admin()
  expect((await stranger.call(usage.byUser, { month: '2026-03' })).data.users).toMatchObject([
    { user: 'eve' },
  ])
  const foreign = { month: '2026-03', accountId: app.accountId }
  expect((await stranger.call(usage.byUser, foreign)).code).toBe(CODES.NotFound.code)
  expect((await stranger.call(usage.byStatement, foreign)).code).toBe(CODES.NotFound.code)
  const plain = await app.user(['cluster_admin'])
  expect((await plain.call(usage.byStatement, { month: '2026-03' })).code).toBe(CODES.NoPermission.code)
  for (const wrong of ['2026-04-01T00:00:00Z', '2026-03-01T00:30:00Z', 'noon'])
    expect((await admin.call(usage.byStatement, { month: '2026-03', hour: wrong })).code).toBe(
      CODES.BadInput.code,
    )
})

test('every line of an invoice opens to hours: the lines sum up to the invoice and the hours to the line, for any usage', async () => {
  const app = await startApp()
  let seed = 11
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed % below
  }
  const warehouses = [randomUUID(), randomUUID()]
  const seen = new Set<string>()
  for (let i = 0; i < 120; i++) {
    const warehouseId = warehouses[random(2)] ?? ''
    const hour = new Date(MARCH.getTime() + random(700) * HOURS)
    const size = WarehouseSize.options[random(3)] ?? 'Small'
    const usdPerCcu = PRICES[random(PRICES.length)] ?? '1.580000'
    const key = [warehouseId, hour, size, usdPerCcu].join()
    if (seen.has(key)) continue
    seen.add(key)
    await spend(app, { warehouseId, hour, size, usdPerCcu, seconds: 1 + random(3_600) })
  }
  app.clock.advance(31 * DAYS)
  await app.payments.closing.closeDue()
  const admin = await app.admin()
  const [invoice] = (await admin.call(payment.listInvoices, {})).data.invoices
  const invoiceId = invoice?.invoiceId ?? ''
  const first = (await admin.call(payment.invoiceLines, { invoiceId, pageSize: 5 })).data
  const lines = (await admin.call(payment.invoiceLines, { invoiceId, pageSize: 100 })).data.lines
  expect(first.lines).toEqual(lines.slice(0, 5))
  expect(first.total).toBe(lines.length)
  expect(sumOf(lines)).toBe(micros(first.usd))
  expect(Number(first.usd).toFixed(2)).toBe(invoice?.usageUsd)
  for (const { lineId, usd, chargedSeconds } of lines) {
    const { data } = await admin.call(payment.lineHours, { lineId, pageSize: 100 })
    expect(sumOf(data.hours)).toBe(micros(data.usd))
    expect(data.hours.reduce((all, hour) => all + hour.chargedSeconds, 0)).toBe(chargedSeconds)
    // A line is rounded so that lines add up: it may be a millionth off.
    expect(Math.abs(Number(micros(data.usd) - micros(usd)))).toBeLessThanOrEqual(1)
  }
  const { base64 } = (await admin.call(payment.invoiceFile, { invoiceId, file: 'csv' })).data
  const rows = Buffer.from(base64, 'base64').toString().trim().split('\r\n').slice(1)
  expect(rows.reduce((all, row) => all + micros(row.split(',')[10] ?? ''), 0n)).toBe(micros(first.usd))
})

test('what is behind an invoice is seen in the root account by its administrators, and of no other organisation', async () => {
  const app = await startApp()
  await spend(app, { hour: MARCH, seconds: 60 })
  app.clock.advance(31 * DAYS)
  await app.payments.closing.closeDue()
  const admin = await app.admin()
  const [invoice] = (await admin.call(payment.listInvoices, {})).data.invoices
  const invoiceId = invoice?.invoiceId ?? ''
  const [line] = (await admin.call(payment.invoiceLines, { invoiceId })).data.lines
  const lineId = line?.lineId ?? ''
  const refused = async (user: Awaited<ReturnType<TestApp['admin']>>) => [
    (await user.call(payment.invoiceLines, { invoiceId })).code,
    (await user.call(payment.lineHours, { lineId })).code,
  ]
  const { NoPermission, NotFound } = CODES
  expect(await refused(await (await app.otherAccount()).admin())).toEqual([
    NoPermission.code,
    NoPermission.code,
  ])
  expect(await refused(await app.user(['user_admin']))).toEqual([NoPermission.code, NoPermission.code])
  await app.store.db.updateTable('invoices').set({ organisation_id: randomUUID() }).execute()
  await app.store.db.updateTable('invoice_lines').set({ organisation_id: randomUUID() }).execute()
  expect(await refused(admin)).toEqual([NotFound.code, NotFound.code])
})
