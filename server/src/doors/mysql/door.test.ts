import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { query, SHELL_STATES } from '@boathouse/contract'
import type { Connection, RowDataPacket } from 'mysql2/promise'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createScriptedProvider } from '../../engines/scripted/provider.ts'
import { setPassword } from '../../modules/user/people-store.ts'
import { SECONDS } from '../../testing/fake-clock.ts'
import { letInOffice, startFirewallApp } from '../../testing/firewall-kit.ts'
import { mysqlClient, refusalOf, WITH_MYSQL } from '../../testing/mysql-kit.ts'
import { sharedApp, startApp, type TestApp } from '../../testing/start-app.ts'
import { makeCertificate } from './certificate/self-signed.ts'

const engines = createScriptedProvider()
const startedApp = sharedApp(WITH_MYSQL, { engines })

const rowsOf = async (answer: Promise<[unknown, unknown]>) => (await answer)[0] as RowDataPacket[]

const closed = (app: TestApp, connection: number) =>
  vi.waitFor(async () => {
    const { closed_at: at } = await app.store.db
      .selectFrom('connections')
      .select('closed_at')
      .where('connection_id', '=', connection)
      .executeTakeFirstOrThrow()
    expect(at).not.toBeNull()
  })

/** A statement whose rows nobody reads, so that it runs until somebody stops it. */
function endless(app: TestApp, client: Connection) {
  const sql = `SELECT i FROM range(${100_000_000 + client.threadId}) t(i)`
  const ended = refusalOf(client.query(sql))
  client.pause()
  const state = async () =>
    (await app.store.db.selectFrom('statements').select('state').where('sql', '=', sql).execute())[0]?.state
  return {
    ended,
    runs: () => vi.waitFor(async () => expect(await state()).toBe('running')),
    isCancelled: () => vi.waitFor(async () => expect(await state()).toBe('cancelled')),
  }
}

test('a wrong password and somebody of another account are refused with 1045, and 200 guesses at once keep nobody else out', async () => {
  const app = await startApp(WITH_MYSQL)
  const wrong = await refusalOf(mysqlClient(app, { password: 'Wrong_123' }))
  expect(wrong).toEqual({ errno: 1045, sqlState: '28000' })
  const { name } = await app.stranger()
  expect(await refusalOf(mysqlClient(app, { user: `${app.accountId}.${name}` }))).toMatchObject({
    errno: 1045,
  })
  const ada = await app.user()
  const user = `${app.accountId}.${ada.name}`
  const before = await mysqlClient(app)
  const guesses = Array.from({ length: 200 }, () =>
    refusalOf(mysqlClient(app, { user, password: 'Wrong_123' })),
  )
  expect(await rowsOf(before.query('SELECT 1 AS n'))).toHaveLength(1)
  const after = await mysqlClient(app)
  expect(await rowsOf(after.query('SELECT 1 AS n'))).toHaveLength(1)
  for (const guess of await Promise.all(guesses)) expect(guess).not.toBeNull()
})

test('a program runs statements with the rights of its user, in the history with program and address, metered and audited [REAL-01]', async () => {
  const app = await startedApp()
  const ada = await app.user()
  const admin = await mysqlClient(app)
  await admin.query('CREATE TABLE oars (n BIGINT)')
  expect((await admin.query('INSERT INTO oars VALUES (1), (2)'))[0]).toMatchObject({ affectedRows: 2 })
  const client = await mysqlClient(app, { user: `${ada.name}@${app.accountId}` })
  expect(await refusalOf(client.query('SELECT n FROM oars'))).not.toBeNull()
  await admin.query(`GRANT SELECT ON TABLE oars TO USER ${ada.name}`)
  expect(await rowsOf(client.query('SELECT n FROM oars'))).toHaveLength(2)
  await app.endsWritten()
  const statements = await app.store.db
    .selectFrom('statements')
    .selectAll()
    .where('connection_id', '=', client.threadId)
    .where('state', '=', 'finished')
    .execute()
  expect(statements).toMatchObject([
    {
      sql: 'SELECT n FROM oars',
      door: 'mysql',
      program: expect.stringContaining('oars'),
      client_ip: '127.0.0.1',
    },
  ])
  engines.answer('SELECT 42 FROM oars', {
    get after() {
      app.clock.advance(10 * SECONDS)
      return Promise.resolve()
    },
  })
  await client.query('SELECT 42 FROM oars')
  await app.endsWritten()
  await app.warehouses.meter()
  const people = await app.admin()
  const { entries } = (await people.call(query.history, { text: 'SELECT 42 FROM oars' })).data
  expect(entries).toMatchObject([{ user: ada.name, door: 'mysql', cost: { seconds: 10 } }])
  const signIns = await app.store.db
    .selectFrom('sign_ins')
    .selectAll()
    .where('door', '=', 'mysql')
    .where('user_name', '=', ada.name)
    .execute()
  expect(signIns).toMatchObject([{ outcome: 'signedIn', client_ip: '127.0.0.1' }])
})

test('the number of a greeting is that of the connection: KILL QUERY stops its statement, KILL ends it', async () => {
  const app = await startedApp()
  const [client, other] = [await mysqlClient(app), await mysqlClient(app)]
  const statement = endless(app, client)
  await statement.runs()
  await other.query(`KILL QUERY ${client.threadId}`)
  client.resume()
  expect(await statement.ended).toEqual({ errno: 1317, sqlState: '70100' })
  expect(await rowsOf(client.query('SELECT 1 AS n'))).toHaveLength(1)
  await other.query(`KILL ${client.threadId}`)
  expect(await refusalOf(client.query('SELECT 1'))).not.toBeNull()
})

