import type { PaymentForm } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Config } from './config.ts'
import type { Clock } from './kernel/clock.ts'
import { createIntentMemory } from './modules/payment/intent-store.ts'
import { createLocalMemory } from './modules/payment/local-memory-store.ts'
import type { PaymentOptions } from './modules/payment/service.ts'
import { createLocalPayments } from './providers/payment/local-payments.ts'
import { readStripeEvents } from './providers/payment/stripe-events.ts'
import { createStripePayments } from './providers/payment/stripe-payments.ts'
import type { Schema } from './store/schema.ts'

type Chosen = Pick<PaymentOptions, 'provider' | 'local' | 'form' | 'readEvent'>

const LOCAL_FORM: PaymentForm = { provider: 'local', publishableKey: null }

/** Who takes cards here, as the settings say. */
export function paymentProviderOf(parts: { config: Config; db: Kysely<Schema>; clock: Clock }): Chosen {
  const { config, db, clock } = parts
  if (config.stripe) {
    const { publishableKey, webhookSecrets, ...account } = config.stripe
    return {
      provider: createStripePayments({ ...account, intents: createIntentMemory({ db, clock }) }),
      local: null,
      form: { provider: 'stripe', publishableKey },
      readEvent: readStripeEvents(webhookSecrets),
    }
  }
  const local =
    config.payment === 'local'
      ? createLocalPayments({ memory: createLocalMemory({ db, clock }), clock })
      : null
  return { provider: local, local, form: LOCAL_FORM, readEvent: null }
}
