import { SHELL_STATES } from '@boathouse/contract/account-state'
import type { Call } from '@boathouse/contract/call'
import { perms } from '@boathouse/contract/perms'
import { MESSAGES } from '@boathouse/contract/rules'
import { schema } from '@boathouse/contract/schema'
import { user as userCalls } from '@boathouse/contract/user'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
// Loaded beforehand: the console loads them when they are needed, and the first time takes long.
import './pages/catalog-routes.tsx'
import './pages/home-route.tsx'
import './shell/shell-layout.tsx'
import { send } from '../lib/api.ts'
import { session } from '../lib/session.ts'
import { refuse } from '../testing/stub-server.ts'
import { accountDetails, ADA, addressOf, renderApp, signedIn } from './testing/render-app.tsx'

const HOME = '/local-1/ABC12345/home'
const welcome = () => screen.findByRole('heading', { name: 'Welcome, ada lovelace' })
const mainMenu = () => screen.getByRole('navigation', { name: 'Main menu' })

function openShell(...more: Parameters<typeof renderApp> | []) {
  signedIn()
  return renderApp(more[0] ?? HOME, more[1])
}

test('the start leads home, and the place is named in menu, breadcrumb and title [SHELL-02, SHELL-41]', async () => {
  const app = openShell('/')
  await welcome()
  expect(addressOf(app)).toBe(HOME)
  expect(document.title).toBe('Home · Boathouse')
  const menu = screen.getByRole('navigation', { name: 'Main menu' })
  expect(within(menu).getByRole('link', { current: 'page' }).textContent).toBe('Home')
  expect(within(screen.getByRole('navigation', { name: 'Breadcrumb' })).getByText('Home')).toBeTruthy()
})

test('the logo goes home [SHELL-56]', async () => {
  openShell()
  await welcome()
  expect(screen.getByRole('link', { name: 'Boathouse, go to home' }).getAttribute('href')).toBe(HOME)
})

test('the top bar leads to help that opens [SHELL-62]', async () => {
  const app = openShell()
  await welcome()
  await app.user.click(screen.getByRole('link', { name: /^Help/ }))
  expect(await screen.findByRole('heading', { name: 'Getting started', level: 1 })).toBeTruthy()
  expect(addressOf(app)).toBe('/local-1/ABC12345/guide')
  expect(document.title).toBe('Getting started · Boathouse')
})

test('another region in the address is corrected [SHELL-35]', async () => {
  const app = openShell('/mars-1/ABC12345/home')
  await welcome()
  expect(addressOf(app)).toBe(HOME)
})

test('a page of another account leads to sign-in for that account [SHELL-34]', async () => {
  const app = openShell('/local-1/XYZ00001/home')
  await screen.findByLabelText('User name')
  expect(addressOf(app)).toMatch(/^\/login\?step=signin&aid=XYZ00001&/)
  expect(session.get().token).toBe('token-0')
})

test('without a login, a page leads to sign-in [SHELL-33]', async () => {
  const app = renderApp(HOME)
  await screen.findByLabelText('User name')
  expect(addressOf(app)).toMatch(/^\/login\?/)
})

test.each(['/nowhere', '/local-1/ABC12345/nowhere', '/some/where/else', '/404'])(
  '%s shows the not-found page with a way home [SHELL-05, SHELL-84, SHELL-85]',
  async (address) => {
    const app = openShell(address)
    await screen.findByRole('heading', { name: 'OOPS!... 404 Not Found' })
    expect(addressOf(app)).toBe('/404')
    await app.user.click(screen.getByRole('link', { name: 'Back home' }))
    await welcome()
  },
)

test('/401 says what the user may do [SHELL-04, SHELL-82]', async () => {
  renderApp('/401')
  expect(await screen.findByText(MESSAGES.noPermission)).toBeTruthy()
})

