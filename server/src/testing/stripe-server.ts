import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TestCard } from '@boathouse/contract'

/**
 * Answers as the published API of Stripe does (docs.stripe.com/api, version 2024-06-20), as far as it is used here:
 * customers, set-up intents, payment intents, payment methods, keys of requests, errors and signed events. It is no part of Stripe; what
 * it does not know, it refuses.
 */

const BRANDS: { readonly [C in TestCard]?: string } = { mastercard: 'mastercard', amex: 'amex' }
const DECLINE = { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' }

type Json = Record<string, unknown>
interface Answer {
  readonly status: number
  readonly body: Json
}

const ok = (body: Json): Answer => ({ status: 200, body })
const refusal = (status: number, error: Json): Answer => ({ status, body: { error } })
const missing = (what: string, param: string): Answer =>
  refusal(404, { type: 'invalid_request_error', code: 'resource_missing', param, message: `No such ${what}` })

/** What becomes of a request. */
type Loss = 'cut off before' | 'cut off after' | 'fails'

export interface StripeServerOptions {
  readonly secretKey: string
  readonly webhookSecret: string
}

const metadataOf = (form: URLSearchParams): Json =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) => {
      const key = /^metadata\[(.+)\]$/.exec(name)?.[1]
      return key ? [[key, value]] : []
    }),
  )

