import { type AccessObject, CODES, objectOf, perms } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp, type TestUser } from '../../testing/start-app.ts'

const PAGE = { search: '', page: 1, pageSize: 100 }
const IN_MAIN = { catalog: 'default_catalog', database: 'main' }

async function scene() {
  const app = await startApp()
  const admin = await app.admin()
  const grace = await app.user()
  const channel = await admin.channel()
  await channel.run('CREATE TABLE boats (a INT)')
  for (const role of ['readers', 'analysts', 'idle'])
    expect((await admin.call(perms.createRole, { role })).code).toBe(CODES.Ok.code)
  await admin.call(perms.grantRoleToRole, { role: 'readers', toRole: 'analysts' })
  await admin.call(perms.grantRoleToUser, { role: 'analysts', user: grace.name })
  const boats: AccessObject = objectOf('table', { ...IN_MAIN, name: 'boats' })
  await admin.call(perms.grantPrivToRole, { role: 'readers', object: boats, privileges: ['SELECT'] })
  await admin.call(perms.grantPrivToUser, {
    user: grace.name,
    object: boats,
    privileges: ['SELECT', 'INSERT'],
    withGrantOption: true,
  })
  await admin.call(perms.grantPrivToRole, {
    role: 'idle',
    object: objectOf('table'),
    privileges: ['DELETE'],
  })
  return { app, admin, grace }
}

const held = async (by: TestUser, user: string, page = PAGE) => {
  const { list, total } = (await by.call(perms.effectivePrivileges, { user, ...page })).data
  const rows = list.map(({ objectText, privileges, path }) => [
    path.map(({ name }) => name).join(' > '),
    privileges.join(', '),
    objectText,
  ])
  return { rows, total }
}

test('what a user may do is listed with every way that leads to it', async () => {
  const { admin, grace } = await scene()
  const { rows, total } = await held(admin, grace.name)
  const boats = 'TABLE default_catalog.main.boats'
  const onBoats = rows.filter(([, , object]) => object === boats)
  expect(onBoats).toHaveLength(2)
  expect(onBoats).toContainEqual([grace.name, 'INSERT, SELECT', boats])
  expect(onBoats).toContainEqual([`${grace.name} > analysts > readers`, 'SELECT', boats])
  expect(rows.some(([, privileges]) => privileges === 'DELETE')).toBe(false)
  expect(total).toBe(rows.length)
  const { list } = (await admin.call(perms.effectivePrivileges, { user: grace.name, ...PAGE })).data
  expect(list.find(({ path }) => path.length === 1)).toMatchObject({
    grantable: ['INSERT', 'SELECT'],
  })
})

test('what built-in roles hold is among it, and goes when the role is not active', async () => {
  const { admin, grace } = await scene()
  await admin.call(perms.grantRoleToUser, { role: 'db_admin', user: grace.name })
  const all = [`${grace.name} > db_admin`, 'SELECT, INSERT, UPDATE, DELETE, ALTER, DROP', 'ALL TABLES']
  expect((await held(admin, grace.name)).rows).toContainEqual(all)
  await grace.call(perms.setRoles, { roles: ['analysts'] })
  expect((await held(admin, grace.name)).rows).not.toContainEqual(all)
})

test('pages of it add up to the whole, and a search finds objects and roles', async () => {
  const { admin, grace } = await scene()
  await admin.call(perms.grantRoleToUser, { role: 'db_admin', user: grace.name })
  const { rows, total } = await held(admin, grace.name)
  const paged: string[][] = []
  for (let page = 1; paged.length < total; page++)
    paged.push(...(await held(admin, grace.name, { search: '', page, pageSize: 3 })).rows)
  expect(paged).toEqual(rows)
  expect((await held(admin, grace.name, { ...PAGE, search: 'READERS' })).rows).toEqual([
    [`${grace.name} > analysts > readers`, 'SELECT', 'TABLE default_catalog.main.boats'],
  ])
  const found = await held(admin, grace.name, { ...PAGE, search: 'boats' })
  expect(found.total).toBe(2)
})

test('it is the same that explains one privilege, also for who runs the account without a role for it', async () => {
  const { admin } = await scene()
  await admin.call(perms.setRoles, { roles: [] })
  const object = objectOf('warehouse')
  const listed = (await held(admin, admin.name)).rows
  const { allowed, path } = (
    await admin.call(perms.explain, { user: admin.name, privilege: 'USAGE', object })
  ).data
  expect(allowed).toBe(true)
  expect(listed).toContainEqual([
    path
      .slice(0, -1)
      .map(({ name }) => name)
      .join(' > '),
    'USAGE, ALTER, DROP',
    'ALL WAREHOUSES',
  ])
  expect(listed.some(([, , text]) => text === 'ALL TABLES')).toBe(false)
})

test('the privileges of others are for administrators of users, and of their own account', async () => {
  const { app, admin, grace } = await scene()
  const codeFor = async (by: TestUser, user: string) =>
    (await by.call(perms.effectivePrivileges, { user })).code
  expect(await codeFor(grace, admin.name)).toBe(CODES.NoPermission.code)
  expect(await codeFor(grace, grace.name)).toBe(CODES.NoPermission.code)
  const others = await Promise.all(
    (['db_admin', 'cluster_admin', 'security_admin'] as const).map((role) => app.user([role])),
  )
  for (const other of others) expect(await codeFor(other, grace.name)).toBe(CODES.NoPermission.code)
  expect(await codeFor(await app.stranger(['user_admin']), grace.name)).toBe(CODES.NotFound.code)
  expect(await codeFor(admin, 'nobody')).toBe(CODES.NotFound.code)
  expect(await codeFor(admin, '')).toBe(CODES.BadInput.code)
})
