import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { callEvents } from '../lib/api.ts'
import { session } from '../lib/session.ts'
import { refuse } from '../testing/stub-server.ts'
import { ADA, addressOf, renderApp, type RenderedApp, ROOT_ACCOUNT, signedIn } from './testing/render-app.tsx'

const HOME = '/local-1/ABC12345/home'
const heading = (name: string | RegExp) => screen.findByRole('heading', { name })
const alert = () => screen.findByRole('dialog', { name: 'Login timed out' })
const noAlert = () =>
  waitFor(() => expect(screen.queryByRole('dialog', { name: 'Login timed out' })).toBeNull())
const timeOut = () => act(() => callEvents.emit({ type: 'relogin' }))

/** Values that another window of this browser has written, one event each. */
function otherWindowWrites(values: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(values)) {
    const key = `boathouse.${name}`
    if (value === null) window.localStorage.removeItem(key)
    else window.localStorage.setItem(key, JSON.stringify(value))
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key })))
  }
}

async function askToSignIn({ user }: RenderedApp): Promise<HTMLElement> {
  const dialog = await alert()
  await user.click(within(dialog).getByRole('button', { name: 'Sign in' }))
  await within(dialog).findByLabelText('User name')
  return dialog
}

/** Somebody who may open accounts, with half of a form filled in. */
async function openHalfFilled(handlers: Parameters<typeof renderApp>[1] = {}) {
  const info = { ...ADA, isOrgAdmin: true, activeRoles: ['org_admin'] }
  signedIn(info)
  const app = renderApp('/local-1/ABC12345/admin/account', {
    'user.info': () => session.get().user ?? info,
    'user.login': () => ({ token: 'token-1', info }),
    'org.listAccount': () => ({ accounts: [ROOT_ACCOUNT] }),
    ...handlers,
  })
  await app.user.click(await screen.findByRole('button', { name: 'Create account' }))
  await app.user.type(await screen.findByLabelText('Account name'), 'Harbour')
  return app
}
const accountName = () => screen.getByLabelText('Account name')

test('a login that has timed out is reported in the exact words, and forgotten when the user continues [SIGNIN-44, SIGNIN-45, SIGNIN-46]', async () => {
  signedIn()
  const app = renderApp(HOME)
  await heading(/Welcome/)
  timeOut()
  const dialog = await alert()
  expect(within(dialog).getByText('Your login to the product has timed out. Please try again.')).toBeTruthy()
  expect(session.get().token).toBe('token-0')
  await askToSignIn(app)
  expect(session.get().token).toBeNull()
  expect(window.localStorage.getItem('boathouse.token')).toBeNull()
})

test('a call that answers 40001 brings the alert about', async () => {
  signedIn()
  renderApp(HOME, { 'user.accountInfo': () => refuse('LoginRequired', 'login again') })
  expect(await alert()).toBeTruthy()
})

test('users sign in to the same account over the page, which is unchanged, with its open dialogs [SIGNIN-47]', async () => {
  const app = await openHalfFilled()
  timeOut()
  const dialog = await askToSignIn(app)
  expect(within(dialog).getByText('ABC12345')).toBeTruthy()
  expect(within(dialog).getByLabelText('User name')).toHaveProperty('value', 'ada lovelace')
  expect(document.activeElement).toBe(within(dialog).getByLabelText('Password'))
  await app.user.keyboard('{Escape}')
  await app.user.keyboard('Secret_1é{Enter}')
  await noAlert()
  expect(session.get().token).toBe('token-1')
  expect(accountName()).toHaveProperty('value', 'Harbour')
  expect(addressOf(app)).toMatch(/^\/local-1\/ABC12345\/admin\/account/)
})

test('what failed in between is loaded again with the new login, and the channel opens with it', async () => {
  signedIn()
  const app = renderApp(HOME, {
    'account.details': () => refuse('LoginRequired', 'login again'),
  })
  const dialog = await askToSignIn(app)
  const channels = () => app.sockets.all.length
  const before = channels()
  const asked = () => app.server.calls.filter(({ name }) => name === 'account.details')
  const askedBefore = asked().length
  await app.user.type(within(dialog).getByLabelText('Password'), 'Secret_1é{Enter}')
  await waitFor(() => expect(asked().length).toBeGreaterThan(askedBefore))
  expect(asked().at(-1)?.headers.get('token')).toBe('token-1')
  expect(channels()).toBe(before + 1)
})

