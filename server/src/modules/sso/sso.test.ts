import { CODES, loginCalls, sso } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { MINUTES } from '../../testing/fake-clock.ts'
import { CLIENT, startIssuer } from '../../testing/issuer.ts'
import { startApp, type TestApp } from '../../testing/start-app.ts'

const PUBLIC = 'http://boathouse.example'
const { code: OK } = CODES.Ok

async function started() {
  const app = await startApp({ BOATHOUSE_SSO_PLAIN_HTTP: 'true', BOATHOUSE_PUBLIC_URL: PUBLIC })
  const issuer = await startIssuer(() => `${PUBLIC}/sso-redirect`)
  const admin = await app.user(['security_admin'])
  const ada = await app.user()
  await app.store.pool.query('update users set email = $1 where name = $2', ['ada@example.com', ada.name])
  const draft = { issuer: issuer.url, clientId: CLIENT.id, clientSecret: CLIENT.secret, enabled: true }
  expect(await admin.call(sso.saveSettings, draft)).toMatchObject({ code: OK })
  return { app, issuer, admin, ada, draft }
}

const begin = async (app: TestApp) => (await app.call(sso.begin, { accountId: app.accountId })).data

test('somebody known to the issuer signs in as the user with the same address, and the login says how [SIGNIN-18]', async () => {
  const { app, issuer, ada } = await started()
  issuer.state.person = { sub: 'ada', email: 'ADA@Example.com', email_verified: true }
  const { address, secret } = await begin(app)
  const answer = await issuer.visit(address)
  const { data } = await app.call(sso.finish, { secret, answer })
  expect(data.info).toMatchObject({ user: ada.name, accountId: app.accountId })
  const logins = await ada.call(loginCalls.listLogins, {})
  expect(logins.data.logins.map((login) => login.method).sort()).toEqual(['password', 'sso'])
})

test('an answer is good once, for ten minutes, in the browser that began, and for the sign-in it was given to', async () => {
  const { app, issuer } = await started()
  const first = await begin(app)
  const answer = await issuer.visit(first.address)
  const second = await begin(app)
  expect((await app.call(sso.finish, { secret: second.secret, answer })).code, 'another sign-in').toBe(
    CODES.SsoFailed.code,
  )
  expect((await app.call(sso.finish, { secret: 'x'.repeat(43), answer })).code, 'another browser').toBe(
    CODES.SsoFailed.code,
  )
  expect((await app.call(sso.finish, { secret: first.secret, answer })).code).toBe(OK)
  expect((await app.call(sso.finish, { secret: first.secret, answer })).code, 'replayed').toBe(
    CODES.SsoFailed.code,
  )
  const late = await begin(app)
  const lateAnswer = await issuer.visit(late.address)
  app.clock.advance(10 * MINUTES)
  expect((await app.call(sso.finish, { secret: late.secret, answer: lateAnswer })).code, 'late').toBe(
    CODES.SsoFailed.code,
  )
})

test.each([
  ['an unknown address', { sub: 'eve', email: 'eve@example.com', email_verified: true }],
  [
    'an address that the issuer has not verified',
    { sub: 'eve', email: 'ada@example.com', email_verified: false },
  ],
  ['no address', { sub: 'eve' }],
])('%s signs nobody in', async (_, person) => {
  const { app, issuer } = await started()
  issuer.state.person = person
  const { address, secret } = await begin(app)
  const answer = await issuer.visit(address)
  expect(await app.call(sso.finish, { secret, answer })).toMatchObject({ code: CODES.LoginFailed.code })
})

test('an address that the issuer gives to somebody else does not open the user of who had it before', async () => {
  const { app, issuer } = await started()
  const signIn = async () => {
    const { address, secret } = await begin(app)
    return app.call(sso.finish, { secret, answer: await issuer.visit(address) })
  }
  expect((await signIn()).code).toBe(OK)
  issuer.state.person = { sub: 'eve', email: 'ada@example.com', email_verified: true }
  expect((await signIn()).code).toBe(CODES.LoginFailed.code)
})

test('an issuer of one account opens no other account', async () => {
  const { app } = await started()
  const { accountId } = await app.otherAccount()
  expect((await app.call(sso.begin, { accountId })).code).toBe(CODES.SsoFailed.code)
  expect((await app.call(sso.offer, { accountId })).data).toEqual({ enabled: false })
  expect((await app.call(sso.offer, { accountId: app.accountId })).data).toEqual({ enabled: true })
  expect((await app.call(sso.offer, { accountId: 'ZZZ99999' })).data).toEqual({ enabled: false })
})

test('the client secret is sealed in the database, never shown, and kept when it is not given anew', async () => {
  const { app, admin, draft } = await started()
  const { rows } = await app.store.pool.query<{ text: string }>(
    'select sso_settings::text as text from sso_settings',
  )
  expect(rows[0]?.text).not.toContain(CLIENT.secret)
  const { clientSecret: _, ...kept } = draft
  expect((await admin.call(sso.saveSettings, kept)).code).toBe(OK)
  const answer = await admin.call(sso.settings, {})
  expect(answer.data).toEqual({
    settings: { issuer: draft.issuer, clientId: CLIENT.id, enabled: true },
    redirectUri: `${PUBLIC}/sso-redirect`,
  })
  expect(JSON.stringify(answer)).not.toContain(CLIENT.secret)
  expect((await app.call(sso.begin, { accountId: app.accountId })).code).toBe(OK)
})

test('the secret for one issuer is not sent to another', async () => {
  const { admin, draft } = await started()
  const { clientSecret: _, ...kept } = draft
  const moved = { ...kept, issuer: 'http://127.0.0.1:9/other', enabled: false }
  expect((await admin.call(sso.saveSettings, moved)).code).toBe(CODES.BadInput.code)
})

test('settings are for security administrators', async () => {
  const { app, ada, draft } = await started()
  for (const someone of [ada, await app.user(['user_admin', 'db_admin'])]) {
    expect((await someone.call(sso.settings, {})).code).toBe(CODES.NoPermission.code)
    expect((await someone.call(sso.saveSettings, draft)).code).toBe(CODES.NoPermission.code)
    expect((await someone.call(sso.deleteSettings, {})).code).toBe(CODES.NoPermission.code)
  }
})

test('an issuer that does not answer is not enabled, and is told without details', async () => {
  const { admin, draft } = await started()
  const answer = await admin.call(sso.saveSettings, { ...draft, issuer: 'http://127.0.0.1:9' })
  expect(answer).toMatchObject({
    code: CODES.SsoFailed.code,
    message: 'Single sign-on failed: the issuer did not answer as it should.',
  })
})

test('issuers without TLS are refused unless the operator allows them', async () => {
  const app = await startApp()
  const admin = await app.user(['security_admin'])
  const draft = { issuer: 'http://issuer.example', clientId: 'a', clientSecret: 'b', enabled: false }
  expect((await admin.call(sso.saveSettings, draft)).code).toBe(CODES.BadInput.code)
})

test('when single sign-on is ended, nobody begins it and nobody who had begun finishes', async () => {
  const { app, issuer, admin } = await started()
  const { address, secret } = await begin(app)
  const answer = await issuer.visit(address)
  expect((await admin.call(sso.deleteSettings, {})).code).toBe(OK)
  expect((await app.call(sso.finish, { secret, answer })).code).toBe(CODES.SsoFailed.code)
  expect((await app.call(sso.begin, { accountId: app.accountId })).code).toBe(CODES.SsoFailed.code)
})
