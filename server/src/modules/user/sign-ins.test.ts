import { audit, CODES, encodePassword, loginCalls, type SignIn, sso, user } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { AppError } from '../../kernel/app-error.ts'
import { auditedAfter, auditedSoFar } from '../../testing/audit-entries.ts'
import { MINUTES } from '../../testing/fake-clock.ts'
import { CLIENT, startIssuer } from '../../testing/issuer.ts'
import { startApp, type TestApp, type TestUser } from '../../testing/start-app.ts'
import { MOST_FAILED } from './counted-sign-ins.ts'

const WRONG = encodePassword('Not_the_one_1')

const logIn = (app: TestApp, username: string, password = WRONG, accountId = app.accountId) =>
  app.call(user.login, { accountId, username, password })

const listed = async (guard: TestUser, filter = {}): Promise<SignIn[]> =>
  (await guard.call(audit.signIns, filter)).data.signIns

const short = ({ user: name, outcome, count }: SignIn) => `${name} ${outcome} ${count}`

/** What came of sign-ins since the guard signed in. */
async function start(settings = {}) {
  const app = await startApp(settings)
  const guard = await app.user(['security_admin'])
  const ada = await app.user()
  app.clock.advance(MINUTES)
  const from = app.clock.now().toISOString()
  return { app, guard, ada, since: () => listed(guard, { from, limit: 100 }) }
}

const failing = (app: TestApp, count: number, of: (at: number) => { name?: string; clientIp?: string }) =>
  Promise.allSettled(
    Array.from({ length: count }, (_, at) => {
      const { name = 'nobody', clientIp = '10.0.0.1' } = of(at)
      const attempt = { accountId: app.accountId, from: { clientIp }, method: 'password', name } as const
      return app.signIns.watched(attempt, () => Promise.reject(new AppError('LoginFailed', 'No.')))
    }),
  )

test('a sign-in is listed with who, how, from where and by what, and so is its end', async () => {
  const { app, ada, since } = await start()
  expect((await logIn(app, ada.name, encodePassword(app.password))).code).toBe(CODES.Ok.code)
  app.clock.advance(1_000)
  expect((await ada.call(user.logout, {})).code).toBe(CODES.Ok.code)
  expect(await since()).toMatchObject([
    { user: ada.name, outcome: 'signedOut', method: 'password', clientIp: '127.0.0.1', count: 1 },
    { user: ada.name, outcome: 'signedIn', method: 'password', userAgent: 'lightMyRequest', count: 1 },
  ])
})

test('a wrong password is listed under its user; a name that nobody has is not kept', async () => {
  const { app, ada, since } = await start()
  await logIn(app, ada.name.toUpperCase())
  await logIn(app, 'My_secret_password')
  expect((await since()).map(short).toSorted()).toEqual(
    [`${ada.name} wrongPassword 1`, 'null unknownUser 1'].toSorted(),
  )
  const { rows } = await app.store.pool.query('select * from sign_ins')
  expect(JSON.stringify(rows)).not.toMatch(/my_secret/i)
})

test('who tries too often, comes from elsewhere or is signed out by others is listed', async () => {
  const { app, guard, ada, since } = await start()
  for (let at = 0; at < 11; at++) await logIn(app, ada.name)
  expect((await logIn(app, ada.name)).code).toBe(CODES.TooManyAttempts.code)
  await app.signIns.writeCounts()
  expect((await since()).map(short).toSorted()).toEqual(
    [`${ada.name} wrongPassword 10`, `${ada.name} tooManyAttempts 2`].toSorted(),
  )
  app.clock.advance(30 * MINUTES)
  const blocked = new AppError('IpBlocked', 'No.')
  const attempt = { accountId: app.accountId, from: { clientIp: '10.1.1.1' }, method: 'sso' } as const
  await expect(app.signIns.watched(attempt, () => Promise.reject(blocked))).rejects.toBe(blocked)
  await guard.call(loginCalls.endOtherLogins, {})
  expect((await since()).map(short)[0]).toBe('null addressBlocked 1')
})

test('single sign-on that fails is listed', async () => {
  const publicUrl = 'http://boathouse.example'
  const issuer = await startIssuer(() => `${publicUrl}/sso-redirect`)
  const { app, guard, since } = await start({
    BOATHOUSE_SSO_ENDPOINTS: issuer.url,
    BOATHOUSE_PUBLIC_URL: publicUrl,
  })
  const draft = { issuer: issuer.url, clientId: CLIENT.id, clientSecret: CLIENT.secret, enabled: true }
  expect((await guard.call(sso.saveSettings, draft)).code).toBe(CODES.Ok.code)
  issuer.state.person = { sub: 'eve', email: 'eve@example.com', email_verified: false }
  const { address, secret } = (await app.call(sso.begin, { accountId: app.accountId })).data
  const answer = await issuer.visit(address)
  expect((await app.call(sso.finish, { secret, answer })).code).toBe(CODES.LoginFailed.code)
  expect((await since()).map(({ method, outcome }) => [method, outcome])).toEqual([['sso', 'ssoFailed']])
})

