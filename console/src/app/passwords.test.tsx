import { decodePassword, encodePassword } from '@boathouse/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { session } from '../lib/session.ts'
import { refuse } from '../testing/stub-server.ts'
import { addressOf, renderApp, signedIn } from './testing/render-app.tsx'

const TOKEN = 'x'.repeat(43)
const PLACE = { accountId: 'ABC12345', region: 'local-1', user: 'ada' }

const field = (label: string) => screen.findByLabelText(label)

test('a user who forgot the password requests a link on the sign-in page, and is asked to check the mailbox', async () => {
  const app = renderApp('/login?step=signin&aid=ABC12345', { 'user.requestPasswordReset': () => ({}) })
  expect((await screen.findByRole('link', { name: 'Forgot password?' })).getAttribute('href')).toBe(
    '/reset-password?aid=ABC12345',
  )
  await app.router.navigate({ href: '/reset-password?aid=ABC12345' })
  await app.user.type(await field('Email'), 'Ada@Example.com{Enter}')
  await screen.findByRole('heading', { name: 'Check your mailbox' })
  expect(app.server.callsOf('user.requestPasswordReset')).toEqual([
    { accountId: 'ABC12345', email: 'ada@example.com' },
  ])
})

test('a mailed link asks for the address and a new password, then leads to sign-in [SIGNIN-17]', async () => {
  const app = renderApp(`/reset-password?token=${TOKEN}`, {
    'user.passwordResetLink': () => PLACE,
    'user.resetPassword': () => PLACE,
  })
  await app.user.type(await field('Email'), 'ada@example.com')
  await app.user.type(await field('New password'), 'Sculling_7')
  await app.user.type(await field('Confirm password'), 'Sculling_7{Enter}')
  await screen.findByRole('heading', { name: 'Password changed' })
  const [sent] = app.server.callsOf('user.resetPassword') as [{ token: string; password: string }]
  expect(sent.token).toBe(TOKEN)
  expect(decodePassword(sent.password)).toBe('Sculling_7')
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe(
    `/login?step=signin&aid=ABC12345&region=local-1&user=${PLACE.user}`,
  )
})

test.each([
  ['nothing', '', '', 'Enter the password'],
  [
    'a weak password',
    'rowing',
    'rowing',
    'Use 8 to 16 characters with a letter, a digit and one of !@#$%^&*_',
  ],
  ['two passwords', 'Sculling_7', 'Sculling_8', 'Please enter a consistent password'],
])(
  '%s is refused in place, before the service is asked [SIGNIN-28, SIGNIN-29, SIGNIN-32]',
  async (_, one, two, message) => {
    const app = renderApp(`/setup-password?token=${TOKEN}`, {
      'user.invitationLink': () => ({ ...PLACE, accountName: 'Demo', email: 'ada@example.com' }),
    })
    await screen.findByRole('heading', { name: 'Welcome to Demo' })
    if (one) await app.user.type(await field('Password'), one)
    if (two) await app.user.type(await field('Confirm password'), two)
    await app.user.click(screen.getByRole('button', { name: 'Set password' }))
    expect(await screen.findByText(message)).toBeTruthy()
    expect(app.server.callsOf('user.setUpPassword')).toEqual([])
  },
)

test('the form says which parts of the rule are met while one types', async () => {
  const app = renderApp(`/setup-password?token=${TOKEN}`, {
    'user.invitationLink': () => ({ ...PLACE, accountName: 'Demo', email: 'ada@example.com' }),
  })
  await app.user.type(await field('Password'), 'oar1')
  const parts = screen.getAllByRole('listitem').map((item) => item.textContent)
  expect(parts).toEqual(['8 to 16 charactersnot met', 'A lettermet', 'A digitmet', 'One of !@#$%^&*_not met'])
})

test('where the page says that the rule is off, any password is sent and no parts are listed [SIGNIN-26]', async () => {
  const meta = document.createElement('meta')
  meta.name = 'boathouse-password-rule'
  meta.content = 'off'
  document.head.append(meta)
  onTestFinished(() => meta.remove())
  const app = renderApp(`/setup-password?token=${TOKEN}`, {
    'user.invitationLink': () => ({ ...PLACE, accountName: 'Demo', email: 'ada@example.com' }),
    'user.setUpPassword': () => PLACE,
  })
  await app.user.type(await field('Password'), 'oar')
  expect(screen.queryAllByRole('listitem')).toEqual([])
  await app.user.type(await field('Confirm password'), 'oar{Enter}')
  expect(await screen.findByRole('heading', { name: 'Password set' })).toBeTruthy()
  expect(app.server.callsOf('user.setUpPassword')).toMatchObject([{ password: encodePassword('oar') }])
})

