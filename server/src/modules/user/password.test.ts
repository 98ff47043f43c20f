import { CODES, encodePassword, passwordCalls, user } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { HOURS, MINUTES } from '../../testing/fake-clock.ts'
import { mailedToken, mailsTo } from '../../testing/mailed-token.ts'
import { sharedApp, startApp, type TestApp, type TestUser } from '../../testing/start-app.ts'

const ADA = 'ada@example.com'
const NEW = 'Sculling_7'
const encoded = encodePassword(NEW)
const { code: OK } = CODES.Ok

const giveMail = (app: TestApp, someone: TestUser, email = ADA) =>
  app.store.pool.query('update users set email = $1 where name = $2', [email, someone.name])

async function sentTo(app: TestApp): Promise<string[]> {
  await app.passwords.mailResets()
  return (await app.mails.outbox()).map(({ to }) => to)
}

const signIn = (app: TestApp, username: string, password: string) =>
  app.call(user.login, { accountId: app.accountId, username, password: encodePassword(password) })

async function asked(app: TestApp, email = ADA): Promise<string> {
  await app.call(passwordCalls.requestPasswordReset, { accountId: app.accountId, email })
  return (await mailedToken(app, ADA)) ?? ''
}

async function invited(app: TestApp): Promise<string> {
  const userId = globalThis.crypto.randomUUID()
  await app.store.pool.query(
    `insert into users (user_id, account_id, name, email, password_hash, is_org_admin, created_at, password_changed_at)
     values ($1, $2, 'ada', $3, null, false, now(), now())`,
    [userId, app.accountId, ADA],
  )
  await app.store.transaction((trx) => app.passwords.invite(trx, userId, 'admin'))
  return (await mailedToken(app, ADA)) ?? ''
}

test('a changed password ends every login of that user at once, HTTP and channels, and nobody else is touched [SIGNIN-31, SIGNIN-33]', async () => {
  const app = await startApp()
  const [ada, bea] = [await app.user(), await app.user()]
  await giveMail(app, ada)
  const [hers, others] = [await ada.channel(), await bea.channel()]
  const answer = await ada.call(passwordCalls.changePassword, { username: ada.name, password: encoded })
  expect(answer.code).toBe(OK)
  expect(await hers.closed).toMatchObject({ code: 4001 })
  expect((await ada.call(user.info, {})).code).toBe(CODES.LoginRequired.code)
  expect((await bea.call(user.info, {})).code).toBe(OK)
  expect(others.socket.readyState).toBe(others.socket.OPEN)
  expect((await signIn(app, ada.name, app.password)).code).toBe(CODES.LoginFailed.code)
  expect((await signIn(app, ada.name, NEW)).code).toBe(OK)
  expect(await mailsTo(app, ADA)).toEqual(['passwordChanged'])
})

const shared = sharedApp()

test.each([
  ['an empty', '', 'password: Enter the password'],
  ['a weak', 'rowing', 'password: Use 8 to 16 characters with a letter, a digit and one of !@#$%^&*_'],
  ['a long', `${NEW}${NEW}`, 'password: Use 8 to 16 characters with a letter, a digit and one of !@#$%^&*_'],
])('%s new password is refused in words [SIGNIN-28, SIGNIN-29]', async (_, password, message) => {
  const app = await shared()
  const ada = await app.user()
  const input = { username: ada.name, password: encodePassword(password) }
  expect(await ada.call(passwordCalls.changePassword, input)).toMatchObject({
    code: CODES.BadInput.code,
    message,
  })
})

test('where the operator skips the rule, people choose any password but an empty one [SIGNIN-26]', async () => {
  const app = await startApp({ BOATHOUSE_SKIP_PASSWORD_RULE: 'true' })
  const ada = await app.user()
  const change = (password: string) =>
    ada.call(passwordCalls.changePassword, { username: ada.name, password: encodePassword(password) })
  expect(await change('')).toMatchObject({ code: CODES.BadInput.code })
  expect((await change('oar')).code).toBe(OK)
  expect((await signIn(app, ada.name, 'oar')).code).toBe(OK)
})

