import { CODES, encodePassword, marketplace, payment, signUpCalls, user } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { HOURS } from '../../testing/fake-clock.ts'
import { mailedToken, mailsTo } from '../../testing/mailed-token.ts'
import { sampleRows } from '../../testing/sample-rows.ts'
import { signedCall } from '../../testing/signed-call.ts'
import { sharedApp, startApp, type TestApp } from '../../testing/start-app.ts'

const ANA = 'ana.duarte@northwind.example'
const PASSWORD = 'Rowing_2026'
const { code: OK } = CODES.Ok

const form = (over: Partial<Record<'firstName' | 'email' | 'country' | 'password', string>> = {}) => ({
  firstName: 'Ana',
  lastName: 'Duarte',
  email: ANA,
  company: 'Northwind Freight',
  country: 'PT',
  password: encodePassword(PASSWORD),
  ...over,
})

async function signedUp(app: TestApp, over: Parameters<typeof form>[0] = {}): Promise<string> {
  const answer = await app.call(signUpCalls.startFreeTrial, form(over))
  expect(answer.code).toBe(OK)
  return (await mailedToken(app, ANA)) ?? ''
}

const activate = (app: TestApp, token: string, password = PASSWORD) =>
  app.call(signUpCalls.activate, { token, password: encodePassword(password) })

async function organisations(app: TestApp): Promise<number> {
  const { rows } = await app.store.pool.query<{ count: number }>(
    'select count(*)::int as count from organisations',
  )
  return rows[0]?.count ?? 0
}

test('a sign-up opens nothing before its address is confirmed; then an organisation, an account and a trial [SIGNIN-11, SIGNIN-19]', async () => {
  const app = await startApp()
  const token = await signedUp(app, { email: 'Ana.Duarte@Northwind.example' })
  expect(await organisations(app)).toBe(1)
  expect((await app.call(signUpCalls.activationLink, { token })).data).toEqual({
    firstName: 'Ana',
    email: ANA,
  })
  const { data } = await activate(app, token)
  const { data: progress } = await app.call(signUpCalls.setUpProgress, data)
  expect(progress).toMatchObject({ region: 'local-1', user: 'ana.duarte', step: 'engine', failed: false })
  expect(await mailsTo(app, ANA)).toEqual(['accountOpened', 'activation'])
  const { rows } = await app.store.pool.query(
    `select o.name, o.source, o.root_account_id, t.ends_at - t.started_at = interval '30 days' as is_a_month
     from organisations o join trials t using (organisation_id)`,
  )
  expect(rows).toEqual([
    { name: 'Northwind Freight', source: 1, root_account_id: progress.accountId, is_a_month: true },
  ])
})

test('who signed up with the address of another user cannot have it confirmed: the link needs the password of its own sign-up [ACCOUNT-29]', async () => {
  const app = await startApp()
  const ofEve = await signedUp(app, { password: encodePassword('Eves_pass1') })
  expect((await activate(app, ofEve)).code).toBe(CODES.LoginFailed.code)
  const ofAna = await signedUp(app)
  expect((await activate(app, ofAna)).code).toBe(OK)
  expect(await activate(app, ofEve, 'Eves_pass1')).toMatchObject({
    code: CODES.Conflict.code,
    message: 'An account for this address already exists. Sign in to it.',
  })
  expect(await organisations(app)).toBe(2)
})

test('passwords of an activation cannot be found by trying', async () => {
  const app = await startApp()
  const token = await signedUp(app)
  const guesses = await Promise.all(Array.from({ length: 20 }, () => activate(app, token, 'Wrong_pass1')))
  expect(guesses.filter(({ code }) => code === CODES.LoginFailed.code)).toHaveLength(10)
})

test('of two activations at the same moment one opens the account, by one link or by two', async () => {
  const app = await startApp()
  const first = await signedUp(app)
  const second = await signedUp(app)
  const answers = await Promise.all([first, first, second, second].map((token) => activate(app, token)))
  expect(answers.filter(({ code }) => code === OK)).toHaveLength(1)
  expect(await organisations(app)).toBe(2)
})

