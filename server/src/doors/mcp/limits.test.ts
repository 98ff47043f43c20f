import { query, warehouse } from '@boathouse/contract'
import { expect, test } from 'vitest'
import type { AppError } from '../../kernel/app-error.ts'
import { makeKey } from '../../testing/key-kit.ts'
import { agentOf, sentToMcp } from '../../testing/mcp-kit.ts'
import { startApp } from '../../testing/start-app.ts'
import { done, session } from '../../testing/view-kit.ts'
import type { AgentParts } from './agent.ts'
import { affordableMs, dollars, statementIn } from './costs.ts'
import { runForAgent } from './running.ts'

const ENDLESS = 'SELECT count(*) FROM range(100000000000) a(i) WHERE i % 7 = 3'
const LEFT = ENDLESS.replace('= 3', '= 4')

test('a statement is stopped at its limit of time, of cost, and when its client hangs up', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const ada = await app.user(['db_admin'])
  const { secret } = await makeKey(ada)
  const agent = await agentOf(app, secret)
  const slow = await agent.use('run_query', { sql: ENDLESS, timeout_seconds: 1, max_cost_usd: 1_000 })
  expect(slow).toMatchObject({
    isError: true,
    text: 'Stopped after 1 s, which is all that timeout_seconds allows.',
  })
  const dear = await agent.use('run_query', { sql: ENDLESS, max_cost_usd: 0.00001 })
  expect(dear.text).toMatch(/^Stopped after 0\.0\d+ s, which is all that max_cost_usd allows\.$/)

  const leaving = new AbortController()
  const left = agent.client.callTool(
    {
      name: 'run_query',
      arguments: { sql: LEFT, timeout_seconds: 120, max_cost_usd: 1_000 },
    },
    undefined,
    { signal: leaving.signal },
  )
  left.catch(() => undefined)
  const entryOf = async () => (await ada.call(query.history, { text: LEFT })).data.entries[0]
  await expect.poll(async () => (await entryOf())?.state, { timeout: 20_000 }).toBe('running')
  leaving.abort()
  await agent.client.close()
  await expect.poll(async () => (await entryOf())?.state, { timeout: 20_000 }).toBe('cancelled')
})

test('a key sees nothing of another account, and no more than its roles', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const ada = await app.user(['db_admin'])
  const agent = await agentOf(app, (await makeKey(ada)).secret)
  const harbour = await app.otherAccount()
  const stranger = await agentOf(app, (await makeKey(await harbour.user(['db_admin']))).secret)
  const eve = await agentOf(app, (await makeKey(await app.user())).secret)
  await done(await session(ada), 'CREATE TABLE main.secrets AS SELECT 42 AS n')
  for (const other of [stranger, eve]) {
    expect((await other.use('search', { text: 'secrets' })).data).toMatchObject({ found: [] })
    for (const [tool, input] of [
      ['sample_table', { database: 'main', table: 'secrets' }],
      ['describe_table', { database: 'main', table: 'secrets' }],
      ['run_query', { sql: 'SELECT * FROM main.secrets' }],
      ['explain_query', { sql: 'SELECT * FROM main.secrets' }],
    ] as const)
      expect([tool, (await other.use(tool, input)).isError]).toEqual([tool, true])
  }
  expect((await agent.use('sample_table', { database: 'main', table: 'secrets' })).data.rows).toEqual([
    ['42'],
  ])
})

test('200 clients are answered at once; of one key, those beyond its maximum are refused in words', async () => {
  const app = await startApp()
  const users = await Promise.all(Array.from({ length: 5 }, () => app.user(['db_admin'])))
  const secrets = await Promise.all(
    users.flatMap((user) => ['one', 'two'].map(async (name) => (await makeKey(user, { name })).secret)),
  )
  // As a client sends it once it is connected: 200 connections would be four times the work, and prove no more.
  const params = { name: 'run_query', arguments: { sql: 'SELECT 1' } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const ask = (secret: string) => sentToMcp(app, { headers: { authorization: `Bearer ${secret}` }, body })
  const isAnswered = ({ status, text }: Awaited<ReturnType<typeof ask>>) =>
    status === 200 && text.includes('"rows":')
  const spread = await Promise.all(Array.from({ length: 200 }, (_, at) => ask(secrets[at % 10] ?? '')))
  expect(spread.filter(isAnswered)).toHaveLength(200)

  const [first = ''] = secrets
  const crowd = await Promise.all(Array.from({ length: 200 }, () => ask(first)))
  for (const { status, text } of crowd)
    expect(text).toContain(status === 429 ? 'the maximum. Wait for some to end.' : '"rows":')
  expect(crowd.map(({ status }) => status)).toContain(200)
  expect(await ask(first)).toSatisfy(isAnswered)
})

test('a statement whose earlier runs cost more than it may is not begun', async () => {
  const runs = [
    { queryId: 'a', seconds: 90, rows: 1, usd: '0.50' },
    { queryId: 'b', seconds: 1, rows: 1, usd: null },
    { queryId: 'c', seconds: 80, rows: 1, usd: '0.40' },
    { queryId: 'd', seconds: 85, rows: 1, usd: '0.45' },
  ]
  const asked: unknown[] = []
  const parts = {
    calls: [
      {
        call: query.earlierRuns,
        handle: async (_: unknown, input: unknown) => (asked.push(input), { runs }),
      },
    ],
    connections: { open: () => Promise.reject(new Error('It was begun.')) },
  } as unknown as AgentParts
  const agent = { signedIn: { known: {} } } as Parameters<typeof runForAgent>[1]
  const run = (usd: number) =>
    runForAgent(parts, agent, { sql: ' SELECT 1 ; ', place: {}, limits: { rows: 1, seconds: 1, usd } })
  await expect(run(0.25)).rejects.toMatchObject({
    code: 'LimitReached',
    message: expect.stringContaining('cost 0.45 USD'),
  } satisfies Partial<AppError>)
  await expect(run(0.45)).rejects.toThrow('It was begun.')
  // As the history has it.
  expect(asked[0]).toEqual({ sql: 'SELECT 1' })
})

test('what a statement costs is asked of earlier runs and of the warehouse, and said not to be known otherwise', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const agent = await agentOf(app, (await makeKey(admin)).secret)
  const unknown = await agent.use('estimate_cost', { sql: 'SELECT 1' })
  expect(unknown.data).toMatchObject({
    isKnown: false,
    usd: null,
    summary: expect.stringContaining('not known'),
  })
  const { warehouses } = (await admin.call(warehouse.list, {})).data
  const priced = await agent.use('estimate_cost', { sql: 'SELECT 1', warehouse: 'default_warehouse' })
  expect(priced.data['warehouseUsdPerHour']).toBe(Number(warehouses[0]?.offer.pricePerHour.usd))
  expect(await agent.use('estimate_cost', { sql: 'SELECT 1', warehouse: 'nobody' })).toMatchObject({
    isError: true,
  })
  expect(await agent.use('estimate_cost', { sql: 'SELECT 1; SELECT 2' })).toMatchObject({ isError: true })
})

test('money buys time', () => {
  expect(affordableMs(1, 3_600)).toBe(1_000)
  expect(affordableMs(0.000_000_001, 100)).toBe(1)
  expect(affordableMs(1, 0)).toBe(Number.POSITIVE_INFINITY)
  expect([0.000_000_012_345, 0.5, 12].map(dollars)).toEqual(['0.0000000123 USD', '0.5 USD', '12 USD'])
  expect(() => statementIn('SELECT 1; SELECT 2')).toThrow('this text has 2')
})