test('nobody changes the password of another, whatever their roles', async () => {
  const app = await startApp()
  const [admin, ada] = [await app.admin(), await app.user()]
  const answer = await admin.call(passwordCalls.changePassword, { username: ada.name, password: encoded })
  expect(answer.code).toBe(CODES.NoPermission.code)
  expect((await signIn(app, ada.name, app.password)).code).toBe(OK)
})

test('a login that is not fresh needs the current password, and wrong ones are slowed down', async () => {
  const app = await startApp()
  const ada = await app.user()
  app.clock.advance(15 * MINUTES + 1)
  const change = (currentPassword?: string) =>
    ada.call(passwordCalls.changePassword, {
      username: ada.name,
      password: encoded,
      ...(currentPassword ? { currentPassword: encodePassword(currentPassword) } : {}),
    })
  expect(await change()).toMatchObject({
    code: CODES.LoginFailed.code,
    message: 'Enter the current password',
  })
  for (let guessed = 1; guessed < 10; guessed++)
    expect((await change('Wrong_pass1')).code).toBe(CODES.LoginFailed.code)
  expect((await change(app.password)).code).toBe(CODES.TooManyAttempts.code)
  app.clock.advance(30_000)
  expect((await change(app.password)).code).toBe(OK)
})

test('a login that was proved by the old password does not begin after the change', async () => {
  const app = await startApp()
  const ada = await app.user()
  const logins = Array.from({ length: 12 }, () => signIn(app, ada.name, app.password))
  const changed = ada.call(passwordCalls.changePassword, { username: ada.name, password: encoded })
  const answers = await Promise.all(logins)
  expect((await changed).code).toBe(OK)
  const { rows } = await app.store.pool.query<{ count: number }>(
    'select count(*)::int as count from logins join users using (user_id) where users.name = $1',
    [ada.name],
  )
  expect(rows[0]?.count).toBe(0)
  for (const { code } of answers)
    expect([OK, CODES.LoginFailed.code, CODES.TooManyAttempts.code]).toContain(code)
})

test('a user who has the mailed link and knows the address chooses a new password [SIGNIN-17]', async () => {
  const app = await startApp()
  const ada = await app.user()
  await giveMail(app, ada)
  const token = await asked(app, 'ADA@Example.com')
  const place = { accountId: app.accountId, region: 'local-1', user: ada.name }
  expect((await app.call(passwordCalls.passwordResetLink, { token })).data).toEqual(place)
  expect((await ada.call(user.info, {})).code, 'nothing happens before').toBe(OK)
  expect(
    (await app.call(passwordCalls.resetPassword, { token, email: 'Ada@example.com', password: encoded }))
      .data,
  ).toEqual(place)
  expect((await ada.call(user.info, {})).code).toBe(CODES.LoginRequired.code)
  expect((await signIn(app, ada.name, NEW)).code).toBe(OK)
})

test('another address than that of the account is refused, and the link stays good [SIGNIN-55]', async () => {
  const app = await startApp()
  const ada = await app.user()
  await giveMail(app, ada)
  const token = await asked(app)
  expect(
    await app.call(passwordCalls.resetPassword, { token, email: 'eve@example.com', password: encoded }),
  ).toMatchObject({
    code: CODES.EmailDiffers.code,
    message: 'This is not the email of the original account.',
  })
  expect((await app.call(passwordCalls.resetPassword, { token, email: ADA, password: encoded })).code).toBe(
    OK,
  )
})

test('a reset is answered alike whether there is such a user, and nobody is mailed who did not sign up', async () => {
  const app = await startApp()
  const { accountId } = await app.otherAccount()
  const ada = await app.user()
  await giveMail(app, ada)
  const ask = (input: { accountId: string; email: string }) =>
    app.call(passwordCalls.requestPasswordReset, input)
  const known = await ask({ accountId: app.accountId, email: ADA })
  expect(await ask({ accountId: app.accountId, email: 'nobody@example.com' })).toEqual(known)
  expect(await ask({ accountId, email: ADA }), 'of another account').toEqual(known)
  expect(await ask({ accountId: 'ZZZ99999', email: ADA })).toEqual(known)
  expect(await sentTo(app)).toEqual([ADA])
})

