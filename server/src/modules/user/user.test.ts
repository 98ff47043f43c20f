import { CODES, encodePassword, user } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { HOURS, MINUTES } from '../../testing/fake-clock.ts'
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

test('a login answers a token and the whole user info [SIGNIN-01, SIGNIN-31, ACCOUNT-03]', async () => {
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

test('ten failed logins put a brake on that user for five minutes', async () => {
  const app = await startApp()
  for (let failed = 0; failed < 10; failed++)
    await app.call(user.login, login(app.accountId, 'admin', 'Wrong_pass1'))
  expect(await app.call(user.login, login(app.accountId, 'admin', app.password))).toMatchObject({
    code: CODES.TooManyAttempts.code,
  })
  app.clock.advance(5 * MINUTES + 1)
  expect(await app.call(user.login, login(app.accountId, 'admin', app.password))).toMatchObject({
    code: CODES.Ok.code,
  })
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
