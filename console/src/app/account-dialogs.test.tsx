import { SHELL_STATES } from '@boathouse/contract/account-state'
import type { Trial } from '@boathouse/contract/org'
import { region } from '@boathouse/contract/region'
import { MESSAGES } from '@boathouse/contract/rules'
import type { UserInfo } from '@boathouse/contract/user'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
// Loaded beforehand: the console loads them when they are needed, and the first time takes long.
import './pages/home-route.tsx'
import './shell/account/account-dialogs.tsx'
import './shell/account/trial-left.tsx'
import './shell/shell-layout.tsx'
import { send } from '../lib/api.ts'
import { session } from '../lib/session.ts'
import { refuse, type StubHandlers } from '../testing/stub-server.ts'
import { ADA, addressOf, renderApp, signedIn, accountDetails } from './testing/render-app.tsx'

const HOME = '/local-1/ABC12345/home'
const TRIAL: Trial = {
  startedAt: '2026-01-01T10:00:00Z',
  endsAt: '2026-01-31T10:00:00Z',
  days: 30,
  daysLeft: 30,
  usd: 500,
  hasEnded: false,
  dataKeptUntil: null,
}

beforeEach(() => session.end())

/** A service whose account is in a state that the test moves. */
function open(first: number, over: StubHandlers = {}, who: Partial<UserInfo> = {}) {
  const state = { now: first }
  const info = (): UserInfo => ({ ...ADA, ...who, accountState: state.now })
  signedIn(info())
  const app = renderApp(HOME, {
    'user.info': info,
    'user.accountInfo': () => ({ region: 'local-1', accountId: 'ABC12345', accountState: state.now }),
    ...over,
  })
  const pass = (ms: number) => act(async () => app.clock.advance(ms))
  return { ...app, state, pass, app }
}

test('a resuming account shows a dialog that cannot be closed; back at 2 the page is rendered again [ACCOUNT-70, ACCOUNT-71, ACCOUNT-72]', async () => {
  const { state, pass, server } = open(SHELL_STATES.Resuming)
  const dialog = await screen.findByRole('dialog', { name: 'Resuming account' })
  expect(within(dialog).getByText(/about 3 minutes/)).toBeTruthy()
  expect(within(dialog).queryByRole('button')).toBeNull()
  await waitFor(() => expect(server.callsOf('account.details').length).toBe(1))
  const before = document.querySelector('#main')
  state.now = SHELL_STATES.Active
  await pass(3_000)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(server.callsOf('account.details').length).toBe(2))
  expect(document.querySelector('#main')).not.toBe(before)
  expect(session.get().user?.accountState).toBe(SHELL_STATES.Active)
})

test('the page is rendered again in the moment the dialog closes, and not once more when the poll knows', async () => {
  const asked = { state: SHELL_STATES.Frozen as number }
  const { state, pass, server } = open(SHELL_STATES.Frozen, {
    'user.accountInfo': () => ({ region: 'local-1', accountId: 'ABC12345', accountState: asked.state }),
  })
  await screen.findByRole('dialog', { name: 'Account frozen' })
  await waitFor(() => expect(server.callsOf('user.accountInfo').length).toBeGreaterThan(0))
  const before = document.querySelector('#main')
  // Between the two questions it has been resumed.
  asked.state = SHELL_STATES.Resuming
  state.now = SHELL_STATES.Active
  await pass(60_000)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const after = document.querySelector('#main')
  expect(after).not.toBe(before)
  asked.state = SHELL_STATES.Active
  const polls = server.callsOf('user.accountInfo').length
  await pass(60_000)
  await waitFor(() => expect(server.callsOf('user.accountInfo').length).toBeGreaterThan(polls))
  await waitFor(() => expect(server.callsOf('account.details').length).toBe(2))
  expect(document.querySelector('#main')).toBe(after)
})

test('a frozen account shows the freezing dialog with a logout button and nothing else [ACCOUNT-73, ACCOUNT-87]', async () => {
  const ended = { ...TRIAL, daysLeft: 0, hasEnded: true, dataKeptUntil: '2026-02-15T10:00:00Z' }
  const { app } = open(SHELL_STATES.FrozenForDeletion, {
    'org.freeTrialContract': () => ({ trial: ended }),
  })
  const dialog = await screen.findByRole('dialog', { name: 'Account frozen' })
  expect(await within(dialog).findByText(/free trial has ended/)).toBeTruthy()
  expect(within(dialog).getByText(/keep the data until 2026-02-15/)).toBeTruthy()
  expect(within(dialog).getAllByRole('button')).toHaveLength(1)
  await app.user.keyboard('{Escape}')
  expect(screen.getByRole('dialog', { name: 'Account frozen' })).toBeTruthy()
  await app.user.click(within(dialog).getByRole('button', { name: 'Log out' }))
  await screen.findByLabelText('User name')
  expect(addressOf(app)).toMatch(/^\/login/)
})

const OWNER = { isOrgAdmin: true, source: 1, orgIdentity: 1 }
const PAID_BY_CARD = {
  orgId: '00000000-0000-4000-8000-0000000000aa',
  name: 'Demo',
  orgAccountId: 'ABC12345',
  createdAt: '2026-01-01T10:00:00Z',
  accounts: 1,
  source: 1,
  orgIdentity: 1,
  paymentEnabled: true,
  freezeReason: 'trial ended' as const,
}