test('nobody can fill the mailbox of another', async () => {
  const app = await startApp()
  const ada = await app.user()
  await giveMail(app, ada)
  const answers = await Promise.all(
    Array.from({ length: 12 }, () =>
      app.call(passwordCalls.requestPasswordReset, { accountId: app.accountId, email: ADA }),
    ),
  )
  expect(answers.filter(({ code }) => code === OK)).toHaveLength(3)
  expect(answers.filter(({ code }) => code === CODES.TooManyAttempts.code)).toHaveLength(9)
  expect(await mailsTo(app, ADA)).toHaveLength(3)
})

test.each(['used', 'expired', 'replaced by a newer one', 'made for something else'])(
  'a link that was %s changes nothing [SIGNIN-54]',
  async (how) => {
    const app = await startApp()
    const ada = await app.user()
    await giveMail(app, ada)
    let token = await asked(app)
    const reset = () => app.call(passwordCalls.resetPassword, { token, email: ADA, password: encoded })
    if (how === 'used') await reset()
    if (how === 'expired') app.clock.advance(HOURS)
    if (how === 'replaced by a newer one') await asked(app)
    if (how === 'made for something else')
      token = await app.store.transaction((trx) =>
        app.links.create(trx, { purpose: 'activation', subject: 'someone', accountId: null }),
      )
    expect((await reset()).code).toBe(CODES.LinkUnusable.code)
    expect((await app.call(passwordCalls.passwordResetLink, { token })).code).toBe(CODES.LinkUnusable.code)
  },
)

test('of two who use a link at the same moment one wins', async () => {
  const app = await startApp()
  const ada = await app.user()
  await giveMail(app, ada)
  const token = await asked(app)
  const both = await Promise.all(
    ['Sculling_7', 'Sculling_8'].map((password) =>
      app.call(passwordCalls.resetPassword, { token, email: ADA, password: encodePassword(password) }),
    ),
  )
  for (const { code } of both) expect([OK, CODES.LinkUnusable.code, CODES.Conflict.code]).toContain(code)
  expect(both.filter(({ code }) => code === OK)).toHaveLength(1)
})

test('links cannot be found by trying', async () => {
  const app = await startApp()
  const tries = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      app.call(passwordCalls.invitationLink, { token: String(index).padStart(43, 'x') }),
    ),
  )
  expect(tries.filter(({ code }) => code === CODES.LinkUnusable.code)).toHaveLength(30)
  expect(tries.filter(({ code }) => code === CODES.TooManyAttempts.code)).toHaveLength(10)
})

test('who is invited chooses a password by the mailed link, once, and signs in [SIGNIN-16]', async () => {
  const app = await startApp()
  const token = await invited(app)
  expect((await signIn(app, 'ada', NEW)).code, 'no password yet').toBe(CODES.LoginFailed.code)
  expect((await app.call(passwordCalls.invitationLink, { token })).data).toEqual({
    accountId: app.accountId,
    accountName: 'demo',
    region: 'local-1',
    user: 'ada',
    email: ADA,
  })
  expect((await app.call(passwordCalls.setUpPassword, { token, password: encoded })).code).toBe(OK)
  expect((await signIn(app, 'ada', NEW)).code).toBe(OK)
  expect((await app.call(passwordCalls.setUpPassword, { token, password: encoded })).code).toBe(
    CODES.LinkUnusable.code,
  )
})

test('an old link does not bring back a user who was removed', async () => {
  const app = await startApp()
  const token = await invited(app)
  await app.store.pool.query(`delete from users where name = 'ada'`)
  expect((await app.call(passwordCalls.setUpPassword, { token, password: encoded })).code).toBe(
    CODES.LinkUnusable.code,
  )
})