test('an address that has an account is answered like any other, and notified by mail', async () => {
  const app = await startApp()
  await activate(app, await signedUp(app))
  const again = await app.call(signUpCalls.startFreeTrial, form())
  expect(again).toEqual(await app.call(signUpCalls.startFreeTrial, form({ email: 'new@northwind.example' })))
  expect(await mailsTo(app, ANA)).toEqual(['alreadySignedUp', 'accountOpened', 'activation'])
})

const shared = sharedApp()

test.each([
  ['firstName', '', 'firstName: Enter the first name'],
  ['firstName', 'www.evil.example', 'firstName: Enter the correct value'],
  ['email', 'ana', 'email: Enter the correct email'],
  ['email', 'ana@northwind.example, eve@evil.example', 'email: Email contains unsupported characters'],
  ['country', 'XX', 'country: Enter the correct value'],
  [
    'password',
    encodePassword('weak'),
    'password: Use 8 to 16 characters with a letter, a digit and one of !@#$%^&*_',
  ],
])('a sign-up with the %s %j is refused in words', async (name, value, message) => {
  const app = await shared()
  expect(await app.call(signUpCalls.startFreeTrial, form({ [name]: value }))).toEqual({
    code: CODES.BadInput.code,
    message,
    data: null,
  })
})

test('where the operator skips the rule, who signs up chooses any password [SIGNIN-26]', async () => {
  const app = await startApp({ BOATHOUSE_SKIP_PASSWORD_RULE: 'true' })
  const token = await signedUp(app, { password: encodePassword('oar') })
  expect((await activate(app, token, 'oar')).code).toBe(OK)
})

const FREE = [
  'gmail',
  'yahoo',
  'hotmail',
  'live',
  'outlook',
  'aol',
  'icloud',
  'zoho',
  'qq',
  '163',
  '126',
  'sina',
  'yeah',
]

test('each name of free webmail is refused where the operator wants business addresses only [SIGNIN-39, SIGNIN-41, SIGNIN-53]', async () => {
  const strict = await startApp({ BOATHOUSE_BUSINESS_MAIL_ONLY: 'true' })
  for (const name of FREE)
    expect(await strict.call(signUpCalls.startFreeTrial, form({ email: `ana@${name}.com` }))).toMatchObject({
      code: CODES.NotBusinessEmail.code,
      message: 'Please use a business email.',
    })
  expect((await strict.mails.outbox()).map(({ to }) => to)).toEqual([])
  expect((await strict.call(signUpCalls.startFreeTrial, form())).code).toBe(OK)
})

test('where the operator does not want it, nobody signs up', async () => {
  const app = await startApp({ BOATHOUSE_SIGN_UP: 'false' })
  expect((await app.call(signUpCalls.startFreeTrial, form())).code).toBe(CODES.NoPermission.code)
  expect(await mailsTo(app, ANA)).toEqual([])
})

test('sign-ups are slowed down by address of mail', async () => {
  const app = await startApp()
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => app.call(signUpCalls.startFreeTrial, form())),
  )
  expect(answers.filter(({ code }) => code === OK)).toHaveLength(3)
  expect(await mailsTo(app, ANA)).toHaveLength(3)
})

test('a link of yesterday, a foreign one and one of the set-up activate nothing', async () => {
  const app = await startApp()
  const token = await signedUp(app)
  const { data } = await activate(app, token)
  expect((await activate(app, data.setUpToken)).code).toBe(CODES.LinkUnusable.code)
  expect((await activate(app, token)).code, 'used').toBe(CODES.LinkUnusable.code)
  expect((await app.call(signUpCalls.setUpProgress, { setUpToken: token })).code).toBe(
    CODES.LinkUnusable.code,
  )
  const late =
    (await app.call(signUpCalls.startFreeTrial, form({ email: 'bea@northwind.example' })),
    await mailedToken(app, 'bea@northwind.example')) ?? ''
  app.clock.advance(24 * HOURS)
  expect((await activate(app, late)).code, 'expired').toBe(CODES.LinkUnusable.code)
})

