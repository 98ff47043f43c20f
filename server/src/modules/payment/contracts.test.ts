import { randomUUID } from 'node:crypto'
import { encodePassword, org, passwordCalls, payment, SHELL_STATES, user } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { bindCard } from '../../testing/bind-card.ts'
import { DAYS } from '../../testing/fake-clock.ts'
import { mailedToken } from '../../testing/mailed-token.ts'
import { spend } from '../../testing/spend.ts'
import { startApp, type TestApp } from '../../testing/start-app.ts'
import { verifyAudit } from '../audit/verify.ts'

/** The clock of a test begins on 1 March 2026. */
const MARCH = new Date('2026-03-10T10:00:00Z')
const APRIL_MS = 31 * DAYS
const PASSWORD = encodePassword('Sculling_7')

/** Months are closed and cards are charged, as the jobs do. */
async function passes(app: TestApp, ms: number): Promise<void> {
  app.clock.advance(ms)
  await app.payments.closing.closeDue()
  await app.payments.charging.chargeDue()
  await app.payments.charging.resumePaid()
  await app.accountLife.advance()
}

const states = async (app: TestApp) =>
  (await app.store.db.selectFrom('invoices').select('state').orderBy('month').execute()).map(
    ({ state }) => state,
  )
const shell = async (app: TestApp, accountId = app.accountId) =>
  (
    await app.store.db
      .selectFrom('accounts')
      .select('shell_state')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
  ).shell_state
const ownOrganisation = async (app: TestApp): Promise<string> =>
  ((await app.operator('org list', {})) as { org: string; name: string }[]).find(
    ({ name }) => name === 'Demo',
  )?.org ?? ''

test('the operator makes a contract organisation: its users see it, and need no card [ACCOUNT-76, BILL-15]', async () => {
  const app = await startApp()
  const made = { org: 'Rowers', name: 'main', admin: 'rosa', email: 'rosa@rowers.example', contract: true }
  const { account: accountId } = (await app.operator('org create', made)) as { account: string }
  expect(await app.operator('org list', {})).toMatchObject([{ pays: 'direct' }, { pays: 'contract' }])
  await app.accountLife.advance()
  const token = (await mailedToken(app, 'rosa@rowers.example')) ?? ''
  await app.call(passwordCalls.setUpPassword, { token, password: PASSWORD })
  const signIn = () => app.call(user.login, { accountId, username: 'rosa', password: PASSWORD })
  expect((await signIn()).data.info).toMatchObject({ orgIdentity: 3, source: 1, isOrgAdmin: true })
  await app.operator('account freeze', { account: accountId })
  // What the console decides the freezing dialog by, as it is answered to the administrator of a frozen account.
  expect((await signIn()).data.info).toMatchObject({ orgIdentity: 3, accountState: SHELL_STATES.Frozen })
})

test('an organisation becomes one that pays by contract: bills go elsewhere, and no card is charged [BILL-13, BILL-15, REAL-07]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  await bindCard(admin, 'visa')
  const organisation = await ownOrganisation(app)
  expect(await app.operator('org contract', { org: organisation })).toMatchObject({ contract: true })
  expect((await admin.call(user.info, {})).data.orgIdentity).toBe(3)
  expect((await admin.call(org.detail, {})).data.orgIdentity).toBe(3)
  expect((await admin.call(payment.overview, {})).data).toMatchObject({
    paymentType: 'contract',
    mayBindCard: false,
  })
  await spend(app, { hour: MARCH, seconds: 3_600 })
  await passes(app, APRIL_MS)
  expect(await states(app)).toEqual(['elsewhere'])
  await app.operator('org contract', { org: organisation, end: true })
  expect((await (await app.admin()).call(payment.overview, {})).data).toMatchObject({
    paymentType: 'direct',
    mayBindCard: true,
  })
  await passes(app, 40 * DAYS)
  expect(await states(app), 'what was billed elsewhere stays there').toEqual(['elsewhere'])
  expect(await verifyAudit(app.store.db, app.accountId)).toMatchObject([{ problem: null }])
})

test('what a card did not pay is left to the contract, and accounts that were frozen for it are resumed', async () => {
  const app = await startApp()
  await app.otherAccount()
  const organisation = await ownOrganisation(app)
  await bindCard(await app.admin(), 'declinedLater')
  await spend(app, { hour: MARCH, seconds: 3_600 })
  for (const days of [31, 1, 3, 5, 1]) await passes(app, days * DAYS)
  expect(await states(app)).toEqual(['unpaid'])
  expect(await shell(app)).toBe(SHELL_STATES.Frozen)
  const { resumed } = (await app.operator('org contract', { org: organisation })) as { resumed: string[] }
  expect(resumed).toHaveLength(2)
  expect(await states(app)).toEqual(['elsewhere'])
  await passes(app, 1)
  expect(await shell(app)).toBe(SHELL_STATES.Active)
})

test('while a card is being charged the contract waits, and nothing is changed', async () => {
  const app = await startApp()
  const organisation = await ownOrganisation(app)
  await spend(app, { hour: MARCH, seconds: 3_600 })
  await passes(app, APRIL_MS)
  await app.store.db.updateTable('invoices').set({ state: 'charging' }).execute()
  await expect(app.operator('org contract', { org: organisation })).rejects.toThrow(/being charged/)
  expect(await states(app)).toEqual(['charging'])
  expect((await (await app.admin()).call(user.info, {})).data.orgIdentity).toBe(1)
})

test('the message says what is wrong with a contract', async () => {
  const app = await startApp()
  const organisation = await ownOrganisation(app)
  await expect(app.operator('org contract', { org: organisation, end: true })).rejects.toThrow(
    /does not pay by contract/,
  )
  await app.operator('org contract', { org: organisation })
  await expect(app.operator('org contract', { org: organisation })).rejects.toThrow(/by contract already/)
  await expect(app.operator('org contract', { org: randomUUID() })).rejects.toMatchObject({
    code: 'NotFound',
  })
  await expect(app.operator('org contract', { org: 'x' })).rejects.toMatchObject({ code: 'BadInput' })
})
