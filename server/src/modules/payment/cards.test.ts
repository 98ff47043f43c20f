import { CARD_MESSAGES, CODES, org, payment, SHELL_STATES, sso, type TestCard } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { DAYS, HOURS, MINUTES } from '../../testing/fake-clock.ts'
import { keepData } from '../../testing/keep-data.ts'
import { spend } from '../../testing/spend.ts'
import { startApp, type TestApp, type TestUser } from '../../testing/start-app.ts'
import { OPERATOR } from '../audit/author.ts'
import { verifyAudit } from '../audit/verify.ts'
import { startTrial } from '../org/trials.ts'

const EXPIRES = '2030-12'

const enter = (user: TestUser, clientSecret: string, card: TestCard, lastDigits = '4242') =>
  user.call(payment.confirmTestCard, { clientSecret, card, lastDigits, expires: EXPIRES })

async function beginFirst(user: TestUser): Promise<string> {
  return (await user.call(payment.setupCustomer, {})).data.clientSecret
}

const stateOf = async (user: TestUser, clientSecret: string) =>
  (await user.call(payment.cardBinding, { clientSecret })).data.state

const cardOf = async (user: TestUser) => (await user.call(payment.overview, {})).data.card

test('only organisation admins of the root account may bind cards [CARD-01, CARD-26]', async () => {
  const app = await startApp()
  const clientSecret = await beginFirst(await app.admin())
  const others = [
    await app.user(['account_admin', 'org_admin']),
    await (await app.otherAccount()).admin(),
    await app.stranger(['org_admin']),
  ]
  for (const other of others) {
    const answers = [
      await other.call(payment.getCustomer, {}),
      await other.call(payment.setupCustomer, {}),
      await other.call(payment.setupPaymentMethod, { force: true }),
      await other.call(payment.cardBinding, { clientSecret }),
      await enter(other, clientSecret, 'visa'),
      await other.call(payment.answerTestChallenge, { clientSecret, passes: true }),
    ]
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => CODES.NoPermission.code))
  }
})

test('a customer is made once, and both set-up calls answer a secret under which a card is bound [CARD-16, CARD-17, CARD-18, CARD-19]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  expect((await admin.call(payment.getCustomer, {})).data).toEqual({
    exists: false,
    form: { provider: 'local', publishableKey: null },
  })
  expect((await admin.call(payment.setupPaymentMethod, {})).code).toBe(CODES.NotFound.code)
  const first = await beginFirst(admin)
  expect((await admin.call(payment.getCustomer, {})).data.exists).toBe(true)
  expect(await stateOf(admin, first)).toBe('waiting')
  expect((await enter(admin, first, 'visa')).data.state).toBe('succeeded')
  expect(await stateOf(admin, first)).toBe('bound')
  expect(await cardOf(admin)).toEqual({ brand: 'Visa', lastDigits: '4242', expires: EXPIRES })

  expect((await admin.call(payment.setupPaymentMethod, { force: false })).code).toBe(CODES.Conflict.code)
  const { clientSecret } = (await admin.call(payment.setupPaymentMethod, { force: true })).data
  expect((await enter(admin, clientSecret, 'amex', '0005')).data.state).toBe('succeeded')
  expect(await stateOf(admin, clientSecret)).toBe('bound')
  expect(await cardOf(admin)).toMatchObject({ brand: 'American Express', lastDigits: '0005' })
  expect(await verifyAudit(app.store.db, app.accountId)).toMatchObject([{ problem: null }])
})

test('a declined card can be changed for another under the same secret; a provider that is down says so [CARD-14, CARD-24]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const clientSecret = await beginFirst(admin)
  expect((await enter(admin, clientSecret, 'declined')).data.state).toBe('declined')
  expect(await stateOf(admin, clientSecret)).toBe('retryLater')
  const down = await enter(admin, clientSecret, 'unavailable')
  expect(down).toMatchObject({ code: CODES.PaymentFailed.code, message: CARD_MESSAGES.problem })
  expect((await enter(admin, clientSecret, 'mastercard', '4444')).data.state).toBe('succeeded')
  expect(await stateOf(admin, clientSecret)).toBe('bound')
  expect((await enter(admin, clientSecret, 'visa')).code, 'it is used up').toBe(CODES.NotFound.code)
})

