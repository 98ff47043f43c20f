import { createHash } from 'node:crypto'
import type {
  BoundCard,
  ChargeOrder,
  ChargeOutcome,
  IntentMemory,
  PaymentProvider,
  SetupOutcome,
} from './payment-provider.ts'
import {
  createStripeApi,
  type StripeApiOptions,
  StripeId,
  type StripeIntent,
  StripeIntentAnswer,
  StripeMethod,
  StripeRefusal,
  StripeSetup,
} from './stripe-api.ts'

export interface StripeOptions extends StripeApiOptions {
  readonly intents: IntentMemory
}

const BRANDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** In the version that is requested; the package has the types of its own version. */
const CARDS_ONLY = { payment_method_types: ['card'] }

/** Of a charge in USD. */
const LEAST_CENTS = 50

const DECLINED = 'The bank declined the charge.'
const BANK_ASKS = 'The bank requires authentication. Add the card again and complete it.'
const CARD_GONE = 'The payment provider no longer knows the card. Add a card.'

/** Keys of Stripe are short, ours may not be. */
const keyOf = (...parts: readonly (string | number)[]): string =>
  createHash('sha256').update(parts.join(' ')).digest('hex')

const expiryOf = (year: number, month: number): string => `${year}-${String(month).padStart(2, '0')}`

function cardOf(setup: ReturnType<typeof StripeSetup.parse>): BoundCard | undefined {
  const method = setup.payment_method
  if (!method || typeof method === 'string') return undefined
  const { brand, last4, exp_year, exp_month } = method.card
  return {
    cardRef: method.id,
    brand: BRANDS[brand] ?? brand,
    lastDigits: last4,
    expires: expiryOf(exp_year, exp_month),
  }
}

function outcomeOf(setup: ReturnType<typeof StripeSetup.parse>): SetupOutcome {
  const card = cardOf(setup)
  if (setup.status === 'succeeded' && card) return { state: 'succeeded', card }
  if (setup.status === 'requires_action' || setup.status === 'processing') return { state: 'verifying' }
  if (setup.status === 'canceled' || setup.last_setup_error) return { state: 'declined' }
  return { state: 'waiting' }
}

function problemOf(error: { message?: string | undefined; code?: string | undefined } | null | undefined) {
  if (error?.code === 'authentication_required') return BANK_ASKS
  return error?.message ?? DECLINED
}

function chargedOf(intent: StripeIntent): ChargeOutcome {
  if (intent.status === 'succeeded')
    return { state: 'succeeded', chargeRef: intent.latest_charge ?? intent.id }
  if (intent.status === 'processing') return { state: 'processing' }
  const problem = intent.status === 'requires_action' ? BANK_ASKS : problemOf(intent.last_payment_error)
  return { state: 'declined', problem }
}

const isMissing = (error: unknown): boolean =>
  error instanceof StripeRefusal && error.code === 'resource_missing'

/** Live and test keys do not share customers and cards. */
export const stripeIdOf = (secretKey: string): string =>
  /^.k_live_/.test(secretKey) ? 'stripe' : 'stripe-test'

/**
 * Cards by Stripe. Everything that is charged under one key is one intent, which succeeds once at most, whatever is sent
 * twice: it is made and remembered first, and confirmed then.
 */
export function createStripePayments({ secretKey, url, intents }: StripeOptions): PaymentProvider {
  const ask = createStripeApi({ secretKey, url })
  const readIntent = (ref: string) => ask(StripeIntentAnswer, (stripe) => stripe.paymentIntents.retrieve(ref))

  const makeIntent = ({ key, customerRef, cents, description }: ChargeOrder, instead = '') =>
    ask(StripeIntentAnswer, (stripe) =>
      stripe.paymentIntents.create(
        {
          amount: cents,
          currency: 'usd',
          customer: customerRef,
          ...CARDS_ONLY,
          description,
          metadata: { charge: key },
        },
        { idempotencyKey: keyOf('intent', key, instead) },
      ),
    )

  /** One that somebody cancelled at Stripe never succeeds: another takes its place. */
  async function intentFor(order: ChargeOrder): Promise<StripeIntent> {
    const known = await intents.read(order.key)
    const before = known === undefined ? undefined : await readIntent(known)
    if (before && before.status !== 'canceled') return before
    const made = await makeIntent(order, before?.id)
    const kept = await intents.keep(order.key, made.id, before?.id)
    return kept === made.id ? made : readIntent(kept)
  }

  async function confirm(
    intent: StripeIntent,
    { key, attempt, cardRef }: ChargeOrder,
  ): Promise<ChargeOutcome> {
    const answer = await ask(StripeIntentAnswer, (stripe) =>
      stripe.paymentIntents.confirm(
        intent.id,
        { payment_method: cardRef, off_session: true },
        { idempotencyKey: keyOf('confirm', key, intent.id, attempt) },
      ),
    )
    // An answer that is given again may be an old one.
    return chargedOf(answer.status === 'succeeded' ? answer : await readIntent(intent.id))
  }

  return {
    id: stripeIdOf(secretKey),
    leastCents: LEAST_CENTS,

    async createCustomer({ id, name }) {
      const customer = await ask(StripeId, (stripe) =>
        stripe.customers.create(
          { name, metadata: { organisation: id } },
          { idempotencyKey: keyOf('customer', id) },
        ),
      )
      return customer.id
    },

    async beginSetup(customerRef) {
      const setup = await ask(StripeSetup, (stripe) =>
        stripe.setupIntents.create({
          customer: customerRef,
          usage: 'off_session',
          ...CARDS_ONLY,
        }),
      )
      return { setupRef: setup.id, clientSecret: setup.client_secret }
    },

    async setupOutcome(setupRef): Promise<SetupOutcome> {
      try {
        return outcomeOf(
          await ask(StripeSetup, (stripe) =>
            stripe.setupIntents.retrieve(setupRef, { expand: ['payment_method'] }),
          ),
        )
      } catch (error) {
        if (isMissing(error)) return { state: 'declined' }
        throw error
      }
    },

    async charge(order): Promise<ChargeOutcome> {
      try {
        const intent = await intentFor(order)
        if (intent.status === 'succeeded' || intent.status === 'processing') return chargedOf(intent)
        return await confirm(intent, order)
      } catch (error) {
        if (!(error instanceof StripeRefusal)) throw error
        // Two at the same moment: the other one has come further.
        if (error.intent && error.code === 'payment_intent_unexpected_state') return chargedOf(error.intent)
        if (error.type === 'card_error') return { state: 'declined', problem: problemOf(error) }
        if (isMissing(error)) return { state: 'declined', problem: CARD_GONE }
        throw error
      }
    },

    /** Looked at first: Stripe refuses to detach what is detached. */
    async detachCard(cardRef) {
      try {
        const method = await ask(StripeMethod, (stripe) => stripe.paymentMethods.retrieve(cardRef))
        if (method.customer) await ask(StripeMethod, (stripe) => stripe.paymentMethods.detach(cardRef))
      } catch (error) {
        if (!isMissing(error)) throw error
      }
    },
  }
}
