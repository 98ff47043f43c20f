import { randomUUID } from 'node:crypto'
import { audit, CODES, key, KEY_DOORS, LIMITS, perms, user as userCalls } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { DAYS } from '../../testing/fake-clock.ts'
import { callByKey, makeKey } from '../../testing/key-kit.ts'
import { sharedApp, startApp, type TestApp, type TestUser } from '../../testing/start-app.ts'
import { newKeyId, newSecret } from './secret.ts'

const sharedOne = sharedApp()

const serviceUser = async (admin: TestUser, roles: string[] = []): Promise<string> => {
  const user = `robot_${randomUUID().slice(0, 8)}`
  const answer = await admin.call(perms.createUser, { user, roles, isService: true })
  expect(answer.message).toBe('')
  return user
}

test('nobody without user_admin sees, makes, rotates or revokes keys of others, not even by their ids', async () => {
  const app = await sharedOne()
  const ada = await app.user(['db_admin'])
  const eve = await app.user(['db_admin'])
  const { key: made } = await makeKey(ada)
  for (const user of [ada.name, 'nobody']) {
    expect((await eve.call(key.list, { user })).code).toBe(CODES.NoPermission.code)
    expect((await eve.call(key.create, { user, name: 'mine' })).code).toBe(CODES.NoPermission.code)
    expect((await eve.call(key.rotate, { user, keyId: made.keyId })).code).toBe(CODES.NoPermission.code)
    expect((await eve.call(key.revoke, { user, keyId: made.keyId })).code).toBe(CODES.NoPermission.code)
  }
  expect((await eve.call(key.rotate, { keyId: made.keyId })).code).toBe(CODES.NotFound.code)
  expect((await eve.call(key.revoke, { keyId: made.keyId })).code).toBe(CODES.NotFound.code)
  const stranger = await app.stranger(['account_admin'])
  expect((await stranger.call(key.list, { user: ada.name })).code).toBe(CODES.NotFound.code)
  expect((await stranger.call(key.revoke, { keyId: made.keyId })).code).toBe(CODES.NotFound.code)
  expect((await ada.call(key.list, {})).data.keys).toHaveLength(1)
})

test('an administrator of users makes keys for service users, and for nobody above them or who is a person', async () => {
  const app = await sharedOne()
  const admin = await app.admin()
  const userAdmin = await app.user(['user_admin'])
  const person = await app.user()
  const robot = await serviceUser(userAdmin)
  const above = await serviceUser(admin, ['account_admin'])
  const forPerson = await userAdmin.call(key.create, { user: person.name, name: 'theirs' })
  expect(forPerson).toMatchObject({ code: CODES.NoPermission.code })
  expect((await userAdmin.call(key.create, { user: above, name: 'rise' })).code).toBe(CODES.NoPermission.code)
  const { data } = await userAdmin.call(key.create, { user: robot, name: 'etl' })
  expect(data.key).toMatchObject({ user: robot, createdBy: userAdmin.name })
  expect((await userAdmin.call(key.list, { user: robot })).data.keys).toHaveLength(1)
  const { key: own } = await makeKey(person)
  expect((await userAdmin.call(key.rotate, { user: person.name, keyId: own.keyId })).code).toBe(
    CODES.NoPermission.code,
  )
  const revoked = await userAdmin.call(key.revoke, { user: person.name, keyId: own.keyId })
  expect(revoked.code, 'what has leaked can be ended').toBe(CODES.Ok.code)
})

test('a service user has no password and no mail address, and nobody gives it one', async () => {
  const app = await sharedOne()
  const admin = await app.admin()
  const both = await admin.call(perms.createUser, { user: 'robot', email: 'a@example.com', isService: true })
  expect(both.code).toBe(CODES.BadInput.code)
  const robot = await serviceUser(admin, ['db_admin'])
  const found = (await admin.call(perms.describeUser, { user: robot })).data
  expect(found).toMatchObject({ isService: true, isInvited: false, email: '', roles: ['db_admin', 'public'] })
  const email = 'robot@example.com'
  expect((await admin.call(perms.setUserEmail, { user: robot, email })).code).toBe(CODES.Conflict.code)
  const [answer] = await (await admin.channel()).run(`ALTER USER ${robot} IDENTIFIED BY 'Rowing_2026'`)
  expect(answer?.errMsg).toContain('service user')
  for (const command of ['user reset-password', 'user set-email'])
    await expect(
      app.operator(command, { account: app.accountId, user: robot, ...(command.endsWith('l') && { email }) }),
    ).rejects.toMatchObject({ code: 'Conflict' })
})

