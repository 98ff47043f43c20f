import { type AccessObject, CODES, objectOf, perms, type Privilege } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { sharedApp, type TestUser } from '../../testing/start-app.ts'

const app = sharedApp()
const OK = CODES.Ok.code
const REFUSED = CODES.NoPermission.code
const table = (name: string): AccessObject =>
  objectOf('table', { catalog: 'default_catalog', database: 'main', name })
const READ: Privilege[] = ['SELECT']

let made = 0
/** A table of somebody who is no administrator, and people without anything. */
async function setUp() {
  const running = await app()
  const admin = await running.admin()
  const owner = await running.user()
  const role = `maker_${++made}`
  await admin.call(perms.createRole, { role })
  const main = objectOf('database', { catalog: 'default_catalog', database: 'main' })
  await admin.call(perms.grantPrivToUser, { user: owner.name, object: main, privileges: ['CREATE TABLE'] })
  const name = `boats_${made}`
  const [answer] = await (await owner.channel()).run(`CREATE TABLE ${name} (a INT)`)
  expect(answer?.errMsg).toBe('')
  const [b, c, d] = [await running.user(), await running.user(), await running.user()]
  const object = table(name)
  const give = async (by: TestUser, to: TestUser | string, withGrantOption = false, on = object) =>
    (typeof to === 'string'
      ? await by.call(perms.grantPrivToRole, { role: to, object: on, privileges: READ, withGrantOption })
      : await by.call(perms.grantPrivToUser, { user: to.name, object: on, privileges: READ, withGrantOption })
    ).code
  const take = async (by: TestUser, from: TestUser | string, on = object) =>
    (typeof from === 'string'
      ? await by.call(perms.revokePrivFromRole, { role: from, object: on, privileges: READ })
      : await by.call(perms.revokePrivFromUser, { user: from.name, object: on, privileges: READ })
    ).code
  const reads = async (...people: TestUser[]) => {
    const found: boolean[] = []
    for (const one of people)
      found.push(
        (await admin.call(perms.explain, { user: one.name, privilege: 'SELECT', object })).data.allowed,
      )
    return found
  }
  return { running, admin, owner, b, c, d, name, object, role, give, take, reads }
}

test('the owner keeps what is theirs: only who administers all data takes it from them', async () => {
  const { running, owner, b, object, give, take, reads, name } = await setUp()
  const keeper = await running.user(['user_admin'])
  expect(await give(owner, b, true)).toBe(OK)
  expect(await take(b, owner), 'by the option to pass it on').toBe(REFUSED)
  expect(await take(keeper, owner), 'by who administers users').toBe(REFUSED)
  const [statement] = await (await b.channel()).run(`REVOKE SELECT ON ${name} FROM ${owner.name}`)
  expect(statement?.errCode, 'by statement').toBe(REFUSED)
  const all = { user: owner.name, object, privileges: ['SELECT', 'DROP'] as Privilege[] }
  expect((await b.call(perms.revokePrivFromUser, all)).code, 'among others').toBe(REFUSED)
  expect(await reads(owner, b)).toEqual([true, true])
  expect(await take(await running.user(['db_admin']), owner)).toBe(OK)
  expect(await reads(owner)).toEqual([false])
})

test('a user with the grant option revokes what they granted, and nothing that others granted', async () => {
  const { owner, b, c, d, give, take, reads } = await setUp()
  expect([await give(owner, b, true), await give(owner, c), await give(b, d)]).toEqual([OK, OK, OK])
  expect(await take(b, c), 'given by the owner').toBe(REFUSED)
  expect(await give(b, c), 'given once more by b').toBe(OK)
  expect(await take(b, c), 'what b gave').toBe(OK)
  expect(await reads(c), 'what the owner gave stays').toEqual([true])
  expect(await take(b, d)).toBe(OK)
  expect(await reads(d)).toEqual([false])
  expect(await take(owner, c)).toBe(OK)
  expect(await reads(c)).toEqual([false])
})

test('what was passed on ends with the privilege of its grantor, however far it went, and is shown before', async () => {
  const { admin, owner, b, c, d, role, object, give, take, reads } = await setUp()
  expect([await give(owner, b, true), await give(b, c, true), await give(c, d), await give(c, role)]).toEqual(
    [OK, OK, OK, OK],
  )
  const planned = {
    change: 'revoke-privileges' as const,
    grantee: { kind: 'user' as const, name: b.name },
    object,
    privileges: READ,
  }
  const text = `TABLE default_catalog.main.${object.name}`
  const effect = (await admin.call(perms.effect, { planned })).data
  expect(effect).toMatchObject({ users: 1, names: [b.name], morePassedOn: 0 })
  expect(effect.passedOn).toEqual(
    [
      { kind: 'user', name: c.name },
      { kind: 'user', name: d.name },
      { kind: 'role', name: role },
    ].map((grantee) => ({ grantee, objectText: text, privileges: READ })),
  )
  expect(await reads(b, c, d), 'telling changes nothing').toEqual([true, true, true])
  expect(await take(owner, b)).toBe(OK)
  expect(await reads(owner, b, c, d)).toEqual([true, false, false, false])
  expect((await admin.call(perms.roleGrants, { role })).data.total).toBe(0)
})

