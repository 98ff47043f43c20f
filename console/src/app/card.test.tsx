import { SHELL_STATES } from '@boathouse/contract/account-state'
import { CARD_MESSAGES, type CardBinding } from '@boathouse/contract/payment'
import type { UserInfo } from '@boathouse/contract/user'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
// Loaded beforehand: the console loads them when they are needed, and the first time takes long.
import './pages/account-route.tsx'
import './pages/home-route.tsx'
import './shell/account/account-dialogs.tsx'
import './shell/shell-layout.tsx'
import '../features/payment/card-dialog.tsx'
import { session } from '../lib/session.ts'
import { refuse, type StubHandlers } from '../testing/stub-server.ts'
import { ADA, renderApp, signedIn } from './testing/render-app.tsx'

const LOCAL = { provider: 'local', publishableKey: null } as const

const HOME = '/local-1/ABC12345/home'
const SECRET = 'a-secret'

beforeEach(() => session.end())

const organisation = {
  orgId: '00000000-0000-4000-8000-0000000000aa',
  name: 'Demo',
  orgAccountId: 'ABC12345',
  createdAt: '2026-01-01T10:00:00Z',
  accounts: 1,
  source: 1,
  orgIdentity: 1,
  paymentEnabled: true,
  freezeReason: 'trial ended',
} as const

/** An administrator of the organisation in a frozen root account. */
function open(over: StubHandlers = {}, first: number = SHELL_STATES.FrozenForDeletion) {
  const state = { now: first, binding: 'verifying' as CardBinding }
  const info = (): UserInfo => ({
    ...ADA,
    source: 1,
    orgIdentity: 1,
    isOrgAdmin: true,
    accountState: state.now,
  })
  signedIn(info())
  const app = renderApp(HOME, {
    'user.info': info,
    'user.accountInfo': () => ({ region: 'local-1', accountId: 'ABC12345', accountState: state.now }),
    'org.detail': () => organisation,
    'payment.getCustomer': () => ({ exists: false, form: LOCAL }),
    'payment.setupCustomer': () => ({ clientSecret: SECRET }),
    'payment.setupPaymentMethod': () => ({ clientSecret: SECRET }),
    'payment.confirmTestCard': () => ({ state: 'succeeded' }),
    'payment.answerTestChallenge': ({ passes }) => ({ state: passes ? 'succeeded' : 'declined' }),
    'payment.cardBinding': () => ({ state: state.binding }),
    ...over,
  })
  const pass = (ms: number) => act(async () => app.clock.advance(ms))
  return { ...app, state, pass }
}

type Opened = ReturnType<typeof open>

async function enter({ user }: Pick<Opened, 'user'>, number: string): Promise<void> {
  await user.type(await screen.findByLabelText('Card number'), number)
  await user.type(screen.getByLabelText('Expires'), '12/39')
  await user.type(screen.getByLabelText('Security code'), '123')
  const button = screen.getByRole('button', { name: 'Add card' })
  await waitFor(() => expect(button).toHaveProperty('disabled', false))
  await user.click(button)
}

test('a frozen organisation needs a card: no customer, so one is set up [CARD-03, CARD-05, CARD-06]', async () => {
  const { server } = open()
  const dialog = await screen.findByRole('dialog', { name: 'Account frozen' })
  const number = await within(dialog).findByLabelText('Card number')
  expect(server.callsOf('payment.getCustomer')).toHaveLength(1)
  expect(server.callsOf('payment.setupCustomer')).toEqual([{}])
  expect(server.callsOf('payment.setupPaymentMethod')).toEqual([])
  expect(number.closest('form')).toBeTruthy()
  expect(within(dialog).getByRole('button', { name: 'Log out' })).toBeTruthy()
})

test('a customer that exists needs a payment method, with force [CARD-04, CARD-06]', async () => {
  const { server } = open({ 'payment.getCustomer': () => ({ exists: true, form: LOCAL }) })
  await screen.findByLabelText('Card number')
  expect(server.callsOf('payment.setupPaymentMethod')).toEqual([{ force: true }])
  expect(server.callsOf('payment.setupCustomer')).toEqual([])
})

test('the confirm button is enabled a second after the dialog appears [CARD-08]', async () => {
  const waits = vi.spyOn(globalThis, 'setTimeout')
  open()
  const button = await screen.findByRole('button', { name: 'Add card' })
  expect(button).toHaveProperty('disabled', true)
  expect(waits.mock.calls.some(([, ms]) => ms === 1_000)).toBe(true)
  await waitFor(() => expect(button).toHaveProperty('disabled', false))
  waits.mockRestore()
})

