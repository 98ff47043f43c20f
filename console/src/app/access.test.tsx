import { GIVEN_PASSWORD_FORMAT } from '@boathouse/contract/people-rules'
import { MESSAGES } from '@boathouse/contract/rules'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse } from '../testing/stub-server.ts'
import {
  LIST,
  KEEPER,
  CREW,
  GRACE,
  SELECT_ON_BOATS,
  EFFECT,
  findDialog,
  click,
  open,
  choose,
  handlers,
} from './testing/access-page.tsx'
import { ADA, addressOf, renderApp, signedIn } from './testing/render-app.tsx'

test('the page has the tabs Role and User, and the tab is in the address [ROLE-35, SHELL-23]', async () => {
  const app = open(LIST)
  const roles = await screen.findByRole('table', { name: 'Roles' })
  expect(within(roles).getByRole('link', { name: 'crew' }).getAttribute('href')).toBe(`${LIST}/role/crew`)
  expect(document.title).toBe('User & Role · Boathouse')
  expect(screen.getByRole('link', { name: 'User & Role', current: 'page' })).toBeTruthy()
  await click(app, 'User', 'tab')
  const users = await screen.findByRole('table', { name: 'Users' })
  expect(within(users).getByRole('link', { name: 'grace' }).getAttribute('href')).toBe(`${LIST}/user/grace`)
  expect(addressOf(app)).toBe(`${LIST}?tab=user`)
})

test('the service searches and gives page by page; both are in the address', async () => {
  const app = open(`${LIST}?tab=user&page=2`, { 'perms.listUsers': () => ({ list: [GRACE], total: 41 }) })
  expect(await screen.findByText('21 to 40 of 41')).toBeTruthy()
  await click(app, 'Next')
  await waitFor(() => expect(addressOf(app)).toBe(`${LIST}?tab=user&page=3`))
  await app.user.type(screen.getByRole('searchbox'), 'gr')
  await waitFor(() =>
    expect(app.server.callsOf('perms.listUsers').at(-1)).toEqual({ search: 'gr', page: 1, pageSize: 20 }),
  )
  expect(addressOf(app)).toBe(`${LIST}?tab=user&search=gr`)
})

test('without the role user_admin it is the no-permission page, and nothing is loaded [ROLE-07, SHELL-49]', async () => {
  const somebody = { ...ADA, creator: 'somebody else' }
  signedIn(somebody)
  const app = renderApp(LIST, handlers({ 'user.info': () => somebody }))
  expect(await screen.findByText(/This page requires the role user_admin/)).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'User & Role' })).toBeNull()
  expect(app.server.callsOf('perms.listRoles')).toEqual([])
})

const ADMINISTRATION = ['Warehouses', 'Usage & billing', 'User & Role', 'Security settings', 'Org & Account']
const inMenu = () => {
  const menu = within(screen.getByRole('navigation', { name: 'Main menu' }))
  return ADMINISTRATION.filter((name) => menu.queryByRole('link', { name }) !== null)
}

test('the creator without any role sees the four pages of the administration in the menu, others none of them, and the page names the missing role [SHELL-52]', async () => {
  const creator = { ...ADA, activeRoles: ['public'] }
  signedIn(creator)
  const app = renderApp(LIST, handlers({ 'user.info': () => creator }))
  expect(await screen.findByText(/This page requires the role user_admin/)).toBeTruthy()
  expect(inMenu()).toEqual(['Warehouses', 'Usage & billing', 'User & Role', 'Security settings'])
  app.screen.unmount()
  const other = { ...creator, creator: 'somebody else' }
  signedIn(other)
  renderApp(LIST, handlers({ 'user.info': () => other }))
  expect(await screen.findByText(/This page requires the role user_admin/)).toBeTruthy()
  expect(inMenu()).toEqual([])
})

test('an organisation admin who is the creator gets in without the role [ROLE-11]', async () => {
  const owner = { ...ADA, isOrgAdmin: true }
  signedIn(owner)
  renderApp(LIST, handlers({ 'user.info': () => owner }))
  expect(await screen.findByRole('table', { name: 'Roles' })).toBeTruthy()
})

