import { allCalls, type Call, CODES, objectOf, perms, type Sent } from '@boathouse/contract'
import { STATEMENT_KINDS } from '@boathouse/sql'
import { expect, test } from 'vitest'
import { sharedApp, type TestApp, type TestUser } from '../../testing/start-app.ts'
import { accessStatements } from './statements.ts'

const app = sharedApp()
const OK = CODES.Ok.code
const REFUSED = CODES.NoPermission.code
const GIVEN = 'Rowing_2026'
const ALL_TABLES = objectOf('table', { catalog: 'default_catalog' })

/**
 * All that changes users, roles or grants of others, as calls and as statements. Each is an attempt of somebody who
 * administers users and nothing else, upon what is above them.
 */
interface Scene {
  /** Administers users. */
  readonly keeper: TestUser
  /** Holds `above` and nothing else. */
  readonly chief: string
  /** A role that inherits `above`. */
  readonly office: string
  /** A role without anything, which the keeper has. */
  readonly own: string
  /** Somebody without roles. */
  readonly plain: string
  readonly above: string
}

const CALLS: Readonly<Record<string, (scene: Scene) => readonly [Call, Sent<Call>][]>> = {
  '/perms/create-user': ({ above, office }) => [
    [perms.createUser, { user: 'fresh', email: 'fresh@boats.example', roles: [above] }],
    [perms.createUser, { user: 'fresh', email: 'fresh@boats.example', roles: [office] }],
    [perms.createUser, { user: 'fresh', email: 'fresh@boats.example', roles: ['public', above] }],
  ],
  '/perms/set-user-email': ({ chief }) => [
    [perms.setUserEmail, { user: chief, email: 'taken@boats.example' }],
  ],
  '/perms/delete-user': ({ chief }) => [[perms.deleteUser, { user: chief }]],
  '/perms/grant-role-to-user': ({ above, office, plain, chief, own }) => [
    [perms.grantRoleToUser, { role: above, user: plain }],
    [perms.grantRoleToUser, { role: office, user: plain }],
    [perms.grantRoleToUser, { role: own, user: chief }],
  ],
  '/perms/revoke-role-from-user': ({ above, office, chief }) => [
    [perms.revokeRoleFromUser, { role: above, user: chief }],
    [perms.revokeRoleFromUser, { role: office, user: chief }],
  ],
  '/perms/delete-role': ({ office }) => [[perms.deleteRole, { role: office }]],
  '/perms/grant-role-to-role': ({ above, office, own }) => [
    [perms.grantRoleToRole, { role: above, toRole: own }],
    [perms.grantRoleToRole, { role: office, toRole: own }],
    [perms.grantRoleToRole, { role: own, toRole: office }],
  ],
  '/perms/revoke-role-from-role': ({ above, office }) => [
    [perms.revokeRoleFromRole, { role: above, fromRole: office }],
  ],
  '/perms/grant-priv-to-user': ({ plain }) => [
    [perms.grantPrivToUser, { user: plain, object: ALL_TABLES, privileges: ['SELECT'] }],
    [perms.grantPrivToUser, { user: plain, object: objectOf('system'), privileges: ['CREATE WAREHOUSE'] }],
  ],
  '/perms/grant-priv-to-role': ({ own }) => [
    [perms.grantPrivToRole, { role: own, object: ALL_TABLES, privileges: ['SELECT'] }],
    [perms.grantPrivToRole, { role: own, object: objectOf('warehouse'), privileges: ['DROP'] }],
  ],
  '/perms/revoke-priv-from-user': ({ chief }) => [
    [perms.revokePrivFromUser, { user: chief, object: objectOf('warehouse'), privileges: ['USAGE'] }],
  ],
  '/perms/revoke-priv-from-role': ({ office }) => [
    [perms.revokePrivFromRole, { role: office, object: objectOf('warehouse'), privileges: ['USAGE'] }],
  ],
}

