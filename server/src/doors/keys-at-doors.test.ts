import { CHANNEL_CLOSE, CODES, key, perms, query, schema } from '@boathouse/contract'
import type { RowDataPacket } from 'mysql2/promise'
import { expect, onTestFinished, test } from 'vitest'
import { createScriptedProvider } from '../engines/scripted/provider.ts'
import { makeKey } from '../testing/key-kit.ts'
import { mysqlClient, refusalOf, WITH_MYSQL } from '../testing/mysql-kit.ts'
import { startApp, type TestApp, type TestUser } from '../testing/start-app.ts'
import { basic, streamed } from '../testing/stream-kit.ts'
import { channelUrl, TestChannel } from '../testing/test-channel.ts'

const start = () => startApp(WITH_MYSQL, { engines: createScriptedProvider() })

const byKey = (app: TestApp, { name }: TestUser, password: string) =>
  mysqlClient(app, { user: `${app.accountId}.${name}`, password })

const rowsOf = async (answer: Promise<[unknown, unknown]>) => (await answer)[0] as RowDataPacket[]

async function fetched(app: TestApp, path: string, secret: string, body = {}) {
  const answer = await fetch(`${await app.url()}/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as { code: number; data: unknown } }
}

async function channelByKey(app: TestApp, secret: string): Promise<TestChannel> {
  const address = channelUrl(await app.url(), { token: '', now: app.clock.now() })
  const headers = { authorization: `Bearer ${secret}`, 'user-agent': 'oars 2.0' }
  const channel = await TestChannel.open(address, headers)
  onTestFinished(() => channel.socket.terminate())
  return channel
}

test('a MySQL client comes in with a key, by its clear text and then by its scramble, and is listed under its name', async () => {
  const app = await start()
  const ada = await app.user(['db_admin', 'account_admin'])
  const { secret } = await makeKey(ada)
  for (let times = 0; times < 2; times++) {
    const client = await byKey(app, ada, secret)
    expect(await rowsOf(client.query('SELECT 1 AS n'))).toHaveLength(1)
    const [own] = await rowsOf(client.query('SHOW PROCESSLIST'))
    expect(own).toMatchObject({ User: ada.name, Client: expect.stringMatching(/^key etl, oars/) })
  }
  const { entries } = (await ada.call(query.history, { text: 'SELECT 1 AS n' })).data
  expect(entries.map((entry) => [entry.door, entry.key, entry.program.startsWith('oars')])).toEqual([
    ['mysql', 'etl', true],
    ['mysql', 'etl', true],
  ])
})

test('MySQL refuses a key of another user, one that is not for MySQL, and a role that it may not use', async () => {
  const app = await start()
  const ada = await app.user(['db_admin', 'user_admin'])
  const eve = await app.user()
  const { secret } = await makeKey(ada, { roles: ['db_admin'] })
  expect(await refusalOf(byKey(app, eve, secret))).toMatchObject({ errno: 1045 })
  const { secret: forHttp } = await makeKey(ada, { name: 'http', doors: ['http'] })
  expect(await refusalOf(byKey(app, ada, forHttp))).not.toBeNull()
  const client = await byKey(app, ada, secret)
  expect(await refusalOf(client.query("SET ROLE 'user_admin'"))).not.toBeNull()
  expect(await refusalOf(client.query('CREATE ROLE more'))).not.toBeNull()
  await expect(client.query('SUBMIT TASK AS CREATE TABLE t AS SELECT 1')).rejects.toThrow(
    'This runs later with all roles of your user',
  )
})

test('a revoked key closes its MySQL connections and channels at once, and a removed role counts at once', async () => {
  const app = await start()
  const ada = await app.user(['db_admin', 'user_admin'])
  const { key: made, secret } = await makeKey(ada)
  const { secret: other } = await makeKey(ada, { name: 'other' })
  const client = await byKey(app, ada, secret)
  const stays = await byKey(app, ada, other)
  const gone = new Promise<void>((resolve) => client.on('error', () => resolve()))
  const channel = await channelByKey(app, secret)
  expect(await channel.run('SELECT 1')).toMatchObject([{ errCode: CODES.Ok.code }])
  const admin = await app.admin()
  await admin.call(perms.revokeRoleFromUser, { user: ada.name, role: 'user_admin' })
  expect(await refusalOf(client.query('CREATE ROLE more'))).not.toBeNull()
  await ada.call(key.revoke, { keyId: made.keyId })
  await gone
  expect(await channel.closed).toMatchObject({ code: CHANNEL_CLOSE.LoginRequired })
  expect(await rowsOf(stays.query('SELECT 1 AS n'))).toHaveLength(1)
  expect(await refusalOf(byKey(app, ada, secret))).toMatchObject({ errno: 1045 })
})

test('a statement that came over the channel by a key is of the HTTP API, with the key and the program', async () => {
  const app = await start()
  const ada = await app.user(['db_admin'])
  const { secret } = await makeKey(ada)
  const channel = await channelByKey(app, secret)
  await channel.run('SELECT 41 + 1')
  const { entries } = (await ada.call(query.history, { text: '41 + 1' })).data
  expect(entries).toMatchObject([{ door: 'http', key: 'etl', program: 'oars 2.0' }])
})

test('fetch with a bearer makes calls within the roles of the key, and is refused with a wrong one', async () => {
  const app = await start()
  const ada = await app.user(['db_admin'])
  const { secret } = await makeKey(ada)
  const listed = await fetched(app, schema.catalogs.path, secret)
  expect(listed).toMatchObject({ status: 200, body: { code: CODES.Ok.code } })
  expect((await fetched(app, perms.listUsers.path, secret)).status).toBe(403)
  expect((await fetched(app, key.create.path, secret, { name: 'more' })).status).toBe(403)
  const wrong = `${secret.slice(0, -1)}${secret.endsWith('x') ? 'y' : 'x'}`
  expect((await fetched(app, schema.catalogs.path, wrong)).status).toBe(401)
  const { secret: forMysql } = await makeKey(ada, { name: 'mysql', doors: ['mysql'] })
  expect((await fetched(app, schema.catalogs.path, forMysql)).status).toBe(403)
})

test('stream load takes a key as a password and as a bearer, and refuses one that is not for it', async () => {
  const app = await start()
  const ada = await app.user(['db_admin'])
  const { secret } = await makeKey(ada)
  const { secret: forHttp } = await makeKey(ada, { name: 'http', doors: ['http'] })
  const load = (authorization: string) => streamed(app, '1\n', { headers: { authorization } })
  expect((await load(basic(app, ada.name, forHttp))).body.Message).toContain('does not allow stream load')
  expect((await load(`Bearer ${forHttp}`)).body.Message).toContain('does not allow stream load')
  expect((await load(basic(app, 'admin', secret))).status, 'of another user').toBe(401)
  for (const authorization of [basic(app, ada.name, secret), `Bearer ${secret}`]) {
    const { status, body } = await load(authorization)
    expect([status, body.Message], 'signed in, then refused for the table').toEqual([
      expect.not.stringMatching('401'),
      expect.not.stringContaining('API key'),
    ])
  }
})