test('an invitation is accepted by choosing a password [SIGNIN-16]', async () => {
  const app = renderApp(`/setup-password?token=${TOKEN}`, {
    'user.invitationLink': () => ({ ...PLACE, accountName: 'Demo', email: 'ada@example.com' }),
    'user.setUpPassword': () => PLACE,
  })
  await app.user.type(await field('Password'), 'Sculling_7')
  await app.user.type(await field('Confirm password'), 'Sculling_7{Enter}')
  expect(await screen.findByRole('heading', { name: 'Password set' })).toBeTruthy()
  const href = screen.getByRole('link', { name: 'Sign in' }).getAttribute('href') ?? ''
  await app.router.navigate({ href })
  expect((await screen.findByLabelText<HTMLInputElement>('User name')).value).toBe(PLACE.user)
})

test('a link that is not good says why, and where to get another', async () => {
  renderApp(`/reset-password?token=${TOKEN}`, {
    'user.passwordResetLink': () => refuse('LinkUnusable', 'This link was used before.'),
  })
  await screen.findByRole('heading', { name: 'This link cannot be used' })
  expect(screen.getByText('This link was used before.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Send another link' }).getAttribute('href')).toBe('/reset-password')
})

test('a failed reset says to retry the whole process; another address is refused in place [SIGNIN-54, SIGNIN-55]', async () => {
  const answers = [
    refuse('EmailDiffers', 'This is not the email of the original account.'),
    refuse('LinkUnusable', 'expired'),
  ]
  const app = renderApp(`/reset-password?token=${TOKEN}`, {
    'user.passwordResetLink': () => PLACE,
    'user.resetPassword': () => answers.shift() ?? PLACE,
  })
  await app.user.type(await field('Email'), 'eve@example.com')
  await app.user.type(await field('New password'), 'Sculling_7')
  await app.user.type(await field('Confirm password'), 'Sculling_7{Enter}')
  expect(await screen.findByText('This is not the email of the original account.')).toBeTruthy()
  expect(await field('Email')).toHaveProperty('value', 'eve@example.com')
  await app.user.click(screen.getByRole('button', { name: 'Set new password' }))
  expect(await screen.findByText(/Please retry the whole process/)).toBeTruthy()
})

async function openSettings(handlers = {}) {
  signedIn()
  const app = renderApp('/local-1/ABC12345/home', handlers)
  await app.user.click(await screen.findByRole('button', { name: /User menu/ }))
  await app.user.click(await screen.findByRole('menuitem', { name: 'Profile' }))
  return { app, dialog: within(await screen.findByRole('dialog')) }
}

test('a changed password shows a success message and leads to sign-in for the account [SIGNIN-33, SIGNIN-34]', async () => {
  const { app, dialog } = await openSettings({ 'user.changePassword': () => ({}) })
  await app.user.type(await dialog.findByLabelText('Current password'), 'Rowing_2026')
  await app.user.type(dialog.getByLabelText('New password'), 'Sculling_7')
  await app.user.type(dialog.getByLabelText('Confirm password'), 'Sculling_7')
  await app.user.click(dialog.getByRole('button', { name: 'Change password' }))
  expect(await screen.findByText('Password changed. Sign in with the new one.')).toBeTruthy()
  await waitFor(() => expect(addressOf(app)).toBe('/login?step=signin&aid=ABC12345&region=local-1'))
  expect(session.get().token).toBeNull()
  const [sent] = app.server.callsOf('user.changePassword') as [{ username: string; password: string }]
  expect(sent.username).toBe('ada lovelace')
  expect(decodePassword(sent.password)).toBe('Sculling_7')
})

const login = (id: string, isCurrent: boolean) => ({
  loginId: id.repeat(64),
  method: 'password' as const,
  createdAt: '2026-03-01T09:00:00Z',
  lastUsedAt: '2026-03-01T10:00:00Z',
  expiresAt: '2026-03-08T09:00:00Z',
  clientIp: '192.0.2.7',
  privateEndpoint: null,
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  isCurrent,
})

test('logins are listed, and another one is ended', async () => {
  let logins = [login('a', true), login('b', false)]
  const { app, dialog } = await openSettings({
    'user.listLogins': () => ({ logins }),
    'user.endLogin': () => {
      logins = [login('a', true)]
      return {}
    },
  })
  await app.user.click(await dialog.findByRole('button', { name: 'Log out: Firefox on Linux, 192.0.2.7' }))
  const list = within(dialog.getByRole('list', { name: 'Where you are signed in' }))
  await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(1))
  expect(app.server.callsOf('user.endLogin')).toEqual([{ loginId: 'b'.repeat(64) }])
})