/** Change nobody, or nobody but who asks. */
const HARMLESS = new Set([
  '/perms/all-roles',
  '/perms/create-role',
  '/perms/describe-role',
  '/perms/describe-user',
  '/perms/effect',
  '/perms/effective-privileges',
  '/perms/explain',
  '/perms/get-active-recursion-roles',
  '/perms/get-default-roles',
  '/perms/list-roles',
  '/perms/list-users',
  '/perms/role-grants',
  '/perms/role-matrix',
  '/perms/roles-role',
  '/perms/roles-user',
  '/perms/set-roles',
  '/perms/user-grants',
  '/perms/user-roles',
  '/sso/begin',
  '/sso/confirm',
  '/sso/confirmation-link',
  '/sso/connect',
  '/sso/connection',
  '/sso/delete-settings',
  '/sso/disconnect',
  '/sso/finish',
  '/sso/finish-connect',
  '/sso/offer',
  '/sso/save-settings',
  '/sso/settings',
  '/user/account-info',
  '/user/change-password',
  '/user/confirm-email',
  '/user/email-change-link',
  '/user/end-login',
  '/user/end-other-logins',
  '/user/info',
  '/user/invitation-link',
  '/user/list-logins',
  '/user/list-messages',
  '/user/list-sign-ins',
  '/user/list-unread-messages',
  '/user/login',
  '/user/logout',
  '/user/mark-message-read',
  '/user/password-reset-link',
  '/user/request-email-change',
  '/user/request-password-reset',
  '/user/reset-password',
  '/user/set-up-password',
])

const STATEMENTS: Readonly<Record<string, (scene: Scene) => readonly string[]>> = {
  'create-user': ({ above, office }) => [
    `CREATE USER fresh IDENTIFIED BY '${GIVEN}' DEFAULT ROLE ${above}`,
    `CREATE USER IF NOT EXISTS fresh EMAIL 'fresh@boats.example' DEFAULT ROLE ${office}`,
  ],
  'alter-user': ({ chief, above }) => [
    `ALTER USER ${chief} DEFAULT ROLE NONE`,
    `ALTER USER ${chief} DEFAULT ROLE ALL`,
    `ALTER USER ${chief} DEFAULT ROLE ${above}`,
    `ALTER USER ${chief} IDENTIFIED BY '${GIVEN}'`,
    `ALTER USER ${chief} SET EMAIL 'taken@boats.example'`,
  ],
  'drop-user': ({ chief }) => [`DROP USER ${chief}`, `DROP USER IF EXISTS ${chief}`],
  'drop-role': ({ office }) => [`DROP ROLE ${office}`, `DROP ROLE IF EXISTS ${office}`],
  grant: ({ above, office, own, plain }) => [
    `GRANT ${above} TO ${plain}`,
    `GRANT ${above} TO ROLE ${own}`,
    `GRANT ${office} TO ROLE ${own}`,
    `GRANT SELECT ON ALL TABLES IN CATALOG default_catalog TO ROLE ${own}`,
    `GRANT ALL ON ALL DATABASES IN CATALOG default_catalog TO ${plain} WITH GRANT OPTION`,
    `GRANT CREATE WAREHOUSE ON SYSTEM TO ${plain}`,
  ],
  revoke: ({ above, office, chief }) => [
    `REVOKE ${above} FROM ${chief}`,
    `REVOKE ${above} FROM ROLE ${office}`,
    `REVOKE USAGE ON ALL WAREHOUSES FROM ${chief}`,
    `REVOKE USAGE ON ALL WAREHOUSES FROM ROLE ${office}`,
  ],
  'set-default-role': ({ chief }) => [
    `SET DEFAULT ROLE NONE TO ${chief}`,
    `SET DEFAULT ROLE ALL TO ${chief}`,
  ],
  'set-password': ({ chief }) => [`SET PASSWORD FOR ${chief} = PASSWORD('${GIVEN}')`],
}
const HARMLESS_STATEMENTS = ['create-role', 'show-grants', 'show-roles', 'show-users']

let scenes = 0
async function sceneOf({
  above,
  running,
}: {
  above: 'db_admin' | 'security_admin' | 'cluster_admin' | 'account_admin' | 'org_admin'
  running: TestApp
}): Promise<Scene> {
  const admin = await running.admin()
  const number = ++scenes
  const [office, own] = [`office_${number}`, `own_${number}`]
  const keeper = await running.user(['user_admin'])
  const chief = await running.user([above])
  const plain = await running.user()
  for (const role of [office, own]) expect((await admin.call(perms.createRole, { role })).code).toBe(OK)
  // What only an administrator of the organisation can give, the operator has given.
  await running.store.db
    .insertInto('role_roles')
    .values({
      account_id: running.accountId,
      role: office,
      granted: above,
      granted_by: 'operator',
      granted_at: running.clock.now(),
    })
    .execute()
  expect((await admin.call(perms.grantRoleToUser, { role: own, user: keeper.name })).code).toBe(OK)
  return { keeper, chief: chief.name, office, own, plain: plain.name, above }
}

/** All that is kept of who may do what. */
async function everything({ store }: TestApp): Promise<string> {
  const kept = []
  for (const text of [
    'select user_id, name, password_hash, email from users order by user_id',
    'select user_id, role, active from user_roles order by 1, 2',
    'select account_id, role, granted from role_roles order by 1, 2, 3',
    'select account_id, name from roles order by 1, 2',
    'select user_id, role, object_type, name, privileges, grantable from grants order by grant_id',
  ])
    kept.push((await store.pool.query(text)).rows)
  return JSON.stringify(kept)
}

