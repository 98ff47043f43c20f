import { randomUUID } from 'node:crypto'
import { CODES, type Invoice, payment, SHELL_STATES } from '@boathouse/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { bindCard } from '../../testing/bind-card.ts'
import { DAYS, HOURS, MINUTES } from '../../testing/fake-clock.ts'
import { hasPdfReader, readPdf } from '../../testing/read-pdf.ts'
import { spend } from '../../testing/spend.ts'
import { startApp, type TestApp } from '../../testing/start-app.ts'
import { OPERATOR } from '../audit/author.ts'
import { verifyAudit } from '../audit/verify.ts'
import { createLocalPayments } from '../../providers/payment/local-payments.ts'
import { createCharging } from './charging.ts'
import { createLocalMemory } from './local-memory-store.ts'

/** The clock of a test begins on 1 March 2026. */
const MARCH = new Date('2026-03-10T10:00:00Z')
const APRIL_MS = 31 * DAYS

/** Months are closed and cards are charged, as the jobs do. */
async function passes(app: TestApp, ms: number): Promise<void> {
  app.clock.advance(ms)
  await app.payments.closing.closeDue()
  await app.payments.charging.chargeDue()
  await app.payments.charging.resumePaid()
  await app.accountLife.advance()
}

const invoices = async (app: TestApp): Promise<Invoice[]> =>
  (await (await app.admin()).call(payment.listInvoices, {})).data.invoices

const shell = async (app: TestApp) =>
  (await app.store.db.selectFrom('accounts').select(['shell_state', 'freeze_reason']).executeTakeFirst()) ??
  null

const charges = async (app: TestApp) =>
  app.store.db
    .selectFrom('local_payments')
    .select(['object_id', sql<string>`data->>'at'`.as('at')])
    .where('object_id', 'like', 'charge %')
    .execute()

test('on the last day of the month what was used is charged to the card, in the root account for all accounts [CARD-25, BILL-10]', async () => {
  const app = await startApp()
  const other = await app.otherAccount()
  await bindCard(await app.admin(), 'visa')
  await spend(app, { hour: MARCH, seconds: 3_600 })
  await spend(app, { accountId: other.accountId, hour: MARCH, seconds: 1_800, usdPerCcu: '0.680000' })
  app.clock.advance(new Date('2026-03-31T23:54:00Z').getTime() - app.clock.now().getTime())
  await passes(app, 0)
  expect(await invoices(app), 'there is more to come').toEqual([])
  await passes(app, 1 * MINUTES)
  expect(app.clock.now().toISOString()).toBe('2026-03-31T23:55:00.000Z')
  expect(await invoices(app)).toMatchObject([
    {
      number: `2026-03-${app.accountId}`,
      month: '2026-03',
      state: 'paid',
      ccu: '6.000',
      usageUsd: '7.68',
      dueUsd: '7.68',
      hasReceipt: true,
    },
  ])
  expect(await charges(app)).toHaveLength(1)
  expect((await charges(app)).map(({ at }) => at)).toEqual(['2026-03-31T23:55:00.000Z'])
  // What is used in the last minutes is neither lost nor charged twice.
  await spend(app, { hour: new Date('2026-03-31T23:00:00Z'), seconds: 300 })
  await passes(app, 6 * MINUTES)
  expect(await charges(app)).toHaveLength(1)
  await passes(app, 30 * DAYS)
  const paid = (await invoices(app)).map(({ month, state, dueUsd }) => [month, state, dueUsd])
  expect(paid).toEqual([
    ['2026-04', 'paid', '0.52'],
    ['2026-03', 'paid', '7.68'],
  ])
  expect(await charges(app)).toHaveLength(2)
})

