import { type AccessObject, CODES, objectOf, perms, user, warehouse } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp, type TestApp, type TestUser } from '../../testing/start-app.ts'

const ALL = { search: '', page: 1, pageSize: 100 }
const OK = CODES.Ok.code
const table = (name: string): AccessObject =>
  objectOf('table', { catalog: 'default_catalog', database: 'main', name })

async function setUp() {
  const app = await startApp()
  const admin = await app.admin()
  const grace = await app.user()
  return { app, admin, grace }
}

const makeRole = async (by: TestUser, role: string) =>
  expect((await by.call(perms.createRole, { role })).code).toBe(OK)
const activeRolesOf = async (who: TestUser) => (await who.call(perms.getActiveRecursionRoles, {})).data.roles

async function makeTable(app: TestApp, name: string): Promise<void> {
  const channel = await (await app.admin()).channel()
  await channel.run(`CREATE TABLE ${name} (a INT)`)
}

test('a role begins with nothing, is listed after the built-in ones, and goes with all that it gave [ROLE-28, ROLE-54, ROLE-55]', async () => {
  const { admin, grace } = await setUp()
  await makeRole(admin, 'crew')
  const { list, total } = (await admin.call(perms.listRoles, ALL)).data
  expect([list.length, total, list.at(-1)]).toEqual([
    8,
    8,
    expect.objectContaining({ role: 'crew', isBuiltIn: false, users: 0, roles: [], grants: 0 }),
  ])
  await admin.call(perms.grantRoleToUser, { role: 'crew', user: grace.name })
  expect((await admin.call(perms.describeRole, { role: 'CREW' })).data.users).toBe(1)
  expect((await admin.call(perms.deleteRole, { role: 'crew' })).code).toBe(OK)
  expect((await admin.call(perms.describeRole, { role: 'crew' })).code).toBe(CODES.NotFound.code)
  expect(await activeRolesOf(grace)).toEqual([])
})

test('a role that is given is active at once, with all that it inherits [ROLE-30, ROLE-43, ROLE-49, ROLE-50, ROLE-57, ROLE-58]', async () => {
  const { admin, grace } = await setUp()
  await makeRole(admin, 'crew')
  await makeRole(admin, 'officers')
  await admin.call(perms.grantRoleToRole, { role: 'cluster_admin', toRole: 'crew' })
  await admin.call(perms.grantRoleToRole, { role: 'crew', toRole: 'officers' })
  await admin.call(perms.grantRoleToUser, { role: 'officers', user: grace.name })
  expect(await activeRolesOf(grace)).toEqual(['cluster_admin', 'crew', 'officers'])
  expect((await grace.call(user.info, {})).data.perms).toContain('warehouse:create')
  expect((await admin.call(perms.rolesRole, { role: 'crew' })).data).toEqual({
    roles: ['cluster_admin'],
    inheritedBy: ['officers'],
    adminRoles: ['cluster_admin'],
  })
  await admin.call(perms.revokeRoleFromRole, { role: 'cluster_admin', fromRole: 'crew' })
  expect(await activeRolesOf(grace)).toEqual(['crew', 'officers'])
  await admin.call(perms.revokeRoleFromUser, { role: 'officers', user: grace.name })
  expect(await activeRolesOf(grace)).toEqual([])
})

test('only what was given directly is listed, and the user chooses which of it is active [ROLE-17, ROLE-18, ROLE-19, ROLE-20, ROLE-44, ROLE-45, ROLE-48]', async () => {
  const { admin, grace } = await setUp()
  await makeRole(admin, 'crew')
  await admin.call(perms.grantRoleToRole, { role: 'db_admin', toRole: 'crew' })
  for (const role of ['crew', 'cluster_admin'])
    await admin.call(perms.grantRoleToUser, { role, user: grace.name })
  const { allRoles, directRoles } = (await grace.call(perms.allRoles, {})).data
  expect(directRoles.map(({ role, active }) => [role, active])).toEqual([
    ['cluster_admin', true],
    ['crew', true],
  ])
  expect(allRoles).toEqual(['cluster_admin', 'crew', 'db_admin', 'public'])
  expect((await grace.call(perms.setRoles, { roles: ['crew'] })).code).toBe(OK)
  expect((await grace.call(perms.getDefaultRoles, {})).data.roles).toEqual(['crew'])
  expect(await activeRolesOf(grace)).toEqual(['crew', 'db_admin'])
  expect((await admin.call(perms.userRoles, { user: grace.name })).data.roles).toMatchObject([
    { role: 'cluster_admin', active: false },
    { role: 'crew', active: true },
  ])
  expect((await grace.call(perms.setRoles, { roles: ['account_admin'] })).code).toBe(CODES.NotFound.code)
})

