import { CODES, encodePassword, LIFE_CYCLE_STATES, SHELL_STATES, user, warehouse } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { HOURS } from '../../testing/fake-clock.ts'
import { startApp } from '../../testing/start-app.ts'

const login = (accountId: string, username: string, password: string) => ({
  accountId,
  username,
  password: encodePassword(password),
})

test.each([
  ['a wrong password', 'admin', 'Wrong_pass1'],
  ['an unknown user', 'nobody', 'Rowing_2026'],
])('%s is refused with one and the same answer [SIGNIN-43]', async (_, name, password) => {
  const app = await startApp()
  expect(await app.call(user.login, login(app.accountId, name, password))).toEqual({
    code: CODES.LoginFailed.code,
    message: 'Login failed: Invalid account or password.',
    data: null,
  })
})

test('a login answers a token and the whole user info [SIGNIN-01, SIGNIN-31, ACCOUNT-03, ACCOUNT-07]', async () => {
  const app = await startApp()
  const { data } = await app.call(user.login, login(app.accountId, 'ADMIN', app.password))
  expect(data.token).toMatch(/^[\w-]{43}$/)
  expect(data.info).toEqual({
    user: 'admin',
    creator: 'admin',
    email: '',
    accountId: app.accountId,
    accountName: 'demo',
    accountState: 2,
    edition: 'standard',
    source: 1,
    isOrgAdmin: true,
    orgIdentity: 1,
    perms: expect.arrayContaining(['*:*']),
    region: 'local-1',
    activeRoles: expect.arrayContaining(['account_admin', 'db_admin']),
  })
})

test('a user who was invited to an account that is not open yet learns this only with the right password', async () => {
  const app = await startApp()
  const { name } = await app.admin()
  const become = (state: number) =>
    app.store.db.updateTable('accounts').set({ state, shell_state: SHELL_STATES.Closed }).execute()
  const answer = (password: string) => app.call(user.login, login(app.accountId, name, password))
  await become(LIFE_CYCLE_STATES.Pending)
  expect(await answer('Rowing_2026')).toMatchObject({
    code: CODES.Conflict.code,
    message: 'This account is still being set up. Try again in a minute.',
  })
  expect((await answer('Wrong_pass1')).code).toBe(CODES.LoginFailed.code)
  await become(LIFE_CYCLE_STATES.Deleted)
  expect((await answer('Rowing_2026')).code).toBe(CODES.LoginFailed.code)
})

test('neither token nor password can be read from the database', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const { rows } = await app.store.pool.query<{ text: string }>(
    `select (select json_agg(logins) from logins)::text || (select json_agg(users) from users)::text as text`,
  )
  expect(rows[0]?.text).not.toContain(admin.token)
  expect(rows[0]?.text).not.toContain(app.password)
  expect(rows[0]?.text).toContain('$argon2id$')
})

test('a login ends after 12 idle hours, but not while it is used', async () => {
  const app = await startApp()
  const admin = await app.admin()
  app.clock.advance(11 * HOURS)
  expect((await admin.call(user.info, {})).code).toBe(CODES.Ok.code)
  app.clock.advance(11 * HOURS)
  expect((await admin.call(user.info, {})).code).toBe(CODES.Ok.code)
  app.clock.advance(12 * HOURS)
  expect(await admin.call(user.info, {})).toMatchObject({
    code: 40001,
    message: 'Your login to the product has timed out. Please try again.',
  })
})

test('a login ends after seven days however busy it is', async () => {
  const app = await startApp()
  const admin = await app.admin()
  for (let hours = 0; hours < 7 * 24 - 6; hours += 6) {
    app.clock.advance(6 * HOURS)
    expect((await admin.call(user.accountInfo, {})).code).toBe(CODES.Ok.code)
  }
  app.clock.advance(6 * HOURS)
  expect((await admin.call(user.accountInfo, {})).code).toBe(40001)
})

test('logging out ends this login and no other', async () => {
  const app = await startApp()
  const [here, there] = [await app.admin(), await app.admin()]
  expect((await here.call(user.logout, {})).code).toBe(CODES.Ok.code)
  expect((await here.call(user.info, {})).code).toBe(40001)
  expect((await there.call(user.info, {})).code).toBe(CODES.Ok.code)
})

test('account info answers region, account and state [ACCOUNT-46]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  expect((await admin.call(user.accountInfo, {})).data).toEqual({
    region: 'local-1',
    accountId: app.accountId,
    accountState: 2,
  })
})

test('the creator of an account is known by their id: a later user of the same name is not the creator', async () => {
  const app = await startApp()
  const creator = await app.admin()
  const heir = await app.user()
  const rename = (from: string, to: string) =>
    app.store.db.updateTable('users').set({ name: to, is_org_admin: true }).where('name', '=', from).execute()
  await app.store.db.deleteFrom('user_roles').execute()
  await rename('admin', 'former')
  await rename(heir.name, 'admin')
  expect((await heir.call(user.info, {})).data).toMatchObject({
    user: 'admin',
    creator: 'admin',
    isOrgAdmin: true,
  })
  expect((await heir.call(warehouse.create, { name: 'mine' })).code).toBe(CODES.NoPermission.code)
  expect((await creator.call(warehouse.create, { name: 'theirs' })).code).toBe(CODES.Ok.code)
})