test('invoices and receipts are files; those of another organisation are not found [BILL-07, BILL-08, BILL-09]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  await bindCard(admin, 'visa')
  const warehouseId = randomUUID()
  await app.store.db
    .insertInto('warehouse_runs')
    .values({
      run_id: randomUUID(),
      account_id: app.accountId,
      warehouse_id: warehouseId,
      warehouse_name: '=etl, "wide"',
      size: 'Medium',
      started_at: MARCH,
      metered_until: MARCH,
      ended_at: MARCH,
    })
    .execute()
  await spend(app, { warehouseId, hour: MARCH, seconds: 3_600 })
  await passes(app, APRIL_MS)
  const [invoice] = await invoices(app)
  const invoiceId = invoice?.invoiceId ?? ''
  const file = async (kind: 'invoice' | 'receipt' | 'csv') =>
    (await (await app.admin()).call(payment.invoiceFile, { invoiceId, file: kind })).data
  const textOf = ({ base64 }: { base64: string }) => Buffer.from(base64, 'base64').toString('latin1')

  const pdf = await file('invoice')
  expect(pdf).toMatchObject({
    fileName: `invoice-2026-03-${app.accountId}.pdf`,
    mediaType: 'application/pdf',
  })
  const receipt = await file('receipt')
  for (const one of [pdf, receipt]) expect(textOf(one)).toMatch(/^%PDF-1\.\d\n/)
  if (hasPdfReader) {
    const pageOf = async ({ base64 }: { base64: string }) => (await readPdf(Buffer.from(base64, 'base64')))[0]
    expect(await pageOf(pdf)).toMatch(/Amount due, USD +6\.32\n/)
    expect(await pageOf(receipt)).toContain('by Visa ending in 4242')
  }
  expect(textOf(await file('csv'))).toContain(
    `,"'=etl, ""wide""",Medium,standard,3600,14400,1.58,6.320000,false,0,compute,,,0`,
  )

  const user = await app.user(['cluster_admin'])
  expect((await user.call(payment.invoiceFile, { invoiceId, file: 'csv' })).code).toBe(
    CODES.NoPermission.code,
  )
  const unknown = await (
    await app.admin()
  ).call(payment.invoiceFile, { invoiceId: randomUUID(), file: 'csv' })
  expect(unknown.code).toBe(CODES.NotFound.code)
})

test('a normal account sees no bills [BILL-11, CARD-26]', async () => {
  const app = await startApp()
  const normal = await (await app.otherAccount()).admin()
  for (const code of [
    (await normal.call(payment.overview, {})).code,
    (await normal.call(payment.listInvoices, {})).code,
    (await normal.call(payment.invoiceFile, { invoiceId: randomUUID(), file: 'csv' })).code,
  ])
    expect(code).toBe(CODES.NoPermission.code)
})

test('the overview shows usage, forecast, balance and the way of payment [BILL-05, BILL-06, BILL-12, BILL-13]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  await bindCard(admin, 'mastercard')
  const { organisation_id: organisationId } = await app.store.db
    .selectFrom('organisations')
    .select('organisation_id')
    .executeTakeFirstOrThrow()
  await app.payments.addCcu(organisationId, 100, OPERATOR)
  await spend(app, { hour: new Date('2026-03-01T08:00:00Z'), seconds: 3_600 })
  expect((await admin.call(payment.overview, {})).data).toMatchObject({
    month: '2026-03',
    nextBillingAt: '2026-03-31T23:55:00.000Z',
    monthToDate: { ccu: '4', usd: '6.32' },
    // 6.32 in seven days, for 30.625 days more
    forecastUsd: '33.97',
    ccuBalance: '100.000',
    paymentType: 'direct',
    trialCredit: null,
    card: { brand: 'Mastercard', lastDigits: '4242', expires: '2039-12' },
    paymentEnabled: true,
    mayBindCard: true,
  })
})

test.each([
  [{ source: 2 }, 'marketplace'],
  [{ identity: 3 }, 'contract'],
] as const)('who pays another way is never charged here %o [BILL-15]', async (organisation, type) => {
  const app = await startApp()
  await app.store.db.updateTable('organisations').set(organisation).execute()
  await spend(app, { hour: MARCH, seconds: 3_600 })
  await passes(app, APRIL_MS)
  expect(await invoices(app)).toMatchObject([{ state: 'elsewhere', dueUsd: '6.32' }])
  expect((await (await app.admin()).call(payment.overview, {})).data).toMatchObject({
    paymentType: type,
    mayBindCard: false,
  })
  await passes(app, 40 * DAYS)
  expect(await shell(app)).toMatchObject({ shell_state: SHELL_STATES.Active })
  expect(await charges(app)).toEqual([])
})

test('CCUs that were paid in advance are used first', async () => {
  const app = await startApp()
  const { organisation_id: organisationId } = await app.store.db
    .selectFrom('organisations')
    .select('organisation_id')
    .executeTakeFirstOrThrow()
  await app.payments.addCcu(organisationId, 3, OPERATOR)
  await spend(app, { hour: MARCH, seconds: 3_600 })
  await passes(app, APRIL_MS)
  expect(await invoices(app)).toMatchObject([{ usageUsd: '6.32', dueUsd: '1.58', ccu: '4.000' }])
  expect((await (await app.admin()).call(payment.overview, {})).data.ccuBalance).toBe('0.000')
})

