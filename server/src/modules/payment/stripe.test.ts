import { openSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CODES, payment, type TestCard } from '@boathouse/contract'
import { onTestFinished, expect, test } from 'vitest'
import { createLog } from '../../kernel/log.ts'
import { DAYS, MINUTES } from '../../testing/fake-clock.ts'
import { spend } from '../../testing/spend.ts'
import { startApp, type TestApp, type TestUser } from '../../testing/start-app.ts'
import { signatureOf, startStripeServer, type StripeServer } from '../../testing/stripe-server.ts'

const KEYS = {
  BOATHOUSE_PAYMENT: 'stripe',
  BOATHOUSE_STRIPE_SECRET_KEY: 'sk_test_rowing2026',
  BOATHOUSE_STRIPE_PUBLISHABLE_KEY: 'pk_test_rowing2026',
  BOATHOUSE_STRIPE_WEBHOOK_SECRET: 'whsec_rowing2026',
}
const MARCH = new Date('2026-03-10T10:00:00Z')

async function start() {
  const stripe = await startStripeServer({
    secretKey: KEYS.BOATHOUSE_STRIPE_SECRET_KEY,
    webhookSecret: KEYS.BOATHOUSE_STRIPE_WEBHOOK_SECRET,
  })
  onTestFinished(stripe.close)
  const app = await startApp({ ...KEYS, BOATHOUSE_STRIPE_URL: stripe.url })
  return { app, stripe }
}

async function begin(user: TestUser): Promise<string> {
  const { exists } = (await user.call(payment.getCustomer, {})).data
  const answer = exists
    ? await user.call(payment.setupPaymentMethod, { force: true })
    : await user.call(payment.setupCustomer, {})
  return answer.data.clientSecret
}

const enter = (stripe: StripeServer, clientSecret: string, card: TestCard) =>
  stripe.enter(clientSecret, { card, lastDigits: '4242', expires: '2030-12' })

async function bind(app: TestApp, stripe: StripeServer, card: TestCard): Promise<void> {
  const admin = await app.admin()
  const clientSecret = await begin(admin)
  enter(stripe, clientSecret, card)
  await admin.call(payment.cardBinding, { clientSecret })
}

const tell = (app: TestApp, { body, signature }: { body: string; signature: string }) =>
  app.http.inject({
    method: 'POST',
    url: '/api/payment/events',
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
    payload: body,
  })

const codeOf = async (answer: ReturnType<typeof tell>) => (await answer).json<{ code: number }>().code

const invoices = async (app: TestApp) =>
  (await (await app.admin()).call(payment.listInvoices, {})).data.invoices

const cardOf = async (app: TestApp) => (await (await app.admin()).call(payment.overview, {})).data.card

async function toApril(app: TestApp): Promise<void> {
  await spend(app, { hour: MARCH, seconds: 3_600 })
  app.clock.advance(31 * DAYS)
  await app.payments.closing.closeDue()
}

test('with Stripe a card is bound by its own form, and charged off the session once [CARD-16, CARD-17, CARD-18, CARD-19]', async () => {
  const { app, stripe } = await start()
  const admin = await app.admin()
  expect((await admin.call(payment.getCustomer, {})).data).toEqual({
    exists: false,
    form: { provider: 'stripe', publishableKey: 'pk_test_rowing2026' },
  })
  const clientSecret = await begin(admin)
  expect((await admin.call(payment.cardBinding, { clientSecret })).data.state).toBe('waiting')
  enter(stripe, clientSecret, 'challenge')
  expect((await admin.call(payment.cardBinding, { clientSecret })).data.state).toBe('verifying')
  stripe.answerChallenge(clientSecret, true)
  expect((await admin.call(payment.cardBinding, { clientSecret })).data.state).toBe('bound')
  expect(await cardOf(app)).toEqual({ brand: 'Visa', lastDigits: '4242', expires: '2030-12' })
  await toApril(app)
  await app.payments.charging.chargeDue()
  expect(await invoices(app)).toMatchObject([{ state: 'paid', dueUsd: '6.32', hasReceipt: true }])
  expect(stripe.of('charge')).toMatchObject([{ amount: 632, status: 'succeeded' }])
  const test = { clientSecret, card: 'visa', lastDigits: '4242', expires: '2030-12' } as const
  expect((await (await app.admin()).call(payment.confirmTestCard, test)).code, 'no test cards here').toBe(
    CODES.NotFound.code,
  )
})

