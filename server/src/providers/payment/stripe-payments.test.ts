import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished, expect, test } from 'vitest'
import { signatureOf, startStripeServer } from '../../testing/stripe-server.ts'
import { paymentProviderSuite } from './conformance.ts'
import type { ChargeOrder, IntentMemory } from './payment-provider.ts'
import { readStripeEvents } from './stripe-events.ts'
import { createStripePayments, stripeIdOf } from './stripe-payments.ts'

const SECRET_KEY = 'sk_test_rowing2026'
const WEBHOOK = 'whsec_rowing2026'
const NOW = new Date('2026-03-01T09:00:00Z')

function memoryOf(): IntentMemory {
  const kept = new Map<string, string>()
  return {
    read: async (key) => kept.get(key),
    async keep(key, ref, instead) {
      if (kept.get(key) === instead) kept.set(key, ref)
      return kept.get(key) ?? ref
    },
  }
}

async function start() {
  const stripe = await startStripeServer({ secretKey: SECRET_KEY, webhookSecret: WEBHOOK })
  onTestFinished(stripe.close)
  const provider = createStripePayments({ secretKey: SECRET_KEY, url: stripe.url, intents: memoryOf() })
  return {
    stripe,
    provider,
    enter: async (secret: string, card: Parameters<typeof stripe.enter>[1]['card']) =>
      void stripe.enter(secret, { card, lastDigits: '4242', expires: '2039-02' }),
    answerChallenge: async (secret: string, passes: boolean) => stripe.answerChallenge(secret, passes),
    failLater: async () => stripe.failProcessing(),
  }
}

paymentProviderSuite('Stripe, as its published API', start)

async function withOrder() {
  const under = await start()
  const { provider, stripe } = under
  const customerRef = await provider.createCustomer({ id: 'one', name: 'Rowing club' })
  const { setupRef, clientSecret } = await provider.beginSetup(customerRef)
  stripe.enter(clientSecret, { card: 'visa', lastDigits: '4242', expires: '2039-02' })
  const outcome = await provider.setupOutcome(setupRef)
  const cardRef = outcome.state === 'succeeded' ? outcome.card.cardRef : ''
  const order: ChargeOrder = {
    customerRef,
    cardRef,
    cents: 632,
    description: 'Invoice',
    key: 'one',
    attempt: 1,
  }
  const charged = () => stripe.of('charge').filter((one) => one['status'] === 'succeeded')
  return { ...under, order, charged }
}

test.each(['cut off before', 'cut off after', 'fails'] as const)(
  'Stripe: whichever request is lost (%s), the same order sent again charges once, also when its keys are forgotten',
  async (what) => {
    for (const nth of [1, 2])
      for (const forgets of [false, true]) {
        const { stripe, provider, order, charged } = await withOrder()
        stripe.lose(what, nth)
        await expect(provider.charge(order)).rejects.toThrow(
          /was answered (with 503|by nothing that can be read)/,
        )
        if (forgets) stripe.forgetKeys()
        const outcome = await provider.charge(order)
        expect(outcome).toMatchObject({ state: 'succeeded' })
        expect(await provider.charge(order)).toEqual(outcome)
        expect(charged()).toHaveLength(1)
      }
  },
)

test('Stripe: two at the same moment charge once', async () => {
  const { provider, order, charged } = await withOrder()
  const outcomes = await Promise.all([
    provider.charge(order),
    provider.charge(order),
    provider.charge({ ...order, attempt: 2 }),
  ])
  expect(outcomes.every(({ state }) => state === 'succeeded')).toBe(true)
  expect(charged()).toHaveLength(1)
})