test('/redirect leads on to the path behind it, inside the console only [SHELL-06]', async () => {
  const app = openShell('/redirect/local-1/ABC12345/home?a=1')
  await welcome()
  expect(addressOf(app)).toBe(`${HOME}?a=1`)
  await act(() => app.router.navigate({ href: '/redirect//evil.example/x' }))
  await screen.findByRole('heading', { name: 'OOPS!... 404 Not Found' })
})

test('the menu mode is chosen, kept, and applied at the next visit [SHELL-42, SHELL-43, SHELL-44, SHELL-46]', async () => {
  const app = openShell()
  await welcome()
  expect(mainMenu().style.width).toBe('194px')
  for (const mode of ['Collapse', 'Auto'] as const) {
    await app.user.click(screen.getByRole('button', { name: 'Menu width' }))
    await app.user.click(await screen.findByRole('menuitemradio', { name: mode }))
    await waitFor(() => expect(mainMenu().dataset['mode']).toBe(mode))
    expect(mainMenu().style.width).toBe('64px')
    expect(session.get().menuCollapseType).toBe(mode)
  }
  app.screen.unmount()
  openShell()
  await welcome()
  expect(mainMenu().dataset['mode']).toBe('Auto')
})

test('logout asks first, then forgets the login and leads to sign-in for the account [SHELL-68, CHANNEL-04, SIGNIN-07]', async () => {
  const app = openShell()
  await welcome()
  app.sockets.latest().accept()
  await app.user.click(screen.getByRole('button', { name: 'AL, User menu of ada lovelace' }))
  await app.user.click(await screen.findByRole('menuitem', { name: 'Log out' }))
  const dialog = await screen.findByRole('dialog', { name: 'Log out?' })
  expect(session.get().token).toBe('token-0')
  await app.user.click(within(dialog).getByRole('button', { name: 'Log out' }))
  await screen.findByLabelText('User name')
  expect(addressOf(app)).toBe('/login?step=signin&aid=ABC12345&region=local-1')
  expect(session.get()).toMatchObject({ token: null, user: null, account: 'ABC12345', region: 'local-1' })
  expect(app.server.callsOf('user.logout')).toHaveLength(1)
  expect(app.channel.status()).toBe('closed')
})

test('the channel opens after sign-in and its state is on the screen [CHANNEL-03]', async () => {
  const app = openShell()
  await welcome()
  expect(await screen.findByText('Connecting')).toBeTruthy()
  act(() => app.sockets.latest().accept())
  expect(await screen.findByText('Connected')).toBeTruthy()
  act(() => app.sockets.latest().drop())
  expect(await screen.findByText('Reconnecting')).toBeTruthy()
})

test('the account’s state and the user’s roles are loaded at once when the channel reports a change', async () => {
  let accountState: number = SHELL_STATES.Active
  const app = openShell(HOME, {
    'user.accountInfo': () => ({ region: 'local-1', accountId: 'ABC12345', accountState }),
    'user.info': () => ({ ...ADA, accountState, activeRoles: accountState === 3 ? [] : ADA.activeRoles }),
  })
  await welcome()
  act(() => app.sockets.latest().accept())
  await waitFor(() => expect(app.server.callsOf('user.accountInfo')).toHaveLength(1))
  accountState = SHELL_STATES.Frozen
  const tell = (seq: number, type: string) =>
    act(() => app.sockets.latest().deliver({ cmd: 3, seq, type, data: null }))
  tell(1, 'GlobalEventTypeAccountStateChanged')
  await waitFor(() => expect(session.get().user?.accountState).toBe(SHELL_STATES.Frozen))
  expect(app.server.callsOf('user.accountInfo')).toHaveLength(2)

  accountState = SHELL_STATES.Active
  tell(2, 'GlobalEventTypePermissionChanged')
  await waitFor(() => expect(session.get().user?.activeRoles).toEqual(ADA.activeRoles))
})

