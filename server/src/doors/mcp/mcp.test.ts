import { key, query } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { makeKey } from '../../testing/key-kit.ts'
import { agentOf, PING, sentToMcp } from '../../testing/mcp-kit.ts'
import { startApp } from '../../testing/start-app.ts'
import { channelUrl, TestChannel } from '../../testing/test-channel.ts'

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

test('nobody comes in without a key, with a wrong one, one for another door, or one that has expired', async () => {
  const app = await startApp()
  const ada = await app.user(['db_admin'])
  const none = await sentToMcp(app, { body: PING })
  expect(none.status).toBe(401)
  expect(none.headers.get('www-authenticate')).toMatch(/^Bearer /)
  expect(JSON.parse(none.text)).toMatchObject({ error: { message: expect.stringContaining('API key') } })
  const { secret, key: made } = await makeKey(ada, {
    expiresAt: new Date(app.clock.now().getTime() + 3_600_000).toISOString(),
  })
  const wrong = `${secret.slice(0, -1)}${secret.endsWith('x') ? 'y' : 'x'}`
  expect((await sentToMcp(app, { body: PING, headers: bearer(wrong) })).status).toBe(401)
  const { secret: other } = await makeKey(ada, { name: 'mysql', doors: ['mysql'] })
  const elsewhere = await sentToMcp(app, { body: PING, headers: bearer(other) })
  expect(elsewhere.status).toBe(403)
  expect(elsewhere.headers.get('www-authenticate')).toContain('insufficient_scope')
  expect((await sentToMcp(app, { body: PING, headers: bearer(secret) })).status).toBe(200)
  app.clock.advance(3_600_001)
  expect((await sentToMcp(app, { body: PING, headers: bearer(secret) })).status).toBe(401)
  const { secret: revoked, key: gone } = await makeKey(ada, { name: 'gone' })
  await ada.call(key.revoke, { keyId: gone.keyId })
  expect((await sentToMcp(app, { body: PING, headers: bearer(revoked) })).status).toBe(401)
  expect(made.name).toBe('etl')
})

test('pages of other sites, large bodies, lists, and what is no message are refused in words', async () => {
  const app = await startApp()
  const ada = await app.user(['db_admin'])
  const { secret } = await makeKey(ada)
  const send = (body: string, more = {}) => sentToMcp(app, { body, headers: { ...bearer(secret), ...more } })
  expect((await send(PING, { origin: 'https://evil.example' })).status).toBe(403)
  const large = await send(JSON.stringify({ ...JSON.parse(PING), params: { text: 'x'.repeat(1_000_000) } }))
  expect(large.status).toBe(413)
  expect(large.text).toContain('64 KiB')
  expect((await send(`[${PING},${PING}]`)).text).toContain('one message at a time')
  expect((await send('{')).status).toBe(400)
  expect((await send('{"hello":1}')).status).toBe(400)
  expect((await send(PING, { accept: 'text/plain' })).status).toBe(406)
  for (const method of ['GET', 'DELETE']) {
    const answer = await sentToMcp(app, { method, headers: bearer(secret) })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
  }
  expect((await send(PING)).status).toBe(200)
})

test('it can be switched off', async () => {
  const app = await startApp({ BOATHOUSE_MCP: 'off' })
  const { secret } = await makeKey(await app.user())
  expect((await sentToMcp(app, { body: PING, headers: bearer(secret) })).status).toBe(404)
})

test('statements that write, that set something, and several at once do not run, and the history lists them', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const ada = await app.user(['db_admin'])
  const { secret } = await makeKey(ada)
  const agent = await agentOf(app, secret)
  const refused = [
    'CREATE TABLE main.t (n INT)',
    'INSERT INTO main.t VALUES (1)',
    'EXPLAIN ANALYZE INSERT INTO main.t VALUES (1)',
    'WITH a AS (SELECT 1) INSERT INTO main.t SELECT * FROM a',
    'CREATE ROLE more',
    'SET query_timeout = 0',
    'SUSPEND WAREHOUSE default_warehouse',
    'KILL 1',
    'BEGIN',
    "PREPARE p FROM 'SELECT 1'",
    "SELECT nextval('main.s')",
    'CREATE DATABASE more',
  ]
  for (const sql of refused) {
    const answer = await agent.use('run_query', { sql })
    expect({ sql, ...answer }).toMatchObject({
      sql,
      isError: true,
      text: expect.stringContaining('Agents only read'),
    })
  }
  const several = await agent.use('run_query', { sql: 'SELECT 1; DROP TABLE main.t' })
  expect(several).toMatchObject({ isError: true, text: expect.stringContaining('one statement') })
  expect(await agent.use('run_query', { sql: ' -- nothing' })).toMatchObject({ isError: true })
  const { entries } = (await ada.call(query.history, { door: 'mcp' })).data
  expect(entries.map(({ state }) => state)).toEqual(refused.map(() => 'failed'))
})

