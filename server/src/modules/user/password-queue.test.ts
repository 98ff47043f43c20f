import { hash } from '@node-rs/argon2'
import { CODES, encodePassword, perms, user } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { sharedApp } from '../../testing/start-app.ts'
import { administering, BY_OPERATOR, type PasswordPriority, signingIn, verifyPassword } from './passwords.ts'

const PASSWORD = 'Rowing_2026'
/** The cheapest that there can be: it is the order that is looked at. */
const stored = await hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 })
const administrator = administering({ accountId: 'AAA00001', userId: 'admin' })
const from = (clientIp: string, accountId: string, name: string) =>
  signingIn({ clientIp, accountId, user: name })

/** How many of a flood are hashed before one that comes behind it, and how many are refused. */
async function behind(flood: readonly PasswordPriority[], mine: PasswordPriority) {
  let hashed = 0
  let refused = 0
  const all = flood.map((turn) =>
    verifyPassword(PASSWORD, stored, turn).then(
      () => void hashed++,
      (error: unknown) => {
        expect(error).toMatchObject({ code: 'TooManyAttempts' })
        refused++
      },
    ),
  )
  await verifyPassword(PASSWORD, stored, mine)
  const before = hashed
  await Promise.all(all)
  return { before, refused }
}

const many = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => one(index))

test.each<[string, PasswordPriority[], PasswordPriority]>([
  [
    'users that one administrator creates, before somebody of another account signs in',
    many(900, () => administrator),
    from('192.0.2.1', 'BBB00002', 'bea'),
  ],
  [
    'users that one administrator creates, before a colleague signs in',
    many(900, () => administrator),
    from('192.0.2.1', 'AAA00001', 'bea'),
  ],
  [
    'users that one administrator creates, before another administrator of the account does',
    many(900, () => administrator),
    administering({ accountId: 'AAA00001', userId: 'other' }),
  ],
  [
    'passwords that all users of an account change, before somebody of another one does',
    many(900, (index) => administering({ accountId: 'AAA00001', userId: `user ${index}` })),
    administering({ accountId: 'BBB00002', userId: 'bea' }),
  ],
  [
    'guesses from one address at as many accounts, before a sign-in from another address',
    many(60, (index) => from('192.0.2.1', `ZZZ${index}`, 'root')),
    from('192.0.2.2', 'BBB00002', 'bea'),
  ],
  [
    'guesses from as many networks, before who signed in from the same address before',
    many(60, (index) => from(`2001:db8:0:${index}::1`, 'BBB00002', 'root')),
    signingIn({ clientIp: '192.0.2.2', accountId: 'BBB00002', user: 'bea', isKnown: true }),
  ],
  [
    'sign-ups from one address, before the operator sets a password',
    many(60, (index) => from('192.0.2.1', '', `row${index}@example.com`)),
    BY_OPERATOR,
  ],
])('a few are hashed of %s', async (_, flood, mine) => {
  const { before, refused } = await behind(flood, mine)
  // Those that run, one turn of the others, and of seven ranks one.
  expect(before).toBeLessThanOrEqual(mine === BY_OPERATOR ? 12 : 5)
  expect(refused).toBeGreaterThanOrEqual(flood.length - 70)
})

const shared = sharedApp({ BOATHOUSE_TRUST_PROXY: '1' })

test('120 users that are created at once by a call hold up neither sign-ins of others nor calls of others', async () => {
  const app = await shared()
  const password = encodePassword(app.password)
  const [admin, bea] = [await app.admin(), await app.stranger()]
  let created = 0
  const codes = new Set<number>()
  const flood = many(120, async (index) => {
    const draft = { user: `crew_${index}`, email: null, password, roles: [] }
    const { code } = await admin.call(perms.createUser, draft)
    codes.add(code)
    if (code === CODES.Ok.code) created++
  })
  const login = { accountId: bea.accountId, username: bea.name, password }
  expect((await app.call(user.login, login)).code).toBe(CODES.Ok.code)
  expect((await bea.call(user.info, {})).code).toBe(CODES.Ok.code)
  const before = created
  await Promise.all(flood)
  expect(codes).toEqual(new Set([CODES.Ok.code, CODES.TooManyAttempts.code]))
  expect(before, 'created before another account was served').toBeLessThanOrEqual(10)
  expect(created).toBeGreaterThanOrEqual(20)
})
