import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { rememberSso } from '../features/sign-in/sso-memory.ts'
import { session } from '../lib/session.ts'
import { refuse } from '../testing/stub-server.ts'
import { ADA, addressOf, renderApp } from './testing/render-app.tsx'

beforeEach(() => window.sessionStorage.clear())

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

test('an issuer that does not answer is told in place', async () => {
  const app = renderApp('/login?step=signin&aid=ABC12345', {
    'sso.offer': () => ({ enabled: true }),
    'sso.begin': () => refuse('SsoFailed', 'Single sign-on failed.'),
  })
  await app.user.click(await screen.findByRole('button', { name: 'Sign in with single sign-on' }))
  expect(await screen.findByText('Single sign-on failed.')).toBeTruthy()
})

test('who comes back from the issuer is signed in, and led to the page first asked for [SIGNIN-18]', async () => {
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

test('who is refused is told why, with the way back to sign-in for the account', async () => {
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

test('an answer that nobody here asked for is not used', async () => {
  const app = renderApp('/sso-redirect?code=abc&state=def')
  expect(await screen.findByText(/begun in another browser/)).toBeTruthy()
  await waitFor(() => expect(app.server.callsOf('sso.finish')).toEqual([]))
})
