import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import {
  confirmingSecret,
  forgetConfirming,
  rememberConfirming,
  rememberSso,
} from '../features/sign-in/sso-memory.ts'
import { session } from '../lib/session.ts'
import { refuse } from '../testing/stub-server.ts'
import { ADA, addressOf, renderApp, signedIn } from './testing/render-app.tsx'

beforeEach(() => {
  window.sessionStorage.clear()
  forgetConfirming()
})

const begunAs = (letter: string) => ({
  secret: letter.repeat(43),
  accountId: 'ABC12345',
  next: '/local-1/ABC12345/home?from=mail',
  closes: false,
})

test('single sign-on is offered where the account has it, and nowhere else', async () => {
  renderApp('/login?step=signin&aid=ABC12345', { 'sso.offer': () => ({ enabled: true }) })
  expect(await screen.findByRole('button', { name: 'Sign in with single sign-on' })).toBeTruthy()
})

test('an issuer that does not answer is reported in place', async () => {
  const app = renderApp('/login?step=signin&aid=ABC12345', {
    'sso.offer': () => ({ enabled: true }),
    'sso.begin': () => refuse('SsoFailed', 'Single sign-on failed.'),
  })
  await app.user.click(await screen.findByRole('button', { name: 'Sign in with single sign-on' }))
  expect(await screen.findByText('Single sign-on failed.')).toBeTruthy()
})

test('a user who returns from the issuer is signed in, and led to the page first opened [SIGNIN-18]', async () => {
  rememberSso(begunAs('s'), window)
  const app = renderApp('/sso-redirect?code=abc&state=def', {
    'sso.finish': () => ({ token: 'token-1', info: ADA }),
  })
  await screen.findByRole('heading', { name: /Welcome/ })
  expect(addressOf(app)).toBe('/local-1/ABC12345/home?from=mail')
  expect(session.get().token).toBe('token-1')
  const [sent] = app.server.callsOf('sso.finish') as [{ secret: string; answer: string }]
  expect(sent.secret).toBe('s'.repeat(43))
  expect(Object.fromEntries(new URLSearchParams(sent.answer))).toEqual({ code: 'abc', state: 'def' })
})

test('a refused user sees why, with the way back to sign-in for the account', async () => {
  rememberSso(begunAs('t'), window)
  renderApp('/sso-redirect?code=abc&state=def', {
    'sso.finish': () => refuse('LoginFailed', 'No user of this account has the email.'),
  })
  expect(await screen.findByText('No user of this account has the email.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Back to sign-in' }).getAttribute('href')).toBe(
    '/login?step=signin&aid=ABC12345',
  )
})

test('a window that was opened for it alone signs in, and closes for the page that waits [SIGNIN-18]', async () => {
  const close = vi.spyOn(window, 'close').mockImplementation(() => undefined)
  rememberSso({ ...begunAs('u'), closes: true }, window)
  const app = renderApp('/sso-redirect?code=abc&state=def', {
    'sso.finish': () => ({ token: 'token-1', info: ADA }),
  })
  await screen.findByRole('heading', { name: 'You are signed in' })
  expect(close).toHaveBeenCalledTimes(1)
  expect(session.get().token).toBe('token-1')
  expect(addressOf(app)).toMatch(/^\/sso-redirect/)
})

test('an answer that this browser did not request is not used', async () => {
  const app = renderApp('/sso-redirect?code=abc&state=def')
  expect(await screen.findByText(/started in another browser/)).toBeTruthy()
  await waitFor(() => expect(app.server.callsOf('sso.finish')).toEqual([]))
})

test('a user who is not connected yet learns of the mail, and the browser keeps what its link needs', async () => {
  rememberSso(begunAs('m'), window)
  renderApp('/sso-redirect?code=abc&state=def', { 'sso.finish': () => ({ mailedTo: 'a…@example.com' }) })
  await screen.findByRole('heading', { name: 'Confirm by mail' })
  expect(screen.getByText(/We sent a link to a…@example.com/)).toBeTruthy()
  expect(confirmingSecret()).toBe('m'.repeat(43))
  expect(session.get().token).toBeNull()
})

const LINK = { accountId: 'ABC12345', user: 'ada', issuer: 'https://issuer.example' }

test('the mailed link says what it connects, and signs in once it is confirmed', async () => {
  rememberConfirming(begunAs('n'))
  const app = renderApp(`/sso-confirm?token=${'k'.repeat(43)}`, {
    'sso.confirmationLink': () => LINK,
    'sso.confirm': () => ({ token: 'token-2', info: ADA }),
  })
  expect(await screen.findByText(/https:\/\/issuer\.example signs in as user ada/)).toBeTruthy()
  expect(app.server.callsOf('sso.confirm'), 'not by looking').toEqual([])
  await app.user.click(screen.getByRole('button', { name: 'Connect and sign in' }))
  await screen.findByRole('heading', { name: /Welcome/ })
  expect(app.server.callsOf('sso.confirm')).toEqual([{ token: 'k'.repeat(43), secret: 'n'.repeat(43) }])
  expect([session.get().token, confirmingSecret()]).toEqual(['token-2', null])
})

test('in another browser the mailed link confirms nothing, and says where to open it', async () => {
  const app = renderApp(`/sso-confirm?token=${'k'.repeat(43)}`, { 'sso.confirmationLink': () => LINK })
  expect(await screen.findByText(/Open this link in the browser where you started/)).toBeTruthy()
  expect(app.server.callsOf('sso.confirm')).toEqual([])
})

test('a signed-in user who returns from the issuer is connected, and led back to where they were', async () => {
  signedIn(ADA)
  rememberSso({ ...begunAs('p'), connects: true }, window)
  const app = renderApp('/sso-redirect?code=abc&state=def', { 'sso.finishConnect': () => ({}) })
  await screen.findByText('Single sign-on connected.')
  expect(app.server.callsOf('sso.finish')).toEqual([])
  await waitFor(() => expect(addressOf(app)).toBe('/local-1/ABC12345/home?from=mail'))
})
