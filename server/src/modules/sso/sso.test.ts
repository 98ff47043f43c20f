import { CODES, encodePassword, IDENTITY_MESSAGES, loginCalls, perms, sso } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { MINUTES } from '../../testing/fake-clock.ts'
import { CLIENT, startIssuer } from '../../testing/issuer.ts'
import { mailedToken, mailsTo } from '../../testing/mailed-token.ts'
import { startApp, type TestApp, type TestUser } from '../../testing/start-app.ts'

const PUBLIC = 'http://boathouse.example'
const { code: OK } = CODES.Ok
const ADA = 'ada@example.com'
const VERIFIED = { sub: 'ada', email: ADA, email_verified: true }

type Issuer = Awaited<ReturnType<typeof startIssuer>>

async function started() {
  const issuer = await startIssuer(() => `${PUBLIC}/sso-redirect`)
  const other = await startIssuer(() => `${PUBLIC}/sso-redirect`)
  const app = await startApp({
    BOATHOUSE_SSO_ENDPOINTS: `${issuer.url},${other.url}`,
    BOATHOUSE_PUBLIC_URL: PUBLIC,
  })
  const admin = await app.user(['security_admin'])
  const ada = await app.user()
  await app.store.pool.query('update users set email = $1 where name = $2', [ADA, ada.name])
  const draft = { issuer: issuer.url, clientId: CLIENT.id, clientSecret: CLIENT.secret, enabled: true }
  expect(await admin.call(sso.saveSettings, draft)).toMatchObject({ code: OK })
  return { app, issuer, other, admin, ada, draft }
}

const begin = async (app: TestApp) => (await app.call(sso.begin, { accountId: app.accountId })).data

/** To the issuer and back. */
async function signIn(app: TestApp, issuer: Issuer) {
  const { address, secret } = await begin(app)
  const answer = await app.call(sso.finish, { secret, answer: await issuer.visit(address) })
  return { ...answer, secret }
}

/** By the link that is mailed, in the same browser. */
async function connectByMail(app: TestApp, issuer: Issuer) {
  const { secret } = await signIn(app, issuer)
  return app.call(sso.confirm, { token: (await mailedToken(app, ADA)) ?? '', secret })
}

async function connectInProfile(app: TestApp, issuer: Issuer, who: TestUser) {
  const begun = await who.call(sso.connect, { password: encodePassword(app.password) })
  expect(begun.code).toBe(OK)
  const { address, secret } = begun.data
  return who.call(sso.finishConnect, { secret, answer: await issuer.visit(address) })
}

test('who confirms by the mailed link signs in as their user, then and from then on, and the login says how [SIGNIN-18]', async () => {
  const { app, issuer, ada } = await started()
  issuer.state.person = { ...VERIFIED, email: 'ADA@Example.com' }
  const first = await signIn(app, issuer)
  expect([first.code, first.data]).toEqual([OK, { mailedTo: 'a…@example.com' }])
  const token = (await mailedToken(app, ADA)) ?? ''
  expect((await app.call(sso.confirmationLink, { token })).data).toEqual({
    accountId: app.accountId,
    user: ada.name,
    issuer: issuer.url,
  })
  const { code, data } = await app.call(sso.confirm, { token, secret: first.secret })
  expect([code, data.info]).toMatchObject([OK, { user: ada.name, accountId: app.accountId }])
  issuer.state.person = { sub: 'ada' }
  expect((await signIn(app, issuer)).data, 'by the subject alone').toMatchObject({ info: { user: ada.name } })
  const logins = await ada.call(loginCalls.listLogins, {})
  expect(logins.data.logins.map((login) => login.method).sort()).toEqual(['password', 'sso', 'sso'])
  expect(await mailsTo(app, ADA), 'and is notified').toEqual(['ssoConnected', 'ssoConfirmation'])
})