test('an agent finds tables, describes, samples, asks, explains, and each is in the history under the key', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const ada = await app.user(['db_admin'])
  const { secret } = await makeKey(ada, { name: 'claire' })
  const channel = await TestChannel.open(
    channelUrl(await app.url(), { token: '', now: app.clock.now() }),
    bearer(secret),
  )
  const made = await channel.run(`CREATE TABLE main.boats (id BIGINT PRIMARY KEY, name VARCHAR);
    INSERT INTO main.boats SELECT i, 'boat ' || i FROM range(2000) r(i)`)
  expect(made).toMatchObject([{ errMsg: '' }, { errMsg: '' }])
  channel.socket.terminate()

  const agent = await agentOf(app, secret)
  const { tools } = await agent.client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    'list_catalogs',
    'search',
    'describe_table',
    'sample_table',
    'run_query',
    'explain_query',
    'estimate_cost',
  ])
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)

  expect((await agent.use('list_catalogs')).text).toContain('default_catalog')
  expect((await agent.use('list_catalogs', { catalog: 'default_catalog' })).text).toContain('main')
  const listed = await agent.use('list_catalogs', { catalog: 'default_catalog', database: 'main' })
  expect(listed.text).toContain('boats')
  expect((await agent.use('search', { text: 'boa' })).text).toContain('"boats"')
  const described = await agent.use('describe_table', { database: 'main', table: 'boats' })
  expect(described.data.rows.map(([name]) => name)).toEqual(['id', 'name'])
  const sample = await agent.use('sample_table', { database: 'main', table: 'boats', rows: 3 })
  expect(sample.data.rows).toHaveLength(3)
  const ran = await agent.use('run_query', { sql: 'SELECT * FROM boats ORDER BY id', database: 'main' })
  expect(ran.data).toMatchObject({ more: true, columns: [{ name: 'id', type: 'BIGINT' }, { name: 'name' }] })
  expect(ran.data.rows).toHaveLength(100)
  expect(ran.data.rows[1]).toEqual(['1', 'boat 1'])
  const exactly = await agent.use('run_query', { sql: 'SELECT * FROM boats LIMIT 5', max_rows: 5 })
  expect(exactly.data).toMatchObject({ more: false })
  const most = await agent.use('run_query', { sql: 'SELECT * FROM boats LIMIT 1500', max_rows: 1_000 })
  expect(most.data.rows).toHaveLength(1_000)
  expect(most.data).toMatchObject({ more: true })
  const long = await agent.use('run_query', { sql: "SELECT repeat('x', 5000), repeat('y', 1000)" })
  expect(long.data.rows[0]?.[0]).toMatch(/^x{1000}… \[cut: 5000 characters\]$/)
  expect(long.data.rows[0]?.[1]).toBe('y'.repeat(1_000))
  const explained = await agent.use('explain_query', { sql: 'SELECT count(*) FROM boats' })
  expect(explained).toMatchObject({ isError: false })
  expect(await agent.use('run_query', { sql: 'SELECT 1', max_rows: 1_001 })).toMatchObject({ isError: true })

  const { entries } = (await ada.call(query.history, { door: 'mcp' })).data
  expect(
    new Set(entries.map((entry) => `${entry.door} ${entry.key} ${entry.program} ${entry.state}`)),
  ).toEqual(new Set(['mcp claire test-agent/1.0 finished']))
  expect(entries.map(({ sql }) => sql)).toContain('EXPLAIN SELECT count(*) FROM boats')
})