test('users hold roles, and some of them are organisation administrators [ROLE-02]', async () => {
  const { app, admin, grace } = await setUp()
  await admin.call(perms.grantRoleToUser, { role: 'db_admin', user: grace.name })
  const infoOf = async (who: TestUser) => (await who.call(user.info, {})).data
  expect(await infoOf(grace)).toMatchObject({ isOrgAdmin: false, activeRoles: ['db_admin'] })
  const { isOrgAdmin, activeRoles } = await infoOf(admin)
  expect([isOrgAdmin, activeRoles.includes('org_admin')]).toEqual([true, true])
  // What only an organisation administrator may do is refused to others, whatever roles they hold.
  const roles = ['account_admin', 'org_admin'] as const
  const holder = await app.user(roles)
  expect((await infoOf(holder)).isOrgAdmin).toBe(false)
  const { list } = (await admin.call(perms.listUsers, ALL)).data
  expect(list.find((one) => one.user === grace.name)).toMatchObject({ roles: ['db_admin'] })
})

test('the cluster admin check uses the roles that are active at this moment, not those that are held [ROLE-13]', async () => {
  const { admin, grace } = await setUp()
  await admin.call(perms.grantRoleToUser, { role: 'cluster_admin', user: grace.name })
  let made = 0
  const mayCreate = async () => (await grace.call(warehouse.create, { name: `wh_${++made}` })).code === OK
  expect(await mayCreate()).toBe(true)
  // Held, but switched off: by the user, on the same login.
  await grace.call(perms.setRoles, { roles: [] })
  expect((await grace.call(perms.allRoles, {})).data.directRoles).toMatchObject([{ role: 'cluster_admin' }])
  expect((await grace.call(user.info, {})).data.activeRoles).toEqual([])
  expect(await mayCreate()).toBe(false)
  await grace.call(perms.setRoles, { roles: ['cluster_admin'] })
  expect(await mayCreate()).toBe(true)
  await admin.call(perms.revokeRoleFromUser, { role: 'cluster_admin', user: grace.name })
  expect(await mayCreate()).toBe(false)
})

test('a default role is optional: a user without any signs in, and works with what public has [ROLE-31]', async () => {
  const { app, grace } = await setUp()
  expect((await grace.call(perms.getDefaultRoles, {})).data.roles).toEqual([])
  const again = await app.signInAs(grace.name)
  expect((await again.call(user.info, {})).data.activeRoles).toEqual([])
  expect((await again.call(perms.allRoles, {})).data.allRoles).toEqual(['public'])
  const channel = await again.channel()
  expect(await channel.run('SELECT 1')).toMatchObject([{ result: [['1']] }])
})

test('built-in roles are fixed: nothing is granted to them, and none is dropped [ROLE-05]', async () => {
  const { admin } = await setUp()
  await makeRole(admin, 'crew')
  const object = objectOf('catalog', { catalog: 'default_catalog' })
  for (const answer of [
    await admin.call(perms.grantRoleToRole, { role: 'crew', toRole: 'db_admin' }),
    await admin.call(perms.grantPrivToRole, { role: 'public', object, privileges: ['USAGE'] }),
    await admin.call(perms.deleteRole, { role: 'user_admin' }),
  ])
    expect(answer).toMatchObject({ code: CODES.Conflict.code, message: expect.stringContaining('built-in') })
  expect((await admin.call(perms.createRole, { role: 'db_admin' })).code).toBe(CODES.BadInput.code)
  expect((await admin.call(perms.createRole, { role: '1st' })).code).toBe(CODES.BadInput.code)
  expect((await admin.call(perms.createRole, { role: 'Crew' })).code).toBe(CODES.NameTaken.code)
})