test.each([
  ['of a marketplace', { source: 2 }],
  ['for who is no administrator of the organisation', { isOrgAdmin: false }],
  ['of an organisation that pays by contract', { orgIdentity: 3 }],
])(
  'where cards are bound, a frozen account %s shows the freezing dialog, not the card [ACCOUNT-74, ACCOUNT-75, ACCOUNT-76]',
  async (_, who) => {
    const asked = { ...OWNER, ...who }
    const { source, orgIdentity } = asked
    const { server } = open(
      SHELL_STATES.Frozen,
      {
        'org.detail': () => ({ ...PAID_BY_CARD, source, orgIdentity }),
        'org.freeTrialContract': () => ({ trial: { ...TRIAL, daysLeft: 0, hasEnded: true } }),
      },
      asked,
    )
    // Until it is known whether cards can be bound, everyone sees this dialog; a form for a card would be in it now.
    await waitFor(() => expect(server.callsOf('org.detail')).toHaveLength(1))
    const dialog = within(await screen.findByRole('dialog', { name: 'Account frozen' }))
    expect(await dialog.findByText(/free trial has ended/)).toBeTruthy()
    expect(dialog.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Log out'])
    expect(server.callsOf('payment.getCustomer')).toEqual([])
  },
)

test('in a frozen sub-account everyone reads whom to contact [ACCOUNT-79]', async () => {
  open(SHELL_STATES.Frozen, {
    'org.detail': () => ({
      orgId: '00000000-0000-4000-8000-0000000000aa',
      name: 'Demo',
      orgAccountId: 'ROO00001',
      createdAt: '2026-01-01T10:00:00Z',
      accounts: 2,
      source: 1,
      orgIdentity: 1,
      paymentEnabled: true,
      freezeReason: null,
    }),
  })
  expect(await screen.findByText(MESSAGES.accountFrozen)).toBeTruthy()
})

test('an account that is frozen while somebody works is noticed at the next poll; then it is polled every 3 s [SHELL-78, SHELL-79]', async () => {
  const { state, pass, server } = open(SHELL_STATES.Active)
  await screen.findByRole('heading', { name: /ada lovelace/ })
  state.now = SHELL_STATES.Frozen
  await pass(60_000)
  expect(await screen.findByRole('dialog', { name: 'Account frozen' })).toBeTruthy()
  const asked = server.callsOf('user.accountInfo').length
  await pass(3_000)
  await waitFor(() => expect(server.callsOf('user.accountInfo').length).toBe(asked + 1))
})

test('the channel reports every change at once, also the one back', async () => {
  const { state, app } = open(SHELL_STATES.Active)
  await screen.findByRole('heading', { name: /ada lovelace/ })
  act(() => app.sockets.latest().accept())
  const type = 'GlobalEventTypeAccountStateChanged'
  const become = (now: number, seq: number) => {
    state.now = now
    act(() => app.sockets.latest().deliver({ cmd: 3, seq, type, data: null }))
  }
  become(SHELL_STATES.Frozen, 1)
  expect(await screen.findByRole('dialog', { name: 'Account frozen' })).toBeTruthy()
  become(SHELL_STATES.Resuming, 2)
  expect(await screen.findByRole('dialog', { name: 'Resuming account' })).toBeTruthy()
  become(SHELL_STATES.Active, 3)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('the start of the trial is shown once: confirming marks it read and asks for the unread again [ACCOUNT-89, ACCOUNT-90, ACCOUNT-91]', async () => {
  const message = {
    messageId: '11111111-2222-4333-8444-555555555555',
    type: 1,
    about: '',
    read: false,
    createdAt: '2026-01-01T10:00:00Z',
  }
  let messages = [message]
  const { app, server } = open(SHELL_STATES.Active, {
    'org.freeTrialContract': () => ({ trial: TRIAL }),
    'user.listUnreadMessages': () => ({ messages }),
    'user.markMessageRead': () => {
      messages = []
      return {}
    },
  })
  const dialog = await screen.findByRole('dialog', { name: 'Your free trial has started' })
  expect(await within(dialog).findByText(/30 days and 500 USD/)).toBeTruthy()
  await app.user.click(within(dialog).getByRole('button', { name: 'Start' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.callsOf('user.markMessageRead')).toEqual([{ messageId: message.messageId }])
  expect(server.callsOf('user.listUnreadMessages').length).toBeGreaterThan(1)
})

test('unread messages are loaded with every poll [SHELL-80]', async () => {
  const { pass, server } = open(SHELL_STATES.Active)
  await waitFor(() => expect(server.callsOf('user.listUnreadMessages').length).toBeGreaterThan(0))
  const asked = server.callsOf('user.listUnreadMessages').length
  await pass(60_000)
  await waitFor(() => expect(server.callsOf('user.listUnreadMessages').length).toBe(asked + 1))
})

const FAILURES: readonly [string, () => ReturnType<typeof refuse> | Promise<never>][] = [
  ['the network', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['the service', () => refuse('Internal', 'The service failed.')],
]

test.each(FAILURES)(
  'failed questions about account, trial, organisation, regions and messages disturb nobody: %s [ACCOUNT-94]',
  async (_, broken) => {
    const { app, server, pass } = open(SHELL_STATES.Active, {
      'org.freeTrialContract': broken,
      'org.detail': broken,
      'region.list': broken,
      'user.accountInfo': broken,
      'user.listUnreadMessages': broken,
    })
    expect(await screen.findByText(accountDetails.organisation)).toBeTruthy()
    await pass(60_000)
    await waitFor(() => expect(server.callsOf('user.accountInfo').length).toBeGreaterThan(0))
    await waitFor(() => expect(server.callsOf('org.freeTrialContract').length).toBeGreaterThan(0))
    await act(() => send(region.list, {}).catch(() => undefined))
    expect(addressOf(app)).toBe(HOME)
    expect(screen.queryByRole('alert')).toBeNull()
    expect(within(screen.getByRole('region', { name: 'Notifications' })).queryByRole('status')).toBeNull()
  },
)