test('logging out in another window leads this one to sign-in', async () => {
  const app = openShell()
  await welcome()
  for (const name of ['token', 'user']) window.localStorage.removeItem(`boathouse.${name}`)
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'boathouse.token' })))
  await screen.findByLabelText('User name')
  expect(addressOf(app)).toMatch(/^\/login\?step=signin&aid=ABC12345/)
})

test('an account whose state falls below 0 is logged out [ACCOUNT-51]', async () => {
  const app = openShell(HOME, {
    'user.accountInfo': () => ({ region: 'local-1', accountId: 'ABC12345', accountState: -1 }),
  })
  expect(await screen.findByText('This account is closed, so you were logged out.')).toBeTruthy()
  await screen.findByLabelText('User name')
  expect(session.get().token).toBeNull()
  expect(addressOf(app)).toMatch(/^\/login/)
})

test('the user menu shows initials, account and active roles, read fresh from the service [SHELL-74]', async () => {
  const app = openShell(HOME, {
    'user.info': () => ({ ...ADA, activeRoles: ['security_admin'], accountState: SHELL_STATES.Active }),
  })
  await welcome()
  const button = screen.getByRole('button', { name: 'AL, User menu of ada lovelace' })
  expect(button.textContent).toBe('AL')
  await app.user.click(button)
  expect(await screen.findByText('security_admin')).toBeTruthy()
  expect(screen.getByText('Demo · ABC12345')).toBeTruthy()
})

test('a failed action is reported by a toast in the words of the service', async () => {
  const app = openShell(HOME, { 'editor.createTab': () => refuse('LimitReached', 'Too many queries.') })
  await welcome()
  await app.user.click(screen.getByRole('button', { name: /^Create query/ }))
  const toasts = screen.getByRole('region', { name: 'Notifications' })
  expect(await within(toasts).findByText('Too many queries.')).toBeTruthy()
})

test('a blocked address replaces every page, and any other answer brings it back [SHELL-94, SHELL-95, SHELL-96]', async () => {
  let blocked = true
  openShell(HOME, {
    'account.details': () => refuse('IpBlocked', 'IP 203.0.113.7 is blocked'),
    'schema.actions': () => refuse('IpBlocked', 'IP 203.0.113.7 is blocked'),
    'home.recent': () => refuse('IpBlocked', 'IP 203.0.113.7 is blocked'),
    'user.info': () => (blocked ? refuse('IpBlocked', 'IP 203.0.113.7 is blocked') : ADA),
    'user.accountInfo': () => refuse('IpBlocked', 'IP 203.0.113.7 is blocked'),
    'user.listUnreadMessages': () => refuse('IpBlocked', 'IP 203.0.113.7 is blocked'),
    'org.freeTrialContract': () => refuse('IpBlocked', 'IP 203.0.113.7 is blocked'),
  })
  await screen.findByRole('heading', { name: 'Your IP address is blocked' })
  expect(screen.getByText(/IP firewall .* 203\.0\.113\.7/)).toBeTruthy()
  expect(screen.getByText(/contact your account administrator/)).toBeTruthy()
  blocked = false
  await act(() => send(userCalls.info, {}))
  await welcome()
})

test('a failed call that fills a page becomes the error page, and Reload tries again [SHELL-86, API-26]', async () => {
  let down = true
  const app = openShell(HOME, {
    'account.details': () => (down ? refuse('Unavailable', 'The store is down.') : { ...accountDetails }),
  })
  await screen.findByRole('heading', { name: 'The request failed' })
  expect(screen.getByText('The store is down.')).toBeTruthy()
  expect(screen.getByRole('navigation', { name: 'Main menu' })).toBeTruthy()
  down = false
  await app.user.click(screen.getByRole('button', { name: 'Reload' }))
  await welcome()
  expect(await screen.findByText('Demo organisation')).toBeTruthy()
})

test('a page says timeout when the message does, and nothing of the message else [SHELL-87]', async () => {
  openShell(HOME, { 'account.details': () => refuse('Unavailable', 'Read timeout after 60 s') })
  expect(await screen.findByRole('heading', { name: 'timeout' })).toBeTruthy()
  expect(screen.getByText('request timed out')).toBeTruthy()
})

