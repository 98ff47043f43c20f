import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { setPassword } from '../../modules/user/people-store.ts'
import { HERE } from '../../testing/client-kit.ts'
import { scriptedProcess } from '../../testing/mysql-link.ts'
import { sharedApp, type TestApp } from '../../testing/start-app.ts'

const startedApp = sharedApp()
let lastNumber = 2 ** 31

/** A client of its own for each test. */
async function signedIn(app: TestApp, more: object = {}) {
  const client = ++lastNumber
  const admin = await app.admin()
  const process = scriptedProcess(app)
  const answer = await process.signInWith({
    client,
    user: `${app.accountId}.${admin.name}`,
    proof: app.password,
    ...more,
  })
  return { client, process, answer, admin }
}

const sha256 = (...parts: readonly Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()

function scrambleOf(password: string, nonce: Uint8Array) {
  const once = sha256(Buffer.from(password))
  const mask = sha256(sha256(once), nonce)
  return Uint8Array.from(once, (byte, at) => byte ^ (mask[at] ?? 0))
}

test('nobody runs anything before they have signed in', async () => {
  const app = await startedApp()
  const process = scriptedProcess(app)
  await process.signIn(7, `${app.accountId}.admin`, 'wrong')
  const { error } = await process.run(7, 'select 1')
  expect(error).toMatchObject({ code: 1045, sqlState: '28000' })
})

test('a wrong password, an unknown account and an empty password are refused alike', async () => {
  const app = await startedApp()
  const process = scriptedProcess(app)
  const refusals = [
    await process.signIn(1, `${app.accountId}.admin`, 'Wrong1!aaaa'),
    await process.signIn(2, 'ZZZ99999.admin', app.password),
    await process.signIn(3, `${app.accountId}.nobody`, app.password),
    await process.signIn(4, `${app.accountId}.admin`, ''),
    await process.signIn(5, 'admin', app.password),
  ]
  for (const refused of refusals)
    expect(refused).toMatchObject({ kind: 'refused', error: { code: 1045, sqlState: '28000' } })
})

test('a client has the number of its connection, begins as MySQL does, and runs statements', async () => {
  const app = await startedApp()
  const { client, process, answer } = await signedIn(app)
  expect(answer).toMatchObject({
    kind: 'signed-in',
    connection: client,
    session: { database: 'main', isAutocommit: true, inTransaction: false, isWithoutBackslash: false },
  })
  const { columns, rows, ends } = await process.run(
    client,
    'CREATE TABLE boats (n BIGINT); INSERT INTO boats VALUES (1), (2); SELECT n FROM boats',
  )
  expect(columns).toMatchObject([[{ name: 'n' }]])
  expect(rows).toEqual([['1'], ['2']])
  expect(ends).toMatchObject([
    { isLast: false, error: null },
    { isLast: false, error: null, affectedRows: 2 },
    { isLast: true, error: null },
  ])
})

test('a name of a database that cannot be one is refused as unknown', async () => {
  const { client, process } = await signedIn(await startedApp())
  for (const database of ['\0', 'main\0', 'default_catalog.\0', 'nowhere']) {
    const refused = process.next(client, 'refused', 'ended')
    process.send({ kind: 'enter', client, database })
    expect(await refused).toMatchObject({ kind: 'refused', error: { code: 1049, sqlState: '42000' } })
  }
  expect((await process.run(client, 'select 1')).rows).toEqual([['1']])
})

test('of several statements none runs behind one that fails, nor any where only one is allowed', async () => {
  const app = await startedApp()
  const { client, process } = await signedIn(app)
  const failed = await process.run(client, 'SELECT 1; SELECT n FROM nowhere; CREATE TABLE late (n BIGINT)')
  expect(failed.ends).toMatchObject([
    { error: null },
    { isLast: true, error: { sqlState: expect.any(String) } },
  ])
  const refused = await process.run(client, 'CREATE TABLE once (n BIGINT); SELECT 1', {
    allowsSeveral: false,
  })
  expect(refused.error).toMatchObject({ code: 1064, sqlState: '42000' })
  for (const table of ['late', 'once'])
    expect((await process.run(client, `SELECT * FROM ${table}`)).ends[0]?.error).not.toBeNull()
  for (const empty of ['', '  ', '-- nothing'])
    expect((await process.run(client, empty)).error).toMatchObject({ code: 1065 })
})

test('a scramble will do for ten minutes after the password, and a wrong one asks for it again', async () => {
  const app = await startedApp()
  const { process } = await signedIn(app)
  const nonce = new Uint8Array(20).fill(7)
  const by = (password: string) =>
    process.signIn(++lastNumber, `${app.accountId}.admin`, {
      kind: 'sha2-scramble',
      nonce,
      scramble: scrambleOf(password, nonce),
    })
  expect((await by(app.password)).kind).toBe('signed-in')
  expect((await by('Wrong1!aaaa')).kind).toBe('password-needed')
  expect((await by(app.password)).kind).toBe('password-needed')
})

test('what it runs is in the history with program and address', async () => {
  const app = await startedApp()
  const { client, process } = await signedIn(app, {
    attributes: { program_name: 'oars', _client_name: 'x', _client_version: '1' },
  })
  await process.run(client, 'SELECT 41 AS told')
  await app.endsWritten()
  const [row] = await app.store.db
    .selectFrom('statements')
    .selectAll()
    .where('connection_id', '=', client)
    .execute()
  expect(row).toMatchObject({ door: 'mysql', program: 'oars (x 1)', client_ip: HERE })
})

const sha1 = (...parts: readonly Uint8Array[]) => createHash('sha1').update(Buffer.concat(parts)).digest()

function nativeScrambleOf(password: string, nonce: Uint8Array) {
  const once = sha1(Buffer.from(password))
  const mask = sha1(nonce, sha1(once))
  return Uint8Array.from(once, (byte, at) => byte ^ (mask[at] ?? 0))
}

test('mysql_native_password is for those who have allowed it, and ends when they say so or change their password', async () => {
  const app = await startedApp()
  const ada = await app.user()
  const name = `${ada.name}@${app.accountId}`
  const process = scriptedProcess(app)
  const nonce = new Uint8Array(20).fill(9)
  const come = () =>
    process.signIn(++lastNumber, name, {
      kind: 'native-scramble',
      nonce,
      scramble: nativeScrambleOf(app.password, nonce),
    })
  const client = ++lastNumber
  await process.signIn(client, name, app.password)
  expect((await come()).kind).toBe('password-needed')
  const allow = (user: string, password: string) =>
    process.run(client, `ALTER USER ${user} IDENTIFIED WITH mysql_native_password BY '${password}'`)
  expect((await allow(ada.name, 'Wrong1!aaaa')).ends[0]?.error?.code).toBe(1045)
  expect((await allow('admin', app.password)).ends[0]?.error?.message).toContain('for themselves')
  expect((await come()).kind).toBe('password-needed')
  expect((await allow(ada.name, app.password)).ends[0]?.error).toBeNull()
  expect((await come()).kind).toBe('signed-in')
  await process.run(client, `ALTER USER ${ada.name} IDENTIFIED WITH caching_sha2_password`)
  expect((await come()).kind).toBe('password-needed')
  await allow(ada.name, app.password)
  const texts = await app.store.db
    .selectFrom('statements')
    .select('sql')
    .where('connection_id', '=', client)
    .execute()
  expect(texts.map(({ sql }) => sql).join('\n')).not.toContain(app.password)
  const { db } = app.store
  const { user_id: userId, password_hash: hash } = await db
    .selectFrom('users')
    .select(['user_id', 'password_hash'])
    .where('name', '=', ada.name)
    .executeTakeFirstOrThrow()
  // The same one again is a new one, too.
  await setPassword(db, userId, { hash: hash ?? '', at: app.clock.now() })
  expect((await come()).kind).toBe('password-needed')
})
