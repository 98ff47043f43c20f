import type { RoleEntry } from '@boathouse/contract/perms'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse, type StubHandlers } from '../testing/stub-server.ts'
import { LIST, CREW, findDialog, click, open, choose } from './testing/access-page.tsx'

const names = (...roles: string[]): RoleEntry[] => roles.map((role) => ({ ...CREW, role }))

/** As many as the list first shows, and what a search finds among them and others; the answer waits for the test. */
function slowRoles() {
  const first = names('account_admin', 'analyst_lead', 'all_keepers', 'keepers_too', 'keepers')
  const others = names('ana')
  const held: (() => void)[] = []
  const handler = async ({ search }: { search: string }) => {
    if (search !== '') await new Promise<void>((resolve) => held.push(resolve))
    const list = (search === '' ? first : [...first, ...others]).filter(({ role }) =>
      role.includes(search.toLowerCase()),
    )
    return { list, total: list.length }
  }
  return {
    handler: { 'perms.listRoles': handler } satisfies StubHandlers,
    release: () => held.forEach((one) => one()),
  }
}

async function openGrantRole(over: StubHandlers = {}) {
  const app = open(`${LIST}/user/grace`, { 'perms.grantRoleToUser': () => ({}), ...over })
  await click(app, 'Grant role')
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Role' })
  return { app, field }
}

test('keys that are faster than the search never choose a role that was not typed', async () => {
  const roles = slowRoles()
  const { app, field } = await openGrantRole(roles.handler)
  await app.user.click(field)
  await screen.findByRole('option', { name: 'account_admin', hidden: true })
  await app.user.keyboard('ana{Enter}')
  expect(field.placeholder).toBe('analyst_lead')
  await app.user.keyboard('zzz{Enter}')
  expect(screen.getByText('Searching…')).toBeTruthy()
  expect(field.placeholder).toBe('analyst_lead')
  expect(app.server.callsOf('perms.grantRoleToUser')).toEqual([])
})

test.each([
  ['a name that only the search finds is taken once it is there', 'ana', 'ana'],
  ['a name itself goes before those that begin with it', 'KEEPERS', 'keepers'],
  ['a part of a name is enough where nothing else has it', 'lyst', 'analyst_lead'],
])('%s', async (_, typed, taken) => {
  const roles = slowRoles()
  const { app, field } = await openGrantRole(roles.handler)
  await app.user.click(field)
  await app.user.keyboard(typed)
  await waitFor(() => expect(app.server.callsOf('perms.listRoles').at(-1)).toMatchObject({ search: typed }))
  roles.release()
  await waitFor(() => expect(screen.getAllByRole('option', { hidden: true })[0]?.textContent).toBe(taken))
  await app.user.keyboard('{Enter}')
  expect(field.placeholder).toBe(taken)
})

test('Enter in an open list without a letter or an arrow key chooses nothing, and a role must be chosen', async () => {
  const { app, field } = await openGrantRole()
  await app.user.click(field)
  await screen.findByRole('option', { name: 'db_admin', hidden: true })
  await app.user.keyboard('{Enter}{Escape}')
  await app.user.click((await findDialog()).getByRole('button', { name: 'Grant role' }))
  expect(await screen.findByText('Choose a role')).toBeTruthy()
  expect(app.server.callsOf('perms.grantRoleToUser')).toEqual([])
})

test.each([
  ['db_admin', 'With db_admin, grace can:'],
  ['keepers', 'keepers includes db_admin. With it, grace can:'],
])('%s has admin rights: it is asked once more, and Enter says no', async (role, said) => {
  const { app } = await openGrantRole({ 'perms.listRoles': () => ({ list: names(role), total: 1 }) })
  await choose(app, 'Role', role)
  await app.user.click((await findDialog()).getByRole('button', { name: 'Grant role' }))
  const question = within(await screen.findByRole('dialog', { name: 'Grant admin privileges to grace?' }))
  expect(question.getByText(said)).toBeTruthy()
  expect(question.getByText('read, change and delete all data in all catalogs')).toBeTruthy()
  await app.user.keyboard('{Enter}')
  await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1))
  expect(app.server.callsOf('perms.grantRoleToUser')).toEqual([])
  await app.user.click((await findDialog()).getByRole('button', { name: 'Grant role' }))
  await click(app, 'Grant admin privileges')
  await waitFor(() => expect(app.server.callsOf('perms.grantRoleToUser')).toEqual([{ role, user: 'grace' }]))
})