export async function startStripeServer({ secretKey, webhookSecret }: StripeServerOptions) {
  const objects = new Map<string, Json>()
  const behaviours = new Map<string, TestCard>()
  const answered = new Map<string, { readonly sent: string; readonly answer: Answer }>()
  const requests: {
    readonly method: string
    readonly path: string
    readonly key: string | undefined
    readonly headers: IncomingHttpHeaders
  }[] = []
  let loss: { what: Loss; in: number } | null = null
  let isDown = false

  const make = (prefix: string, fields: Json): Json => {
    const id = `${prefix}_${randomBytes(12).toString('hex')}`
    const made = { id, ...fields }
    objects.set(id, made)
    return made
  }
  function makeSetup(form: URLSearchParams): Answer {
    const customer = form.get('customer') ?? ''
    if (!objects.has(customer)) return missing(`customer: '${customer}'`, 'customer')
    const setup = make('seti', {
      object: 'setup_intent',
      customer,
      usage: form.get('usage'),
      status: 'requires_payment_method',
      payment_method: null,
      last_setup_error: null,
    })
    return ok(
      Object.assign(setup, {
        client_secret: `${String(setup['id'])}_secret_${randomBytes(9).toString('hex')}`,
      }),
    )
  }

  function makeIntent(form: URLSearchParams): Answer {
    const customer = form.get('customer') ?? ''
    if (!objects.has(customer)) return missing(`customer: '${customer}'`, 'customer')
    const amount = Number(form.get('amount'))
    if (!Number.isInteger(amount) || amount < 50)
      return refusal(400, {
        type: 'invalid_request_error',
        code: 'amount_too_small',
        param: 'amount',
        message: 'Amount must be at least $0.50 usd',
      })
    return ok(
      make('pi', {
        object: 'payment_intent',
        amount,
        currency: form.get('currency'),
        customer,
        metadata: metadataOf(form),
        status: 'requires_payment_method',
        latest_charge: null,
        last_payment_error: null,
      }),
    )
  }

  function confirmIntent(intent: Json, form: URLSearchParams): Answer {
    if (intent['status'] !== 'requires_payment_method')
      return refusal(400, {
        type: 'invalid_request_error',
        code: 'payment_intent_unexpected_state',
        message: `This PaymentIntent has a status of ${String(intent['status'])}.`,
        payment_intent: intent,
      })
    const method = form.get('payment_method') ?? ''
    const behaves = behaviours.get(method)
    if (!behaves || objects.get(method)?.['customer'] !== intent['customer'])
      return missing(`PaymentMethod: '${method}'`, 'payment_method')
    if (behaves === 'declinedLater') {
      const charge = make('ch', { object: 'charge', status: 'failed' })
      Object.assign(intent, { last_payment_error: DECLINE, latest_charge: charge['id'] })
      return refusal(402, { ...DECLINE, payment_intent: intent })
    }
    if (behaves === 'challenge') {
      const error = {
        type: 'card_error',
        code: 'authentication_required',
        message: 'Your card was declined. This transaction requires authentication.',
      }
      Object.assign(intent, { last_payment_error: error })
      return refusal(402, { ...error, payment_intent: intent })
    }
    if (behaves === 'failsLater') return ok(Object.assign(intent, { status: 'processing' }))
    const charge = make('ch', { object: 'charge', status: 'succeeded', amount: intent['amount'] })
    return ok(
      Object.assign(intent, { status: 'succeeded', latest_charge: charge['id'], last_payment_error: null }),
    )
  }

  function detach(id: string): Answer {
    const method = objects.get(id)
    if (!method) return missing(`PaymentMethod: '${id}'`, 'payment_method')
    if (!method['customer'])
      return refusal(400, {
        type: 'invalid_request_error',
        message: 'The payment method you provided is not attached to a customer so detachment is impossible.',
      })
    return ok(Object.assign(method, { customer: null }))
  }

  function change(path: string, form: URLSearchParams): Answer {
    if (path === '/v1/customers')
      return ok(make('cus', { object: 'customer', name: form.get('name'), metadata: metadataOf(form) }))
    if (path === '/v1/setup_intents') return makeSetup(form)
    if (path === '/v1/payment_intents') return makeIntent(form)
    const detached = /^\/v1\/payment_methods\/([^/]+)\/detach$/.exec(path)?.[1]
    if (detached) return detach(detached)
    const id = /^\/v1\/payment_intents\/([^/]+)\/confirm$/.exec(path)?.[1]
    const intent = id ? objects.get(id) : undefined
    return intent ? confirmIntent(intent, form) : missing(`object at ${path}`, 'intent')
  }

  function look(path: string, query: URLSearchParams): Answer {
    const found = objects.get(path.split('/').at(-1) ?? '')
    if (!found) return missing(`object at ${path}`, 'id')
    const method = objects.get(String(found['payment_method']))
    const isExpanded = query.getAll('expand[0]').includes('payment_method') && method
    // As it is now, not as it will be when it is sent.
    return ok(structuredClone(isExpanded ? { ...found, payment_method: method } : found))
  }

  async function answerOf(request: IncomingMessage): Promise<Answer | 'cut off'> {
    const url = new URL(request.url ?? '/', 'http://stripe.test')
    const header = request.headers['idempotency-key']
    const key = typeof header === 'string' ? header : undefined
    requests.push({ method: request.method ?? '', path: url.pathname, key, headers: request.headers })
    const what = loss && --loss.in === 0 ? loss.what : null
    const sent = await text(request)
    if (isDown || what === 'fails') return refusal(503, { type: 'api_error', message: 'An error occurred.' })
    if (what === 'cut off before') return 'cut off'
    if (request.headers.authorization !== `Bearer ${secretKey}`)
      return refusal(401, {
        type: 'invalid_request_error',
        message: `Invalid API Key provided: ${secretKey}`,
      })
    if (request.headers['stripe-version'] !== '2024-06-20')
      return refusal(400, { type: 'invalid_request_error', message: 'Another version.' })
    if (request.method === 'GET') return look(url.pathname, url.searchParams)
    const before = key === undefined ? undefined : answered.get(key)
    if (before && before.sent !== url.pathname + sent)
      return refusal(400, {
        type: 'idempotency_error',
        message: 'Keys can only be used with the same parameters.',
      })
    const answer = before?.answer ?? structuredClone(change(url.pathname, new URLSearchParams(sent)))
    if (key !== undefined && !before) answered.set(key, { sent: url.pathname + sent, answer })
    return what === 'cut off after' ? 'cut off' : answer
  }

  function send(response: ServerResponse, answer: Answer | 'cut off'): void {
    if (answer === 'cut off') {
      response.destroy()
      return
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer.body))
  }

  const server = createServer((request, response) => {
    void answerOf(request).then((answer) => send(response, answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const setupOf = (clientSecret: string): Json | undefined =>
    [...objects.values()].find((one) => one['client_secret'] === clientSecret)

  function succeed(setup: Json, method: Json): void {
    Object.assign(method, { customer: setup['customer'] })
    Object.assign(setup, { status: 'succeeded', payment_method: method['id'], last_setup_error: null })
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    objects,
    of: (kind: string) => [...objects.values()].filter((one) => one['object'] === kind),

    /** As the library in the browser does: it sends the card to Stripe only. */
    enter(clientSecret: string, entered: { card: TestCard; lastDigits: string; expires: string }): string {
      const setup = setupOf(clientSecret)
      if (!setup || isDown || entered.card === 'unavailable') throw new Error('No answer.')
      if (entered.card === 'declined') {
        Object.assign(setup, { last_setup_error: DECLINE })
        return 'declined'
      }
      const [year, month] = entered.expires.split('-').map(Number)
      const brand = BRANDS[entered.card] ?? 'visa'
      const card = { brand, last4: entered.lastDigits, exp_month: month, exp_year: year }
      const method = make('pm', { object: 'payment_method', card })
      behaviours.set(String(method['id']), entered.card)
      if (entered.card === 'challenge') {
        Object.assign(setup, { status: 'requires_action', payment_method: method['id'] })
        return 'challenge'
      }
      succeed(setup, method)
      return 'succeeded'
    },

    answerChallenge(clientSecret: string, passes: boolean): void {
      const setup = setupOf(clientSecret)
      const method = objects.get(String(setup?.['payment_method']))
      if (!setup || !method) throw new Error('Nothing was asked.')
      // The bank was asked: off the session it does not ask again.
      behaviours.set(String(method['id']), 'visa')
      if (passes) succeed(setup, method)
      else
        Object.assign(setup, {
          status: 'requires_payment_method',
          payment_method: null,
          last_setup_error: { type: 'card_error', code: 'setup_intent_authentication_failure' },
        })
    },

    /** What was processing has failed. */
    failProcessing(): void {
      for (const one of objects.values())
        if (one['object'] === 'payment_intent' && one['status'] === 'processing')
          Object.assign(one, { status: 'requires_payment_method', last_payment_error: DECLINE })
    },

    cancelIntents(): void {
      for (const one of objects.values())
        if (one['object'] === 'payment_intent' && one['status'] !== 'succeeded') one['status'] = 'canceled'
    },

    /** A bank that asks again although it was asked. */
    askAgainFor(cardRef: string): void {
      behaviours.set(cardRef, 'challenge')
    },

    /** The next request but so many. */
    lose(what: Loss, nth: number): void {
      loss = { what, in: nth }
    },
    setDown(down: boolean): void {
      isDown = down
    },
    /** After a day. */
    forgetKeys: () => answered.clear(),

    /** As Stripe sends it. */
    event(type: string, object: Json | undefined, signed: { at: Date; secret?: string }) {
      const id = `evt_${randomBytes(12).toString('hex')}`
      const body = JSON.stringify({ id, object: 'event', type, data: { object: object ?? {} } })
      return { body, signature: signatureOf(body, signed.at, signed.secret ?? webhookSecret) }
    },

    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export function signatureOf(body: string, at: Date, secret: string): string {
  const time = Math.floor(at.getTime() / 1000)
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')},v0=00`
}

export type StripeServer = Awaited<ReturnType<typeof startStripeServer>>