test('bad input is refused field by field', async () => {
  const app = await sharedOne()
  const ada = await app.user(['db_admin'])
  const refused = async (draft: Record<string, unknown>) => {
    const answer = await ada.call(key.create, { name: 'etl', ...draft })
    expect([draft, answer.code]).toEqual([draft, CODES.BadInput.code])
    return answer.message
  }
  expect(await refused({ name: '  ' })).toContain('Enter key name')
  await refused({ name: 'x'.repeat(LIMITS.keyNameLength + 1) })
  await refused({ name: 'two\nlines' })
  expect(await refused({ doors: [] })).toContain('Choose where')
  await refused({ doors: ['ssh'] })
  for (const addresses of ['here', '10.0.0.0/33', '10.0.0.1,,']) await refused({ addresses })
  expect(await refused({ roles: ['account_admin'] })).toContain('does not have the role account_admin')
  const before = new Date(app.clock.now().getTime() - 1).toISOString()
  expect(await refused({ expiresAt: before })).toContain('has passed')
  await refused({ expiresAt: 'tomorrow' })
  const { key: made } = await makeKey(ada)
  expect((await ada.call(key.create, { name: 'ETL' })).code).toBe(CODES.NameTaken.code)
  for (const overlapHours of [-1, LIMITS.keyOverlapHours + 1])
    expect((await ada.call(key.rotate, { keyId: made.keyId, overlapHours })).code).toBe(CODES.BadInput.code)
})

/** Keys as they lie in the table, without the time that a thousand calls take. */
async function fill(app: TestApp, userNames: readonly string[], perUser: number): Promise<void> {
  const users = await app.store.db
    .selectFrom('users')
    .select(['user_id', 'account_id'])
    .where('name', 'in', userNames)
    .execute()
  const rows = users.flatMap((user) =>
    Array.from({ length: perUser }, (_, at) => ({
      key_id: newKeyId(),
      ...user,
      name: `key ${at}`,
      doors: [...KEY_DOORS],
      addresses: '',
      secret_hash: Buffer.alloc(32),
      created_at: app.clock.now(),
      created_by: 'test',
    })),
  )
  await app.store.db.insertInto('api_keys').values(rows).execute()
}

test('a user has at most 20 keys and an account 1,000, and the next one is refused in words', async () => {
  const app = await startApp()
  const ada = await app.user()
  await fill(app, [ada.name], LIMITS.keysPerUser - 1)
  const both = await Promise.all(['a', 'b'].map((name) => ada.call(key.create, { name })))
  expect(both.map(({ code }) => code)).toEqual(
    expect.arrayContaining([CODES.Ok.code, CODES.LimitReached.code]),
  )
  expect(both.find(({ message }) => message !== '')?.message).toBe(
    `${ada.name} has 20 API keys, which is the maximum. Revoke one that is not used.`,
  )
  const others = await Promise.all(Array.from({ length: 49 }, () => app.user()))
  await fill(
    app,
    others.map(({ name }) => name),
    LIMITS.keysPerUser,
  )
  const last = await (await app.user()).call(key.create, { name: 'the 1,001st' })
  expect(last).toMatchObject({
    code: CODES.LimitReached.code,
    message: 'The account has 1000 API keys, which is the maximum. Revoke one that is not used.',
  })
})

test('a secret is answered once, and nothing that is kept holds it', async () => {
  const app = await sharedOne()
  const ada = await app.user()
  const { key: made, secret } = await makeKey(ada)
  const { data } = await ada.call(key.rotate, { keyId: made.keyId })
  const rows = await app.store.db.selectFrom('api_keys').selectAll().execute()
  const entries = await app.store.db.selectFrom('audit_entries').selectAll().execute()
  const kept = JSON.stringify([rows, entries, (await ada.call(key.list, {})).data])
  for (const one of [secret, data.secret]) {
    expect(kept).not.toContain(one)
    expect(kept).not.toContain(one.slice(11, 31))
    expect(kept).not.toContain(Buffer.from(one).toString('hex'))
  }
})