test('what came by another way too stays, and two who gave it to each other hold nothing by that', async () => {
  const { owner, b, c, d, give, take, reads } = await setUp()
  expect([await give(owner, b, true), await give(owner, c, true)]).toEqual([OK, OK])
  expect([await give(b, d), await give(c, d)]).toEqual([OK, OK])
  expect(await take(owner, b)).toBe(OK)
  expect(await reads(b, c, d), 'd has it of c').toEqual([false, true, true])
  expect([await give(c, b, true), await give(b, c, true)]).toEqual([OK, OK])
  expect(await take(owner, c), 'of the owner and of b, who has it of c').toBe(OK)
  expect(await reads(b, c, d)).toEqual([false, false, false])
})

const LOSSES: Readonly<
  Record<string, (at: Awaited<ReturnType<typeof setUp>>) => Promise<{ code: number } | string>>
> = {
  'the role is taken from them': ({ admin, b, role }) =>
    admin.call(perms.revokeRoleFromUser, { role, user: b.name }),
  'the role is dropped': ({ admin, role }) => admin.call(perms.deleteRole, { role }),
  'the role loses it': ({ admin, role, object }) =>
    admin.call(perms.revokePrivFromRole, { role, object, privileges: READ }),
  'they are removed': ({ admin, b }) => admin.call(perms.deleteUser, { user: b.name }),
  'they are removed by the operator': async ({ running, b }) => {
    await running.operator('user delete', { account: running.accountId, user: b.name })
    return ''
  },
  'the role is revoked by statement': async ({ admin, b, role }) =>
    (await (await admin.channel()).run(`REVOKE ${role} FROM ${b.name}`))[0]?.errMsg ?? '?',
  'they are dropped by statement': async ({ admin, b }) =>
    (await (await admin.channel()).run(`DROP USER ${b.name}`))[0]?.errMsg ?? '?',
}

test.each(Object.keys(LOSSES))('what somebody passed on by a role goes when %s', async (loss) => {
  const scene = await setUp()
  const { admin, owner, b, c, role, give, reads } = scene
  await admin.call(perms.grantRoleToUser, { role, user: b.name })
  expect([await give(owner, role, true), await give(b, c)]).toEqual([OK, OK])
  expect(await reads(c)).toEqual([true])
  const outcome = await LOSSES[loss]?.(scene)
  expect(typeof outcome === 'string' ? outcome : outcome?.code).toBe(typeof outcome === 'string' ? '' : OK)
  expect(await reads(c)).toEqual([false])
})

test('what somebody passed on stays when they only rest the role, and when its giver was the owner', async () => {
  const { running, admin, owner, b, c, d, role, give, reads } = await setUp()
  await admin.call(perms.grantRoleToUser, { role, user: b.name })
  expect([await give(owner, role, true), await give(b, c), await give(owner, d)]).toEqual([OK, OK, OK])
  await b.call(perms.setRoles, { roles: [] })
  expect(await reads(c)).toEqual([true])
  const chief = await running.user(['db_admin'])
  expect(await give(chief, b)).toBe(OK)
  expect((await admin.call(perms.deleteUser, { user: chief.name })).code).toBe(OK)
  expect((await admin.call(perms.deleteUser, { user: owner.name })).code).toBe(OK)
  expect(await reads(c, d)).toEqual([true, true])
  expect((await admin.call(perms.userGrants, { user: b.name })).data.total).toBe(1)
})

test('what was passed on from all tables of a database is revoked table by table', async () => {
  const { admin, b, c, give, take, reads } = await setUp()
  const wide = objectOf('table', { catalog: 'default_catalog', database: 'main' })
  expect([await give(admin, b, true, wide), await give(b, c)]).toEqual([OK, OK])
  expect(await take(admin, b, wide)).toBe(OK)
  expect(await reads(b, c)).toEqual([false, false])
})

test('nobody gives what they do not hold with the option, not even who administers users', async () => {
  const { running, owner, b, c, role, give } = await setUp()
  const keeper = await running.user(['user_admin'])
  expect(await give(keeper, c), 'holds nothing').toBe(REFUSED)
  expect(await give(keeper, role), 'to a role').toBe(REFUSED)
  expect(await give(owner, b)).toBe(OK)
  expect(await give(b, c), 'without the option').toBe(REFUSED)
  expect(await give(owner, keeper)).toBe(OK)
  expect(await give(keeper, c), 'holds it and administers users').toBe(OK)
  expect(await give(await running.user(['cluster_admin']), c), 'administers something else').toBe(REFUSED)
  expect(await give(await running.user(['db_admin']), b, true), 'administers all data').toBe(OK)
})

test('a user of another account by the same name neither gives nor takes', async () => {
  const { running, b, give, take, owner } = await setUp()
  const stranger = await running.stranger(['account_admin'])
  expect(await give(owner, b)).toBe(OK)
  for (const code of [await give(stranger, b), await take(stranger, b)])
    expect(code).toBe(CODES.NotFound.code)
})