test('a discount is taken off before the CCU balance and the card, of the months that it is for; the last one that was set counts', async () => {
  const app = await startApp()
  const [{ org } = { org: '' }] = (await app.operator('org list', {})) as { org: string }[]
  for (const wrong of ['', '-1', '101', '1.234', 'half'])
    await expect(app.operator('org discount', { org, percent: wrong })).rejects.toMatchObject({
      code: 'BadInput',
    })
  await expect(
    app.operator('org discount', { org, percent: '10', from: '2026-05', until: '2026-04' }),
  ).rejects.toMatchObject({ code: 'BadInput' })
  const nowhere = { org: randomUUID(), percent: '10' }
  await expect(app.operator('org discount', nowhere)).rejects.toMatchObject({ code: 'NotFound' })
  await app.operator('org discount', { org, percent: '50' })
  app.clock.advance(1)
  const set = { org, percent: '12.5', until: '2026-03' }
  expect(await app.operator('org discount', set)).toEqual({ ...set, from: '2026-03' })
  expect((await (await app.admin()).call(payment.overview, {})).data.discountPercent).toBe('12.5')
  await app.payments.addCcu(org, 1, OPERATOR)
  await spend(app, { hour: MARCH, seconds: 3_600 })
  await passes(app, APRIL_MS)
  // 6.32 less an eighth is 5.53, of which the balance pays a quarter.
  expect(await invoices(app)).toMatchObject([{ usageUsd: '6.32', dueUsd: '4.14' }])
  const admin = await app.admin()
  const invoiceId = (await invoices(app))[0]?.invoiceId ?? ''
  expect((await admin.call(payment.invoiceLines, { invoiceId })).data).toMatchObject({
    parts: [
      { kind: 'usage', usd: '6.320000' },
      { kind: 'discount', usd: '-0.790000' },
      { kind: 'balance', usd: '-1.382500' },
      { kind: 'carriedOut', usd: '-0.007500' },
    ],
    lines: [{ usd: '6.320000', discountPercent: '12.5' }],
  })
  const csv = (await admin.call(payment.invoiceFile, { invoiceId, file: 'csv' })).data.base64
  expect(Buffer.from(csv, 'base64').toString()).toMatch(/discount_percent\r\n.*,12\.5\r\n$/)
  await spend(app, { hour: new Date('2026-04-10T10:00:00Z'), seconds: 3_600 })
  await passes(app, 30 * DAYS)
  expect((await invoices(app))[0], 'half the price, and what was carried').toMatchObject({ dueUsd: '3.16' })
  expect(await verifyAudit(app.store.db, app.accountId)).toMatchObject([{ problem: null }])
})

test('a declined card is tried again after 1, 3 and 5 days; then the accounts are frozen until another card pays', async () => {
  const app = await startApp()
  await app.store.db.updateTable('users').set({ email: 'ada@rowing.example' }).execute()
  await bindCard(await app.admin(), 'declinedLater')
  await spend(app, { hour: MARCH, seconds: 3_600 })
  await passes(app, APRIL_MS)
  expect(await invoices(app)).toMatchObject([{ state: 'retrying', problem: 'The bank declined the charge.' }])
  await passes(app, 1 * DAYS)
  await passes(app, 3 * DAYS)
  expect(await invoices(app)).toMatchObject([{ state: 'retrying' }])
  expect(await shell(app)).toMatchObject({ shell_state: SHELL_STATES.Active })
  await passes(app, 5 * DAYS)
  expect(await app.store.db.selectFrom('invoices').select('state').execute()).toEqual([{ state: 'unpaid' }])
  expect(await shell(app)).toEqual({ shell_state: SHELL_STATES.Frozen, freeze_reason: 'unpaid' })
  expect((await app.mails.outbox()).filter(({ kind }) => kind === 'paymentFailed')).toHaveLength(4)
  await passes(app, 20 * DAYS)

  await bindCard(await app.admin(), 'visa')
  await passes(app, 0)
  expect(await shell(app)).toMatchObject({ shell_state: SHELL_STATES.Active, freeze_reason: null })
  expect(await invoices(app)).toMatchObject([{ state: 'paid', problem: null }])
})