test('a wrong password is reported in the dialog, and nothing is lost', async () => {
  const app = await openHalfFilled({ 'user.login': () => refuse('LoginFailed', 'wrong') })
  timeOut()
  const dialog = await askToSignIn(app)
  await app.user.type(within(dialog).getByLabelText('Password'), 'Wrong_1x{Enter}')
  expect(await within(dialog).findByText('Login failed: Invalid account or password.')).toBeTruthy()
  expect(accountName()).toHaveProperty('value', 'Harbour')
})

test('somebody else who signs in finds the page, and nothing of the other’s work', async () => {
  const grace = { ...ADA, user: 'grace', isOrgAdmin: true, activeRoles: ['org_admin'] }
  const app = await openHalfFilled({ 'user.login': () => ({ token: 'token-1', info: grace }) })
  timeOut()
  const dialog = await askToSignIn(app)
  await app.user.clear(within(dialog).getByLabelText('User name'))
  await app.user.type(within(dialog).getByLabelText('User name'), 'grace')
  await app.user.type(within(dialog).getByLabelText('Password'), 'Secret_1é{Enter}')
  await waitFor(() => expect(session.get().user?.user).toBe('grace'))
  await waitFor(() => expect(screen.queryByLabelText('Account name')).toBeNull())
  await heading('Org & Account')
})

test('another account leaves the page for the choice of one, and leads back to it', async () => {
  signedIn()
  const app = renderApp(HOME)
  await heading(/Welcome/)
  timeOut()
  const dialog = await askToSignIn(app)
  await app.user.click(within(dialog).getByRole('button', { name: 'Use another account' }))
  await screen.findByLabelText('Account ID')
  expect(session.get()).toMatchObject({ token: null, user: null })
  expect(addressOf(app)).toBe(`/login?step=account&next=${encodeURIComponent(HOME)}`)
})

test('it leads to the choice of an account when none is known [SIGNIN-48]', async () => {
  signedIn()
  const app = renderApp(HOME)
  await heading(/Welcome/)
  window.localStorage.removeItem('boathouse.account')
  act(() => session.reload())
  timeOut()
  await app.user.click(within(await alert()).getByRole('button', { name: 'Sign in' }))
  await screen.findByLabelText('Account ID')
  expect(addressOf(app)).toMatch(/^\/login\?step=account/)
})

test('a user who signs in again in another window continues in this one', async () => {
  const app = await openHalfFilled()
  otherWindowWrites({ token: null })
  const dialog = await alert()
  await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByLabelText('Password')))
  otherWindowWrites({ user: session.get().user, token: 'token-2' })
  await noAlert()
  expect(accountName()).toHaveProperty('value', 'Harbour')
  expect(addressOf(app)).toMatch(/admin\/account/)
})

test('who logs out in another window, while this one waits, has left this one too', async () => {
  const app = await openHalfFilled()
  otherWindowWrites({ token: null })
  await alert()
  otherWindowWrites({ user: null })
  await heading('Sign in')
  expect(addressOf(app)).toMatch(/^\/login\?step=signin&aid=ABC12345/)
})

test('single sign-on starts in a window of its own', async () => {
  const opened = {
    sessionStorage: { setItem: vi.fn<(key: string, value: string) => void>() },
    location: { assign: vi.fn<(address: string) => void>() },
  }
  const open = vi.spyOn(window, 'open').mockReturnValueOnce(null)
  const app = await openHalfFilled({
    'sso.offer': () => ({ enabled: true }),
    'sso.begin': () => ({ address: 'https://issuer.example/auth', secret: 's'.repeat(43) }),
  })
  timeOut()
  const dialog = await askToSignIn(app)
  const button = await within(dialog).findByRole('button', { name: 'Sign in with single sign-on' })
  await app.user.click(button)
  expect(await within(dialog).findByText(/blocked the sign-in window/)).toBeTruthy()
  open.mockReturnValueOnce(opened as unknown as Window)
  await app.user.click(button)
  await waitFor(() => expect(opened.location.assign).toHaveBeenCalledWith('https://issuer.example/auth'))
  expect(opened.sessionStorage.setItem.mock.lastCall?.[1]).toContain('"closes":true')
  expect(accountName()).toHaveProperty('value', 'Harbour')
})
