import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
// Loaded beforehand: the console loads it when it is needed, and the first time takes long.
import './shell/user-dialogs.tsx'
import { session } from '../lib/session.ts'
import { refuse, type StubHandlers } from '../testing/stub-server.ts'
import { ADA, renderApp, signedIn } from './testing/render-app.tsx'

const HOME = '/local-1/ABC12345/home'
const held = (role: string, active: boolean) => ({
  role,
  isBuiltIn: role.endsWith('_admin'),
  active,
  grantedAt: '2026-01-01T00:00:00Z',
})

async function openMenu(handlers: StubHandlers = {}) {
  signedIn()
  const app = renderApp(HOME, handlers)
  await app.user.click(await screen.findByRole('button', { name: /User menu/ }))
  return app
}

async function openEntry(entry: string, handlers: StubHandlers = {}) {
  const app = await openMenu(handlers)
  await app.user.click(await screen.findByRole('menuitem', { name: entry }))
  return { app, dialog: within(await screen.findByRole('dialog', { name: 'User settings' })) }
}

test('the user menu has profile, roles, switch account and logout [SHELL-64]', async () => {
  await openMenu()
  const entries = await screen.findAllByRole('menuitem')
  expect(entries.map(({ textContent }) => textContent)).toEqual([
    'Profile',
    'Roles',
    'Switch account',
    'Log out',
  ])
})

test('the dialog has two tabs; the first shows name, email and change password [SHELL-70, SHELL-71]', async () => {
  const { dialog } = await openEntry('Profile')
  expect((await dialog.findAllByRole('tab')).map(({ textContent }) => textContent)).toEqual([
    'Overview',
    'Roles',
  ])
  expect(dialog.getByText('ada lovelace')).toBeTruthy()
  expect(dialog.getByText('ada@example.com')).toBeTruthy()
  expect(dialog.getByLabelText('Current password')).toBeTruthy()
  expect(dialog.getByRole('heading', { name: 'Where you are signed in' })).toBeTruthy()
})

test('the email is shown to the creator of the account alone [SHELL-72]', async () => {
  const { dialog } = await openEntry('Profile', { 'user.info': () => ({ ...ADA, creator: 'grace' }) })
  await waitFor(() => expect(session.get().user?.creator).toBe('grace'))
  expect(await dialog.findByText('ada lovelace')).toBeTruthy()
  await waitFor(() => expect(dialog.queryByText('ada@example.com')).toBeNull())
})

test('roles are toggled, and saved only when they differ [ROLE-21, ROLE-22, ROLE-23, ROLE-24, ROLE-63, SHELL-73]', async () => {
  let crewIsActive = false
  const { app, dialog } = await openEntry('Roles', {
    'user.info': () => ({ ...ADA, activeRoles: crewIsActive ? ['crew', 'public'] : ADA.activeRoles }),
    'perms.allRoles': () => ({
      allRoles: ['crew', 'db_admin', 'public', 'readers'],
      directRoles: [held('crew', crewIsActive), held('db_admin', !crewIsActive)],
    }),
    'perms.setRoles': ({ roles }) => {
      crewIsActive = roles.includes('crew')
      return { roles }
    },
  })
  expect(await dialog.findByText('1 of 2 roles activated')).toBeTruthy()
  expect(
    dialog.getByText(
      /A newly activated role takes effect after a new JDBC connection or after logging in again\./,
    ),
  ).toBeTruthy()
  const save = dialog.getByRole('button', { name: 'Save' })
  expect(save).toHaveProperty('disabled', true)
  await app.user.click(dialog.getByRole('switch', { name: 'crew' }))
  expect(dialog.getByText('2 of 2 roles activated')).toBeTruthy()
  expect(save).toHaveProperty('disabled', false)
  await app.user.click(dialog.getByRole('switch', { name: 'crew' }))
  expect(save).toHaveProperty('disabled', true)
  await app.user.click(dialog.getByRole('switch', { name: 'crew' }))
  await app.user.click(dialog.getByRole('switch', { name: 'db_admin' }))
  await app.user.click(save)
  await waitFor(() => expect(session.get().user?.activeRoles).toEqual(['crew', 'public']))
  expect(app.server.callsOf('perms.setRoles')).toEqual([{ roles: ['crew'] }])
  expect(await dialog.findByText('1 of 2 roles activated')).toBeTruthy()
  expect(dialog.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
})

test('a refusal is shown in place, and the choice stays', async () => {
  const { app, dialog } = await openEntry('Roles', {
    'perms.allRoles': () => ({ allRoles: ['crew', 'public'], directRoles: [held('crew', true)] }),
    'perms.setRoles': () => refuse('NotFound', 'You no longer have the role crew.'),
  })
  await app.user.click(await dialog.findByRole('switch', { name: 'crew' }))
  await app.user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByText('You no longer have the role crew.')).toBeTruthy()
  expect(dialog.getByRole('switch', { name: 'crew' })).toHaveProperty('checked', false)
})

test('without roles it says who can give one', async () => {
  const { dialog } = await openEntry('Roles', {
    'perms.allRoles': () => ({ allRoles: ['public'], directRoles: [] }),
  })
  expect(await dialog.findByText(/You have no roles/)).toBeTruthy()
})

const ISSUER = 'https://issuer.example'

test('single sign-on is connected in the profile with the password, where the account has it', async () => {
  const { app, dialog } = await openEntry('Profile', {
    'sso.connection': () => ({ issuer: ISSUER, connectedAt: null }),
    'sso.connect': () => refuse('LoginFailed', 'The current password is wrong.'),
  })
  const part = within(await dialog.findByRole('form', { name: 'Single sign-on' }))
  await app.user.click(part.getByRole('button', { name: 'Connect single sign-on' }))
  expect(app.server.callsOf('sso.connect'), 'without a password').toEqual([])
  await app.user.type(part.getByLabelText('Your password'), 'Rowing')
  await app.user.click(part.getByRole('button', { name: 'Connect single sign-on' }))
  expect(await part.findByText('The current password is wrong.')).toBeTruthy()
  expect(app.server.callsOf('sso.connect')).toEqual([{ password: btoa('Rowing') }])
})

test('who is connected can disconnect, and an account without an issuer shows nothing of it', async () => {
  let connectedAt: string | null = '2026-01-01T00:00:00Z'
  const { app, dialog } = await openEntry('Profile', {
    'sso.connection': () => ({ issuer: connectedAt && ISSUER, connectedAt }),
    'sso.disconnect': () => {
      connectedAt = null
      return {}
    },
  })
  expect(await dialog.findByText(/Connected to https:\/\/issuer\.example since/)).toBeTruthy()
  await app.user.click(dialog.getByRole('button', { name: 'Disconnect' }))
  await waitFor(() => expect(dialog.queryByRole('heading', { name: 'Single sign-on' })).toBeNull())
})