test('a card whose bank asks is verifying until that is answered; one never answered binds nothing [CARD-12]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const first = await beginFirst(admin)
  expect((await enter(admin, first, 'challenge', '3184')).data.state).toBe('challenge')
  expect(await stateOf(admin, first)).toBe('verifying')
  expect(
    (await admin.call(payment.answerTestChallenge, { clientSecret: first, passes: false })).data.state,
  ).toBe('declined')
  expect(await stateOf(admin, first)).toBe('retryLater')

  const second = (await admin.call(payment.setupPaymentMethod, { force: true })).data.clientSecret
  await enter(admin, second, 'challenge', '3184')
  app.clock.advance(25 * HOURS)
  await app.payments.cards.followAll()
  const again = await app.admin()
  expect(await stateOf(again, second)).toBe('retryLater')
  expect(await cardOf(again)).toBeNull()

  const third = (await again.call(payment.setupPaymentMethod, { force: true })).data.clientSecret
  await enter(again, third, 'challenge', '3184')
  await again.call(payment.answerTestChallenge, { clientSecret: third, passes: true })
  expect(await stateOf(again, third)).toBe('bound')
})

test('a card that succeeded is bound although the window was closed; bound once by the first who sees it', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const clientSecret = await beginFirst(admin)
  await enter(admin, clientSecret, 'visa')
  await Promise.all([
    app.payments.cards.followAll(),
    stateOf(admin, clientSecret),
    app.payments.cards.followAll(),
  ])
  expect(await cardOf(admin)).toMatchObject({ lastDigits: '4242' })
  const { rows } = await app.store.pool.query(
    `select count(*)::int as count from audit_entries where entry like '%card.bind%'`,
  )
  expect(rows).toEqual([{ count: 1 }])
})

test('bad input is refused: an expired card, an unknown secret, a secret of nobody', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const clientSecret = await beginFirst(admin)
  const expired = await admin.call(payment.confirmTestCard, {
    clientSecret,
    card: 'visa',
    lastDigits: '4242',
    expires: '2026-02',
  })
  expect(expired).toMatchObject({ code: CODES.BadInput.code, message: 'expires: This card has expired.' })
  expect((await enter(admin, 'nobody', 'visa')).code).toBe(CODES.NotFound.code)
  expect((await admin.call(payment.cardBinding, { clientSecret: 'nobody' })).code).toBe(CODES.NotFound.code)
  expect((await enter(admin, clientSecret, '4242424242424242' as TestCard)).code).toBe(CODES.BadInput.code)
})

test('cards are not tried without end', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const codes = new Set<number>()
  for (let i = 0; i < 15; i++) codes.add((await admin.call(payment.setupCustomer, {})).code)
  expect([...codes]).toEqual([CODES.Ok.code, CODES.TooManyAttempts.code])
})

test('where no cards can be bound, the service says so, and nobody has to add one [ACCOUNT-77]', async () => {
  const app = await startApp({ BOATHOUSE_PAYMENT: 'none' })
  const admin = await app.admin()
  expect((await admin.call(org.detail, {})).data.paymentEnabled).toBe(false)
  expect((await admin.call(payment.setupCustomer, {})).code).toBe(CODES.NotFound.code)
  expect((await admin.call(payment.overview, {})).data).toMatchObject({
    paymentEnabled: false,
    mayBindCard: false,
  })
})

const shell = async (app: TestApp): Promise<number | undefined> =>
  (await app.store.db.selectFrom('accounts').select('shell_state').executeTakeFirst())?.shell_state

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
  const passes = async (ms: number) => {
    app.clock.advance(ms)
    await app.trials.advance()
    await app.accountLife.advance()
  }
  return { app, passes }
}