test('roles never inherit each other, and at most 16 levels', async () => {
  const { admin } = await setUp()
  const names = Array.from({ length: 17 }, (_, level) => `level_${level + 1}`)
  for (const name of names) await makeRole(admin, name)
  const inherit = (toRole: string | undefined, role: string | undefined) =>
    admin.call(perms.grantRoleToRole, { role: role ?? '', toRole: toRole ?? '' })
  for (let level = 0; level < 15; level++)
    expect((await inherit(names[level], names[level + 1])).code).toBe(OK)
  expect((await inherit(names[15], names[16])).code).toBe(CODES.LimitReached.code)
  expect((await inherit(names[15], names[0])).code).toBe(CODES.Conflict.code)
  expect((await inherit(names[3], names[3])).code).toBe(CODES.Conflict.code)
  expect((await inherit(names[0], names[1])).code, 'twice').toBe(CODES.Conflict.code)
})

test('two at the same moment cannot make a circle', async () => {
  const { admin } = await setUp()
  await makeRole(admin, 'bow')
  await makeRole(admin, 'stern')
  const answers = await Promise.all([
    admin.call(perms.grantRoleToRole, { role: 'bow', toRole: 'stern' }),
    admin.call(perms.grantRoleToRole, { role: 'stern', toRole: 'bow' }),
  ])
  expect(answers.map(({ code }) => code).sort((a, b) => a - b)).toEqual([OK, CODES.Conflict.code])
})

test('a user has at most 64 roles', async () => {
  const { app, admin, grace } = await setUp()
  const { user_id } = await app.store.db
    .selectFrom('users')
    .select('user_id')
    .where('name', '=', grace.name)
    .executeTakeFirstOrThrow()
  const given = Array.from({ length: 63 }, (_, index) => ({
    user_id,
    role: `role_${index}`,
    active: false,
    granted_at: app.clock.now(),
  }))
  await app.store.db.insertInto('user_roles').values(given).execute()
  expect((await admin.call(perms.grantRoleToUser, { role: 'db_admin', user: grace.name })).code).toBe(OK)
  expect(await admin.call(perms.grantRoleToUser, { role: 'cluster_admin', user: grace.name })).toMatchObject({
    code: CODES.LimitReached.code,
    message: expect.stringContaining('64'),
  })
})

test('nobody grants to themselves, above themselves, or leaves the account without an administrator', async () => {
  const { app, admin } = await setUp()
  const keeper = await app.user(['user_admin'])
  const grant = (by: TestUser, role: string, to: string) => by.call(perms.grantRoleToUser, { role, user: to })
  expect((await grant(keeper, 'db_admin', keeper.name)).code).toBe(CODES.Conflict.code)
  const other = await app.user()
  expect((await grant(keeper, 'account_admin', other.name)).code).toBe(CODES.NoPermission.code)
  await makeRole(keeper, 'crew')
  await admin.call(perms.grantRoleToRole, { role: 'account_admin', toRole: 'crew' })
  expect((await grant(keeper, 'crew', other.name)).code, 'by way of a role').toBe(CODES.NoPermission.code)
  expect((await keeper.call(perms.deleteUser, { user: 'admin' })).code).toBe(CODES.NoPermission.code)
  const revoke = (role: string) => admin.call(perms.revokeRoleFromUser, { role, user: 'admin' })
  expect(await revoke('account_admin')).toMatchObject({
    code: CODES.Conflict.code,
    message: expect.stringContaining('last administrator'),
  })
  expect((await grant(keeper, 'db_admin', other.name)).code, 'not held').toBe(CODES.NoPermission.code)
  expect((await grant(keeper, 'user_admin', other.name)).code).toBe(OK)
})

