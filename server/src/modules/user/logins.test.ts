import { CODES, loginCalls, user } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { HOURS, MINUTES } from '../../testing/fake-clock.ts'
import { sharedApp, startApp, type TestApp } from '../../testing/start-app.ts'

const { code: OK } = CODES.Ok

async function twoLogins(app: TestApp) {
  const here = await app.admin()
  app.clock.advance(5 * MINUTES)
  return { here, there: await app.admin() }
}

test('logins are listed with where and when, the last used first, this one marked', async () => {
  const app = await startApp()
  const { here } = await twoLogins(app)
  app.clock.advance(5 * MINUTES)
  const { data } = await here.call(loginCalls.listLogins, {})
  expect(data.logins).toMatchObject([
    { method: 'password', clientIp: '127.0.0.1', isCurrent: true, userAgent: 'lightMyRequest' },
    { method: 'password', isCurrent: false },
  ])
})

test('a login that was ended elsewhere is refused at once, by HTTP and on its open channel', async () => {
  const app = await startApp()
  const { here, there } = await twoLogins(app)
  const channel = await there.channel()
  const { data } = await here.call(loginCalls.listLogins, {})
  const other = data.logins.find((login) => !login.isCurrent)
  expect((await here.call(loginCalls.endLogin, { loginId: other?.loginId ?? '' })).code).toBe(OK)
  expect(await channel.closed).toMatchObject({ code: 4001 })
  expect((await there.call(user.info, {})).code).toBe(CODES.LoginRequired.code)
  expect((await here.call(user.info, {})).code).toBe(OK)
})

test('all others can be ended together', async () => {
  const app = await startApp()
  const { here, there } = await twoLogins(app)
  const elsewhere = await app.admin()
  const channel = await elsewhere.channel()
  expect((await here.call(loginCalls.endOtherLogins, {})).data).toEqual({ ended: 2 })
  expect(await channel.closed).toMatchObject({ code: 4001 })
  expect((await there.call(user.info, {})).code).toBe(CODES.LoginRequired.code)
  expect((await here.call(loginCalls.listLogins, {})).data.logins).toHaveLength(1)
})

test('nobody sees or ends the logins of another, of this account or of another', async () => {
  const app = await startApp()
  const [admin, ada] = [await app.admin(), await app.user()]
  const foreign = await (await app.otherAccount()).admin()
  const { data } = await ada.call(loginCalls.listLogins, {})
  const loginId = data.logins[0]?.loginId ?? ''
  for (const stranger of [admin, foreign]) {
    expect(
      (await stranger.call(loginCalls.listLogins, {})).data.logins.map((login) => login.loginId),
    ).not.toContain(loginId)
    expect((await stranger.call(loginCalls.endLogin, { loginId })).code).toBe(CODES.NotFound.code)
  }
  expect((await ada.call(user.info, {})).code).toBe(OK)
})

test('logins that have timed out are not listed', async () => {
  const app = await startApp()
  await app.admin()
  app.clock.advance(12 * HOURS)
  const here = await app.admin()
  expect((await here.call(loginCalls.listLogins, {})).data.logins).toHaveLength(1)
})

const shared = sharedApp()

test.each(['', 'xyz', "'; drop table logins"])('%j names no login', async (loginId) => {
  const here = await (await shared()).admin()
  expect((await here.call(loginCalls.endLogin, { loginId })).code).toBe(CODES.BadInput.code)
})
