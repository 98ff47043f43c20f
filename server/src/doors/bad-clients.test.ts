import { audit, CODES, query } from '@boathouse/contract'
import { createConnection } from 'mysql2/promise'
import { expect, test } from 'vitest'
import { callByKey, makeKey } from '../testing/key-kit.ts'
import { sentToMcp } from '../testing/mcp-kit.ts'
import { mysqlClient, WITH_MYSQL } from '../testing/mysql-kit.ts'
import { startApp, type TestApp } from '../testing/start-app.ts'

const connectionsOf = async ({ store, accountId }: TestApp): Promise<number> => {
  const { count } = await store.db
    .selectFrom('connections')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

test('an agent that opens 1,000 sessions is given none, and leaves nothing behind', async () => {
  const app = await startApp()
  const { secret } = await makeKey(await app.user(['db_admin']))
  const before = await connectionsOf(app)
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'greedy', version: '1' },
    },
  })
  const headers = { authorization: `Bearer ${secret}` }
  const open = () => sentToMcp(app, { headers, body })
  for (let round = 0; round < 50; round++) {
    const answers = await Promise.all(Array.from({ length: 20 }, open))
    for (const { status, headers: responseHeaders } of answers) {
      expect(status).toBe(200)
      expect(responseHeaders.get('mcp-session-id')).toBeNull()
    }
  }
  expect(await connectionsOf(app)).toBe(before)
  // A session that it makes up is not one.
  expect((await sentToMcp(app, { headers: { ...headers, 'mcp-session-id': 'mine' }, body })).status).toBe(200)
})

test('a tool that connects, asks and leaves in a loop leaves no connection, and is one entry of the log a minute', async () => {
  const app = await startApp(WITH_MYSQL)
  const admin = await app.admin()
  const before = await connectionsOf(app)
  for (let times = 0; times < 60; times++) {
    const client = await mysqlClient(app)
    await client.query('select 1')
    // Half of them do not say goodbye.
    if (times % 2 === 0) await client.end()
    else client.destroy()
  }
  await expect.poll(() => connectionsOf(app)).toBe(before)
  await app.signIns.writeCounts()
  const { signIns } = (await admin.call(audit.signIns, {})).data
  expect(signIns.filter(({ door }) => door === 'mysql')).toMatchObject([{ outcome: 'signedIn', count: 60 }])
})

test('a tool that comes back with a wrong password in a loop has to wait, and others have not', async () => {
  const app = await startApp(WITH_MYSQL)
  const ada = await app.user()
  const { host, port } = app.mysql?.endpoint ?? { host: '', port: 0 }
  const errors: number[] = []
  for (let times = 0; times < 15; times++)
    await createConnection({
      host,
      port,
      user: `${app.accountId}.${ada.name}`,
      password: `wrong ${times}`,
      ssl: { rejectUnauthorized: false },
    }).then(
      (client) => client.destroy(),
      (error: unknown) => errors.push((error as { errno: number }).errno),
    )
  expect(errors).toHaveLength(15)
  expect(new Set(errors).size).toBeGreaterThan(1)
  await (await mysqlClient(app)).query('select 1')
})

test('the history is narrowed to what came with one API key', async () => {
  const app = await startApp(WITH_MYSQL)
  const admin = await app.admin()
  const nightly = await makeKey(admin, { name: 'nightly' })
  const other = await makeKey(admin, { name: 'other' })
  for (const { secret } of [nightly, other])
    await (await mysqlClient(app, { password: secret })).query(`select '${secret.slice(-4)}'`)
  await (await mysqlClient(app)).query("select 'without'")
  const keysOf = async (filter: { key?: string; user?: string; text?: string }) =>
    (await admin.call(query.history, { ...filter, door: 'mysql' })).data.entries.map(({ key }) => key)
  expect(new Set(await keysOf({}))).toEqual(new Set(['nightly', 'other', '']))
  expect(new Set(await keysOf({ key: 'nightly' }))).toEqual(new Set(['nightly']))
  expect(new Set(await keysOf({ key: 'nightly', user: 'admin', text: 'select' }))).toEqual(
    new Set(['nightly']),
  )
  expect(await keysOf({ key: 'nobody' })).toEqual([])
  const stranger = await app.stranger()
  expect((await stranger.call(query.history, { key: 'nightly' })).data.entries).toEqual([])
  const bad = await callByKey(app, nightly.secret, { call: query.history, input: { key: 'x'.repeat(257) } })
  expect(bad.code).toBe(CODES.BadInput.code)
})
