import {
  CODES,
  encodePassword,
  LIFE_CYCLE_STATES,
  org,
  passwordCalls,
  signUpCalls,
  user,
} from '@boathouse/contract'
import { expect, test } from 'vitest'
import { DAYS } from '../../testing/fake-clock.ts'
import { mailedToken } from '../../testing/mailed-token.ts'
import { startApp, type TestApp } from '../../testing/start-app.ts'
import { OPERATOR } from '../audit/author.ts'

const ANA = 'ana.duarte@northwind.example'
const PASSWORD = encodePassword('Rowing_2026')
const { code: OK } = CODES.Ok
const { code: UNUSABLE } = CODES.LinkUnusable

const isLeft = async (app: TestApp, accountId: string) => {
  const { rows } = await app.store.pool.query('select 1 from users where account_id = $1', [accountId])
  return rows.length > 0
}

/** Somebody who is invited to a new account and has not chosen a password yet. */
async function invited(app: TestApp) {
  const admin = await app.admin()
  const draft = { name: 'Quay', edition: 'lake', adminName: 'ana', adminEmail: ANA } as const
  const { accountId } = (await admin.call(org.createAccount, draft)).data
  await app.accountLife.advance()
  return { accountId, token: (await mailedToken(app, ANA)) ?? '' }
}

const signIn = (app: TestApp, accountId: string) =>
  app.call(user.login, { accountId, username: 'ana', password: PASSWORD })

test('a user who is invited to an account that is closed by then does not get in, and after its end finds no link', async () => {
  const app = await startApp()
  const { accountId, token } = await invited(app)
  await app.accountLife.release(accountId, OPERATOR)
  await app.call(passwordCalls.setUpPassword, { token, password: PASSWORD })
  expect((await signIn(app, accountId)).code).toBe(CODES.LoginFailed.code)

  app.clock.advance(1 * DAYS)
  await app.accountLife.advance()
  expect(await isLeft(app, accountId)).toBe(false)
  expect((await app.call(passwordCalls.invitationLink, { token })).code).toBe(UNUSABLE)
  expect((await app.call(passwordCalls.setUpPassword, { token, password: PASSWORD })).code).toBe(UNUSABLE)
  expect((await signIn(app, accountId)).code).toBe(CODES.LoginFailed.code)
})

test('of a password that is chosen while the account is being deleted nothing is left', async () => {
  const app = await startApp()
  const { accountId, token } = await invited(app)
  await app.accountLife.release(accountId, OPERATOR)
  app.clock.advance(1 * DAYS)
  const [chosen] = await Promise.all([
    app.call(passwordCalls.setUpPassword, { token, password: PASSWORD }),
    app.accountLife.advance(),
  ])
  expect([OK, UNUSABLE]).toContain(chosen.code)
  await app.accountLife.advance()
  expect(await isLeft(app, accountId)).toBe(false)
  expect((await signIn(app, accountId)).code).toBe(CODES.LoginFailed.code)
})

test('an account that is deleted while it is set up is never opened, and the page that waits for it says so', async () => {
  const app = await startApp()
  const form = { firstName: 'Ana', lastName: 'Duarte', email: ANA, company: 'Northwind', country: 'PT' }
  await app.call(signUpCalls.startFreeTrial, { ...form, password: PASSWORD })
  const token = (await mailedToken(app, ANA)) ?? ''
  const { setUpToken } = (await app.call(signUpCalls.activate, { token, password: PASSWORD })).data
  const progress = () => app.call(signUpCalls.setUpProgress, { setUpToken })
  const { accountId } = (await progress()).data
  await app.accountLife.release(accountId, OPERATOR)
  await app.accountLife.advance()
  const { rows } = await app.store.pool.query('select state from accounts where account_id = $1', [accountId])
  expect(rows).toEqual([{ state: LIFE_CYCLE_STATES.Deleting }])
  expect((await progress()).data).toMatchObject({ failed: true })
  expect((await signIn(app, accountId)).code).toBe(CODES.LoginFailed.code)

  app.clock.advance(1 * DAYS)
  await app.accountLife.advance()
  expect((await progress()).code).toBe(UNUSABLE)
  expect((await app.call(signUpCalls.activate, { token, password: PASSWORD })).code).toBe(UNUSABLE)
})