test('the mailed link works once, for 15 minutes, and only in the browser that began', async () => {
  const { app, issuer } = await started()
  const { secret } = await signIn(app, issuer)
  const token = (await mailedToken(app, ADA)) ?? ''
  const confirm = (input: { token: string; secret: string }) => app.call(sso.confirm, input)
  expect(await confirm({ token, secret: 'x'.repeat(43) }), 'who only reads the mail').toMatchObject({
    code: CODES.SsoFailed.code,
    message: IDENTITY_MESSAGES.ssoOtherBrowser,
  })
  expect((await confirm({ token: 'y'.repeat(43), secret })).code, 'who only began').toBe(
    CODES.LinkUnusable.code,
  )
  expect((await confirm({ token, secret })).code, 'both').toBe(OK)
  expect((await confirm({ token, secret })).code, 'twice').toBe(CODES.LinkUnusable.code)
})

test('a link is over after 15 minutes, and when another was mailed', async () => {
  const { app, issuer } = await started()
  const first = await signIn(app, issuer)
  const firstToken = (await mailedToken(app, ADA)) ?? ''
  const second = await signIn(app, issuer)
  const token = (await mailedToken(app, ADA)) ?? ''
  expect(token).not.toBe(firstToken)
  expect((await app.call(sso.confirm, { token: firstToken, secret: first.secret })).code).toBe(
    CODES.LinkUnusable.code,
  )
  app.clock.advance(15 * MINUTES)
  expect((await app.call(sso.confirm, { token, secret: second.secret })).code).toBe(CODES.LinkUnusable.code)
})

test('an answer works once, for ten minutes, in the browser that began, and for the sign-in it was given to', async () => {
  const { app, issuer } = await started()
  const first = await begin(app)
  const answer = await issuer.visit(first.address)
  const second = await begin(app)
  const finish = async (secret: string, said: string) =>
    (await app.call(sso.finish, { secret, answer: said })).code
  expect(await finish(second.secret, answer), 'another sign-in').toBe(CODES.SsoFailed.code)
  expect(await finish('x'.repeat(43), answer), 'another browser').toBe(CODES.SsoFailed.code)
  expect(await finish(first.secret, answer)).toBe(OK)
  expect(await finish(first.secret, answer), 'replayed').toBe(CODES.SsoFailed.code)
  const late = await begin(app)
  const lateAnswer = await issuer.visit(late.address)
  app.clock.advance(10 * MINUTES)
  expect(await finish(late.secret, lateAnswer), 'late').toBe(CODES.SsoFailed.code)
})

test('an address connects nobody unless the issuer says explicitly that it is verified', async () => {
  const { app, issuer } = await started()
  const unverified = [false, undefined, 'true', 'yes', 1].map((email_verified) => ({
    sub: 'eve',
    email: ADA,
    ...(email_verified === undefined ? {} : { email_verified }),
  }))
  for (const person of [
    ...unverified,
    { sub: 'eve', email: 'eve@example.com', email_verified: true },
    { sub: 'eve' },
  ]) {
    issuer.state.person = person
    expect([person, (await signIn(app, issuer)).code]).toEqual([person, CODES.LoginFailed.code])
  }
  expect(await mailsTo(app, ADA)).toEqual([])
})

test('an address that the issuer gives to somebody else does not open the user of who had it before', async () => {
  const { app, issuer } = await started()
  expect((await connectByMail(app, issuer)).code).toBe(OK)
  issuer.state.person = { sub: 'eve', email: ADA, email_verified: true }
  expect((await signIn(app, issuer)).code).toBe(CODES.LoginFailed.code)
})

test('an issuer of a security administrator opens nobody, whatever it says of their address', async () => {
  const { app, other, admin, ada, draft } = await started()
  const chief = await app.admin()
  await app.store.pool.query('update users set email = $1 where name = $2', ['chief@example.com', chief.name])
  expect((await admin.call(sso.saveSettings, { ...draft, issuer: other.url })).code).toBe(OK)
  for (const [sub, email] of [
    ['mallory', 'chief@example.com'],
    ['mallory', 'CHIEF@EXAMPLE.COM'],
    ['mallory-2', ADA],
  ]) {
    other.state.person = { sub: sub ?? '', email: email ?? '', email_verified: true }
    const { code, data, secret } = await signIn(app, other)
    expect([code, data]).toMatchObject([OK, { mailedTo: expect.stringMatching(/^[ac]…@example\.com$/i) }])
    expect((await app.call(sso.confirm, { token: secret, secret })).code).toBe(CODES.LinkUnusable.code)
    expect(await signIn(app, other), 'the same once more').not.toHaveProperty('data.token')
  }
  // Who follows the mail of another's sign-in connects nobody by it: the other's browser has the secret.
  const token = (await mailedToken(app, 'chief@example.com')) ?? ''
  expect((await app.call(sso.confirm, { token, secret: 'v'.repeat(43) })).code).toBe(CODES.SsoFailed.code)
  const bound = await app.store.db.selectFrom('sso_bindings').select('user_id').execute()
  expect(bound).toEqual([])
  expect((await ada.call(sso.connection, {})).data.connectedAt).toBeNull()
})

