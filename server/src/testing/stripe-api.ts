import { randomBytes } from 'node:crypto'
import { DECLINE, type Json, type StripeObjects } from './stripe-objects.ts'

export interface Answer {
  readonly status: number
  readonly body: Json
}

const ok = (body: Json): Answer => ({ status: 200, body })
export const refusal = (status: number, error: Json): Answer => ({ status, body: { error } })
const missing = (what: string, param: string): Answer =>
  refusal(404, { type: 'invalid_request_error', code: 'resource_missing', param, message: `No such ${what}` })

const metadataOf = (form: URLSearchParams): Json =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) => {
      const key = /^metadata\[(.+)\]$/.exec(name)?.[1]
      return key ? [[key, value]] : []
    }),
  )

function makeSetup({ objects, make }: StripeObjects, form: URLSearchParams): Answer {
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

function makeIntent({ objects, make }: StripeObjects, form: URLSearchParams): Answer {
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

function confirmIntent(
  { objects, behaviours, make }: StripeObjects,
  intent: Json,
  form: URLSearchParams,
): Answer {
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

function detach({ objects }: StripeObjects, id: string): Answer {
  const method = objects.get(id)
  if (!method) return missing(`PaymentMethod: '${id}'`, 'payment_method')
  if (!method['customer'])
    return refusal(400, {
      type: 'invalid_request_error',
      message: 'The payment method you provided is not attached to a customer so detachment is impossible.',
    })
  return ok(Object.assign(method, { customer: null }))
}

/** What a POST does. */
export function change(kept: StripeObjects, path: string, form: URLSearchParams): Answer {
  if (path === '/v1/customers')
    return ok(kept.make('cus', { object: 'customer', name: form.get('name'), metadata: metadataOf(form) }))
  if (path === '/v1/setup_intents') return makeSetup(kept, form)
  if (path === '/v1/payment_intents') return makeIntent(kept, form)
  const detached = /^\/v1\/payment_methods\/([^/]+)\/detach$/.exec(path)?.[1]
  if (detached) return detach(kept, detached)
  const id = /^\/v1\/payment_intents\/([^/]+)\/confirm$/.exec(path)?.[1]
  const intent = id ? kept.objects.get(id) : undefined
  return intent ? confirmIntent(kept, intent, form) : missing(`object at ${path}`, 'intent')
}

/** What a GET answers. */
export function look({ objects }: StripeObjects, path: string, query: URLSearchParams): Answer {
  const found = objects.get(path.split('/').at(-1) ?? '')
  if (!found) return missing(`object at ${path}`, 'id')
  const method = objects.get(String(found['payment_method']))
  const isExpanded = query.getAll('expand[0]').includes('payment_method') && method
  // As it is now, not as it will be when it is sent.
  return ok(structuredClone(isExpanded ? { ...found, payment_method: method } : found))
}
