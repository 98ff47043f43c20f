import type { RoleEntry, UserEntry } from '@boathouse/contract/perms'
import { objectOf } from '@boathouse/contract/privileges'
import { screen, within } from '@testing-library/react'
// Loaded beforehand: the console loads it when it is needed, and the first time takes long.
import '../pages/access-routes.tsx'
import type { StubHandlers } from '../../testing/stub-server.ts'
import { ADA, renderApp, signedIn } from './render-app.tsx'

export const LIST = '/local-1/ABC12345/admin/access'
export const KEEPER = { ...ADA, perms: ['*:*'], activeRoles: ['account_admin', 'user_admin', 'public'] }

export const CREW: RoleEntry = {
  role: 'crew',
  comment: 'Rows',
  isBuiltIn: false,
  users: 2,
  roles: ['readers'],
  grants: 1,
  createdBy: 'ada lovelace',
  createdAt: '2026-01-01T00:00:00Z',
}
const DB_ADMIN: RoleEntry = {
  ...CREW,
  role: 'db_admin',
  comment: '',
  isBuiltIn: true,
  roles: [],
  createdBy: null,
  createdAt: null,
}
export const GRACE: UserEntry = {
  user: 'grace',
  email: 'grace@boats.example',
  isService: false,
  isInvited: false,
  isCreator: false,
  roles: ['crew', 'public'],
  createdAt: '2026-01-01T00:00:00Z',
  lastUsedAt: null,
}
export const SELECT_ON_BOATS = {
  object: objectOf('table', { catalog: 'default_catalog', database: 'main', name: 'boats' }),
  objectText: 'TABLE default_catalog.main.boats',
  privileges: ['SELECT' as const, 'INSERT' as const],
  grantable: ['SELECT' as const],
  grantedBy: 'ada lovelace',
  grantedAt: '2026-01-01T00:00:00Z',
}
export const EFFECT = {
  users: 7,
  names: ['grace', 'heidi'],
  grants: [{ objectText: 'TABLE default_catalog.main.boats', privileges: ['SELECT' as const] }],
  moreGrants: 0,
  passedOn: [],
  morePassedOn: 0,
}

export const handlers = (over: StubHandlers = {}): StubHandlers => ({
  'user.info': () => KEEPER,
  'perms.listRoles': ({ search }) => {
    const list = [DB_ADMIN, CREW].filter(({ role }) => role.includes(search))
    return { list, total: list.length }
  },
  'perms.listUsers': () => ({ list: [GRACE], total: 1 }),
  'perms.describeRole': ({ role }) => (role === 'crew' ? CREW : DB_ADMIN),
  'perms.describeUser': () => GRACE,
  'perms.userRoles': () => ({
    roles: [{ role: 'crew', isBuiltIn: false, active: true, grantedAt: '2026-01-01T00:00:00Z' }],
  }),
  'perms.userGrants': () => ({ list: [SELECT_ON_BOATS], total: 1 }),
  'perms.roleGrants': () => ({ list: [SELECT_ON_BOATS], total: 1 }),
  'perms.rolesUser': () => ({ list: [GRACE], total: 1 }),
  'perms.rolesRole': ({ role }) => ({
    roles: ['readers'],
    inheritedBy: ['officers'],
    adminRoles: role === 'db_admin' || role === 'keepers' ? ['db_admin' as const] : [],
  }),
  'perms.effect': () => EFFECT,
  'schema.catalogs': () => ({ list: [{ name: 'default_catalog', type: 'Internal' }], total: 1 }),
  'schema.databases': () => ({ list: [{ name: 'main', databaseId: '1' }], total: 1 }),
  'schema.tables': () => ({ list: [], names: ['boats'], total: 1 }),
  ...over,
})

export function open(address: string, over: StubHandlers = {}) {
  signedIn(KEEPER)
  return renderApp(address, handlers(over))
}
export type App = ReturnType<typeof open>

export const findDialog = async () => within(await screen.findByRole('dialog'))
export const click = async (app: App, name: string | RegExp, role = 'button') =>
  app.user.click(await screen.findByRole(role, { name }))

/** An option of a list that opens over the page. */
export async function choose(app: App, label: string, option: string) {
  await app.user.click(await screen.findByRole('combobox', { name: label }))
  await app.user.click(await screen.findByRole('option', { name: option, hidden: true }))
}