test('who is signed in connects in their profile, with the password, whatever address the issuer says', async () => {
  const { app, issuer, ada } = await started()
  issuer.state.person = { sub: 'ada-at-work' }
  expect((await ada.call(sso.connect, { password: encodePassword('Wrong_2026') })).code).toBe(
    CODES.LoginFailed.code,
  )
  expect((await ada.call(sso.connection, {})).data).toEqual({ issuer: issuer.url, connectedAt: null })
  expect((await connectInProfile(app, issuer, ada)).code).toBe(OK)
  expect((await ada.call(sso.connection, {})).data.connectedAt).toBe(app.clock.now().toISOString())
  expect((await signIn(app, issuer)).data).toMatchObject({ info: { user: ada.name } })
  const eve = await app.user()
  expect(await connectInProfile(app, issuer, eve), 'somebody else is this').toMatchObject({
    code: CODES.Conflict.code,
    message: IDENTITY_MESSAGES.ssoConnectedElsewhere,
  })
  expect((await ada.call(sso.disconnect, {})).code).toBe(OK)
  expect((await signIn(app, issuer)).code).toBe(CODES.LoginFailed.code)
  expect((await connectInProfile(app, issuer, eve)).code).toBe(OK)
})

test('a trip that was started to connect one user connects no other and signs nobody in, and the other way round', async () => {
  const { app, issuer, ada } = await started()
  const eve = await app.user()
  const password = encodePassword(app.password)
  const ofAda = (await ada.call(sso.connect, { password })).data
  const answer = await issuer.visit(ofAda.address)
  const input = { secret: ofAda.secret, answer }
  expect((await eve.call(sso.finishConnect, input)).code, 'as another').toBe(CODES.SsoFailed.code)
  expect((await app.call(sso.finish, input)).code, 'to sign in').toBe(CODES.SsoFailed.code)
  const signingIn = await begin(app)
  const other = { secret: signingIn.secret, answer: await issuer.visit(signingIn.address) }
  expect((await ada.call(sso.finishConnect, other)).code, 'begun without a login').toBe(CODES.SsoFailed.code)
  expect((await ada.call(sso.finishConnect, input)).code).toBe(OK)
})

test.each<[string, (at: Awaited<ReturnType<typeof started>>) => Promise<unknown>]>([
  [
    'another issuer and back',
    async ({ admin, draft, other }) => {
      await admin.call(sso.saveSettings, { ...draft, issuer: other.url })
      await admin.call(sso.saveSettings, draft)
    },
  ],
  [
    'another issuer that is off, and back',
    async ({ admin, draft }) => {
      await admin.call(sso.saveSettings, { ...draft, issuer: 'https://issuer.example', enabled: false })
      await admin.call(sso.saveSettings, draft)
    },
  ],
  [
    'the same issuer in other letters, and back',
    async ({ admin, draft }) => {
      await admin.call(sso.saveSettings, { ...draft, issuer: `${draft.issuer}/`, enabled: false })
      await admin.call(sso.saveSettings, draft)
    },
  ],
  [
    'no issuer, and the same again',
    async ({ admin, draft }) => {
      await admin.call(sso.deleteSettings, {})
      await admin.call(sso.saveSettings, draft)
    },
  ],
  [
    'another client, and back',
    async ({ admin, draft }) => {
      await admin.call(sso.saveSettings, { ...draft, clientId: 'other', enabled: false })
      await admin.call(sso.saveSettings, draft)
    },
  ],
])('connections do not outlive their issuer: %s', async (_, change) => {
  const scene = await started()
  const { app, issuer, ada } = scene
  expect((await connectByMail(app, issuer)).code).toBe(OK)
  const open = await begin(app)
  const answer = await issuer.visit(open.address)
  await change(scene)
  expect((await app.call(sso.finish, { secret: open.secret, answer })).code, 'begun before').toBe(
    CODES.SsoFailed.code,
  )
  expect((await signIn(app, issuer)).data).toEqual({ mailedTo: 'a…@example.com' })
  expect((await ada.call(sso.connection, {})).data.connectedAt).toBeNull()
})