test('USAGE of a warehouse is granted to a user, and revoked [ROLE-33, ROLE-51, ROLE-52, ROLE-53]', async () => {
  const { admin, grace } = await setUp()
  const { warehouseId } = (await admin.call(warehouse.create, { name: 'oars' })).data
  const object = objectOf('warehouse', { name: 'oars' })
  const names = async () => (await grace.call(warehouse.list, {})).data.warehouses.map(({ name }) => name)
  expect(await names()).toEqual(['default_warehouse'])
  const usage = { user: grace.name, object, privileges: ['USAGE' as const] }
  expect((await admin.call(perms.grantPrivToUser, usage)).code).toBe(OK)
  expect(await names()).toEqual(['default_warehouse', 'oars'])
  expect((await admin.call(perms.userGrants, { user: grace.name })).data.list).toMatchObject([
    { objectText: 'WAREHOUSE oars', privileges: ['USAGE'], grantable: [], grantedBy: 'admin' },
  ])
  expect((await grace.call(warehouse.suspend, { warehouseId })).code).toBe(CODES.NoPermission.code)
  await admin.call(warehouse.update, { warehouseId, name: 'sculls' })
  expect(await names(), 'a grant survives a new name').toEqual(['default_warehouse', 'sculls'])
  expect((await admin.call(perms.revokePrivFromUser, usage)).code, 'by the old name').toBe(
    CODES.NotFound.code,
  )
  const renamed = { ...usage, object: objectOf('warehouse', { name: 'sculls' }) }
  expect((await admin.call(perms.revokePrivFromUser, renamed)).code).toBe(OK)
  expect((await admin.call(perms.revokePrivFromUser, renamed)).code, 'no longer held').toBe(
    CODES.NotFound.code,
  )
  expect(await names()).toEqual(['default_warehouse'])
})

test('a grant ends with its warehouse, and the creator of a warehouse has all privileges on it', async () => {
  const { app, admin, grace } = await setUp()
  await admin.call(perms.grantPrivToUser, {
    user: grace.name,
    object: objectOf('system'),
    privileges: ['CREATE WAREHOUSE'],
  })
  const { warehouseId } = (await grace.call(warehouse.create, { name: 'mine' })).data
  expect((await grace.call(warehouse.suspend, { warehouseId })).code).toBe(OK)
  expect((await grace.call(warehouse.delete, { warehouseId })).code).toBe(OK)
  const left = await app.store.db.selectFrom('grants').select('object_type').execute()
  expect(left).toEqual([{ object_type: 'system' }])
})

test('privileges of a role reach who has it; they are listed with who gave them [ROLE-29, ROLE-59, ROLE-60, ROLE-61, ROLE-62]', async () => {
  const { admin, grace } = await setUp()
  await makeRole(admin, 'crew')
  await admin.call(warehouse.create, { name: 'oars' })
  const order = { role: 'crew', object: objectOf('warehouse'), privileges: ['USAGE' as const] }
  await admin.call(perms.grantPrivToRole, order)
  await admin.call(perms.grantRoleToUser, { role: 'crew', user: grace.name })
  expect((await grace.call(warehouse.list, {})).data.warehouses).toHaveLength(2)
  expect((await admin.call(perms.roleGrants, { role: 'crew' })).data).toMatchObject({
    total: 1,
    list: [{ objectText: 'ALL WAREHOUSES', privileges: ['USAGE'], grantedBy: 'admin' }],
  })
  expect((await admin.call(perms.rolesUser, { role: 'crew' })).data.list.map((entry) => entry.user)).toEqual([
    grace.name,
  ])
  expect((await admin.call(perms.roleGrants, { role: 'cluster_admin' })).data.list).toMatchObject([
    { objectText: 'SYSTEM', grantedBy: null },
    { objectText: 'ALL WAREHOUSES', privileges: ['USAGE', 'ALTER', 'DROP'] },
  ])
  await admin.call(perms.revokePrivFromRole, order)
  expect((await grace.call(warehouse.list, {})).data.warehouses).toHaveLength(1)
})