test('after success the card is checked, and its state shown; when the account leaves its state the dialog closes [CARD-07, CARD-11, CARD-12, CARD-13]', async () => {
  const opened = open()
  await enter(opened, '4242 4242 4242 4242')
  expect(await screen.findByText('Checking card')).toBeTruthy()
  expect(await screen.findByText('Verifying the card.')).toBeTruthy()
  expect(opened.server.callsOf('payment.confirmTestCard')).toEqual([
    { clientSecret: SECRET, card: 'visa', lastDigits: '4242', expires: '2039-12' },
  ])
  opened.state.binding = 'inProgress'
  expect(await screen.findByText(/Card added/)).toBeTruthy()
  opened.state.now = SHELL_STATES.Active
  await opened.pass(3_000)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a card that must be tried later says so, and leads back to the form [CARD-14, CARD-24]', async () => {
  const opened = open()
  opened.state.binding = 'retryLater'
  await enter(opened, '4242424242424242')
  expect(await screen.findByText(CARD_MESSAGES.problem)).toBeTruthy()
  await opened.user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByLabelText('Card number')).toBeTruthy()
})

test('a declined card is reported in the words of the specification, and another can be entered [CARD-23]', async () => {
  const opened = open({ 'payment.confirmTestCard': () => ({ state: 'declined' }) })
  await enter(opened, '4000000000000002')
  expect(
    await screen.findByText('Failed to add credit card. Please try again or change another credit card.'),
  ).toBeTruthy()
  expect(screen.getByLabelText('Card number')).toBeTruthy()
})

test('a provider that fails is reported in the words of the specification, at the form and before it [CARD-24]', async () => {
  const opened = open({ 'payment.confirmTestCard': () => refuse('PaymentFailed', 'down') })
  await enter(opened, '4000000000000119')
  expect(await screen.findByText('There seems to be a problem now, please try it again later.')).toBeTruthy()
})

test('a form that cannot be prepared says so, and is prepared again when asked', async () => {
  let isDown = true
  const { user } = open({
    'payment.setupCustomer': () => (isDown ? refuse('PaymentFailed', 'down') : { clientSecret: SECRET }),
  })
  expect(await screen.findByText(CARD_MESSAGES.problem)).toBeTruthy()
  isDown = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByLabelText('Card number')).toBeTruthy()
})

test("the provider's part of the page confirms the card; what its bank asks is answered in place [CARD-21, CARD-22]", async () => {
  const opened = open({ 'payment.confirmTestCard': () => ({ state: 'challenge' }) })
  const address = window.location.href
  await enter(opened, '4000002760003184')
  await opened.user.click(await screen.findByRole('button', { name: 'Confirm' }))
  expect(await screen.findByText('Checking card')).toBeTruthy()
  expect(opened.server.callsOf('payment.answerTestChallenge')).toEqual([
    { clientSecret: SECRET, passes: true },
  ])
  expect(window.location.href).toBe(address)
})

test('a number that is no test card is refused before anything is sent', async () => {
  const opened = open()
  await enter(opened, '4111 1111 1111 1111')
  expect(await screen.findByText(/not a test card/)).toBeTruthy()
  expect(opened.server.callsOf('payment.confirmTestCard')).toEqual([])
})

test.each([
  ['in a normal account', { ...organisation, orgAccountId: 'ROO00001' }],
  ['where the operator froze it', { ...organisation, freezeReason: 'operator' as const }],
  ['where no cards are bound', { ...organisation, paymentEnabled: false }],
])('%s nobody is asked for a card', async (_, detail) => {
  const { server } = open({ 'org.detail': () => detail })
  expect(await screen.findByRole('dialog', { name: 'Account frozen' })).toBeTruthy()
  await waitFor(() => expect(server.callsOf('org.detail').length).toBeGreaterThan(0))
  expect(await screen.findByRole('button', { name: 'Log out' })).toBeTruthy()
  expect(screen.queryByLabelText('Card number')).toBeNull()
  expect(server.callsOf('payment.getCustomer')).toEqual([])
})

test('the page of the organisation offers to add or change the card; after success its dialog closes [ACCOUNT-26, CARD-10]', async () => {
  const info: UserInfo = {
    ...ADA,
    source: 1,
    orgIdentity: 1,
    isOrgAdmin: true,
    activeRoles: ['org_admin', 'public'],
  }
  signedIn(info)
  const app = renderApp('/local-1/ABC12345/admin/account', {
    'user.info': () => info,
    'org.detail': () => ({ ...organisation, freezeReason: null }),
    'payment.getCustomer': () => ({ exists: true, form: LOCAL }),
    'payment.setupPaymentMethod': () => ({ clientSecret: SECRET }),
    'payment.confirmTestCard': () => ({ state: 'succeeded' }),
    'payment.cardBinding': () => ({ state: 'bound' }),
  })
  await app.user.click(await screen.findByRole('button', { name: 'Add or change card' }))
  expect(await screen.findByRole('dialog', { name: 'Add card' })).toBeTruthy()
  await enter(app, '4242424242424242')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await screen.findByText('Card added.')).toBeTruthy()
})