test('after the trial a card resumes the account; it is in progress until it works again [ACCOUNT-83, CARD-13]', async () => {
  const { app, passes } = await inTrial()
  await passes(30 * DAYS)
  expect(await shell(app)).toBe(SHELL_STATES.FrozenForDeletion)
  const admin = await app.admin()
  expect((await admin.call(org.detail, {})).data).toMatchObject({
    paymentEnabled: true,
    freezeReason: 'trial ended',
  })
  const clientSecret = await beginFirst(admin)
  await enter(admin, clientSecret, 'visa')
  expect(await stateOf(admin, clientSecret)).toBe('inProgress')
  expect(await shell(app)).toBe(SHELL_STATES.Resuming)
  expect(await stateOf(admin, clientSecret)).toBe('inProgress')
  await app.accountLife.advance()
  expect(await shell(app)).toBe(SHELL_STATES.Active)
  expect(await stateOf(admin, clientSecret)).toBe('bound')
  await passes(20 * DAYS)
  expect(await shell(app), 'not deleted').toBe(SHELL_STATES.Active)
})

test('who binds a card during the trial is not frozen at its end', async () => {
  const { app, passes } = await inTrial()
  const admin = await app.admin()
  const clientSecret = await beginFirst(admin)
  await enter(admin, clientSecret, 'visa')
  await stateOf(admin, clientSecret)
  await passes(31 * DAYS)
  expect(await shell(app)).toBe(SHELL_STATES.Active)
})

test('what the operator froze, a card does not resume', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const clientSecret = await beginFirst(admin)
  await app.operator('account freeze', { account: app.accountId })
  await enter(admin, clientSecret, 'visa')
  await stateOf(admin, clientSecret)
  expect(await shell(app)).toBe(SHELL_STATES.Frozen)
  expect((await admin.call(org.detail, {})).data.freezeReason).toBe('operator')
})

test('storage counts against the 500 USD of a trial, in the overview and at its end', async () => {
  const { app, passes } = await inTrial()
  const hour = new Date('2026-03-02T00:00:00Z')
  await keepData(app, { hour: new Date('2026-02-20T00:00:00Z'), bytes: 9e15 })
  // 1,000,000 GB for an hour of March are 33.60 USD.
  await keepData(app, { hour, bytes: 1e15 })
  await passes(1 * DAYS)
  const { trialCredit } = (await (await app.admin()).call(payment.overview, {})).data
  expect(trialCredit).toMatchObject({ usd: '500.00', leftUsd: '466.40' })
  expect(await shell(app)).toBe(SHELL_STATES.Active)
  // And all but a part of a cent of the rest for compute.
  await spend(app, { hour, seconds: 265_669 })
  await passes(0)
  expect(await shell(app)).toBe(SHELL_STATES.Active)
  await spend(app, { hour, seconds: 1 })
  await passes(0)
  expect(await shell(app)).toBe(SHELL_STATES.FrozenForDeletion)
})

const attached = async (app: TestApp) =>
  (
    await app.store.pool.query<{ digits: string }>(
      `select data->>'lastDigits' as digits from local_payments
       where object_id like 'card %' and not data ? 'isDetached' order by changed_at, 1`,
    )
  ).rows.map(({ digits }) => digits)

