import { startStripeServer } from '../server/src/testing/stripe-server.ts'
import { expectAccessibleBothWays } from './axe.ts'
import { comeIn, menuLink } from './console-page.ts'
import { expect, test } from './console-test.ts'
import { startProduct } from './product.ts'

/**
 * In place of the library that Stripe serves to browsers: it shows a form and tells what was entered to the server that
 * answers as Stripe's API does. Whether the page may load it at all is decided by the page's own policy.
 */
const LIBRARY = `window.Stripe = (key) => ({
  elements: ({ clientSecret }) => ({
    clientSecret,
    create: () => ({
      mount: (place) => { place.textContent = 'The form of ' + key },
      on: (event, tell) => { if (event === 'ready') queueMicrotask(tell) },
      destroy: () => undefined,
    }),
  }),
  confirmSetup: async ({ elements }) => window.enterCard(elements.clientSecret),
})`

test('with Stripe the card is entered in a form of its own, which is loaded only then: declined, then bound [CARD-21, CARD-23]', async ({
  page,
}) => {
  const webhookSecret = 'whsec_rowing2026'
  const stripe = await startStripeServer({ secretKey: 'sk_test_rowing2026', webhookSecret })
  const product = await startProduct({
    env: {
      BOATHOUSE_PAYMENT: 'stripe',
      BOATHOUSE_STRIPE_SECRET_KEY: 'sk_test_rowing2026',
      BOATHOUSE_STRIPE_PUBLISHABLE_KEY: 'pk_test_rowing2026',
      BOATHOUSE_STRIPE_WEBHOOK_SECRET: webhookSecret,
      BOATHOUSE_STRIPE_URL: stripe.url,
    },
  })
  try {
    const asked: string[] = []
    await page.route('https://js.stripe.com/**', async (route) => {
      asked.push(route.request().url())
      await route.fulfill({ contentType: 'text/javascript', body: LIBRARY })
    })
    const cards = ['declined', 'visa'] as const
    let entered = 0
    await page.exposeFunction('enterCard', (clientSecret: string) => {
      const card = cards[entered++] ?? 'visa'
      const state = stripe.enter(clientSecret, { card, lastDigits: '4242', expires: '2039-12' })
      return state === 'declined' ? { error: { type: 'card_error' } } : {}
    })
    await comeIn(page, product)
    await menuLink(page, 'Usage & billing').click()
    await expect(page.getByRole('group', { name: 'Month to date' })).toContainText('USD')
    expect(asked).toEqual([])
    await page.getByRole('button', { name: 'Add card' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add card' })
    await expect(dialog.getByText('The form of pk_test_rowing2026')).toBeVisible()
    expect(asked).toEqual(['https://js.stripe.com/v3/'])
    await expectAccessibleBothWays(page, 'the form around that of Stripe')
    await dialog.getByRole('button', { name: 'Add card' }).click()
    await expect(dialog.getByRole('alert')).toHaveText(
      'Failed to add credit card. Please try again or change another credit card.',
    )
    await dialog.getByRole('button', { name: 'Add card' }).click()
    await expect(dialog).toBeHidden()
    await page.getByRole('tab', { name: 'Payment details' }).click()
    await expect(page.getByRole('region', { name: 'Payment details' })).toContainText('2039-12')
    expect(product.stderr()).not.toMatch(/sk_test_|whsec_/)
  } finally {
    await product.stop()
    await stripe.close()
  }
})
