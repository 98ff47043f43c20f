import { account, CODES } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { SECONDS } from '../../testing/fake-clock.ts'
import { startApp } from '../../testing/start-app.ts'

test('an account is found by its id, and the answer says only where it is', async () => {
  const app = await startApp()
  expect((await app.call(account.locate, { accountId: app.accountId })).data).toEqual({
    accountId: app.accountId,
    region: 'local-1',
    host: '',
  })
})

test('an account that does not exist is reported as missing [SIGNIN-57]', async () => {
  const app = await startApp()
  expect(await app.call(account.locate, { accountId: 'ZZZ99999' })).toEqual({
    code: CODES.NotFound.code,
    message: 'This account does not exist.',
    data: null,
  })
})

test('accounts cannot be found by trying them all, one by one or all at once', async () => {
  const app = await startApp()
  const tried = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      app.call(account.locate, { accountId: index === 49 ? app.accountId : `ZZZ000${10 + index}` }),
    ),
  )
  expect(tried.filter(({ code }) => code === CODES.NotFound.code)).toHaveLength(30)
  expect(await app.call(account.locate, { accountId: app.accountId })).toMatchObject({
    code: CODES.TooManyAttempts.code,
    message: 'Too many unknown accounts. Wait 1 second, then try again.',
  })
  app.clock.advance(SECONDS)
  expect(await app.call(account.locate, { accountId: app.accountId })).toMatchObject({ code: CODES.Ok.code })
})

test('an existing account can be requested without limit', async () => {
  const app = await startApp()
  for (let asked = 0; asked < 40; asked++)
    expect(await app.call(account.locate, { accountId: app.accountId })).toMatchObject({
      code: CODES.Ok.code,
    })
})

test('details of the account need a login', async () => {
  const app = await startApp()
  expect((await app.call(account.details, {})).code).toBe(CODES.LoginRequired.code)
})

test('details name the account, its organisation and what answers queries [HOME-04]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  expect((await admin.call(account.details, {})).data).toMatchObject({
    accountId: app.accountId,
    accountName: 'demo',
    organisation: 'Demo',
    csp: 'local',
    region: 'local-1',
    createdBy: 'admin',
    queryEndpoint: { listening: false, privateEndpoints: [] },
  })
})
