import { CODES, encodePassword, user } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { signedCall } from '../../testing/signed-call.ts'
import { startApp, type TestApp } from '../../testing/start-app.ts'
import { SECONDS } from '../../testing/fake-clock.ts'

const HERE = '192.0.2.7'

interface Login {
  readonly username?: string
  readonly password?: string
  readonly address?: string
}

/** What is answered to a login from an address. */
async function login(app: TestApp, { username = 'admin', password = 'Wrong_pass1', address = HERE }: Login) {
  const input = { accountId: app.accountId, username, password: encodePassword(password) }
  const request = signedCall(user.login, input, { token: '', now: app.clock.now() })
  const headers = { ...request.headers, 'x-forwarded-for': address }
  return (await app.http.inject({ ...request, headers })).json<{ code: number; message: string }>()
}

const started = () => startApp({ BOATHOUSE_TRUST_PROXY: '1' })

const count = (answers: readonly { code: number }[], name: keyof typeof CODES): number =>
  answers.filter(({ code }) => code === CODES[name].code).length

test('of 200 passwords sent at once ten are checked, and the right one after them is refused', async () => {
  const app = await started()
  const sent = Array.from({ length: 200 }, (_, index) =>
    login(app, index === 199 ? { password: app.password } : {}),
  )
  const answers = await Promise.all(sent)
  expect(count(answers, 'LoginFailed')).toBe(10)
  expect(count(answers, 'TooManyAttempts')).toBe(190)
})

test('at the same time the same user signs in from elsewhere, and another one from here', async () => {
  const app = await started()
  const { name } = await app.user()
  const guesses = Array.from({ length: 200 }, () => login(app, {}))
  expect(await login(app, { password: app.password, address: '192.0.2.8' })).toMatchObject({
    code: CODES.Ok.code,
  })
  await Promise.all(guesses)
  expect(await login(app, { username: name, password: app.password })).toMatchObject({ code: CODES.Ok.code })
})

test('the right password waits for half a minute at most, however many wrong ones there were', async () => {
  const app = await started()
  for (let guessed = 0; guessed < 30; guessed++) {
    await login(app, {})
    app.clock.advance(30 * SECONDS)
  }
  await login(app, {})
  expect(await login(app, { password: app.password })).toEqual({
    code: CODES.TooManyAttempts.code,
    message: 'Too many failed sign-ins. Wait 30 seconds, then try again.',
    data: null,
  })
  app.clock.advance(30 * SECONDS)
  expect(await login(app, { password: app.password })).toMatchObject({ code: CODES.Ok.code })
  for (let guessed = 0; guessed < 10; guessed++)
    expect(await login(app, {}), 'counted from 0 again').toMatchObject({ code: CODES.LoginFailed.code })
})

test('guesses from many addresses are slowed down, but not for who signed in from theirs before', async () => {
  const app = await started()
  await login(app, { password: app.password })
  const guesses = []
  for (let guessed = 0; guessed < 120; guessed++)
    guesses.push(await login(app, { address: `198.51.100.${guessed}` }))
  expect(count(guesses, 'LoginFailed')).toBe(100)
  expect(await login(app, { password: app.password, address: '203.0.113.9' })).toMatchObject({
    code: CODES.TooManyAttempts.code,
  })
  expect(await login(app, { password: app.password })).toMatchObject({ code: CODES.Ok.code })
  app.clock.advance(5 * SECONDS)
  expect(await login(app, { password: app.password, address: '203.0.113.9' })).toMatchObject({
    code: CODES.Ok.code,
  })
})

test('one address cannot try one password on everybody', async () => {
  const app = await started()
  const guesses = []
  for (let guessed = 0; guessed < 60; guessed++)
    guesses.push(await login(app, { username: `user_${guessed}`, password: app.password }))
  expect(count(guesses, 'LoginFailed')).toBe(50)
  expect(count(guesses, 'TooManyAttempts')).toBe(10)
})

test('users that exist and users that do not are refused with the same words', async () => {
  const app = await started()
  const answers = async (username: string) => {
    const heard = []
    for (let guessed = 0; guessed < 12; guessed++) heard.push(await login(app, { username }))
    return heard
  }
  expect(await answers('nobody')).toEqual(await answers('admin'))
})

test('logins that succeed are never slowed down', async () => {
  const app = await started()
  for (let made = 0; made < 15; made++)
    expect(await login(app, { password: app.password })).toMatchObject({ code: CODES.Ok.code })
})
