import { audit, MESSAGES, SHELL_STATES } from '@boathouse/contract'
import { expect, test, vi } from 'vitest'
import { AppError } from '../../kernel/app-error.ts'
import { MINUTES, SECONDS } from '../../testing/fake-clock.ts'
import { AT_OFFICE, ELSEWHERE, letInOffice, startFirewallApp } from '../../testing/firewall-kit.ts'
import { startApp, type TestApp, type TestUser } from '../../testing/start-app.ts'
import { createRateLimit } from '../attempt/rate-limit.ts'
import { createFirewallGate } from '../firewall/gate.ts'
import type { Requester } from '../query/requester.ts'
import { BY_OPERATOR, hashPassword, verifyPassword } from './passwords.ts'
import { createPlainSignIn, type KeyProof, type ProgramFrom } from './plain-sign-in.ts'
import { createUserStore } from './store.ts'

const HERE: ProgramFrom = { door: 'mysql', clientIp: '192.0.2.7', program: 'rowing-dashboard 1.2' }
const WRONG = 'Not_the_one_1'
const NO_KEYS: KeyProof = {
  isKey: () => false,
  signIn: () => Promise.reject(new Error('There are no keys here.')),
  signInByScramble: async () => null,
}

/** A sign-in that counts what it has hashed, over the tables of an app. */
function countedSignIn({ store: { db }, signIns, clock }: TestApp, mostKnown?: number) {
  const verify = vi.fn<typeof verifyPassword>(verifyPassword)
  const plain = createPlainSignIn({
    store: createUserStore(db),
    signIns,
    rateLimit: createRateLimit({ db, clock }),
    native: { checkOf: async () => null },
    keys: NO_KEYS,
    requireLetIn: createFirewallGate(db, () => null),
    clock,
    verify,
    ...(mostKnown !== undefined && { mostKnown }),
  })
  return { plain, verify }
}

async function start() {
  const app = await startApp()
  const ada = await app.user(['db_admin'])
  const { plain, verify } = countedSignIn(app)
  const come = (password = app.password, from = HERE, user = ada) =>
    plain.signIn(from, { name: `${user.accountId}.${user.name}`, password })
  return { app, ada, plain, verify, come }
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'Ok',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )

const change = (app: TestApp, { name }: TestUser, values: { password_hash: string | null }) =>
  app.store.db.updateTable('users').set(values).where('name', '=', name).execute()

const setState = (app: TestApp, shell_state: number) =>
  app.store.db.updateTable('accounts').set({ shell_state }).where('account_id', '=', app.accountId).execute()

const drop = (app: TestApp, { name }: TestUser) =>
  app.store.db.deleteFrom('users').where('name', '=', name).execute()

test('a wrong password, an unknown user and one without a password are refused alike, each after a hash', async () => {
  const { app, plain, verify, come } = await start()
  const invited = await app.user()
  await change(app, invited, { password_hash: null })
  const refusals = [
    () => come(WRONG),
    () => come(WRONG, HERE, { ...invited, name: 'nobody' }),
    () => come(app.password, HERE, invited),
    () => come(app.password, HERE, { ...invited, accountId: 'ZZZ99999' }),
  ]
  for (const refusal of refusals)
    await expect(refusal()).rejects.toMatchObject({ code: 'LoginFailed', message: MESSAGES.loginFailed })
  expect(verify).toHaveBeenCalledTimes(4)
  for (const name of ['', 'ada', `${app.accountId}.`])
    expect(await codeOf(plain.signIn(HERE, { name, password: app.password }))).toBe('LoginFailed')
  expect(verify, 'who names no account is not even looked for').toHaveBeenCalledTimes(4)
})

test('nothing is hashed of a password that nobody can have', async () => {
  const { verify, come } = await start()
  for (const password of ['', 'x'.repeat(1_000_000)]) expect(await codeOf(come(password))).toBe('LoginFailed')
  expect(verify).not.toHaveBeenCalled()
})

test('only who has the right password learns of the state of the account', async () => {
  const { app, come } = await start()
  for (const [state, code] of [
    [SHELL_STATES.Closed, 'LoginFailed'],
    [SHELL_STATES.Frozen, 'AccountFrozen'],
    [SHELL_STATES.Resuming, 'AccountFrozen'],
  ] as const) {
    await setState(app, state)
    expect([state, await codeOf(come())]).toEqual([state, code])
    expect([state, await codeOf(come(WRONG))]).toEqual([state, 'LoginFailed'])
  }
})

test('the firewall of the account decides, also for what is known', async () => {
  const { app, guard } = await startFirewallApp()
  const { plain, verify } = countedSignIn(app)
  const come = (clientIp: string) =>
    plain.signIn({ ...HERE, clientIp }, { name: `${app.accountId}.${guard.name}`, password: app.password })
  for (const address of [AT_OFFICE, ELSEWHERE]) expect(await codeOf(come(address))).toBe('Ok')
  expect((await letInOffice(app, guard)).message).toBe('')
  expect(await codeOf(come(ELSEWHERE))).toBe('IpBlocked')
  expect(await codeOf(come(AT_OFFICE))).toBe('Ok')
  expect(verify).toHaveBeenCalledTimes(2)
})