test.each([
  [
    'nonsense',
    'SignUpTokenInvalid',
    'The sign-up token is invalid. Open this page from the cloud marketplace.',
  ],
  [
    'expired-1',
    'SignUpTokenExpired',
    'The sign-up token has expired. Please set up the account from the cloud marketplace again.',
  ],
  ['error-1', 'MarketplaceFailed', 'The cloud marketplace reported an error. Please try again later.'],
] as const)(
  'the marketplace token %s is answered with %s [SIGNIN-50, SIGNIN-51, SIGNIN-52]',
  async (token, code, message) => {
    const app = await startApp({ BOATHOUSE_MARKETPLACE: 'local' })
    const refusal = { code: CODES[code].code, message, data: null }
    expect(await app.call(marketplace.resolve, { token })).toEqual(refusal)
    expect(await app.call(marketplace.signUp, { ...form(), token })).toEqual(refusal)
    expect(await mailsTo(app, ANA)).toEqual([])
  },
)

test('a customer of the marketplace opens one account, without a trial, that pays by its subscription [SIGNIN-12, BILL-14]', async () => {
  const app = await startApp({ BOATHOUSE_MARKETPLACE: 'local' })
  const token = 'customer-northwind'
  expect((await app.call(marketplace.resolve, { token })).data).toEqual({
    marketplace: 'Local marketplace',
    product: 'Boathouse',
  })
  await app.call(marketplace.signUp, { ...form(), token })
  const opened = await activate(app, (await mailedToken(app, ANA)) ?? '')
  expect(opened.code).toBe(OK)
  await app.accountLife.advance()
  const { accountId } = (await app.call(signUpCalls.setUpProgress, opened.data)).data
  const login = { accountId, username: 'ana.duarte', password: encodePassword(PASSWORD) }
  const signedIn = (await app.call(user.login, login)).data
  const asked = signedCall(payment.overview, {}, { token: signedIn.token, now: app.clock.now() })
  expect((await app.http.inject(asked)).json()).toMatchObject({
    data: { paymentType: 'marketplace', mayBindCard: false, card: null },
  })
  const { rows } = await app.store.pool.query(
    'select source, (select count(*)::int from trials) as trials from organisations order by created_at desc, source desc limit 1',
  )
  expect(rows).toEqual([{ source: 2, trials: 0 }])
  await app.call(marketplace.signUp, { ...form({ email: 'bea@northwind.example' }), token })
  const second = (await mailedToken(app, 'bea@northwind.example')) ?? ''
  expect((await activate(app, second)).code).toBe(CODES.Conflict.code)
})

test('without a marketplace every token is invalid [SIGNIN-50]', async () => {
  const app = await startApp()
  expect((await app.call(marketplace.resolve, { token: 'customer-northwind' })).code).toBe(
    CODES.SignUpTokenInvalid.code,
  )
})

test('the marketplace sign-up requires business addresses too [SIGNIN-53]', async () => {
  const app = await startApp({ BOATHOUSE_MARKETPLACE: 'local', BOATHOUSE_BUSINESS_MAIL_ONLY: 'true' })
  const input = { ...form({ email: 'ana@yahoo.co.uk' }), token: 'customer-northwind' }
  expect((await app.call(marketplace.signUp, input)).code).toBe(CODES.NotBusinessEmail.code)
})

test('the set-up that is shown is the real one: when it is done, the account is open and has the samples within the 3 minutes that the page says [SIGNIN-15]', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const { data } = await activate(app, await signedUp(app))
  const at = async () => (await app.call(signUpCalls.setUpProgress, data)).data
  expect(await at()).toMatchObject({ step: 'engine', failed: false })
  const startedAt = Date.now()
  await app.accountLife.advance()
  const progress = await at()
  expect(progress).toMatchObject({ step: 'done', failed: false })
  expect(Date.now() - startedAt).toBeLessThan(3 * 60_000)
  expect(await sampleRows(app, progress.accountId)).toBeGreaterThan(0)
  const login = {
    accountId: progress.accountId,
    username: 'ana.duarte',
    password: encodePassword(PASSWORD),
  }
  const { data: signedIn } = await app.call(user.login, login)
  expect(signedIn.info).toMatchObject({ accountState: 2, isOrgAdmin: true, email: ANA })
})
