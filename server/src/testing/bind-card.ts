import { payment, type TestCard } from '@boathouse/contract'
import type { TestUser } from './start-app.ts'

/** Binds a test card, in place of the one that is bound. */
export async function bindCard(user: TestUser, card: TestCard): Promise<void> {
  const { exists } = (await user.call(payment.getCustomer, {})).data
  const { clientSecret } = exists
    ? (await user.call(payment.setupPaymentMethod, { force: true })).data
    : (await user.call(payment.setupCustomer, {})).data
  const expires = '2039-12'
  await user.call(payment.confirmTestCard, { clientSecret, card, lastDigits: '4242', expires })
  await user.call(payment.cardBinding, { clientSecret })
}