test('a new user gets a role with admin rights only after the question', async () => {
  const app = open(`${LIST}?tab=user`, { 'perms.createUser': () => ({ user: 'ivy', mailedTo: null }) })
  await click(app, 'Create user')
  const dialog = await findDialog()
  await app.user.type(dialog.getByLabelText('User name'), 'ivy')
  await app.user.type(dialog.getByLabelText('Business email'), 'ivy@boats.example')
  await choose(app, 'Add a role', 'db_admin')
  expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Add a role' }))
  await app.user.click(dialog.getByRole('button', { name: 'Create user' }))
  await screen.findByRole('dialog', { name: 'Grant admin privileges to ivy?' })
  expect(app.server.callsOf('perms.createUser')).toEqual([])
  await click(app, 'Grant admin privileges')
  await waitFor(() => expect(app.server.callsOf('perms.createUser')).toHaveLength(1))
})

test('a role that inherits admin rights needs a confirmation', async () => {
  const app = open(`${LIST}/role/crew?tab=inheritance`, { 'perms.grantRoleToRole': () => ({}) })
  await click(app, 'Inheritance', 'tab')
  await click(app, 'Inherit role')
  await choose(app, 'Role', 'db_admin')
  await app.user.click((await findDialog()).getByRole('button', { name: 'Inherit role' }))
  await screen.findByRole('dialog', { name: 'Grant admin privileges to crew?' })
  expect(app.server.callsOf('perms.grantRoleToRole')).toEqual([])
  await click(app, 'Grant admin privileges')
  await waitFor(() => expect(app.server.callsOf('perms.grantRoleToRole')).toHaveLength(1))
})

const found = (search: string, names: readonly string[]) => ({
  list: names
    .filter((name) => name.includes(search))
    .map((name) => ({
      type: 'table' as const,
      name,
      catalog: 'default_catalog',
      catalogType: 'Internal' as const,
      database: 'main',
    })),
  more: false,
})

test('the next of several objects is granted without waiting until the page shows the one before', async () => {
  const asked: string[] = []
  const app = open(`${LIST}/role/crew?tab=privileges`, {
    'perms.grantPrivToRole': ({ object }) => {
      asked.push(object.name)
      return {}
    },
    'perms.roleGrants': () => {
      if (asked.length > 0) asked.push('list')
      return { list: [], total: 0 }
    },
    'schema.search': ({ search }) => found(search, ['boats', 'boat_log']),
  })
  await click(app, 'Grant privileges')
  const dialog = await findDialog()
  await app.user.type(dialog.getByLabelText('Search by name'), 'boat')
  await click(app, 'default_catalog.main.boats', 'treeitem')
  await click(app, 'default_catalog.main.boat_log', 'treeitem')
  await app.user.click(dialog.getByRole('checkbox', { name: 'SELECT' }))
  await app.user.click(dialog.getByRole('button', { name: 'Grant' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(asked.slice(0, 3)).toEqual(['boats', 'boat_log', 'list'])
})

test('several objects are granted at once; where one is refused, the others are done and it is left', async () => {
  const answers = [{}, refuse('NotFound', 'There is no table oars.'), {}]
  const app = open(`${LIST}/role/crew?tab=privileges`, {
    'perms.grantPrivToRole': () => answers.shift() ?? {},
    'schema.search': ({ search }) => found(search, ['boats', 'oars', 'boat_log']),
  })
  await click(app, 'Grant privileges')
  const dialog = await findDialog()
  const search = dialog.getByLabelText('Search by name')
  await app.user.type(search, 'boat')
  await click(app, 'default_catalog.main.boats', 'treeitem')
  await app.user.clear(search)
  await app.user.type(search, 'oars{Enter}')
  expect(screen.queryByRole('treeitem', { name: 'default_catalog.main.boats' })).toBeNull()
  await click(app, 'default_catalog.main.oars', 'treeitem')
  expect(
    within(dialog.getByRole('list', { name: 'Selected objects' })).getAllByRole('listitem'),
  ).toHaveLength(2)
  await app.user.click(dialog.getByRole('checkbox', { name: 'SELECT' }))
  expect(await dialog.findByText('7 users gain privileges on 2 objects')).toBeTruthy()
  await app.user.click(dialog.getByRole('button', { name: 'Grant' }))
  expect(await dialog.findByText('There is no table oars.')).toBeTruthy()
  expect(dialog.queryByText('TABLE default_catalog.main.boats')).toBeNull()
  expect(dialog.getAllByText('TABLE default_catalog.main.oars').length).toBeGreaterThan(0)
  await app.user.click(dialog.getByRole('button', { name: 'Grant' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(app.server.callsOf('perms.grantPrivToRole')).toMatchObject(
    ['boats', 'oars', 'oars'].map((name) => ({ object: { name }, privileges: ['SELECT'] })),
  )
})