test('two administrators who bind a card at once are one customer, and the last card is charged', async () => {
  const { app, stripe } = await start()
  const [one, other] = [await app.admin(), await app.admin()]
  const secrets = await Promise.all(
    [one, other].map(async (admin) => (await admin.call(payment.setupCustomer, {})).data.clientSecret),
  )
  expect(stripe.of('customer')).toHaveLength(1)
  stripe.forgetKeys()
  await one.call(payment.setupCustomer, {})
  expect(stripe.of('customer'), 'also after a day').toHaveLength(1)
  for (const clientSecret of secrets) enter(stripe, clientSecret, 'visa')
  const states = await Promise.all(
    secrets.map(async (clientSecret) => (await one.call(payment.cardBinding, { clientSecret })).data.state),
  )
  expect(states).toEqual(['bound', 'bound'])
  app.clock.advance(2 * MINUTES)
  await app.payments.cards.detachReplaced()
  const kept = stripe.of('payment_method').filter((method) => method['customer'])
  expect(kept, 'the other one is detached').toHaveLength(1)
  await toApril(app)
  await app.payments.charging.chargeDue()
  expect(await invoices(app)).toMatchObject([{ state: 'paid' }])
})

test.each(['cut off before', 'cut off after', 'fails'] as const)(
  'a replaced card is detached at Stripe although a request was lost (%s)',
  async (what) => {
    for (const nth of [1, 2]) {
      const { app, stripe } = await start()
      await bind(app, stripe, 'mastercard')
      await bind(app, stripe, 'visa')
      const attached = () =>
        stripe
          .of('payment_method')
          .filter((method) => method['customer'])
          .map((method) => method['card'])
      expect(attached(), 'cut off between the two steps, both are there').toHaveLength(2)
      app.clock.advance(2 * MINUTES)
      stripe.lose(what, nth)
      await app.payments.cards.detachReplaced()
      app.clock.advance(2 * MINUTES)
      await app.payments.cards.detachReplaced()
      expect(attached()).toMatchObject([{ brand: 'visa' }])
      const before = stripe.requests.length
      app.clock.advance(2 * MINUTES)
      await app.payments.cards.detachReplaced()
      expect(stripe.requests.length, 'once').toBe(before)
    }
  },
)

test('an event leads to asking: a card is bound and a charge is settled as soon as Stripe says so', async () => {
  const { app, stripe } = await start()
  const clientSecret = await begin(await app.admin())
  enter(stripe, clientSecret, 'failsLater')
  const [setup] = stripe.of('setup_intent')
  expect(
    await codeOf(tell(app, stripe.event('setup_intent.succeeded', setup, { at: app.clock.now() }))),
  ).toBe(CODES.Ok.code)
  expect(await cardOf(app)).toMatchObject({ lastDigits: '4242' })
  await toApril(app)
  await app.payments.charging.chargeDue()
  expect(await invoices(app)).toMatchObject([{ state: 'charging' }])
  stripe.failProcessing()
  const [intent] = stripe.of('payment_intent')
  await tell(app, stripe.event('payment_intent.payment_failed', intent, { at: app.clock.now() }))
  expect(await invoices(app)).toMatchObject([{ state: 'retrying', problem: 'Your card was declined.' }])
})

test('events that are forged, stale, replayed, out of order or about somebody unknown change nothing', async () => {
  const { app, stripe } = await start()
  const clientSecret = await begin(await app.admin())
  const [setup] = stripe.of('setup_intent')
  const now = app.clock.now()
  const setupIntent = { ...setup, status: 'succeeded' }
  const succeeded = stripe.event('setup_intent.succeeded', setupIntent, { at: now })
  expect(
    await codeOf(
      tell(
        app,
        stripe.event('setup_intent.succeeded', setupIntent, { at: now, secret: 'whsec_of_somebody' }),
      ),
    ),
  ).toBe(CODES.BadSignature.code)
  expect(await codeOf(tell(app, { ...succeeded, signature: '' }))).toBe(CODES.BadSignature.code)
  expect(
    await codeOf(
      tell(
        app,
        stripe.event('setup_intent.succeeded', setupIntent, { at: new Date(now.getTime() - 6 * MINUTES) }),
      ),
    ),
  ).toBe(CODES.StaleRequest.code)
  const noEvent = '{"id":"evt_1"}'
  const signature = signatureOf(noEvent, now, KEYS.BOATHOUSE_STRIPE_WEBHOOK_SECRET)
  expect(await codeOf(tell(app, { body: noEvent, signature }))).toBe(CODES.BadInput.code)
  // Out of order: the event comes before it is true, and only the truth counts.
  expect(await codeOf(tell(app, succeeded))).toBe(CODES.Ok.code)
  expect(await cardOf(app)).toBeNull()
  enter(stripe, clientSecret, 'visa')
  const before = stripe.requests.length
  expect(await codeOf(tell(app, succeeded)), 'replayed').toBe(CODES.Ok.code)
  expect(stripe.requests.length).toBe(before)
  await tell(app, stripe.event('setup_intent.succeeded', setup, { at: now }))
  await tell(app, stripe.event('setup_intent.requires_action', setup, { at: now }))
  await tell(app, stripe.event('setup_intent.setup_failed', setup, { at: now }))
  expect(await cardOf(app), 'what succeeded stays so').toMatchObject({ lastDigits: '4242' })
  for (const type of ['setup_intent.succeeded', 'payment_intent.succeeded', 'customer.deleted']) {
    const unknown = { id: 'of_nobody', customer: 'cus_nobody' }
    expect(await codeOf(tell(app, stripe.event(type, unknown, { at: now })))).toBe(CODES.Ok.code)
  }
  const { rows } = await app.store.pool.query('select count(*)::int as invoices from invoices')
  expect(rows).toEqual([{ invoices: 0 }])
})