test('of 200 guesses at once ten are judged, and the right password behind them is not let in', async () => {
  const { app, verify, come } = await start()
  const guesses = Array.from({ length: 200 }, (_, index) => codeOf(come(`Guess_${index}`)))
  const right = codeOf(come())
  const codes = await Promise.all(guesses)
  expect(codes.filter((code) => code === 'LoginFailed')).toHaveLength(10)
  expect(codes.filter((code) => code === 'TooManyAttempts')).toHaveLength(190)
  expect(await right).toBe('TooManyAttempts')
  expect(verify).toHaveBeenCalledTimes(10)
  app.clock.advance(30 * SECONDS)
  expect(await codeOf(come())).toBe('Ok')
})

test('the same with a password that is known: nobody at the same address can find it out', async () => {
  const { verify, come } = await start()
  expect(await codeOf(come())).toBe('Ok')
  const codes = await Promise.all(Array.from({ length: 200 }, (_, index) => codeOf(come(`Guess_${index}`))))
  expect(codes.filter((code) => code === 'LoginFailed')).toHaveLength(10)
  expect(await codeOf(come()), 'not by what was known before').toBe('TooManyAttempts')
  expect(verify).toHaveBeenCalledTimes(11)
})

test('meanwhile people elsewhere are let in, and then others at the same address', async () => {
  const { app, ada, verify, come } = await start()
  let finish: () => void = () => {}
  const hashing = new Promise<void>((resolve) => (finish = resolve))
  verify.mockImplementation(async (password, ...judged) => {
    if (password.startsWith('Guess_')) await hashing
    return verifyPassword(password, ...judged)
  })
  const bea = await app.user()
  const stranger = await app.stranger()
  let judged = 0
  const guesses = Array.from({ length: 200 }, (_, index) =>
    codeOf(come(`Guess_${index}`)).then((code) => (code === 'LoginFailed' ? judged++ : 0)),
  )
  const elsewhere = { ...HERE, clientIp: '198.51.100.1' }
  expect(await codeOf(come(app.password, elsewhere, stranger))).toBe('Ok')
  expect(await codeOf(come(app.password, elsewhere, ada)), 'the same user').toBe('Ok')
  expect(judged, 'guesses that were judged before').toBe(0)
  finish()
  await Promise.all(guesses)
  expect(judged).toBe(10)
  expect(await codeOf(come(app.password, HERE, bea))).toBe('Ok')
})

test('a password that was changed is wrong at once, however well it is known, and the new one is right', async () => {
  const { app, ada, verify, come } = await start()
  await come()
  await change(app, ada, { password_hash: await hashPassword('Sculling_7', BY_OPERATOR) })
  expect(await codeOf(come())).toBe('LoginFailed')
  expect(await codeOf(come('Sculling_7'))).toBe('Ok')
  expect(await codeOf(come('Sculling_7'))).toBe('Ok')
  expect(verify).toHaveBeenCalledTimes(3)
})

test('a password that is changed while it is hashed is not let in', async () => {
  const { app, ada, verify, come } = await start()
  const other = await hashPassword('Sculling_7', BY_OPERATOR)
  verify.mockImplementationOnce(async (...judged) => {
    const isRight = await verifyPassword(...judged)
    await change(app, ada, { password_hash: other })
    return isRight
  })
  expect(await codeOf(come())).toBe('LoginFailed')
})

test('a user who is dropped is out, on connections that are open too', async () => {
  const { app, ada, come } = await start()
  const requester = await come()
  const { identityVersion } = await requester.now()
  await drop(app, ada)
  await expect(requester.now()).rejects.toMatchObject({ code: 'LoginRequired' })
  await expect(requester.now(identityVersion + 1)).rejects.toMatchObject({ code: 'LoginRequired' })
  expect(await codeOf(come())).toBe('LoginFailed')
})

test('an open connection ends with the password, with the account and with the firewall', async () => {
  const { app, guard } = await startFirewallApp()
  const { plain } = countedSignIn(app)
  const ada = await app.user()
  const come = (clientIp: string) =>
    plain.signIn({ ...HERE, clientIp }, { name: `${ada.name}@${app.accountId}`, password: app.password })
  const [office, elsewhere] = [await come(AT_OFFICE), await come(ELSEWHERE)]
  await letInOffice(app, guard)
  expect(await codeOf(elsewhere.now())).toBe('IpBlocked')
  expect(await codeOf(office.now())).toBe('Ok')
  await setState(app, SHELL_STATES.Frozen)
  expect(await codeOf(office.now())).toBe('AccountFrozen')
  await setState(app, SHELL_STATES.Active)
  expect(await codeOf(office.now())).toBe('Ok')
  await change(app, ada, { password_hash: await hashPassword('Sculling_7', BY_OPERATOR) })
  expect(await codeOf(office.now())).toBe('LoginRequired')
})