test('what was given with that option may be passed on, and nothing else [ROLE-32]', async () => {
  const { app, admin, grace } = await setUp()
  const heir = await app.user()
  await admin.call(warehouse.create, { name: 'oars' })
  const object = objectOf('warehouse', { name: 'oars' })
  const pass = (privilege: 'USAGE' | 'DROP') =>
    grace.call(perms.grantPrivToUser, { user: heir.name, object, privileges: [privilege] })
  await admin.call(perms.grantPrivToUser, { user: grace.name, object, privileges: ['USAGE'] })
  expect((await pass('USAGE')).code, 'held without the option').toBe(CODES.NoPermission.code)
  await admin.call(perms.grantPrivToUser, {
    user: grace.name,
    object,
    privileges: ['USAGE'],
    withGrantOption: true,
  })
  expect((await pass('USAGE')).code).toBe(OK)
  expect((await pass('DROP')).code).toBe(CODES.NoPermission.code)
  expect((await heir.call(warehouse.list, {})).data.warehouses).toHaveLength(2)
})

test('a privilege that the type has not, an object that is not there, a grantee who is nobody: refused', async () => {
  const { app, admin, grace } = await setUp()
  await makeTable(app, 'boats')
  const grant = (object: AccessObject, privilege: 'SELECT' | 'USAGE' | 'GRANT', to = grace.name) =>
    admin.call(perms.grantPrivToUser, { user: to, object, privileges: [privilege] })
  expect(await grant(table('boats'), 'USAGE')).toMatchObject({
    code: CODES.Conflict.code,
    message: 'There is no privilege USAGE on a table. There are SELECT, INSERT, UPDATE, DELETE, ALTER, DROP.',
  })
  expect((await grant(objectOf('system'), 'GRANT')).code).toBe(CODES.Conflict.code)
  expect(await grant(table('ships'), 'SELECT')).toMatchObject({
    code: CODES.NotFound.code,
    message: 'There is no TABLE default_catalog.main.ships, or it was dropped.',
  })
  expect((await grant(table('boats'), 'SELECT', 'nobody')).code).toBe(CODES.NotFound.code)
  expect((await grant(table('boats'), 'SELECT', 'admin')).code, 'oneself').toBe(CODES.Conflict.code)
  expect((await grant({ ...table('boats'), catalog: '' }, 'SELECT')).code).toBe(CODES.BadInput.code)
  expect((await grant(table('BOATS'), 'SELECT')).code).toBe(OK)
  const { list } = (await admin.call(perms.userGrants, { user: grace.name })).data
  expect(
    list.map((one) => one.objectText),
    'by its true name',
  ).toEqual(['TABLE default_catalog.main.boats'])
})

test('nobody is invited at free webmail where the operator wants business addresses only, by call or by statement [SIGNIN-39]', async () => {
  const app = await startApp({ BOATHOUSE_BUSINESS_MAIL_ONLY: 'true' })
  const admin = await app.admin()
  expect(await admin.call(perms.createUser, { user: 'ada', email: 'ada@gmail.com' })).toMatchObject({
    code: CODES.NotBusinessEmail.code,
    message: 'Please use a business email.',
  })
  const channel = await admin.channel()
  expect(await channel.run("CREATE USER ada EMAIL 'ada@gmail.com'")).toMatchObject([
    { errCode: CODES.NotBusinessEmail.code, errMsg: 'Please use a business email.' },
  ])
  expect((await admin.call(perms.createUser, { user: 'ada', email: 'ada@boats.example' })).code).toBe(
    CODES.Ok.code,
  )
})

