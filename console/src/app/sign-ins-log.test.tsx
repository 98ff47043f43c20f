import { MESSAGES } from '@boathouse/contract/rules'
import type { SignIn } from '@boathouse/contract/audit'
import type { UserInfo } from '@boathouse/contract/user'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import '../features/security/sign-ins/sign-ins-tab.tsx'
import './pages/security-route.tsx'
import { refuse } from '../testing/stub-server.ts'
import type { StubHandlers } from '../testing/stub-server.ts'
import { ADA, renderApp, signedIn } from './testing/render-app.tsx'

const PAGE = '/local-1/ABC12345/admin/security?tab=sign-ins'
const GUARD: UserInfo = { ...ADA, creator: 'grace', activeRoles: ['security_admin'] }

const signIn = (signInId: number, more: Partial<SignIn> = {}): SignIn => ({
  signInId,
  at: '2026-03-01T09:00:00.000Z',
  lastAt: '2026-03-01T09:00:00.000Z',
  count: 1,
  user: 'grace',
  method: 'password',
  key: null,
  door: 'console',
  outcome: 'signedIn',
  clientIp: '10.0.0.7',
  privateEndpoint: null,
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
  ...more,
})

function openPage(over: StubHandlers = {}, user = GUARD) {
  signedIn(user)
  return renderApp(PAGE, {
    'user.info': () => user,
    'audit.signIns': () => ({ signIns: [signIn(1)], next: null }),
    ...over,
  })
}

test('without the role there is no log of sign-ins, and nothing is loaded', async () => {
  const app = openPage({}, { ...GUARD, activeRoles: ['user_admin'] })
  expect(await screen.findByText(MESSAGES.noPermission)).toBeTruthy()
  expect(app.server.callsOf('audit.signIns')).toEqual([])
})

test('a row shows time, user, how, address, client and outcome', async () => {
  openPage({
    'audit.signIns': () => ({
      signIns: [signIn(1), signIn(2, { user: null, outcome: 'unknownUser', count: 40, method: null })],
      next: null,
    }),
  })
  const table = await screen.findByRole('table', { name: 'Sign-ins' })
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['Time', 'User', 'Method', 'Address', 'Client', 'Outcome'])
  const [, first, second] = within(table).getAllByRole('row')
  for (const text of ['grace', 'Password', '10.0.0.7', 'Firefox on Linux', 'Signed in'])
    expect(first?.textContent).toContain(text)
  expect(second?.textContent).toContain('Unknown user')
  expect(second?.textContent).toContain('40 times')
})

test('the sign-in of a program says by which door it came', async () => {
  openPage({ 'audit.signIns': () => ({ signIns: [signIn(1, { door: 'mysql' })], next: null }) })
  expect(await screen.findByText('Password, MySQL')).toBeTruthy()
})

test('the list is narrowed to a user and shows more on demand; a filter without matches can be reset', async () => {
  const app = openPage({
    'audit.signIns': ({ user, after }) =>
      user === 'nobody'
        ? { signIns: [], next: null }
        : { signIns: [signIn(after ? 1 : 2, { user: after ? 'older' : 'newer' })], next: after ? null : 'x' },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Show more' }))
  expect(await screen.findByText('older')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('User'), 'nobody')
  expect(await screen.findByText('No sign-ins found')).toBeTruthy()
  expect(app.server.callsOf('audit.signIns').at(-1)).toMatchObject({ user: 'nobody' })
})

test('an empty log says so', async () => {
  openPage({ 'audit.signIns': () => ({ signIns: [], next: null }) })
  expect(await screen.findByText('No sign-ins yet')).toBeTruthy()
})

test('a log that cannot be read offers to try again', async () => {
  openPage({ 'audit.signIns': () => refuse('Unavailable', 'The database is away.') })
  expect(await screen.findByText(/The database is away/)).toBeTruthy()
  expect(screen.getByRole('button', { name: /try again|retry/i })).toBeTruthy()
})

test('a user who is refused later sees which role is missing', async () => {
  openPage({ 'audit.signIns': () => refuse('NoPermission', 'Activate the role security_admin.') })
  expect(await screen.findByText('Activate the role security_admin.')).toBeTruthy()
})

test('more of a list can be asked for once it is the list of what is typed', async () => {
  const app = openPage({
    'audit.signIns': ({ user = '' }) => ({
      signIns: [signIn(user === '' ? 1 : 2, { clientIp: user === '' ? '10.0.0.7' : '10.0.0.8' })],
      next: 'further',
    }),
  })
  const user = userEvent.setup()
  const more = () => screen.getByRole('button', { name: 'Show more' })
  await screen.findByText('10.0.0.7')
  expect(more().getAttribute('aria-disabled')).toBeNull()
  await user.type(screen.getByLabelText('User'), 'g')
  expect(more().getAttribute('aria-disabled')).toBe('true')
  await user.click(more())
  await screen.findByText('10.0.0.8')
  expect(more().getAttribute('aria-disabled')).toBeNull()
  expect(app.server.callsOf('audit.signIns').filter((asked) => 'after' in Object(asked))).toEqual([])
})
