import { addressCalls, CODES, encodePassword, passwordCalls, perms, user } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { HOURS, MINUTES } from '../../testing/fake-clock.ts'
import { mailedToken, mailsTo } from '../../testing/mailed-token.ts'
import { sharedApp, startApp, type TestApp, type TestUser } from '../../testing/start-app.ts'
import { verifyAudit } from '../audit/verify.ts'

const { code: OK } = CODES.Ok
const shared = sharedApp()
let addresses = 0
const newAddress = () => `rower${addresses++}@boats.example`

const giveMail = (app: TestApp, { name }: TestUser, email: string) =>
  app.store.pool.query('update users set email = $1 where name = $2', [email, name])
const emailOf = async (someone: TestUser) => (await someone.call(user.info, {})).data.email
const ask = (app: TestApp, someone: TestUser, email: string, password = app.password) =>
  someone.call(addressCalls.requestEmailChange, { email, password: encodePassword(password) })
const tokenFor = async (app: TestApp, email: string) => (await mailedToken(app, email)) ?? ''
const confirm = (app: TestApp, token: string) => app.call(addressCalls.confirmEmail, { token })

test('a user without an address gets one: the mailed link counts, and a forgotten password is reset by it', async () => {
  const app = await shared()
  const ada = await app.user()
  const email = newAddress()
  expect(await ask(app, ada, `  ${email.toUpperCase()} `)).toMatchObject({ data: { mailedTo: email } })
  expect(await emailOf(ada), 'not before it is confirmed').toBe('')
  const token = await tokenFor(app, email)
  const expected = { accountId: app.accountId, region: 'local-1', user: ada.name, email }
  expect((await app.call(addressCalls.emailChangeLink, { token })).data).toEqual(expected)
  expect((await confirm(app, token)).data).toEqual(expected)
  expect(await emailOf(ada)).toBe(email)
  await app.call(passwordCalls.requestPasswordReset, { accountId: app.accountId, email })
  expect((await mailsTo(app, email))[0]).toBe('passwordReset')
  expect((await confirm(app, token)).message, 'once').toContain('already used')
  expect(await verifyAudit(app.store.db, app.accountId)).toMatchObject([{ problem: null }])
})

test('the earlier address is notified, and links that were mailed to it no longer work', async () => {
  const app = await shared()
  const ada = await app.user()
  const [before, after] = [newAddress(), newAddress()]
  await giveMail(app, ada, before)
  await app.call(passwordCalls.requestPasswordReset, { accountId: app.accountId, email: before })
  const reset = await tokenFor(app, before)
  await ask(app, ada, after)
  expect(await mailsTo(app, before), 'nothing has changed yet').toEqual(['passwordReset'])
  await confirm(app, await tokenFor(app, after))
  expect(await mailsTo(app, before)).toEqual(['emailChanged', 'passwordReset'])
  const answer = await app.call(passwordCalls.resetPassword, {
    token: reset,
    email: after,
    password: encodePassword('Sculling_7'),
  })
  expect(answer.code).toBe(CODES.LinkUnusable.code)
})

test('a change of address needs the password, however fresh the login, and guesses are slowed down', async () => {
  const app = await startApp()
  const ada = await app.user()
  const email = newAddress()
  expect(await ada.call(addressCalls.requestEmailChange, { email })).toMatchObject({
    code: CODES.LoginFailed.code,
    message: 'Enter the current password',
  })
  for (let guessed = 1; guessed < 10; guessed++)
    expect((await ask(app, ada, newAddress(), 'Wrong_pass1')).code).toBe(CODES.LoginFailed.code)
  expect((await ask(app, ada, newAddress())).code).toBe(CODES.TooManyAttempts.code)
  expect(await app.mails.outbox()).toEqual([])
})

test('who has no password has just signed in', async () => {
  const app = await startApp()
  const ada = await app.user()
  await app.store.pool.query('update users set password_hash = null where name = $1', [ada.name])
  const request = (email: string) => ada.call(addressCalls.requestEmailChange, { email })
  expect((await request(newAddress())).code).toBe(OK)
  app.clock.advance(15 * MINUTES + 1)
  expect((await request(newAddress())).code).toBe(CODES.LoginFailed.code)
})

test('nobody fills the mailbox of somebody else: three mails to one address, then one in ten minutes', async () => {
  const app = await startApp()
  const [ada, bea] = [await app.user(), await app.user()]
  const email = newAddress()
  for (const someone of [ada, bea, ada]) expect((await ask(app, someone, email)).code).toBe(OK)
  expect((await ask(app, bea, email)).code).toBe(CODES.TooManyAttempts.code)
})

