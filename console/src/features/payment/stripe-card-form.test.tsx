import '../../i18n/payment.ts'
import { CARD_MESSAGES } from '@boathouse/contract'
import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { StripeCardForm } from './stripe-card-form.tsx'
import { STRIPE_SCRIPT } from './stripe-library.ts'

/** The library of the provider as it is used, in place of the one that browsers load from there. */
function stubStripe(answer: { error?: { type: string } }) {
  const listeners = new Map<string, () => void>()
  const confirmSetup = vi.fn<() => Promise<{ error?: { type: string } }>>(async () => answer)
  const element = {
    mount: vi.fn<(into: HTMLElement) => void>(),
    destroy: vi.fn<() => void>(),
    on: (event: string, tell: () => void) => listeners.set(event, tell),
  }
  const make = vi.fn<(key: string) => object>(() => ({
    elements: () => ({ create: () => element }),
    confirmSetup,
  }))
  Reflect.set(globalThis, 'Stripe', make)
  return { make, element, confirmSetup, tell: (event: string) => act(() => listeners.get(event)?.()) }
}

const show = () => {
  const [onSent, onAgain] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const view = render(
    <StripeCardForm
      clientSecret="seti_1_secret_2"
      publishableKey="pk_test_1"
      lead="Add card"
      leave={null}
      onSent={onSent}
      onAgain={onAgain}
    />,
  )
  return { ...view, onSent, onAgain }
}

const scripts = () => [...document.querySelectorAll('script')].filter(({ src }) => src === STRIPE_SCRIPT)

beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }))
afterEach(() => {
  vi.useRealTimers()
  Reflect.deleteProperty(globalThis, 'Stripe')
  for (const script of scripts()) script.remove()
})

const confirm = async () => {
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  await userEvent
    .setup({ advanceTimers: vi.advanceTimersByTime })
    .click(screen.getByRole('button', { name: 'Add card' }))
}

test("the provider's library confirms the set-up, and leads away only when it must [CARD-21, CARD-22]", async () => {
  const stripe = stubStripe({})
  const { onSent, unmount } = show()
  await vi.waitFor(() => expect(stripe.element.mount).toHaveBeenCalled())
  expect(stripe.make).toHaveBeenCalledWith('pk_test_1')
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add card' }).disabled).toBe(true)
  stripe.tell('ready')
  await confirm()
  await vi.waitFor(() => expect(onSent).toHaveBeenCalledOnce())
  expect(stripe.confirmSetup).toHaveBeenCalledWith(
    expect.objectContaining({ redirect: 'if_required', confirmParams: { return_url: window.location.href } }),
  )
  unmount()
  expect(stripe.element.destroy).toHaveBeenCalled()
})

test.each([
  ['card_error', CARD_MESSAGES.failed],
  ['api_error', CARD_MESSAGES.problem],
])(
  'a refusal of the kind %s is shown in the words of the specification [CARD-23, CARD-24]',
  async (type, words) => {
    const stripe = stubStripe({ error: { type } })
    const { onSent } = show()
    await vi.waitFor(() => expect(stripe.element.mount).toHaveBeenCalled())
    stripe.tell('ready')
    await confirm()
    expect((await screen.findByRole('alert')).textContent).toBe(words)
    expect(onSent).not.toHaveBeenCalled()
  },
)

test('a library that does not load is reported, and can be loaded again', async () => {
  const { onAgain } = show()
  const [script] = scripts()
  act(() => void script?.dispatchEvent(new Event('error')))
  expect((await screen.findByRole('alert')).textContent).toBe(CARD_MESSAGES.problem)
  await userEvent
    .setup({ advanceTimers: vi.advanceTimersByTime })
    .click(screen.getByRole('button', { name: 'Try again' }))
  expect(onAgain).toHaveBeenCalledOnce()
})