test('a client that goes away takes its statement and its connection with it', async () => {
  const app = await startedApp()
  const client = await mysqlClient(app)
  const statement = endless(app, client)
  await statement.runs()
  client.destroy()
  await statement.isCancelled()
  await closed(app, client.threadId)
  expect(app.mysql?.endpoint.listening).toBe(true)
})

test('who has another password, or whose account is frozen, is sent away from an idle connection', async () => {
  const app = await startApp(WITH_MYSQL)
  const ada = await app.user()
  const client = await mysqlClient(app, { user: `${app.accountId}.${ada.name}` })
  const { user_id: userId } = await app.store.db
    .selectFrom('users')
    .select('user_id')
    .where('name', '=', ada.name)
    .executeTakeFirstOrThrow()
  await setPassword(app.store.db, userId, { hash: 'another', at: app.clock.now() })
  await app.mysql?.check()
  expect(await refusalOf(client.query('SELECT 1'))).not.toBeNull()
  const admin = await mysqlClient(app)
  await app.store.db.updateTable('accounts').set({ shell_state: SHELL_STATES.Frozen }).execute()
  expect(await refusalOf(admin.query('SELECT 1'))).not.toBeNull()
  expect(await refusalOf(mysqlClient(app))).not.toBeNull()
})

test('an address that the firewall does not allow any more is sent away at once, and is not let in again', async () => {
  const { app, guard } = await startFirewallApp(WITH_MYSQL)
  const client = await mysqlClient(app)
  await letInOffice(app, guard)
  await closed(app, client.threadId)
  expect(await refusalOf(client.query('SELECT 1'))).not.toBeNull()
  expect(await refusalOf(mysqlClient(app))).toMatchObject({ errno: expect.any(Number) })
})

test('the process may be killed: statements end truly, and it is back on the same port', async () => {
  const app = await startApp(WITH_MYSQL)
  const client = await mysqlClient(app)
  const statement = endless(app, client)
  await statement.runs()
  const { mysql } = app
  const { port } = mysql?.endpoint ?? {}
  process.kill(mysql?.pid ?? 0, 'SIGKILL')
  client.resume()
  expect(await statement.ended).not.toBeNull()
  await statement.isCancelled()
  await vi.waitFor(() => expect(mysql?.endpoint).toMatchObject({ port, listening: true }))
  expect(await rowsOf((await mysqlClient(app)).query('SELECT 1 AS n'))).toHaveLength(1)
})

test('nothing of the process is left when the server ends', async () => {
  let end: (() => Promise<void>) | undefined
  const app = await startApp(WITH_MYSQL, { ends: (work) => (end = work) })
  const client = await mysqlClient(app)
  const pid = app.mysql?.pid ?? 0
  await end?.()
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  expect(await refusalOf(client.query('SELECT 1'))).not.toBeNull()
})

test('a port that is taken is reported to the operator, and the rest of the service runs', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const address = other.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const app = await startApp({ BOATHOUSE_MYSQL_PORT: String(port) })
  expect(app.printed.join('\n')).toContain(`Port ${port}`)
  expect(app.mysql?.endpoint.listening).toBe(false)
  expect(app.mysql?.health).toContain(String(port))
  expect((await app.admin()).name).toBe('admin')
})

test('a configured certificate is used, a renewed one without a restart, and a bad one never', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'boathouse-tls-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const files = { certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  const put = async (name: string, year: number) => {
    const made = makeCertificate([name, '127.0.0.1'], new Date(Date.UTC(year, 0, 1)))
    await writeFile(files.certificate, made.certificate)
    await writeFile(files.key, made.key)
    return made.certificate
  }
  await put('old.example', 2001)
  const settings = {
    ...WITH_MYSQL,
    BOATHOUSE_MYSQL_TLS_CERT: files.certificate,
    BOATHOUSE_MYSQL_TLS_KEY: files.key,
  }
  const app = await startApp(settings)
  expect(app.printed.join('\n')).toContain('expired on 2011-01-01')
  expect(app.mysql?.endpoint.listening).toBe(false)
  const ca = await put('first.example', app.clock.now().getUTCFullYear())
  await app.mysql?.renewCertificate()
  expect(app.mysql?.endpoint.listening).toBe(true)
  await mysqlClient(app, { ssl: { ca, verifyIdentity: false } })
  const renewed = await put('second.example', app.clock.now().getUTCFullYear())
  await app.mysql?.renewCertificate()
  await vi.waitFor(() => mysqlClient(app, { ssl: { ca: renewed, verifyIdentity: false } }))
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  await writeFile(files.key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  await app.mysql?.renewCertificate()
  expect(app.printed.at(-1)).toContain('is not that of the certificate')
  await mysqlClient(app, { ssl: { ca: renewed, verifyIdentity: false } })
})

test('a process that ends at its start is reported once, and the rest of the service runs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'boathouse-door-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const program = join(folder, 'door.mjs')
  await writeFile(program, `process.stderr.write('no such luck'); process.exit(1)`)
  const app = await startApp(WITH_MYSQL, { mysqlDoor: async () => program })
  expect(app.mysql?.health).toContain('no such luck')
  expect(app.mysql?.endpoint.listening).toBe(false)
  expect(app.printed.filter((line) => line.includes('no such luck'))).toHaveLength(1)
})