test('settings that stay the same keep the connections; what waits to be confirmed ends with the issuer', async () => {
  const { app, issuer, other, admin, draft } = await started()
  expect((await connectByMail(app, issuer)).code).toBe(OK)
  await admin.call(sso.saveSettings, { ...draft, enabled: false })
  await admin.call(sso.saveSettings, draft)
  expect((await signIn(app, issuer)).data).toHaveProperty('token')
  await admin.call(sso.deleteSettings, {})
  await admin.call(sso.saveSettings, draft)
  const { secret } = await signIn(app, issuer)
  const token = (await mailedToken(app, ADA)) ?? ''
  await admin.call(sso.saveSettings, { ...draft, issuer: other.url })
  expect((await app.call(sso.confirm, { token, secret })).code).toBe(CODES.LinkUnusable.code)
})

test('nobody without a password disconnects: they could not sign in any more', async () => {
  const { app, issuer, ada } = await started()
  expect((await connectByMail(app, issuer)).code).toBe(OK)
  await app.store.pool.query('update users set password_hash = null where name = $1', [ada.name])
  const login = (await signIn(app, issuer)).data
  expect(login).toHaveProperty('token')
  expect(await ada.call(sso.disconnect, {})).toMatchObject({ code: CODES.Conflict.code })
})

test('nobody is mailed without end', async () => {
  const { app, issuer } = await started()
  const codes: number[] = []
  for (let time = 0; time < 4; time++) codes.push((await signIn(app, issuer)).code)
  expect(codes).toEqual([OK, OK, OK, CODES.TooManyAttempts.code])
})

test('an issuer of one account opens no other account', async () => {
  const { app } = await started()
  const { accountId } = await app.otherAccount()
  expect((await app.call(sso.begin, { accountId })).code).toBe(CODES.SsoFailed.code)
  expect((await app.call(sso.offer, { accountId })).data).toEqual({ enabled: false })
  expect((await app.call(sso.offer, { accountId: app.accountId })).data).toEqual({ enabled: true })
  expect((await app.call(sso.offer, { accountId: 'ZZZ99999' })).data).toEqual({ enabled: false })
})

test('the client secret is sealed in the database, never shown, and kept when no new one is given', async () => {
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
  const { admin, draft, other } = await started()
  const { clientSecret: _, ...kept } = draft
  const moved = { ...kept, issuer: other.url, enabled: false }
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

test('when single sign-on is ended, nobody starts it and nobody who had started finishes', async () => {
  const { app, issuer, admin } = await started()
  const { address, secret } = await begin(app)
  const answer = await issuer.visit(address)
  expect((await admin.call(sso.deleteSettings, {})).code).toBe(OK)
  expect((await app.call(sso.finish, { secret, answer })).code).toBe(CODES.SsoFailed.code)
  expect((await app.call(sso.begin, { accountId: app.accountId })).code).toBe(CODES.SsoFailed.code)
})

test('a user who is removed is no longer opened, nor is one of the same name who comes after', async () => {
  const { app, issuer, ada } = await started()
  expect((await connectByMail(app, issuer)).code).toBe(OK)
  const admin = await app.admin()
  expect((await admin.call(perms.deleteUser, { user: ada.name })).code).toBe(OK)
  await admin.call(perms.createUser, { user: ada.name, email: 'new@example.com' })
  expect((await signIn(app, issuer)).code).toBe(CODES.LoginFailed.code)
})
