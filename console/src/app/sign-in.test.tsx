import { decodePassword, MESSAGES } from '@boathouse/contract/rules'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { session } from '../lib/session.ts'
import { refuse } from '../testing/stub-server.ts'
import { ADA, addressOf, renderApp, signedIn } from './testing/render-app.tsx'
import type { RenderedApp } from './testing/render-app.tsx'

const accountField = () => screen.findByLabelText('Account ID')
const userField = () => screen.findByLabelText('User name')
const passwordField = () => screen.findByLabelText('Password')

async function enterCredentials({ user }: RenderedApp, password = 'Secret_1é'): Promise<void> {
  await user.type(await userField(), 'ada lovelace')
  await user.type(await passwordField(), `${password}{Enter}`)
}

test('account step, then user step, then home; only the keyboard is used [SIGNIN-01, SIGNIN-03, SIGNIN-31]', async () => {
  const app = renderApp('/')
  await waitFor(async () => expect(document.activeElement).toBe(await accountField()))
  await app.user.keyboard(' abc12345 {Enter}')
  await waitFor(async () => expect(document.activeElement).toBe(await userField()))
  expect(addressOf(app)).toBe('/login?step=signin&aid=ABC12345&region=local-1')
  await enterCredentials(app)
  await screen.findByRole('heading', { name: 'Welcome, ada lovelace' })
  expect(addressOf(app)).toBe('/local-1/ABC12345/home')
  expect(session.get()).toMatchObject({ token: 'token-1', account: 'ABC12345', region: 'local-1', user: ADA })
  const [login] = app.server.callsOf('user.login') as [{ password: string }]
  expect(decodePassword(login.password)).toBe('Secret_1é')
})

test('an impossible account ID is refused in place, without asking the service [SIGNIN-56]', async () => {
  const app = renderApp('/login?step=account')
  await app.user.type(await accountField(), 'ABC{Enter}')
  expect((await screen.findByRole('alert')).textContent).toBe(MESSAGES.invalidAccountId)
  expect(await accountField()).toHaveProperty('value', 'ABC')
  expect(document.activeElement).toBe(await accountField())
  expect((await accountField()).getAttribute('aria-invalid')).toBe('true')
  expect(app.server.callsOf('account.locate')).toEqual([])
})

test('an account that does not exist is refused in place [SIGNIN-57]', async () => {
  const app = renderApp('/login', { 'account.locate': () => refuse('NotFound', 'no such account') })
  await app.user.type(await accountField(), 'XYZ00001{Enter}')
  expect((await screen.findByRole('alert')).textContent).toBe(MESSAGES.accountMissing)
  expect(await accountField()).toHaveProperty('value', 'XYZ00001')
})

test('a wrong password is reported in the exact words and nothing typed is lost [SIGNIN-43]', async () => {
  const app = renderApp('/login?step=signin&aid=ABC12345', {
    'user.login': () => refuse('LoginFailed', 'wrong'),
  })
  await enterCredentials(app, 'Wrong_1x')
  expect(await screen.findByText('Login failed: Invalid account or password.')).toBeTruthy()
  expect(await userField()).toHaveProperty('value', 'ada lovelace')
  expect(await passwordField()).toHaveProperty('value', 'Wrong_1x')
  expect(document.activeElement).toBe(await passwordField())
  expect(screen.getAllByText(MESSAGES.loginFailed)).toHaveLength(1)
  expect(session.get().token).toBeNull()
})

test('a service that does not answer is reported in place, and the next try works', async () => {
  const app = renderApp('/login?step=signin&aid=ABC12345')
  app.server.setOffline(true)
  await enterCredentials(app)
  expect(await screen.findByText(/The service does not respond/)).toBeTruthy()
  app.server.setOffline(false)
  await app.user.keyboard('{Enter}')
  await screen.findByRole('heading', { name: /Welcome/ })
})

test('too many attempts are reported in the words of the service', async () => {
  const app = renderApp('/login?step=signin&aid=ABC12345', {
    'user.login': () => refuse('TooManyAttempts', 'Wait 30 s before the next attempt.'),
  })
  await enterCredentials(app)
  expect(await screen.findByText('Wait 30 s before the next attempt.')).toBeTruthy()
})

test('empty fields are reported one by one, with the focus on the first', async () => {
  const app = renderApp('/login?step=signin&aid=ABC12345')
  await app.user.click(await screen.findByRole('button', { name: 'Sign in' }))
  expect(document.activeElement).toBe(await userField())
  expect(screen.getByText(MESSAGES.enter('user name'))).toBeTruthy()
  expect(screen.getByText(MESSAGES.passwordMissing)).toBeTruthy()
  expect(app.server.callsOf('user.login')).toEqual([])
})

test('the button shows progress and a second press does nothing', async () => {
  const answers: (() => void)[] = []
  const app = renderApp('/login?step=signin&aid=ABC12345', {
    'user.login': () =>
      new Promise((resolve) => {
        answers.push(() => resolve({ token: 'token-1', info: ADA }))
      }),
  })
  await enterCredentials(app)
  const button = await screen.findByRole('button', { name: 'Sign in' })
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'))
  await app.user.click(button)
  expect(answers).toHaveLength(1)
  answers[0]?.()
  await screen.findByRole('heading', { name: /Welcome/ })
  expect(app.server.callsOf('user.login')).toHaveLength(1)
})

test('sign-in leads back to the page first opened', async () => {
  const app = renderApp('/local-1/ABC12345/home?from=mail')
  await enterCredentials(app)
  await screen.findByRole('heading', { name: /Welcome/ })
  expect(addressOf(app)).toBe('/local-1/ABC12345/home?from=mail')
})

test('Back leads from the user step to the account step', async () => {
  const app = renderApp('/login?step=account')
  await app.user.type(await accountField(), 'ABC12345{Enter}')
  await userField()
  app.router.history.back()
  await accountField()
  expect(addressOf(app)).toBe('/login?step=account')
})

test('remembered accounts are offered, and their user is filled in [SIGNIN-07]', async () => {
  signedIn()
  session.end()
  const app = renderApp('/login?step=account')
  await app.user.click(
    await screen.findByRole('button', { name: 'ABC12345, user ada lovelace, region local-1' }),
  )
  expect(await userField()).toHaveProperty('value', 'ada lovelace')
  await waitFor(async () => expect(document.activeElement).toBe(await passwordField()))
  expect(addressOf(app)).toBe('/login?step=signin&aid=ABC12345&region=local-1')
  await app.user.click(screen.getByRole('button', { name: 'Use another account' }))
  await accountField()
})

test('Caps Lock is pointed out while a password is typed', async () => {
  const app = renderApp('/login?step=signin&aid=ABC12345')
  await app.user.click(await passwordField())
  await app.user.keyboard('{CapsLock}A')
  expect(await screen.findByText('Caps Lock is on')).toBeTruthy()
})