test('a card that was replaced is forgotten by the provider a minute later, once nothing is being charged to it', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const bind = async (card: TestCard, lastDigits: string) => {
    const { clientSecret } = (await admin.call(payment.setupPaymentMethod, { force: true })).data
    await enter(admin, clientSecret, card, lastDigits)
    await stateOf(admin, clientSecret)
  }
  await beginFirst(admin)
  await bind('visa', '1111')
  await bind('visa', '2222')
  await app.payments.cards.detachReplaced()
  expect(await attached(app), 'a try may be about to begin').toEqual(['1111', '2222'])
  app.clock.advance(1 * HOURS)
  await Promise.all([app.payments.cards.detachReplaced(), app.payments.cards.detachReplaced()])
  expect(await attached(app)).toEqual(['2222'])
  expect(await cardOf(admin)).toMatchObject({ lastDigits: '2222' })
  // Two administrators at the same moment: the one that is not kept is forgotten too.
  await Promise.all([bind('visa', '3333'), bind('visa', '4444')])
  app.clock.advance(1 * HOURS)
  await app.payments.cards.detachReplaced()
  expect(await attached(app)).toEqual([(await cardOf(admin))?.lastDigits])

  await bind('failsLater', '5555')
  app.clock.advance(1 * HOURS)
  await app.payments.cards.detachReplaced()
  await spend(app, { hour: app.clock.now(), seconds: 3_600 })
  app.clock.advance(31 * DAYS)
  await app.payments.closing.closeDue()
  await app.payments.charging.chargeDue()
  const again = await app.admin()
  const { clientSecret } = (await again.call(payment.setupPaymentMethod, { force: true })).data
  await enter(again, clientSecret, 'visa', '6666')
  await stateOf(again, clientSecret)
  app.clock.advance(2 * MINUTES)
  await app.payments.cards.detachReplaced()
  expect(await attached(app), 'it is being charged').toEqual(['5555', '6666'])
  app.clock.advance(2 * HOURS)
  await app.payments.charging.chargeDue()
  await app.payments.cards.detachReplaced()
  expect(await attached(app)).toEqual(['6666'])
})

test('the card of an organisation that is deleted is forgotten by the provider', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const clientSecret = await beginFirst(admin)
  await enter(admin, clientSecret, 'visa')
  await stateOf(admin, clientSecret)
  await app.accountLife.release(app.accountId, OPERATOR)
  app.clock.advance(25 * HOURS)
  await app.accountLife.advance()
  expect(await app.store.db.selectFrom('organisations').select('name').execute()).toEqual([])
  await app.payments.cards.detachReplaced()
  expect(await attached(app)).toEqual([])
  expect(await app.store.db.selectFrom('replaced_cards').selectAll().execute()).toEqual([])
})

test('bills and security settings are closed while the account is frozen, and open in the trial; a card can be bound in both [ACCOUNT-68]', async () => {
  const { app, passes } = await inTrial()
  const codes = async () => {
    const admin = await app.admin()
    return [
      (await admin.call(payment.overview, {})).code,
      (await admin.call(sso.settings, {})).code,
      (await admin.call(payment.getCustomer, {})).code,
    ]
  }
  expect(await codes()).toEqual([CODES.Ok.code, CODES.Ok.code, CODES.Ok.code])
  await passes(30 * DAYS)
  expect(await codes()).toEqual([CODES.AccountFrozen.code, CODES.AccountFrozen.code, CODES.Ok.code])
})

test('a trial whose 500 USD are used up has ended, whatever the day; without a card the account is frozen', async () => {
  const { app, passes } = await inTrial()
  // At 1.58 USD a CCU and 4 CCU an hour, 500 USD last for a part of a second more.
  const hour = new Date('2026-03-02T00:00:00Z')
  await spend(app, { hour, seconds: 284_810 })
  await passes(1 * DAYS)
  expect(await shell(app)).toBe(SHELL_STATES.Active)
  const { trialCredit } = (await (await app.admin()).call(payment.overview, {})).data
  expect(trialCredit).toMatchObject({ usd: '500.00', leftUsd: '0.00' })
  await spend(app, { hour, seconds: 1 })
  await passes(0)
  expect(await shell(app)).toBe(SHELL_STATES.FrozenForDeletion)
  await passes(0)
  app.clock.advance(31 * DAYS)
  await app.payments.closing.closeDue()
  const invoices = await app.store.db.selectFrom('invoices').select(['state', 'due_cents']).execute()
  expect(invoices, 'the trial is free').toEqual([{ state: 'paid', due_cents: 0 }])
})