test('the audit log records changes of passwords, without the password', async () => {
  const app = await startApp()
  const token = await invited(app)
  await app.call(passwordCalls.setUpPassword, { token, password: encoded })
  const { rows } = await app.store.pool.query<{ entry: string }>(
    'select entry from audit_entries order by number',
  )
  const last = rows.at(-1)?.entry ?? ''
  expect(JSON.parse(last)).toMatchObject({ action: 'password.setUp', object: { name: 'ada' } })
  expect(rows.map(({ entry }) => entry).join()).not.toContain(NEW)
})

test('of 19 changes of a password at once by one login one is made, and it ends the login', async () => {
  const app = await startApp()
  const ada = await app.user()
  const passwords = Array.from({ length: 19 }, (_, index) => `Sculling_${index}`)
  const answers = await Promise.all(
    passwords.map((password) =>
      ada.call(passwordCalls.changePassword, { username: ada.name, password: encodePassword(password) }),
    ),
  )
  const made = answers.flatMap(({ code }, index) => (code === OK ? [index] : []))
  expect(made).toHaveLength(1)
  for (const { code } of answers) expect([OK, CODES.Conflict.code, CODES.LoginRequired.code]).toContain(code)
  expect((await signIn(app, ada.name, passwords[made[0] ?? 0] ?? '')).code).toBe(OK)
  const { rows } = await app.store.pool.query<{ count: number }>(
    "select count(*)::int as count from audit_entries where entry::text like '%password.change%'",
  )
  expect(rows[0]?.count).toBe(1)
})

test('changes one after the other count as attempts, by whichever login', async () => {
  const app = await startApp()
  const ada = await app.user()
  const change = async (token: TestUser) =>
    (await token.call(passwordCalls.changePassword, { username: ada.name, password: encoded })).code
  for (let made = 0; made < 10; made++) expect(await change(await app.signInAs(ada.name))).toBe(OK)
  expect(await change(await app.signInAs(ada.name))).toBe(CODES.TooManyAttempts.code)
  expect(await change(await app.user()), 'who is not slowed down').toBe(CODES.NoPermission.code)
})

test('a mailed link that is used many times at once is used once, and the others cost no hash', async () => {
  const app = await startApp()
  const ada = await app.user()
  await giveMail(app, ada)
  const token = await asked(app)
  const answers = await Promise.all(
    Array.from({ length: 12 }, () =>
      app.call(passwordCalls.resetPassword, { token, email: ADA, password: encoded }),
    ),
  )
  expect(answers.filter(({ code }) => code === OK)).toHaveLength(1)
  for (const { code } of answers) expect([OK, CODES.Conflict.code, CODES.LinkUnusable.code]).toContain(code)
})

test.each([
  ['for a user', ADA, undefined],
  ['for nobody', 'nobody@example.com', undefined],
  ['in an account that there is not', ADA, 'ZZZ00000'],
])(
  'a link that is asked for %s writes one and the same, and the mail comes later',
  async (_, email, account) => {
    const app = await startApp()
    await giveMail(app, await app.user())
    const written = async () =>
      (
        await app.store.pool.query<{ tables: string }>(
          `select (select count(*) from mails) || ' mails, ' || (select count(*) from links) || ' links, ' ||
        (select count(*) from password_reset_requests) || ' requests' as tables`,
        )
      ).rows[0]?.tables
    const answer = await app.call(passwordCalls.requestPasswordReset, {
      accountId: account ?? app.accountId,
      email,
    })
    expect(answer).toEqual({ code: OK, message: '', data: {} })
    expect(await written()).toBe('0 mails, 0 links, 1 requests')
    await app.passwords.mailResets()
    const isUser = email === ADA && account === undefined
    expect(await written()).toBe(isUser ? '1 mails, 1 links, 0 requests' : '0 mails, 0 links, 0 requests')
  },
)
