import { account, CODES } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp } from '../../testing/start-app.ts'

test('an account is found by its id, and the answer says only where it is', async () => {
  const app = await startApp()
  expect((await app.call(account.locate, { accountId: app.accountId })).data).toEqual({
    accountId: app.accountId,
    region: 'local-1',
  })
})

test('an account that does not exist is said to be missing [SIGNIN-57]', async () => {
  const app = await startApp()
  expect(await app.call(account.locate, { accountId: 'ZZZ99999' })).toEqual({
    code: CODES.NotFound.code,
    message: 'This account does not exist.',
    data: null,
  })
})

test('accounts cannot be found by trying them all', async () => {
  const app = await startApp()
  for (let tried = 0; tried < 30; tried++)
    await app.call(account.locate, { accountId: `ZZZ000${10 + tried}` })
  expect(await app.call(account.locate, { accountId: app.accountId })).toMatchObject({
    code: CODES.TooManyAttempts.code,
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
    queryEndpoint: { port: 9030, listening: false },
  })
})