test('a user is invited by mail or given a password, listed, and removed with every login [ROLE-03, ROLE-37, ROLE-39, ROLE-41]', async () => {
  const { app, admin } = await setUp()
  expect(
    (await admin.call(perms.createUser, { user: 'ada', email: 'ada@boats.example', roles: ['db_admin'] }))
      .data,
  ).toEqual({ user: 'ada', mailedTo: 'ada@boats.example' })
  const password = Buffer.from('Rowing_2026').toString('base64')
  expect((await admin.call(perms.createUser, { user: 'bea', password })).data.mailedTo).toBeNull()
  expect((await admin.call(perms.createUser, { user: 'ADA', password })).code).toBe(CODES.NameTaken.code)
  expect((await admin.call(perms.createUser, { user: 'cid' })).code).toBe(CODES.BadInput.code)
  const weak = Buffer.from('rowing').toString('base64')
  expect(await admin.call(perms.createUser, { user: 'cid', password: weak })).toMatchObject({
    message: expect.stringContaining('8 to 16 characters'),
  })
  expect((await admin.call(perms.listUsers, { ...ALL, search: 'BOATS' })).data).toMatchObject({
    total: 1,
    list: [{ user: 'ada', isInvited: true, roles: ['db_admin', 'public'] }],
  })
  const login = { accountId: app.accountId, username: 'bea', password }
  const { token } = (await app.call(user.login, login)).data
  expect(token).not.toBe('')
  expect((await admin.call(perms.deleteUser, { user: 'bea' })).code).toBe(OK)
  expect((await app.call(user.login, login)).code).toBe(CODES.LoginFailed.code)
  expect((await admin.call(perms.deleteUser, { user: 'admin' })).code, 'oneself').toBe(CODES.Conflict.code)
})

test('calls of administrators are refused to others, and another account has its own users and roles [ROLE-07]', async () => {
  const { app, admin, grace } = await setUp()
  await makeRole(admin, 'crew')
  const stranger = await app.stranger(['user_admin'])
  const object = objectOf('warehouse', { name: 'default_warehouse' })
  for (const { code } of [
    await grace.call(perms.listUsers, {}),
    await grace.call(perms.createRole, { role: 'mine' }),
    await grace.call(perms.grantRoleToUser, { role: 'crew', user: grace.name }),
    await grace.call(perms.grantPrivToRole, { role: 'crew', object, privileges: ['USAGE'] }),
  ])
    expect(code).toBe(CODES.NoPermission.code)
  expect((await stranger.call(perms.describeRole, { role: 'crew' })).code).toBe(CODES.NotFound.code)
  expect((await stranger.call(perms.describeUser, { user: grace.name })).code).toBe(CODES.NotFound.code)
  expect((await stranger.call(perms.grantRoleToUser, { role: 'db_admin', user: grace.name })).code).toBe(
    CODES.NotFound.code,
  )
  expect(
    (await stranger.call(perms.grantPrivToUser, { user: grace.name, object, privileges: ['USAGE'] })).code,
  ).toBe(CODES.NotFound.code)
})

test('access is explained by a path, and a refusal by what would help', async () => {
  const { app, admin, grace } = await setUp()
  await makeTable(app, 'boats')
  for (const role of ['readers', 'analysts']) await makeRole(admin, role)
  await admin.call(perms.grantRoleToRole, { role: 'readers', toRole: 'analysts' })
  const object = table('boats')
  const wide = objectOf('table', { catalog: 'default_catalog', database: 'main' })
  await admin.call(perms.grantPrivToRole, { role: 'readers', object: wide, privileges: ['SELECT'] })
  const why = async () =>
    (await admin.call(perms.explain, { user: grace.name, privilege: 'SELECT', object })).data
  expect(await why()).toEqual({
    allowed: false,
    path: [],
    missing: 'SELECT on TABLE default_catalog.main.boats',
    rolesThatHelp: ['db_admin', 'readers'],
  })
  await admin.call(perms.grantRoleToUser, { role: 'analysts', user: grace.name })
  expect(await why()).toMatchObject({
    allowed: true,
    path: [
      { kind: 'user', name: grace.name },
      { kind: 'role', name: 'analysts' },
      { kind: 'role', name: 'readers' },
      { kind: 'grant', name: 'SELECT on ALL TABLES IN DATABASE default_catalog.main' },
    ],
  })
})