test('making, rotating and revoking are in the audit log, under the key', async () => {
  const app = await startApp()
  const ada = await app.user(['security_admin'])
  const expiresAt = new Date(app.clock.now().getTime() + DAYS).toISOString()
  const { key: made } = await makeKey(ada, { doors: ['mysql'], addresses: '10.0.0.0/8', expiresAt })
  await ada.call(key.rotate, { keyId: made.keyId, overlapHours: 1 })
  await ada.call(key.revoke, { keyId: made.keyId })
  const { entries } = (await ada.call(audit.list, { limit: 10 })).data
  const ofKeys = entries.filter(({ objectType }) => objectType === 'API key')
  expect(ofKeys.map(({ action, objectName }) => [action, objectName])).toEqual([
    ['key.revoke', 'etl'],
    ['key.rotate', 'etl'],
    ['key.create', 'etl'],
  ])
})

test('a call with a key does what its roles allow, and is refused the rest', async () => {
  const app = await sharedOne()
  const ada = await app.user(['user_admin', 'security_admin'])
  const { secret } = await makeKey(ada, { roles: ['user_admin'] })
  const { data: info } = await callByKey(app, secret, { call: userCalls.info, input: {} })
  expect(info).toMatchObject({ user: ada.name, activeRoles: ['user_admin'] })
  const users = await callByKey(app, secret, { call: perms.listUsers, input: {} })
  expect(users.code).toBe(CODES.Ok.code)
  const log = await callByKey(app, secret, { call: audit.list, input: {} })
  expect(log.code, 'a role of its user that it may not use').toBe(CODES.NoPermission.code)
  const made = `robot_${randomUUID().slice(0, 8)}`
  const created = await callByKey(app, secret, {
    call: perms.createUser,
    input: { user: made, isService: true },
  })
  expect(created.code).toBe(CODES.Ok.code)
  const entries = await app.store.db.selectFrom('audit_entries').select('entry').execute()
  expect(entries.some(({ entry }) => entry.includes(made) && entry.includes('"key":"etl"'))).toBe(true)
})

test('a key makes no keys and no passwords, changes no roles of its own user and ends no sign-ins', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const { secret } = await makeKey(admin)
  const password = Buffer.from('Rowing_2026').toString('base64')
  const refused = [
    { call: key.create, input: { name: 'more' } },
    { call: perms.setRoles, input: { roles: [] } },
    { call: userCalls.logout, input: {} },
    { call: perms.createUser, input: { user: 'mallory', password } },
    { call: perms.setUserEmail, input: { user: 'x', email: 'x@example.com' } },
  ] as const
  for (const { call, input } of refused) {
    const answer = await callByKey(app, secret, { call, input: input as never })
    expect([call.path, answer.code]).toEqual([call.path, CODES.NoPermission.code])
  }
  expect(await callByKey(app, newSecret('00000000'), { call: userCalls.info, input: {} })).toMatchObject({
    code: CODES.LoginFailed.code,
  })
})

test('the operator makes, lists, rotates and revokes keys', async () => {
  const app = await startApp()
  const account = app.accountId
  await app.operator('user create', { account, user: 'robot', service: true, roles: ['db_admin'] })
  const made = await app.operator('api key create', {
    account,
    user: 'robot',
    name: 'etl',
    doors: ['http', 'mysql'],
  })
  const { key: keyId, secret } = made as { key: string; secret: string }
  const info = () => callByKey(app, secret, { call: userCalls.info, input: {} })
  expect((await info()).data).toMatchObject({ user: 'robot', activeRoles: ['db_admin'] })
  expect(await app.operator('api key list', { account, user: 'robot' })).toEqual([
    expect.objectContaining({ key: keyId, name: 'etl', roles: 'all', doors: 'http,mysql' }),
  ])
  await app.operator('api key rotate', { account, user: 'robot', key: keyId, overlap: '0' })
  expect((await info()).code).toBe(CODES.LoginFailed.code)
  expect(await app.operator('api key revoke', { account, user: 'robot', key: keyId })).toEqual({
    revoked: keyId,
  })
  await expect(app.operator('api key revoke', { account, user: 'robot', key: keyId })).rejects.toMatchObject({
    code: 'NotFound',
  })
})
