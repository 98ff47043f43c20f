import { decodePassword } from '@boathouse/contract'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse } from '../testing/stub-server.ts'
import { addressOf, renderApp } from './testing/render-app.tsx'
import type { RenderedApp } from './testing/render-app.tsx'

const TOKEN = 'x'.repeat(43)
const field = (label: string) => screen.findByLabelText(label)

async function fillIn({ user }: RenderedApp, email = 'Ana.Duarte@Northwind.example'): Promise<void> {
  await user.type(await field('First name'), 'Ana')
  await user.type(await field('Last name'), 'Duarte')
  await user.type(await field('Business email'), email)
  await user.type(await field('Company'), 'Northwind Freight')
  await user.selectOptions(await field('Country'), 'Portugal')
  await user.type(await field('Password'), 'Rowing_2026')
}

test('the form of the free trial is sent once, and leads to the page that says to look into the mailbox [SIGNIN-11, SIGNIN-21, SIGNIN-22]', async () => {
  const app = renderApp('/free-trial', { 'account.startFreeTrial': () => ({}) })
  await fillIn(app)
  await app.user.click(screen.getByRole('button', { name: 'Start free trial' }))
  expect(await screen.findByText(/We sent a mail to ana.duarte@northwind.example/)).toBeTruthy()
  expect(addressOf(app)).toBe('/free-trial-received?email=ana.duarte%40northwind.example')
  const [sent] = app.server.callsOf('account.startFreeTrial') as [{ password: string }]
  expect(sent).toMatchObject({
    firstName: 'Ana',
    lastName: 'Duarte',
    company: 'Northwind Freight',
    country: 'PT',
  })
  expect(decodePassword(sent.password)).toBe('Rowing_2026')
})

test('every field is refused in place with the words of the service, the focus on the first', async () => {
  const app = renderApp('/free-trial')
  await app.user.type(await field('Business email'), 'ana')
  await app.user.click(screen.getByRole('button', { name: 'Start free trial' }))
  const alerts = screen.getAllByRole('alert').map((alert) => alert.textContent)
  expect(alerts).toEqual([
    'Enter the first name',
    'Enter the last name',
    'Enter the correct email',
    'Enter the company',
    'Enter the country',
    'Enter the password',
  ])
  expect(document.activeElement).toBe(await field('First name'))
  expect(app.server.callsOf('account.startFreeTrial')).toEqual([])
})

test('free webmail is refused before it is sent, where the page says so [SIGNIN-39, SIGNIN-53]', async () => {
  const meta = document.createElement('meta')
  meta.name = 'boathouse-business-mail'
  meta.content = 'only'
  document.head.append(meta)
  const app = renderApp('/free-trial')
  await fillIn(app, 'ana@gmail.com')
  await app.user.click(screen.getByRole('button', { name: 'Start free trial' }))
  expect(await screen.findByText('Please use a business email.')).toBeTruthy()
  expect(app.server.callsOf('account.startFreeTrial')).toEqual([])
  meta.remove()
})

test('the mailed link and the password open the account; its set-up is shown as it is, then its address and id [SIGNIN-15, SIGNIN-19]', async () => {
  const steps = ['engine', 'samples', 'done'] as const
  let asked = 0
  const app = renderApp(`/active-mail?token=${TOKEN}`, {
    'account.activationLink': () => ({ firstName: 'Ana', email: 'ana@northwind.example' }),
    'account.activate': () => ({ setUpToken: 'y'.repeat(43) }),
    'account.setUpProgress': () => ({
      accountId: 'XYZ00001',
      region: 'local-1',
      user: 'ana',
      step: steps[Math.min(asked++, 2)] ?? 'done',
      failed: false,
    }),
  })
  await app.user.type(await field('Password'), 'Rowing_2026{Enter}')
  await screen.findByRole('heading', { name: 'Setting up your account' })
  expect(screen.getByText(/^This takes about 3 minutes\./)).toBeTruthy()
  await waitFor(() => expect(document.querySelector('[aria-current=step]')?.textContent).toBe('Query engine'))
  await waitFor(() =>
    expect(document.querySelector('[aria-current=step]')?.textContent).toBe('Sample data and saved queries'),
  )
  await screen.findByRole('heading', { name: 'Your account is ready' })
  expect(screen.getByText('XYZ00001')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe(
    '/login?step=signin&aid=XYZ00001&region=local-1',
  )
  expect(addressOf(app)).toBe(`/active-mail?setUp=${'y'.repeat(43)}`)
})

test('a wrong password at activation is reported in place', async () => {
  const app = renderApp(`/active-mail?token=${TOKEN}`, {
    'account.activationLink': () => ({ firstName: 'Ana', email: 'ana@northwind.example' }),
    'account.activate': () => refuse('LoginFailed', 'This is not the password that you chose at sign-up.'),
  })
  await app.user.type(await field('Password'), 'Wrong_pass1{Enter}')
  expect(await screen.findByText('This is not the password that you chose at sign-up.')).toBeTruthy()
})

test.each([
  ['SignUpTokenInvalid', 'The sign-up token is invalid.'],
  ['SignUpTokenExpired', 'Please set up the account from the cloud marketplace again.'],
  ['MarketplaceFailed', 'The cloud marketplace reported an error.'],
] as const)(
  'the marketplace page says what is wrong with its token: %s [SIGNIN-50, SIGNIN-51, SIGNIN-52]',
  async (code, message) => {
    renderApp('/marketplace/signup?token=abc', { 'marketplace.resolve': () => refuse(code, message) })
    await screen.findByRole('heading', { name: 'Sign-up could not start' })
    expect(screen.getByText(message)).toBeTruthy()
  },
)

test('a buyer signs up by the same form, and a non-business address is refused in place [SIGNIN-12, SIGNIN-53]', async () => {
  const app = renderApp('/marketplace/signup?token=abc', {
    'marketplace.resolve': () => ({ marketplace: 'Local marketplace', product: 'Boathouse' }),
    'marketplace.signUp': () => refuse('NotBusinessEmail', 'Please use a business email.'),
  })
  await fillIn(app)
  expect(screen.queryByText('500 USD for 30 days'), 'no trial for who has paid').toBeNull()
  await app.user.click(screen.getByRole('button', { name: 'Set up account' }))
  expect(await screen.findByText('Please use a business email.')).toBeTruthy()
  expect(app.server.callsOf('marketplace.signUp')).toMatchObject([
    { token: 'abc', company: 'Northwind Freight' },
  ])
})

test('the page of an expired trial says for how long the data is kept [SIGNIN-23]', async () => {
  renderApp('/free-trial-expired')
  await screen.findByRole('heading', { name: 'Your free trial has ended' })
  expect(screen.getByText(/keep the data for 15 days/)).toBeTruthy()
})

test('pages of the sign-in area have no account in their address, and lead from one to the other [SIGNIN-02]', async () => {
  renderApp('/login?step=account')
  expect((await screen.findByRole('link', { name: 'Start free trial' })).getAttribute('href')).toBe(
    '/free-trial',
  )
})
