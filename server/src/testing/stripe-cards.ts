import type { TestCard } from '@boathouse/contract'
import { DECLINE, type Json, type StripeObjects } from './stripe-objects.ts'

const BRANDS: { readonly [C in TestCard]?: string } = { mastercard: 'mastercard', amex: 'amex' }

function succeed(setup: Json, method: Json): void {
  Object.assign(method, { customer: setup['customer'] })
  Object.assign(setup, { status: 'succeeded', payment_method: method['id'], last_setup_error: null })
}

/** What happens to cards without a request of ours: in the browser, and at the bank. */
export function createStripeCards({ objects, behaviours, make }: StripeObjects, isDown: () => boolean) {
  const setupOf = (clientSecret: string): Json | undefined =>
    [...objects.values()].find((one) => one['client_secret'] === clientSecret)

  return {
    /** What the library in the browser does: only Stripe gets the card. */
    enter(clientSecret: string, entered: { card: TestCard; lastDigits: string; expires: string }): string {
      const setup = setupOf(clientSecret)
      if (!setup || isDown() || entered.card === 'unavailable') throw new Error('No answer.')
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
  }
}