test('an event that could not be followed is sent again, and followed then', async () => {
  const { app, stripe } = await start()
  const clientSecret = await begin(await app.admin())
  enter(stripe, clientSecret, 'visa')
  const [setup] = stripe.of('setup_intent')
  const event = stripe.event('setup_intent.succeeded', setup, { at: app.clock.now() })
  stripe.setDown(true)
  expect((await tell(app, event)).statusCode).toBe(502)
  stripe.setDown(false)
  expect((await tell(app, event)).statusCode).toBe(200)
  expect(await cardOf(app)).toMatchObject({ lastDigits: '4242' })
  app.clock.advance(31 * DAYS)
  await app.payments.events?.forgetOld()
  const { rows } = await app.store.pool.query('select event_id from payment_events')
  expect(rows).toEqual([])
})

test('while Stripe is down a card cannot be added, and nothing is lost of what is owed', async () => {
  const { app, stripe } = await start()
  await bind(app, stripe, 'visa')
  stripe.setDown(true)
  expect((await (await app.admin()).call(payment.setupPaymentMethod, { force: true })).code).toBe(
    CODES.PaymentFailed.code,
  )
  await toApril(app)
  await app.payments.charging.chargeDue()
  expect(await invoices(app)).toMatchObject([{ state: 'charging' }])
  stripe.setDown(false)
  app.clock.advance(10 * MINUTES)
  await app.payments.charging.chargeDue()
  expect(await invoices(app)).toMatchObject([{ state: 'paid' }])
  expect(stripe.of('charge')).toHaveLength(1)
})

test('what is less than Stripe charges is carried on to the next invoice', async () => {
  const { app, stripe } = await start()
  await bind(app, stripe, 'visa')
  // 49.98 cents
  await spend(app, { hour: MARCH, seconds: 1_139, size: 'X-Small' })
  app.clock.advance(31 * DAYS)
  await app.payments.closing.closeDue()
  await app.payments.charging.chargeDue()
  expect(await invoices(app)).toMatchObject([
    { state: 'paid', usageUsd: '0.50', dueUsd: '0.00', hasReceipt: false },
  ])
  await spend(app, { hour: new Date('2026-04-02T00:00:00Z'), seconds: 1_139, size: 'X-Small' })
  app.clock.advance(30 * DAYS)
  await app.payments.closing.closeDue()
  await app.payments.charging.chargeDue()
  expect((await invoices(app))[0]).toMatchObject({ month: '2026-04', state: 'paid', dueUsd: '0.99' })
  expect(stripe.of('charge')).toMatchObject([{ amount: 99 }])
})

test('a card of another provider does not count: nothing is sent to one provider that was started with the other', async () => {
  const { app, stripe } = await start()
  await bind(app, stripe, 'failsLater')
  await toApril(app)
  await app.payments.charging.chargeDue()
  await app.store.db.updateTable('invoices').set({ provider: 'local' }).execute()
  stripe.failProcessing()
  const before = stripe.requests.length
  app.clock.advance(1 * DAYS)
  await app.payments.charging.chargeDue()
  expect(stripe.requests.length).toBe(before)
  await app.store.db.updateTable('payment_cards').set({ provider: 'local' }).execute()
  expect(await cardOf(app)).toBeNull()
})

test('no secret of Stripe is ever logged', async () => {
  const stripe = await startStripeServer({ secretKey: 'sk_test_another9', webhookSecret: 'whsec_another9' })
  onTestFinished(stripe.close)
  const directory = await mkdtemp(join(tmpdir(), 'boathouse-log-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const path = join(directory, 'log')
  const log = createLog('debug', openSync(path, 'w'))
  const app = await startApp({ ...KEYS, BOATHOUSE_STRIPE_URL: stripe.url }, { log })
  expect((await (await app.admin()).call(payment.setupCustomer, {})).code).toBe(CODES.PaymentFailed.code)
  await tell(app, stripe.event('setup_intent.succeeded', { id: 'x' }, { at: app.clock.now() }))
  const lines = () => readFile(path, 'utf8')
  await expect.poll(lines).toContain('the payment provider did not answer')
  expect(await lines()).not.toMatch(/sk_test_|whsec_/)
})

test('the policy of the page is opened to Stripe with Stripe only, and there is no door for events without it', async () => {
  const { app } = await start()
  const local = await startApp()
  const policyOf = async (one: TestApp) =>
    String((await one.http.inject('/healthz')).headers['content-security-policy'])
  expect(await policyOf(app)).toMatch(
    /script-src 'self' https:\/\/js\.stripe\.com .*frame-src https:\/\/js\.stripe\.com/,
  )
  expect(await policyOf(local)).not.toContain('stripe')
  expect(await codeOf(tell(local, { body: '{}', signature: '' }))).toBe(CODES.UnknownCall.code)
})