test('the effect of a change is shown before it is made', async () => {
  const { app, admin, grace } = await setUp()
  await makeRole(admin, 'crew')
  await admin.call(perms.grantRoleToUser, { role: 'crew', user: grace.name })
  const object = objectOf('warehouse')
  const effect = async (planned: Parameters<typeof admin.call<typeof perms.effect>>[1]['planned']) =>
    (await admin.call(perms.effect, { planned })).data
  expect(
    await effect({
      change: 'grant-privileges',
      grantee: { kind: 'role', name: 'crew' },
      object,
      privileges: ['USAGE'],
    }),
  ).toEqual({
    users: 1,
    names: [grace.name],
    grants: [{ objectText: 'ALL WAREHOUSES', privileges: ['USAGE'] }],
    moreGrants: 0,
    passedOn: [],
    morePassedOn: 0,
  })
  await admin.call(perms.grantPrivToRole, { role: 'crew', object, privileges: ['USAGE'] })
  expect(await effect({ change: 'delete', grantee: { kind: 'role', name: 'crew' } })).toMatchObject({
    users: 1,
    grants: [{ objectText: 'ALL WAREHOUSES' }],
  })
  const system = { object: objectOf('system'), privileges: ['CREATE WAREHOUSE' as const] }
  await admin.call(perms.grantPrivToUser, { user: grace.name, ...system })
  await makeRole(admin, 'cox')
  await admin.call(perms.grantPrivToRole, { role: 'cox', ...system })
  await admin.call(perms.grantRoleToRole, { role: 'cox', toRole: 'crew' })
  const lost = { grants: [{ objectText: 'SYSTEM' }, { objectText: 'ALL WAREHOUSES' }], moreGrants: 0 }
  expect(
    await effect({ change: 'delete', grantee: { kind: 'user', name: grace.name } }),
    'what was granted to them, to their role, and to what it inherits',
  ).toMatchObject({ users: 1, names: [grace.name], grants: [...lost.grants, { objectText: 'SYSTEM' }] })
  expect((await effect({ change: 'delete', grantee: { kind: 'role', name: 'crew' } })).grants).toHaveLength(2)
  await admin.call(perms.revokeRoleFromRole, { role: 'cox', fromRole: 'crew' })
  const other = await app.user()
  expect(
    await effect({ change: 'grant-role', role: 'crew', grantee: { kind: 'user', name: other.name } }),
  ).toMatchObject({ users: 1, names: [other.name], grants: [{ objectText: 'ALL WAREHOUSES' }] })
})

test('open consoles of other administrators are notified too', async () => {
  const { app, admin, grace } = await setUp()
  const other = await app.user()
  await admin.call(perms.grantRoleToUser, { role: 'user_admin', user: other.name })
  const channel = await other.channel()
  await admin.call(perms.grantRoleToUser, { role: 'db_admin', user: grace.name })
  const type = await channel.hear((message) => (message.cmd === 3 ? message.type : undefined))
  expect(type).toBe('GlobalEventTypePermissionChanged')
})

test('open consoles of affected users are notified of the change', async () => {
  const { admin, grace } = await setUp()
  const channel = await grace.channel()
  await admin.call(perms.grantRoleToUser, { role: 'db_admin', user: grace.name })
  const type = await channel.hear((message) => (message.cmd === 3 ? message.type : undefined))
  expect(type).toBe('GlobalEventTypePermissionChanged')
})

test('every change is in the audit log of the account', async () => {
  const { app, admin, grace } = await setUp()
  await makeRole(admin, 'crew')
  await admin.call(perms.grantRoleToUser, { role: 'crew', user: grace.name })
  const rows = await app.store.db
    .selectFrom('audit_entries')
    .select('entry')
    .where('account_id', '=', app.accountId)
    .orderBy('number')
    .execute()
  const actions = rows.map(({ entry }) => (JSON.parse(entry) as { action: string }).action)
  expect(actions).toEqual(expect.arrayContaining(['role.create', 'user.grant-role']))
})
