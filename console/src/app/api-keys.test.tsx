import type { ApiKey } from '@boathouse/contract/key'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
// Loaded beforehand: the console loads it when it is needed, and the first time takes long.
import './shell/user-dialogs.tsx'
import { refuse, type StubHandlers } from '../testing/stub-server.ts'
import { GRACE, LIST, open } from './testing/access-page.tsx'
import { renderApp, signedIn } from './testing/render-app.tsx'

const HOME = '/local-1/ABC12345/home'
const SECRET = 'bh_0123456789abcdefghijklmnopqrstuv'

const ETL: ApiKey = {
  keyId: 'abcd1234',
  user: 'ada lovelace',
  name: 'etl',
  roles: ['db_admin'],
  doors: ['http', 'mysql'],
  addresses: '10.0.0.0/8',
  expiresAt: null,
  isExpired: false,
  createdAt: '2026-01-01T00:00:00Z',
  createdBy: 'ada lovelace',
  rotatedAt: null,
  formerUntil: null,
  lastUse: { at: '2026-01-02T00:00:00Z', clientIp: '10.0.0.7', door: 'mysql', program: 'oars' },
}

async function openProfile(handlers: StubHandlers = {}) {
  signedIn()
  const app = renderApp(HOME, {
    'key.list': () => ({ keys: [ETL] }),
    'perms.allRoles': () => ({
      allRoles: [],
      directRoles: [
        { role: 'db_admin', isBuiltIn: true, active: true, grantedAt: '2026-01-01T00:00:00Z' },
        { role: 'public', isBuiltIn: true, active: true, grantedAt: '2026-01-01T00:00:00Z' },
      ],
    }),
    ...handlers,
  })
  await app.user.click(await screen.findByRole('button', { name: /User menu/ }))
  await app.user.click(await screen.findByRole('menuitem', { name: 'Profile' }))
  return { app, dialog: within(await screen.findByRole('dialog', { name: 'User settings' })) }
}

test('the profile lists keys with what they allow and when they were last used', async () => {
  const { dialog } = await openProfile()
  const entry = within(await dialog.findByRole('list', { name: 'API keys' }))
  expect(entry.getByText('HTTP API, MySQL · db_admin')).toBeTruthy()
  expect(entry.getByText(/10\.0\.0\.0\/8 · Does not expire/)).toBeTruthy()
  expect(entry.getByText(/Last used .* from 10\.0\.0\.7 by oars/)).toBeTruthy()
})

test('a list that fails says so and is asked again', async () => {
  let asked = 0
  const { app, dialog } = await openProfile({
    'key.list': () => (asked++ === 0 ? refuse('Unavailable', 'The database is away.') : { keys: [] }),
  })
  expect(await dialog.findByText('The API keys could not be listed')).toBeTruthy()
  await app.user.click(dialog.getByRole('button', { name: 'Retry' }))
  expect(await dialog.findByRole('button', { name: 'Create API key' })).toBeTruthy()
})

test('a new key is checked before it is sent, and its secret is shown until it is said to be copied', async () => {
  const { app } = await openProfile({
    'key.create': ({ name }) => ({ key: { ...ETL, name }, secret: SECRET }),
  })
  await app.user.click(await screen.findByRole('button', { name: 'Create API key' }))
  const form = within(await screen.findByRole('dialog', { name: 'Create API key' }))
  await app.user.click(form.getByRole('button', { name: 'Create API key' }))
  expect(await form.findByText('Enter key name')).toBeTruthy()
  expect(app.server.callsOf('key.create')).toEqual([])
  await app.user.type(form.getByLabelText('Name'), 'nightly')
  await app.user.click(await form.findByRole('checkbox', { name: 'db_admin' }))
  for (const name of ['HTTP API', 'Stream load', 'MCP'])
    await app.user.click(form.getByRole('checkbox', { name }))
  await app.user.type(form.getByLabelText(/Allowed addresses/), '10.0.0.0/8')
  await app.user.click(form.getByRole('button', { name: 'Create API key' }))
  const shown = await screen.findByRole('dialog', { name: 'Copy the secret of nightly' })
  expect(within(shown).getByText(SECRET)).toBeTruthy()
  expect(app.server.callsOf('key.create')).toMatchObject([
    { name: 'nightly', roles: ['db_admin'], doors: ['mysql'], addresses: '10.0.0.0/8' },
  ])
  await app.user.keyboard('{Escape}')
  expect(screen.getByText(SECRET), 'a stray key does not close it').toBeTruthy()
  await app.user.click(within(shown).getByRole('button', { name: 'I have copied it' }))
  await waitFor(() => expect(screen.queryByText(SECRET)).toBeNull())
})

test('a key is rotated with the chosen overlap, and revoked after a question', async () => {
  const { app } = await openProfile({
    'key.rotate': () => ({ key: ETL, secret: SECRET }),
    'key.revoke': () => ({}),
  })
  const choose = async (entry: string) => {
    await app.user.click(await screen.findByRole('button', { name: 'Actions of etl' }))
    await app.user.click(await screen.findByRole('menuitem', { name: entry }))
  }
  await choose('Rotate')
  const form = within(await screen.findByRole('dialog', { name: 'Rotate etl?' }))
  await app.user.click(form.getByRole('combobox', { name: 'Old secret stays valid' }))
  await app.user.click(await screen.findByRole('option', { name: 'For 7 days' }))
  await app.user.click(form.getByRole('button', { name: 'Rotate API key' }))
  await app.user.click(await screen.findByRole('button', { name: 'I have copied it' }))
  expect(app.server.callsOf('key.rotate')).toEqual([{ keyId: 'abcd1234', overlapHours: 168 }])
  await choose('Revoke')
  await app.user.click(await screen.findByRole('button', { name: 'Revoke API key' }))
  await waitFor(() => expect(app.server.callsOf('key.revoke')).toEqual([{ keyId: 'abcd1234' }]))
})

test('keys of a person can be revoked and not made, those of a service user both', async () => {
  const app = open(`${LIST}/user/grace?tab=keys`, {
    'key.list': () => ({ keys: [{ ...ETL, user: 'grace' }] }),
  })
  await app.user.click(await screen.findByRole('button', { name: 'Actions of etl' }))
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(['Revoke'])
  expect(screen.queryByRole('button', { name: 'Create API key' })).toBeNull()
})

test('a service user is shown as such, and its first key is offered', async () => {
  open(`${LIST}/user/robot?tab=keys`, {
    'perms.describeUser': () => ({ ...GRACE, user: 'robot', email: '', isService: true }),
    'key.list': () => ({ keys: [] }),
  })
  expect((await screen.findAllByText('Service user')).length).toBeGreaterThan(0)
  expect(await screen.findByText('No API keys')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Create API key' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Set mail address' })).toBeNull()
})

test('a service user is created without a password and an address', async () => {
  const app = open(`${LIST}?tab=user`, {
    'perms.createUser': ({ user }) => ({ user, mailedTo: null }),
    'key.list': () => ({ keys: [] }),
  })
  await app.user.click(await screen.findByRole('button', { name: 'Create user' }))
  const form = within(await screen.findByRole('dialog', { name: 'Create user' }))
  await app.user.type(form.getByLabelText('User name'), 'robot')
  await app.user.click(form.getByRole('radio', { name: 'Service user' }))
  expect(form.queryByLabelText('Business email')).toBeNull()
  await app.user.click(form.getByRole('button', { name: 'Create user' }))
  await waitFor(() =>
    expect(app.server.callsOf('perms.createUser')).toMatchObject([
      { user: 'robot', email: null, password: null, isService: true },
    ]),
  )
})