const LEVELS = ['db_admin', 'security_admin', 'cluster_admin', 'account_admin', 'org_admin'] as const

test('every call and statement about users, roles and grants is in one of the tables', () => {
  const about = allCalls()
    .map(({ path }) => path)
    .filter((path) => /^\/(perms|user|sso)\//.test(path))
  expect(about.filter((path) => !(path in CALLS) && !HARMLESS.has(path))).toEqual([])
  const kinds = Object.keys(accessStatements({} as Parameters<typeof accessStatements>[0]))
  expect(kinds.filter((kind) => !(kind in STATEMENTS) && !HARMLESS_STATEMENTS.includes(kind))).toEqual([])
  expect(Object.keys(STATEMENTS).filter((kind) => !(kind in STATEMENT_KINDS))).toEqual([])
})

test.each(LEVELS)(
  'no call of an administrator of users gives, takes or changes %s, and nothing is changed by trying',
  async (above) => {
    const running = await app()
    const scene = await sceneOf({ above, running })
    const before = await everything(running)
    const allowed: unknown[] = []
    for (const attempts of Object.values(CALLS))
      for (const [call, input] of attempts(scene)) {
        const { code } = await scene.keeper.call(call, input)
        if (code !== REFUSED) allowed.push([call.path, input, code])
      }
    expect(allowed).toEqual([])
    expect(await everything(running)).toBe(before)
  },
)

test.each(['db_admin', 'account_admin'] as const)(
  'no statement of an administrator of users gives, takes or changes %s',
  async (above) => {
    const running = await app()
    const scene = await sceneOf({ above, running })
    const channel = await scene.keeper.channel()
    const allowed: unknown[] = []
    const before = await everything(running)
    for (const attempts of Object.values(STATEMENTS))
      for (const sql of attempts(scene)) {
        const [answer] = await channel.run(sql)
        if (answer?.errCode !== REFUSED) allowed.push([sql, answer?.errCode, answer?.errMsg])
      }
    expect(allowed).toEqual([])
    expect(await everything(running)).toBe(before)
  },
)

test('what somebody administers by grants on all of a kind counts as much as a built-in role', async () => {
  const running = await app()
  const admin = await running.admin()
  const keeper = await running.user(['user_admin'])
  const [chief, plain] = [await running.user(), await running.user()]
  const wide = [
    [objectOf('table'), ['SELECT']],
    [objectOf('table', { catalog: 'default_catalog' }), ['DELETE']],
    [objectOf('warehouse'), ['ALTER']],
    [objectOf('system'), ['CREATE WAREHOUSE']],
    [objectOf('database', { catalog: 'default_catalog' }), ['DROP']],
  ] as const
  for (const [index, [object, privileges]] of wide.entries()) {
    const role = `wide_${index}`
    await admin.call(perms.createRole, { role })
    expect(
      (await admin.call(perms.grantPrivToRole, { role, object, privileges: [...privileges] })).code,
    ).toBe(OK)
    expect([role, (await keeper.call(perms.grantRoleToUser, { role, user: plain.name })).code]).toEqual([
      role,
      REFUSED,
    ])
    expect([role, (await keeper.call(perms.deleteRole, { role })).code]).toEqual([role, REFUSED])
    await admin.call(perms.grantRoleToUser, { role, user: chief.name })
    expect([role, (await keeper.call(perms.deleteUser, { user: chief.name })).code]).toEqual([role, REFUSED])
    await admin.call(perms.revokeRoleFromUser, { role, user: chief.name })
  }
  expect((await keeper.call(perms.deleteUser, { user: chief.name })).code).toBe(OK)
})

test('an administration that is not active is not held by who gives, and is by whom it would be taken from', async () => {
  const running = await app()
  const both = await running.user(['user_admin', 'db_admin'])
  const [chief, plain] = [await running.user(['db_admin']), await running.user()]
  await both.call(perms.setRoles, { roles: ['user_admin'] })
  await chief.call(perms.setRoles, { roles: [] })
  expect((await both.call(perms.grantRoleToUser, { role: 'db_admin', user: plain.name })).code).toBe(REFUSED)
  expect((await both.call(perms.deleteUser, { user: chief.name })).code).toBe(REFUSED)
  await both.call(perms.setRoles, { roles: ['user_admin', 'db_admin'] })
  expect((await both.call(perms.grantRoleToUser, { role: 'db_admin', user: plain.name })).code).toBe(OK)
  expect((await both.call(perms.deleteUser, { user: chief.name })).code).toBe(OK)
})

test('nobody rises by a role that they have, even to one that administers nothing', async () => {
  const running = await app()
  const admin = await running.admin()
  const keeper = await running.user(['user_admin'])
  for (const role of ['crew_a', 'crew_b', 'crew_c']) await admin.call(perms.createRole, { role })
  await admin.call(perms.grantRoleToUser, { role: 'crew_a', user: keeper.name })
  await admin.call(perms.grantRoleToRole, { role: 'crew_b', toRole: 'crew_a' })
  const inherit = (role: string, toRole: string) => keeper.call(perms.grantRoleToRole, { role, toRole })
  expect((await inherit('crew_c', 'crew_a')).code).toBe(CODES.Conflict.code)
  expect((await inherit('crew_c', 'crew_b')).code, 'one level below').toBe(CODES.Conflict.code)
  expect((await inherit('crew_a', 'crew_c')).code, 'to a role of others').toBe(OK)
})

test('an administrator of users does their work: users, ordinary roles, passwords, what they hold themselves', async () => {
  const running = await app()
  const admin = await running.admin()
  const keeper = await running.user(['user_admin'])
  const channel = await keeper.channel()
  await admin.call(perms.grantPrivToUser, {
    user: keeper.name,
    object: objectOf('warehouse', { name: 'default_warehouse' }),
    privileges: ['ALTER'],
  })
  for (const sql of [
    'CREATE ROLE rowers',
    `CREATE USER oarsman IDENTIFIED BY '${GIVEN}' DEFAULT ROLE rowers`,
    `ALTER USER oarsman IDENTIFIED BY '${GIVEN}7'`,
    'ALTER USER oarsman DEFAULT ROLE NONE',
    'GRANT user_admin TO oarsman',
    'GRANT ALTER ON WAREHOUSE default_warehouse TO ROLE rowers',
    'REVOKE ALTER ON WAREHOUSE default_warehouse FROM ROLE rowers',
    'REVOKE user_admin FROM oarsman',
    'DROP USER oarsman',
    'DROP ROLE rowers',
  ])
    expect([sql, (await channel.run(sql))[0]?.errMsg]).toEqual([sql, ''])
})

test('the last who can administer the account stays, by whichever path they have it', async () => {
  const running = await app()
  const other = await running.otherAccount()
  const master = await other.admin()
  const crew = await other.user(['user_admin'])
  const run = async (sql: string) => (await (await master.channel()).run(sql))[0]
  for (const sql of [
    'CREATE ROLE bridge',
    'GRANT account_admin TO ROLE bridge',
    `GRANT bridge TO ${crew.name}`,
  ])
    expect([sql, (await run(sql))?.errMsg]).toEqual([sql, ''])
  // From here on it is held by way of a role alone, as an operator could leave it.
  await running.store.pool.query(
    `delete from user_roles using users where users.user_id = user_roles.user_id
      and users.account_id = $1 and user_roles.role in ('account_admin', 'org_admin')`,
    [other.accountId],
  )
  const keeper = await other.user(['account_admin'])
  await running.store.pool.query('update users set password_hash = null where name = $1', [keeper.name])
  const lost = (sql: string) =>
    expect.objectContaining({
      sql,
      code: CODES.Conflict.code,
      message: expect.stringContaining('without an administrator'),
    })
  const channel = await keeper.channel()
  for (const sql of [
    `REVOKE bridge FROM ${crew.name}`,
    'REVOKE account_admin FROM ROLE bridge',
    'DROP ROLE bridge',
    `DROP USER ${crew.name}`,
  ]) {
    const [answer] = await channel.run(sql)
    expect({ sql, code: answer?.errCode, message: answer?.errMsg }).toEqual(lost(sql))
  }
})

test('an administrator of one account changes nobody of another, by the same names', async () => {
  const running = await app()
  const { accountId, admin } = await running.otherAccount()
  const master = await admin()
  const twin = await running.user()
  await running.store.pool.query(
    `insert into users (user_id, account_id, name, is_org_admin, created_at, password_changed_at)
      values (gen_random_uuid(), $1, $2, false, now(), now())`,
    [accountId, twin.name],
  )
  await master.call(perms.createRole, { role: 'twins' })
  expect((await master.call(perms.grantRoleToUser, { role: 'twins', user: twin.name })).code).toBe(OK)
  expect((await master.call(perms.deleteUser, { user: twin.name })).code).toBe(OK)
  expect((await (await running.admin()).call(perms.userRoles, { user: twin.name })).data.roles).toEqual([])
})