test('a button without its permission is disabled [ROLE-25, ROLE-26]', async () => {
  signedIn(KEEPER)
  const app = renderApp(LIST, handlers({ 'user.info': () => ({ ...KEEPER, perms: ['user:create'] }) }))
  await screen.findByRole('table', { name: 'Roles' })
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Create role' })).toHaveProperty('disabled', true),
  )
  await click(app, 'User', 'tab')
  expect(await screen.findByRole('button', { name: 'Create user' })).toHaveProperty('disabled', false)
})

test('a role is created by the rules of the service, in its words [ROLE-38]', async () => {
  const app = open(LIST, { 'perms.createRole': () => ({}) })
  await click(app, 'Create role')
  const dialog = await findDialog()
  await app.user.click(dialog.getByRole('button', { name: 'Create role' }))
  expect(await dialog.findByText('Enter the role name')).toBeTruthy()
  await app.user.type(dialog.getByLabelText('Role name'), 'public')
  expect(await dialog.findByText(MESSAGES.reservedName)).toBeTruthy()
  expect(app.server.callsOf('perms.createRole')).toEqual([])
  await app.user.clear(dialog.getByLabelText('Role name'))
  await app.user.type(dialog.getByLabelText('Role name'), 'crew')
  await app.user.type(dialog.getByLabelText('Comment'), 'Rows')
  await app.user.click(dialog.getByRole('button', { name: 'Create role' }))
  await waitFor(() => expect(addressOf(app)).toBe(`${LIST}/role/crew`))
  expect(app.server.callsOf('perms.createRole')).toEqual([{ role: 'crew', comment: 'Rows' }])
})

test('a user is invited by mail, or given a password, with roles; a refusal stays beside what was typed [ROLE-37, ROLE-41]', async () => {
  const answers = [refuse('NameTaken', 'There is a user grace already.'), { user: 'grace', mailedTo: null }]
  const app = open(`${LIST}?tab=user`, {
    'perms.createUser': () => answers.shift() ?? { user: 'grace', mailedTo: null },
  })
  await click(app, 'Create user')
  const dialog = await findDialog()
  await app.user.type(dialog.getByLabelText('User name'), 'grace')
  await app.user.click(dialog.getByRole('button', { name: 'Create user' }))
  expect(await dialog.findByText('Enter the email')).toBeTruthy()
  await app.user.click(dialog.getByRole('radio', { name: 'Set a password' }))
  await app.user.type(dialog.getByLabelText('Password'), 'rowing')
  expect(await dialog.findByText(GIVEN_PASSWORD_FORMAT)).toBeTruthy()
  await app.user.clear(dialog.getByLabelText('Password'))
  await app.user.type(dialog.getByLabelText('Password'), 'Rowing_2026')
  await choose(app, 'Add a role', 'crew')
  await app.user.click(dialog.getByRole('button', { name: 'Create user' }))
  expect(await dialog.findByText('There is a user grace already.')).toBeTruthy()
  await app.user.click(dialog.getByRole('button', { name: 'Create user' }))
  await waitFor(() => expect(addressOf(app)).toBe(`${LIST}/user/grace`))
  expect(app.server.callsOf('perms.createUser').at(-1)).toEqual({
    user: 'grace',
    email: null,
    password: btoa('Rowing_2026'),
    roles: ['crew'],
    isService: false,
  })
})