test('the failure of an earlier visit is not shown while the page asks again [SHELL-89]', async () => {
  let answer = (): void => undefined
  const answered = new Promise<void>((resolve) => (answer = resolve))
  let asked = 0
  const app = openShell(HOME, {
    'account.details': async () => {
      asked++
      if (asked === 1) return refuse('Unavailable', 'The store is down.')
      await answered
      return refuse('Unavailable', 'The store is still down.')
    },
  })
  await screen.findByRole('heading', { name: 'The request failed' })
  void app.router.navigate({ to: '/local-1/ABC12345/catalog' as never })
  await waitFor(() => expect(addressOf(app)).toBe('/local-1/ABC12345/catalog'))
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'The request failed' })).toBeNull())
  void app.router.navigate({ to: HOME as never })
  await welcome()
  await waitFor(() => expect(asked).toBeGreaterThan(1))
  expect(screen.queryByRole('heading', { name: 'The request failed' })).toBeNull()
  answer()
  await screen.findByRole('heading', { name: 'The request failed' })
  expect(screen.getByText('The store is still down.')).toBeTruthy()
})

const notices = () =>
  within(screen.getByRole('region', { name: 'Notifications' }))
    .queryAllByText(/./)
    .map(({ textContent }) => textContent)

const ask = (call: Call, input: unknown = {}) => act(() => send(call, input as never).catch(() => undefined))

test('a call that was stopped shows no toast, and one that failed shows one [API-21]', async () => {
  let stopped = true
  openShell(HOME, {
    'user.markMessageRead': () =>
      stopped ? refuse(40008, 'Stopped at your request.') : refuse('Unavailable', 'The store is down.'),
  })
  await welcome()
  const input = { messageId: '00000000-0000-4000-8000-0000000000aa' }
  await ask(userCalls.markMessageRead, input)
  expect(notices()).toEqual([])
  stopped = false
  await ask(userCalls.markMessageRead, input)
  expect(notices()).toContain('The store is down.')
})

test.each([
  ['perms.getDefaultRoles', perms.getDefaultRoles, {}],
  ['perms.getActiveRecursionRoles', perms.getActiveRecursionRoles, {}],
  ['schema.showWarehouse', schema.showWarehouse, { connId: 7 }],
] as const)(
  'a failure of %s shows nothing, whatever it is [ROLE-64, ROLE-65, CATALOG-49]',
  async (name, call, input) => {
    const answers = [
      () => refuse('Internal', 'The service failed.'),
      () => refuse('ConnectionLost', 'The connection was lost.'),
      () => Promise.reject(new TypeError('Failed to fetch')),
    ]
    let asked = 0
    const app = openShell(HOME, { [name]: () => answers[asked++ % answers.length]?.() })
    await welcome()
    for (const _ of answers) await ask(call, input)
    expect(app.server.callsOf(name)).toHaveLength(answers.length)
    expect(notices()).toEqual([])
    expect(screen.queryByRole('alert')).toBeNull()
  },
)

test('a copied text is reported by Copy succeeded, one that the browser refuses by Copy failed [SHELL-98]', async () => {
  const app = openShell()
  await welcome()
  const copied: string[] = []
  const write = vi.spyOn(navigator.clipboard, 'writeText')
  onTestFinished(() => write.mockRestore())
  write.mockImplementationOnce(async (text) => void copied.push(text))
  const button = await screen.findByRole('button', { name: 'Copy account ID' })
  await app.user.click(button)
  await waitFor(() => expect(notices()).toContain('Copy succeeded'))
  expect(copied).toEqual(['ABC12345'])
  write.mockRejectedValueOnce(new Error('not allowed'))
  await app.user.click(button)
  await waitFor(() => expect(notices()).toContain('Copy failed'))
})