test('Stripe: an intent that was cancelled there is replaced', async () => {
  const { stripe, provider, order, charged } = await withOrder()
  stripe.askAgainFor(order.cardRef)
  expect(await provider.charge(order)).toEqual({
    state: 'declined',
    problem: 'The bank requires authentication. Add the card again and complete it.',
  })
  stripe.cancelIntents()
  const { setupRef, clientSecret } = await provider.beginSetup(order.customerRef)
  stripe.enter(clientSecret, { card: 'visa', lastDigits: '1111', expires: '2039-02' })
  const outcome = await provider.setupOutcome(setupRef)
  const cardRef = outcome.state === 'succeeded' ? outcome.card.cardRef : ''
  expect(await provider.charge({ ...order, cardRef, attempt: 2 })).toMatchObject({ state: 'succeeded' })
  expect(charged()).toHaveLength(1)
})

test('Stripe: a refused key is reported without any part of it, and does not count as a declined card', async () => {
  const { stripe, order } = await withOrder()
  const wrong = createStripePayments({ secretKey: 'sk_test_another', url: stripe.url, intents: memoryOf() })
  const error: unknown = await wrong.charge(order).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ message: 'The key of this installation was refused.' })
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('rowing2026')
})

test('Stripe: requests have the pinned version and a key, and reveal nothing of this machine', async () => {
  const { stripe, provider, order } = await withOrder()
  await provider.charge(order)
  for (const { method, key, headers } of stripe.requests) {
    expect(headers).toMatchObject({ 'stripe-version': '2024-06-20', 'user-agent': 'Boathouse' })
    expect(Object.keys(headers).filter((name) => name.startsWith('x-stripe'))).toEqual([])
    if (method === 'POST') expect(key).toMatch(/^[\w-]{16,255}$/)
  }
})

test.each([
  ['is far too long', 200, 'x'.repeat(2 * 1024 * 1024)],
  ['is far too deep', 200, `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
  ['is no JSON', 200, '<html>'],
  ['has another form', 200, '{"id":7}'],
  ['leads elsewhere', 302, ''],
])('Stripe: an answer that %s is no answer, and says nothing of a card', async (_, status, body) => {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json', location: '/v1/other' })
    response.end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = createStripePayments({ secretKey: SECRET_KEY, url, intents: memoryOf() })
  const error: unknown = await provider.beginSetup('cus_1').catch((reason: unknown) => reason)
  expect(error).toMatchObject({ name: 'StripeSilent' })
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('rowing2026')
})

test('live and test keys are two providers', () => {
  expect(['sk_live_1', 'rk_live_1', 'sk_test_1'].map(stripeIdOf)).toEqual(['stripe', 'stripe', 'stripe-test'])
})

test('an event is read when it is signed by one of the secrets, within five minutes, and is an event', async () => {
  const read = readStripeEvents(['whsec_older_one', WEBHOOK])
  const body = JSON.stringify({
    id: 'evt_1',
    type: 'setup_intent.succeeded',
    data: { object: { id: 'seti_1' } },
  })
  const signed = (text: string, at = NOW, secret = WEBHOOK) =>
    read({ body: text, signature: signatureOf(text, at, secret), now: NOW })
  expect(await signed(body)).toEqual({ id: 'evt_1', about: 'setup', ref: 'seti_1' })
  expect(await signed(body, NOW, 'whsec_older_one')).toMatchObject({ id: 'evt_1' })
  expect(await signed(body, NOW, 'whsec_of_somebody')).toBe('forged')
  expect(
    await read({
      body: body.replace('seti_1', 'seti_2'),
      signature: signatureOf(body, NOW, WEBHOOK),
      now: NOW,
    }),
  ).toBe('forged')
  expect(await signed(body, new Date(NOW.getTime() - 301_000))).toBe('stale')
  expect(await signed(body, new Date(NOW.getTime() + 301_000))).toBe('stale')
  expect(await signed(body, new Date(NOW.getTime() - 299_000))).toMatchObject({ id: 'evt_1' })
  expect(await signed('{"id":')).toBe('unreadable')
  expect(await signed('{"id":"evt_1"}')).toBe('unreadable')
  for (const signature of [
    '',
    't=',
    'v1=00',
    `t=${NOW.getTime()}`,
    't=1e9,v1=zz',
    signatureOf(body, NOW, WEBHOOK).replace('v1', 'v0'),
  ])
    expect(await read({ body, signature, now: NOW })).toBe('forged')
})