test('only a user who can read mail at the address learns that another user has it', async () => {
  const app = await shared()
  const [ada, bea] = [await app.user(), await app.user()]
  const email = newAddress()
  await giveMail(app, bea, email)
  expect((await ask(app, ada, email)).code).toBe(OK)
  const token = await tokenFor(app, email)
  expect(await confirm(app, token)).toMatchObject({
    code: CODES.NameTaken.code,
    message: `Another user of this account has the mail address ${email}. Use another address.`,
  })
  expect(await emailOf(ada)).toBe('')
})

test('a new link ends the one before, and a link ends after a day', async () => {
  const app = await startApp()
  const ada = await app.user()
  const [first, second] = [newAddress(), newAddress()]
  await ask(app, ada, first)
  const old = await tokenFor(app, first)
  await ask(app, ada, second)
  expect((await confirm(app, old)).code).toBe(CODES.LinkUnusable.code)
  app.clock.advance(24 * HOURS)
  expect((await confirm(app, await tokenFor(app, second))).code).toBe(CODES.LinkUnusable.code)
  expect((await confirm(app, 'x'.repeat(43))).code).toBe(CODES.LinkUnusable.code)
})

test.each(['by themselves', 'by an administrator', 'by the operator'])(
  'a password that was changed %s ends the address that was asked for with the old one',
  async (how) => {
    const app = await startApp()
    const ada = await app.user()
    const email = newAddress()
    await ask(app, ada, email)
    const token = await tokenFor(app, email)
    if (how === 'by themselves')
      await ada.call(passwordCalls.changePassword, {
        username: ada.name,
        password: encodePassword('Sculling_7'),
      })
    else if (how === 'by the operator')
      await app.operator('user reset-password', { account: app.accountId, user: ada.name })
    else {
      const channel = await (await app.admin()).channel()
      await channel.run(`ALTER USER ${ada.name} IDENTIFIED BY 'Sculling_7'`)
    }
    expect((await confirm(app, token)).code).toBe(CODES.LinkUnusable.code)
  },
)

test('one confirmation of two at the same moment counts', async () => {
  const app = await shared()
  const ada = await app.user()
  const [before, email] = [newAddress(), newAddress()]
  await giveMail(app, ada, before)
  await ask(app, ada, email)
  const token = await tokenFor(app, email)
  const answers = await Promise.all([confirm(app, token), confirm(app, token)])
  expect(answers.map(({ code }) => code).sort((a, b) => a - b)).toEqual([OK, CODES.LinkUnusable.code])
  expect(await mailsTo(app, before)).toEqual(['emailChanged'])
})

test.each([
  ['nothing', 'Enter the correct email'],
  ['ädä@boats.example', 'Email contains unsupported characters'],
])('%s is refused in words', async (email, message) => {
  const app = await shared()
  const ada = await app.user()
  const answer = await ask(app, ada, email)
  expect(answer.code).toBe(CODES.BadInput.code)
  expect(answer.message).toContain(message)
})

test('where only business addresses count, none of free webmail is taken, in the profile or by an administrator', async () => {
  const app = await startApp({ BOATHOUSE_BUSINESS_MAIL_ONLY: 'true' })
  const [admin, ada] = [await app.admin(), await app.user()]
  expect((await ask(app, ada, 'ada@gmail.com')).code).toBe(CODES.NotBusinessEmail.code)
  const set = await admin.call(perms.setUserEmail, { user: ada.name, email: 'ada@gmail.com' })
  expect(set.code).toBe(CODES.NotBusinessEmail.code)
})

test('an administrator sets the address of another: it counts at once, and both addresses are notified', async () => {
  const app = await shared()
  const [admin, ada] = [await app.admin(), await app.user()]
  const [before, after] = [newAddress(), newAddress()]
  await giveMail(app, ada, before)
  expect((await admin.call(perms.setUserEmail, { user: ada.name, email: after })).code).toBe(OK)
  expect(await emailOf(ada)).toBe(after)
  expect(await mailsTo(app, before)).toEqual(['emailChanged'])
  expect(await mailsTo(app, after)).toEqual(['emailSet'])
  const again = await admin.call(perms.setUserEmail, { user: ada.name, email: after })
  expect(again).toMatchObject({ code: CODES.Conflict.code })
})