test('a role goes after its name was typed, and it says what goes with it', async () => {
  const app = open(`${LIST}/role/crew`, { 'perms.deleteRole': () => ({}) })
  await click(app, 'Actions of crew')
  await click(app, 'Delete', 'menuitem')
  const dialog = await findDialog()
  expect(await dialog.findByText('7 users lose SELECT on TABLE default_catalog.main.boats')).toBeTruthy()
  expect(dialog.getByText('Affected: grace, heidi and 5 more')).toBeTruthy()
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete role' }).disabled).toBe(true)
  await app.user.type(dialog.getByLabelText('Type crew to confirm'), 'Crew{Enter}')
  expect(await dialog.findByText('Type the name exactly as shown')).toBeTruthy()
  expect(app.server.callsOf('perms.deleteRole')).toEqual([])
  await app.user.clear(dialog.getByLabelText('Type crew to confirm'))
  await app.user.type(dialog.getByLabelText('Type crew to confirm'), 'crew')
  await app.user.click(dialog.getByRole('button', { name: 'Delete role' }))
  await waitFor(() => expect(addressOf(app)).toBe(`${LIST}?tab=role`))
  expect(app.server.callsOf('perms.deleteRole')).toEqual([{ role: 'crew' }])
})

test('built-in roles are shown and fixed [ROLE-05]', async () => {
  const app = open(`${LIST}/role/db_admin`)
  expect(await screen.findByRole('heading', { name: 'Built-in role' })).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Grant privileges' })).toHaveProperty('disabled', true)
  expect(screen.queryByRole('button', { name: /^Revoke on/ })).toBeNull()
  await click(app, 'Actions of db_admin')
  expect((await screen.findByRole('menuitem', { name: 'Delete' })).getAttribute('aria-disabled')).toBe('true')
})

test('a user has granted roles, which are given and taken [ROLE-39, SHELL-24]', async () => {
  const app = open(`${LIST}/user/grace`, {
    'perms.grantRoleToUser': () => ({}),
    'perms.revokeRoleFromUser': () => refuse('Conflict', 'This is the last administrator of the account.'),
  })
  const table = await screen.findByRole('table', { name: 'Granted roles' })
  expect(within(table).getByText('Active')).toBeTruthy()
  expect(document.title).toBe('grace · Boathouse')
  const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
  expect(crumbs.getByRole('link', { name: 'User & Role' }).getAttribute('href')).toBe(LIST)
  await click(app, 'Grant role')
  await choose(app, 'Role', 'db_admin')
  const dialog = await findDialog()
  expect(await dialog.findByText(/^7 users gain SELECT/)).toBeTruthy()
  await app.user.click(dialog.getByRole('button', { name: 'Grant role' }))
  await click(app, 'Grant admin privileges')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(app.server.callsOf('perms.grantRoleToUser')).toEqual([{ role: 'db_admin', user: 'grace' }])
  expect(app.server.callsOf('perms.userRoles').length).toBeGreaterThan(1)

  await click(app, 'Revoke role crew')
  await click(app, 'Revoke role')
  expect(await screen.findByText('This is the last administrator of the account.')).toBeTruthy()
})