test('an account that is not there has no log, and a mistake of the service is no failed sign-in', async () => {
  const { app, since } = await start()
  await logIn(app, 'admin', WRONG, 'QQQ11111')
  const attempt = { accountId: app.accountId, from: { clientIp: '10.1.1.1' }, method: 'password' } as const
  await expect(app.signIns.watched(attempt, () => Promise.reject(new Error('broken')))).rejects.toThrow(
    'broken',
  )
  expect(await since()).toEqual([])
  expect((await app.store.pool.query("select 1 from sign_ins where account_id = 'QQQ11111'")).rowCount).toBe(
    0,
  )
})

test('a flood of one kind is one entry with a count, and only its first is written at once', async () => {
  const { app, since } = await start()
  await failing(app, 500, () => ({}))
  expect((await since()).map(short)).toEqual(['null unknownUser 1'])
  await app.signIns.writeCounts()
  await app.signIns.writeCounts()
  expect((await since()).map(short)).toEqual(['null unknownUser 500'])
})

test('strangers from many places under many names begin a bounded number of entries', async () => {
  const { app, since } = await start()
  await failing(app, 300, (at) => ({ clientIp: `10.0.${at % 3}.${at % 250}`, name: `guess_${at}` }))
  await app.signIns.writeCounts()
  const entries = await since()
  expect(entries.length).toBeLessThanOrEqual(MOST_FAILED.minute + 1)
  expect(entries.reduce((sum, { count }) => sum + count, 0)).toBe(300)
  expect(entries.filter(({ outcome }) => outcome === 'notListed')).toHaveLength(1)
})

test('an account lists a maximum of failures a day; successful sign-ins are always listed', async () => {
  const { app, ada, since } = await start()
  await app.store.pool.query(
    `insert into sign_ins (account_id, bucket, at, last_at, outcome)
     select $1, 'x' || n, $2::timestamptz, $2::timestamptz, 'unknownUser' from generate_series(1, $3::integer) n`,
    [app.accountId, app.clock.now(), MOST_FAILED.day],
  )
  app.clock.advance(1_000)
  await failing(app, 5, (at) => ({ clientIp: `10.0.0.${at}` }))
  await logIn(app, ada.name, encodePassword(app.password))
  const newest = (await since()).slice(0, 2).map(short)
  expect(newest.toSorted()).toEqual([`${ada.name} signedIn 1`, 'null notListed 5'].toSorted())
})

test('the audit log has each of them once, after its minute', async () => {
  const { app, guard, ada } = await start()
  await app.signIns.writeAudit()
  app.clock.advance(2 * MINUTES)
  await app.signIns.writeAudit()
  const before = await auditedSoFar(app)
  await logIn(app, ada.name, encodePassword(app.password))
  await failing(app, 3, () => ({}))
  await ada.call(user.logout, {})
  await app.signIns.writeAudit()
  expect(await auditedAfter(app, before)).toEqual([])
  app.clock.advance(3 * MINUTES)
  await Promise.all([app.signIns.writeAudit(), app.signIns.writeAudit()])
  const recorded = await auditedAfter(app, before)
  expect(recorded.map(({ action, by }) => `${action} ${by.name}`).toSorted()).toEqual(
    [`login.begin ${ada.name}`, 'login.fail unknown', `login.end ${ada.name}`].toSorted(),
  )
  expect(recorded.find(({ action }) => action === 'login.fail')).toMatchObject({
    object: { type: 'login', name: 'unknown' },
    by: { clientIp: '10.0.0.1' },
    after: { outcome: 'unknownUser', method: 'password', count: 3 },
  })
  const { problem } = (await guard.call(audit.verify, {})).data
  expect(problem).toBeNull()
})

test('security administrators of the account see its log, others theirs alone', async () => {
  const { app, guard, ada } = await start()
  await logIn(app, ada.name)
  expect((await ada.call(audit.signIns, {})).code).toBe(CODES.NoPermission.code)
  const foreign = await (await app.otherAccount()).user(['security_admin'])
  expect((await listed(foreign)).every((entry) => entry.user !== ada.name)).toBe(true)
  const own = async (who: TestUser) => (await who.call(loginCalls.listSignIns, {})).data.signIns.map(short)
  expect(await own(ada)).toEqual([`${ada.name} wrongPassword 1`, `${ada.name} signedIn 1`])
  expect(await own(guard)).toEqual([`${guard.name} signedIn 1`])
})

test('the list is narrowed by user, outcome and time, and goes page by page', async () => {
  const { app, guard, ada } = await start()
  for (let at = 0; at < 3; at++) {
    await logIn(app, ada.name)
    app.clock.advance(MINUTES)
  }
  expect((await listed(guard, { user: ada.name.toUpperCase(), outcome: 'wrongPassword' })).length).toBe(3)
  expect(await listed(guard, { user: 'nobody' })).toEqual([])
  expect(await listed(guard, { from: app.clock.now().toISOString() })).toEqual([])
  const all = await listed(guard)
  const paged: SignIn[] = []
  for (let after: string | undefined; ;) {
    const { data } = await guard.call(audit.signIns, { limit: 2, ...(after ? { after } : {}) })
    paged.push(...data.signIns)
    if (data.next === null) break
    after = data.next
  }
  expect(paged).toEqual(all)
  expect((await guard.call(audit.signIns, { after: 'x' })).code).toBe(CODES.BadInput.code)
  app.clock.advance(150 * 24 * 60 * MINUTES)
  await app.signIns.writeAudit()
  await app.signIns.forgetOld()
  const left = await app.store.pool.query('select 1 from sign_ins')
  expect(left.rowCount).toBe(0)
})