test('a charge that fails only later is no payment', async () => {
  const app = await startApp()
  await bindCard(await app.admin(), 'failsLater')
  await spend(app, { hour: MARCH, seconds: 3_600 })
  await passes(app, APRIL_MS)
  expect(await invoices(app)).toMatchObject([{ state: 'charging' }])
  await passes(app, 61 * MINUTES)
  expect(await invoices(app)).toMatchObject([{ state: 'retrying' }])
})

test('after a crash before or after the request to the provider, the same try is sent again and charged once', async () => {
  const app = await startApp()
  await bindCard(await app.admin(), 'visa')
  await spend(app, { hour: MARCH, seconds: 3_600 })
  app.clock.advance(APRIL_MS)
  await app.payments.closing.closeDue()
  const { db } = app.store
  const { clock } = app
  const local = createLocalPayments({ memory: createLocalMemory({ db, clock }), clock })
  const sent: number[] = []
  let cutsOff: 'before' | 'after' | null = 'before'
  const charging = createCharging({
    db,
    provider: {
      ...local,
      charge: async (order) => {
        sent.push(order.attempt)
        if (cutsOff === 'before') throw new Error('cut off')
        const outcome = await local.charge(order)
        if (cutsOff === 'after') throw new Error('cut off')
        return outcome
      },
    },
    mails: app.mails,
    clock,
    log: { warn: () => undefined } as never,
    onMoved: () => undefined,
  })
  await charging.chargeDue()
  expect(await invoices(app)).toMatchObject([{ state: 'charging' }])
  cutsOff = 'after'
  clock.advance(10 * MINUTES)
  await charging.chargeDue()
  expect(await invoices(app)).toMatchObject([{ state: 'charging' }])
  cutsOff = null
  await bindCard(await app.admin(), 'declinedLater')
  clock.advance(10 * MINUTES)
  await Promise.all([charging.chargeDue(), charging.chargeDue()])
  expect(await invoices(app)).toMatchObject([{ state: 'paid' }])
  expect(new Set(sent)).toEqual(new Set([1]))
  expect(await charges(app)).toHaveLength(1)
})

test('a month is closed once, after a crash and with two at the same moment', async () => {
  const app = await startApp()
  await spend(app, { hour: MARCH, seconds: 3_600 })
  app.clock.advance(APRIL_MS)
  await app.store.pool.query(
    `create function cut() returns trigger language plpgsql as $$ begin raise 'cut off'; end $$;
     create trigger cut before insert on invoice_lines for each row execute function cut()`,
  )
  await expect(app.payments.closing.closeDue()).rejects.toThrow('cut off')
  const { rows } = await app.store.pool.query(
    'select (select count(*)::int from invoices) as invoices, (select sum(billed_seconds)::int from warehouse_usage) as billed',
  )
  expect(rows).toEqual([{ invoices: 0, billed: 0 }])
  await app.store.pool.query('drop trigger cut on invoice_lines')
  await Promise.all([app.payments.closing.closeDue(), app.payments.closing.closeDue()])
  await app.payments.closing.closeDue()
  expect(await invoices(app)).toMatchObject([{ dueUsd: '6.32', state: 'open' }])
})

test('usage that arrives late, and of an account that was deleted, is on the next invoice', async () => {
  const app = await startApp()
  const other = await app.otherAccount()
  await passes(app, APRIL_MS)
  await spend(app, { hour: MARCH, seconds: 3_600 })
  await spend(app, { accountId: other.accountId, hour: new Date('2026-04-01T00:00:00Z'), seconds: 3_600 })
  await app.accountLife.release(other.accountId, OPERATOR)
  await passes(app, 25 * HOURS)
  expect(await app.store.db.selectFrom('accounts').select('name').execute()).toHaveLength(1)
  await passes(app, 31 * DAYS)
  expect(await invoices(app)).toMatchObject([{ month: '2026-04', ccu: '8.000', usageUsd: '12.64' }])
})

test('without a card an invoice stays open and nobody is frozen for it', async () => {
  const app = await startApp()
  await spend(app, { hour: MARCH, seconds: 3_600 })
  await passes(app, APRIL_MS)
  await passes(app, 60 * DAYS)
  expect(await invoices(app)).toMatchObject([{ state: 'open' }])
  expect(await shell(app)).toMatchObject({ shell_state: SHELL_STATES.Active })
  await bindCard(await app.admin(), 'visa')
  expect(await invoices(app)).toMatchObject([{ state: 'paid' }])
})