test('an administrator of users takes over nobody above them by an address, by call or by statement', async () => {
  const app = await shared()
  const [keeper, ada] = [await app.user(['user_admin']), await app.user(['account_admin'])]
  const email = newAddress()
  expect(await keeper.call(perms.setUserEmail, { user: ada.name, email })).toMatchObject({
    code: CODES.NoPermission.code,
    message: expect.stringContaining('who holds account_admin'),
  })
  const channel = await keeper.channel()
  const [answer] = await channel.run(`ALTER USER ${ada.name} SET EMAIL '${email}'`)
  expect(answer?.errMsg).toContain('who holds account_admin')
  expect(await emailOf(ada)).toBe('')
  expect(await mailsTo(app, email)).toEqual([])
})

test('who is refused: no administrator, oneself, a user of another account, an address that is taken', async () => {
  const app = await shared()
  const [admin, rower, bea] = [await app.admin(), await app.user(['db_admin']), await app.user()]
  const stranger = await app.stranger()
  const [email, taken] = [newAddress(), newAddress()]
  await giveMail(app, bea, taken)
  const set = (someone: TestUser, whom: string, address = email) =>
    someone.call(perms.setUserEmail, { user: whom, email: address })
  expect((await set(rower, bea.name)).code).toBe(CODES.NoPermission.code)
  expect(await set(admin, admin.name)).toMatchObject({
    code: CODES.Conflict.code,
    message: expect.stringContaining('in your profile'),
  })
  expect((await set(admin, stranger.name)).code).toBe(CODES.NotFound.code)
  expect((await set(admin, rower.name, taken)).code).toBe(CODES.NameTaken.code)
  expect((await set(admin, rower.name, 'nothing')).code).toBe(CODES.BadInput.code)
})

test('ALTER USER sets an address, and says what is wrong with one', async () => {
  const app = await shared()
  const [admin, ada, rower] = [await app.admin(), await app.user(), await app.user(['db_admin'])]
  const email = newAddress()
  const channel = await admin.channel()
  const run = async (sql: string, on = channel) => (await on.run(sql))[0]?.errMsg
  expect(await run(`ALTER USER ${ada.name} SET EMAIL '${email}'`)).toBeFalsy()
  expect(await emailOf(ada)).toBe(email)
  expect(await run(`ALTER USER ${ada.name} EMAIL = 'nothing'`)).toContain('Enter the correct email')
  expect(await run(`ALTER USER ${ada.name} SET EMAIL`)).toContain("SET EMAIL 'address'")
  expect(await run(`ALTER USER admin SET EMAIL '${newAddress()}'`)).toContain('in your profile')
  expect(await run(`ALTER USER nobody SET EMAIL '${newAddress()}'`)).toContain('There is no user nobody')
  expect(await run(`ALTER USER ${ada.name} SET EMAIL '${newAddress()}'`, await rower.channel())).toMatch(
    /permission|role/i,
  )
})

test('an invited user whose address was wrong is invited again, and the first invitation no longer works', async () => {
  const app = await shared()
  const admin = await app.admin()
  const [wrong, right] = [newAddress(), newAddress()]
  await admin.call(perms.createUser, { user: 'cox', email: wrong, password: null, roles: [] })
  const stray = await tokenFor(app, wrong)
  await admin.call(perms.setUserEmail, { user: 'cox', email: right })
  expect((await app.call(passwordCalls.invitationLink, { token: stray })).code).toBe(CODES.LinkUnusable.code)
  const { data } = await app.call(passwordCalls.invitationLink, { token: await tokenFor(app, right) })
  expect(data).toMatchObject({ user: 'cox', email: right })
})

test('a new user whose address is taken is refused for the address', async () => {
  const app = await shared()
  const [admin, bea] = [await app.admin(), await app.user()]
  const email = newAddress()
  await giveMail(app, bea, email)
  const created = await admin.call(perms.createUser, { user: 'stroke', email, password: null, roles: [] })
  expect(created).toMatchObject({
    code: CODES.NameTaken.code,
    message: expect.stringContaining('mail address'),
  })
})

test('the operator sets the address of the first administrator, who can then be mailed', async () => {
  const app = await startApp()
  const account = app.accountId
  const set = (input: object) => app.operator('user set-email', { account, user: 'admin', ...input })
  expect(await set({ email: 'Keeper@Boats.example' })).toEqual({
    user: 'admin',
    email: 'keeper@boats.example',
  })
  expect(await mailsTo(app, 'keeper@boats.example')).toEqual(['emailSet'])
  await expect(set({ email: 'nothing' })).rejects.toThrow(/Enter the correct email/)
  await expect(set({ user: 'nobody', email: 'a@b.example' })).rejects.toThrow(/no user nobody/)
  const ada = await app.user()
  await expect(set({ user: ada.name, email: 'keeper@boats.example' })).rejects.toMatchObject({
    code: 'NameTaken',
  })
  expect(await verifyAudit(app.store.db, account)).toMatchObject([{ problem: null }])
})
