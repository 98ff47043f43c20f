import { payment, SHELL_STATES } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { bindCard } from '../../testing/bind-card.ts'
import { DAYS, HOURS } from '../../testing/fake-clock.ts'
import { hasPdfReader, readPdf } from '../../testing/read-pdf.ts'
import { spend } from '../../testing/spend.ts'
import { startApp, type TestApp } from '../../testing/start-app.ts'
import { startTrial } from '../org/trials.ts'

/** As the jobs do, in their order. */
async function passes(app: TestApp, ms: number): Promise<void> {
  app.clock.advance(ms)
  await app.trials.advance()
  await app.payments.closing.closeDue()
  await app.payments.charging.chargeDue()
  await app.payments.charging.resumePaid()
  await app.accountLife.advance()
  await app.accountLife.advance()
}

/** The clock of a test begins on 1 March 2026, 09:00 UTC. */
async function inTrial() {
  const app = await startApp()
  const { organisation_id: organisationId, user_id: userId } = await app.store.db
    .selectFrom('accounts')
    .innerJoin('users', 'users.account_id', 'accounts.account_id')
    .select(['organisation_id', 'user_id'])
    .executeTakeFirstOrThrow()
  await app.store.transaction((trx) =>
    startTrial(trx, { organisationId, accountId: app.accountId, userId, at: app.clock.now() }),
  )
  return app
}

const invoices = async (app: TestApp) =>
  (await (await app.admin()).call(payment.listInvoices, {})).data.invoices
const shell = async (app: TestApp) =>
  (await app.store.db.selectFrom('accounts').select('shell_state').executeTakeFirst())?.shell_state
const at = (day: string) => new Date(`${day}T12:00:00Z`)

test('from the trial to a card, to the first invoice, to its receipt; a price that changes in the month is two lines', async () => {
  const app = await inTrial()
  await spend(app, { hour: at('2026-03-10'), seconds: 3_600 })
  await passes(app, 30 * DAYS)
  expect(await shell(app), 'the trial is over').toBe(SHELL_STATES.FrozenForDeletion)
  await passes(app, 1 * DAYS)
  await bindCard(await app.admin(), 'visa')
  await passes(app, 0)
  expect(await shell(app)).toBe(SHELL_STATES.Active)
  expect(await invoices(app), 'March was free').toMatchObject([
    { month: '2026-03', usageUsd: '6.32', dueUsd: '0.00', state: 'paid', hasReceipt: false },
  ])

  const warehouseId = '00000000-0000-4000-8000-0000000000f1'
  await spend(app, { warehouseId, hour: at('2026-04-10'), seconds: 3_600 })
  await spend(app, { warehouseId, hour: at('2026-04-20'), seconds: 3_600, usdPerCcu: '2.000000' })
  await passes(app, 30 * DAYS)
  const [first] = await invoices(app)
  expect(first).toMatchObject({ month: '2026-04', dueUsd: '14.32', state: 'paid', hasReceipt: true })
  const admin = await app.admin()
  const invoiceId = first?.invoiceId ?? ''
  const { lines } = (await admin.call(payment.invoiceLines, { invoiceId })).data
  expect(lines.map(({ price, usd }) => [price, usd])).toEqual([
    ['1.580000', '6.320000'],
    ['2.000000', '8.000000'],
  ])
  const { fileName, base64 } = (await admin.call(payment.invoiceFile, { invoiceId, file: 'receipt' })).data
  expect(fileName).toBe(`receipt-2026-04-${app.accountId}.pdf`)
  if (hasPdfReader) expect((await readPdf(Buffer.from(base64, 'base64')))[0]).toContain('14.32 USD')
})

test('a card that has expired is refused, reported, and replaced: the same invoice is paid once', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const { clientSecret } = (await admin.call(payment.setupCustomer, {})).data
  const entered = { card: 'visa', lastDigits: '4242', expires: '2026-03' } as const
  await admin.call(payment.confirmTestCard, { clientSecret, ...entered })
  await admin.call(payment.cardBinding, { clientSecret })
  await spend(app, { hour: at('2026-03-10'), seconds: 3_600 })
  await passes(app, 31 * DAYS)
  expect(await invoices(app)).toMatchObject([{ state: 'retrying', problem: 'The card has expired.' }])
  await bindCard(await app.admin(), 'challenge')
  await passes(app, 1 * HOURS)
  expect(await invoices(app), 'its bank was never answered').toMatchObject([{ state: 'retrying' }])
  await bindCard(await app.admin(), 'visa')
  expect(await invoices(app)).toMatchObject([{ state: 'paid', dueUsd: '6.32', problem: null }])
})