test('privileges are granted on an object or on all of a kind, with the option to pass on, and the effect first [ROLE-32]', async () => {
  const app = open(`${LIST}/user/grace?tab=privileges`, { 'perms.grantPrivToUser': () => ({}) })
  expect(await screen.findByText('TABLE default_catalog.main.boats')).toBeTruthy()
  expect(screen.getByRole('img', { name: 'With grant option' })).toBeTruthy()
  await click(app, 'Grant privileges')
  const dialog = await findDialog()
  expect(dialog.getByText('No objects selected. You can select several.')).toBeTruthy()
  await app.user.click(dialog.getByRole('button', { name: 'Grant' }))
  expect(await dialog.findByText('Choose a privilege')).toBeTruthy()
  expect(dialog.getByText('Select at least one object')).toBeTruthy()
  await click(app, 'default_catalog', 'treeitem')
  await click(app, 'main', 'treeitem')
  await click(app, 'All tables in default_catalog.main', 'treeitem')
  expect(dialog.getByText('ALL TABLES IN DATABASE default_catalog.main')).toBeTruthy()
  await click(app, 'All tables in default_catalog.main', 'treeitem')
  expect(dialog.queryByText('ALL TABLES IN DATABASE default_catalog.main')).toBeNull()
  await click(app, 'boats', 'treeitem')
  await app.user.click(dialog.getByRole('checkbox', { name: 'SELECT' }))
  expect(await dialog.findByText('7 users gain SELECT on TABLE default_catalog.main.boats')).toBeTruthy()
  await app.user.click(dialog.getByRole('switch', { name: 'With grant option' }))
  await app.user.click(dialog.getByRole('button', { name: 'Grant' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(app.server.callsOf('perms.grantPrivToUser')).toEqual([
    { user: 'grace', object: SELECT_ON_BOATS.object, privileges: ['SELECT'], withGrantOption: true },
  ])
})

test('some of the privileges are revoked, and others kept', async () => {
  const app = open(`${LIST}/role/crew`, { 'perms.revokePrivFromRole': () => ({}) })
  await click(app, 'Revoke on TABLE default_catalog.main.boats')
  const dialog = await findDialog()
  await app.user.click(dialog.getByRole('checkbox', { name: 'SELECT' }))
  await app.user.click(dialog.getByRole('button', { name: 'Revoke' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(app.server.callsOf('perms.revokePrivFromRole')).toEqual([
    { role: 'crew', object: SELECT_ON_BOATS.object, privileges: ['INSERT'] },
  ])
})

test('a role shows what it inherits and who inherits it, its privileges and its users [ROLE-40, ROLE-56, SHELL-25]', async () => {
  const app = open(`${LIST}/role/crew`, { 'perms.revokeRoleFromRole': () => ({}) })
  expect(await screen.findByRole('table', { name: 'Granted privileges' })).toBeTruthy()
  await click(app, 'Associated users', 'tab')
  const users = await screen.findByRole('table', { name: 'Associated users' })
  expect(within(users).getByRole('link', { name: 'grace' })).toBeTruthy()
  await click(app, 'Inheritance', 'tab')
  expect((await screen.findByRole('link', { name: 'officers' })).getAttribute('href')).toBe(
    `${LIST}/role/officers`,
  )
  expect(screen.getByRole('link', { name: 'readers' })).toBeTruthy()
  await click(app, 'Stop inheriting readers')
  await click(app, 'Stop inheriting')
  await waitFor(() =>
    expect(app.server.callsOf('perms.revokeRoleFromRole')).toEqual([{ role: 'readers', fromRole: 'crew' }]),
  )
})

test('why somebody may is drawn as a path; why not, with the roles that would help', async () => {
  let allowed = true
  const app = open(`${LIST}/user/grace?tab=why`, {
    'perms.explain': ({ privilege }) =>
      allowed
        ? {
            allowed,
            path: [
              { kind: 'user', name: 'grace' },
              { kind: 'role', name: 'crew' },
              { kind: 'role', name: 'readers' },
              { kind: 'grant', name: `${privilege} on ALL TABLES` },
            ],
            missing: '',
            rolesThatHelp: [],
          }
        : { allowed, path: [], missing: 'DROP on ALL TABLES', rolesThatHelp: ['db_admin'] },
  })
  const path = await screen.findByRole('list', { name: 'Access path' })
  expect(
    within(path)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['grace', 'has role', 'crew', 'inherits', 'readers', 'grants', 'SELECT on ALL TABLES'])
  allowed = false
  await choose(app, 'Privilege', 'DROP')
  expect(await screen.findByText('Missing: DROP on ALL TABLES')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'db_admin' })).toBeTruthy()
})

test('who edits a role while somebody else does sees what was changed, also in an open dialog', async () => {
  let grants = [SELECT_ON_BOATS]
  let role = CREW
  const app = open(`${LIST}/role/crew`, {
    'perms.roleGrants': () => ({ list: grants, total: grants.length }),
    'perms.describeRole': () => role,
  })
  await click(app, 'Grant privileges')
  const dialog = await findDialog()
  await dialog.findByText('No objects selected. You can select several.')
  act(() => app.sockets.latest().accept())
  grants = [{ ...SELECT_ON_BOATS, privileges: ['SELECT'] }]
  role = { ...CREW, roles: ['readers', 'officers'] }
  act(() =>
    app.sockets.latest().deliver({ cmd: 3, seq: 1, type: 'GlobalEventTypePermissionChanged', data: null }),
  )
  const note = await dialog.findByText('Somebody else changed crew:')
  await waitFor(() =>
    expect(
      within(note.parentElement as HTMLElement)
        .getAllByRole('listitem')
        .map((line) => line.textContent)
        .toSorted(),
    ).toEqual(['Added: role officers', 'Removed: INSERT on TABLE default_catalog.main.boats']),
  )
  await app.user.click(dialog.getByRole('button', { name: 'Dismiss' }))
  expect(dialog.queryByText('Somebody else changed crew:')).toBeNull()
})

test('before a privilege is revoked, the dialog shows what was passed on and who loses it', async () => {
  const app = open(`${LIST}/role/crew`, {
    'perms.effect': () => ({
      ...EFFECT,
      passedOn: [
        {
          grantee: { kind: 'user' as const, name: 'ivan' },
          objectText: 'TABLE default_catalog.main.boats',
          privileges: ['SELECT' as const],
        },
        {
          grantee: { kind: 'role' as const, name: 'crew' },
          objectText: 'TABLE default_catalog.main.boats',
          privileges: ['SELECT' as const],
        },
      ],
      morePassedOn: 3,
    }),
  })
  await click(app, 'Revoke on TABLE default_catalog.main.boats')
  const dialog = await findDialog()
  expect(await dialog.findByText('5 more grants depend on it and are revoked too:')).toBeTruthy()
  expect(dialog.getByText('user ivan loses SELECT on TABLE default_catalog.main.boats')).toBeTruthy()
  expect(dialog.getByText('role crew loses SELECT on TABLE default_catalog.main.boats')).toBeTruthy()
  expect(dialog.getByText('and 3 more grants')).toBeTruthy()
})

test('the matrix of a role says of each privilege whether it is granted, inherited or not, and grants and revokes it', async () => {
  const app = open(`${LIST}/role/crew?tab=matrix`, {
    'schema.catalogs': () => ({ list: [{ name: 'default_catalog', type: 'Internal' }], total: 1 }),
    'schema.databases': () => ({ list: [{ name: 'main', databaseId: 'main' }], total: 1 }),
    'schema.tables': () => ({ list: [], names: ['boats', 'oars'], total: 2 }),
    'perms.roleMatrix': () => ({
      list: [
        { ...SELECT_ON_BOATS, path: [{ kind: 'role' as const, name: 'crew' }] },
        {
          ...SELECT_ON_BOATS,
          object: { ...SELECT_ON_BOATS.object, name: '' },
          objectText: 'ALL TABLES IN DATABASE default_catalog.main',
          privileges: ['DELETE' as const],
          path: [
            { kind: 'role' as const, name: 'crew' },
            { kind: 'role' as const, name: 'readers' },
          ],
        },
      ],
    }),
  })
  const matrix = within(
    await screen.findByRole('table', { name: 'Privileges of crew in default_catalog.main' }),
  )
  expect(
    matrix.getByRole('button', {
      name: 'DELETE on oars: through crew → readers: ALL TABLES IN DATABASE default_catalog.main. Grant directly',
    }),
  ).toBeTruthy()
  const [first] = matrix.getAllByRole('button')
  first?.focus()
  await app.user.keyboard('{ArrowDown}{ArrowDown}{ArrowRight}')
  expect(document.activeElement?.getAttribute('aria-label')).toBe('INSERT on oars: not granted. Grant')
  await app.user.keyboard('{Enter}')
  const granting = await findDialog()
  await granting.findByRole('button', { name: /Remove .*oars/ })
  expect(granting.getByRole('checkbox', { name: 'INSERT', checked: true })).toBeTruthy()
  await app.user.click(granting.getByRole('button', { name: 'Cancel' }))
  await app.user.click(matrix.getByRole('button', { name: /^SELECT on boats: granted/ }))
  const revoking = await findDialog()
  expect(revoking.getByRole('checkbox', { name: 'SELECT' })).toBeTruthy()
  expect(revoking.queryByRole('checkbox', { name: 'INSERT' })).toBeNull()
})