test('an open connection has the roles of the moment, and the database is asked once for each version', async () => {
  const { app, ada, plain } = await start()
  const store = createUserStore(app.store.db)
  const findById = vi.fn<typeof store.findById>(store.findById)
  const { db } = app.store
  const counted = createPlainSignIn({
    store: { ...store, findById },
    signIns: app.signIns,
    rateLimit: createRateLimit({ db, clock: app.clock }),
    native: { checkOf: async () => null },
    keys: NO_KEYS,
    requireLetIn: createFirewallGate(db, () => null),
    clock: app.clock,
  })
  const credentials = { name: `${app.accountId}.${ada.name}`, password: app.password }
  const requester: Requester = await counted.signIn(HERE, credentials)
  expect(requester.known).toMatchObject({ user: ada.name, accountId: app.accountId, loginId: '' })
  expect(requester.known.activeRoles).toContain('db_admin')
  const asked = findById.mock.calls.length
  const { identityVersion } = requester.known
  await requester.now(identityVersion)
  expect(findById).toHaveBeenCalledTimes(asked)
  await db.updateTable('user_roles').set({ active: false }).where('role', '=', 'db_admin').execute()
  const { activeRoles } = await requester.now(identityVersion + 1)
  expect(activeRoles).not.toContain('db_admin')
  expect(findById).toHaveBeenCalledTimes(asked + 1)
  expect((await plain.signIn(HERE, credentials)).known.activeRoles).not.toContain('db_admin')
})

test('a password is hashed once for a user and an address, and again after ten minutes', async () => {
  const { app, verify, come } = await start()
  for (let made = 0; made < 20; made++) await come()
  expect(verify).toHaveBeenCalledTimes(1)
  await come(app.password, { ...HERE, clientIp: '192.0.2.8' })
  expect(verify, 'another address').toHaveBeenCalledTimes(2)
  app.clock.advance(10 * MINUTES)
  await come()
  expect(verify).toHaveBeenCalledTimes(3)
})

test('a pool of 100 connections is let in with one hash, and no login is written for them', async () => {
  const { app, verify, come } = await start()
  const logins = async () => (await app.store.db.selectFrom('logins').select('token_hash').execute()).length
  const before = await logins()
  const programs = await Promise.all(Array.from({ length: 100 }, () => come()))
  expect(programs).toHaveLength(100)
  expect(verify).toHaveBeenCalledTimes(1)
  expect(await logins()).toBe(before)
})

test('what is known is bounded', async () => {
  const app = await startApp()
  const { plain, verify } = countedSignIn(app, 2)
  const people = [await app.user(), await app.user(), await app.user()]
  const come = ({ name }: TestUser) =>
    plain.signIn(HERE, { name: `${app.accountId}.${name}`, password: app.password })
  for (const person of people) await come(person)
  await come(people[2]!)
  expect(verify).toHaveBeenCalledTimes(3)
  await come(people[0]!)
  expect(verify).toHaveBeenCalledTimes(4)
})

test('sign-ins are listed with door, address and program, one row a minute, and are in the audit log', async () => {
  const { app, ada, come } = await start()
  const guard = await app.user(['security_admin', 'account_admin'])
  app.clock.advance(MINUTES)
  const from = app.clock.now().toISOString()
  for (let made = 0; made < 5; made++) await come()
  await codeOf(come(WRONG))
  await setState(app, SHELL_STATES.Frozen)
  await codeOf(come())
  await setState(app, SHELL_STATES.Active)
  await app.signIns.writeCounts()
  const { signIns } = (await guard.call(audit.signIns, { from, limit: 100 })).data
  const of = { user: ada.name, method: 'password', door: 'mysql', clientIp: HERE.clientIp }
  expect(signIns.toSorted((a, b) => a.outcome.localeCompare(b.outcome))).toMatchObject([
    { ...of, outcome: 'accountFrozen', count: 1 },
    { ...of, outcome: 'signedIn', count: 5, userAgent: 'rowing-dashboard 1.2' },
    { ...of, outcome: 'wrongPassword', count: 1 },
  ])
  app.clock.advance(2 * MINUTES)
  await app.signIns.writeAudit()
  const entries = await app.store.db
    .selectFrom('audit_entries')
    .selectAll()
    .where('action', '=', 'login.begin')
    .execute()
  expect(JSON.stringify(entries)).toContain('mysql')
})

test('the app has one, behind the same rules', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const name = `${app.accountId}.${admin.name}`
  expect(await codeOf(app.plainSignIn.signIn(HERE, { name, password: WRONG }))).toBe('LoginFailed')
  const { known } = await app.plainSignIn.signIn(HERE, { name, password: app.password })
  expect(known).toMatchObject({ user: admin.name, accountId: app.accountId })
})
