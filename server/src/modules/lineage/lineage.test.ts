import { CODES, editor, lineage, schema } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { createLog } from '../../kernel/log.ts'
import { DAYS, HOURS, MINUTES } from '../../testing/fake-clock.ts'
import { startApp, type TestUser } from '../../testing/start-app.ts'
import { createMeasureStore } from './measure-store.ts'
import { createMeasures } from './measures.ts'

const catalog = 'default_catalog'
const table = (tableName: string) => ({ catalog, databaseName: 'boats', tableName })

async function run(user: TestUser, sql: string): Promise<void> {
  const channel = await user.channel()
  for (const answer of await channel.run(sql)) expect(answer.errMsg).toBe('')
}

async function setUp() {
  const app = await startApp({}, { engine: 'embedded' })
  const ada = await app.admin()
  await run(ada, 'CREATE DATABASE boats')
  await run(ada, 'CREATE TABLE boats.oars (n int, boat int); CREATE TABLE boats.hulls (boat int)')
  return { app, ada }
}

async function factsOf(user: TestUser, name: string) {
  const { data, message } = await user.call(lineage.facts, table(name))
  expect(message).toBe('')
  return data
}
async function graphOf(user: TestUser, name: string) {
  const { data, message } = await user.call(lineage.graph, table(name))
  expect(message).toBe('')
  return data
}
const statementsOf = async (user: TestUser, name: string) =>
  (await user.call(lineage.statements, table(name))).data
const named = (links: readonly { kind: string; name: string }[]) =>
  links.map(({ kind, name }) => `${kind} ${name}`)

test('a table says who created it, who changed it last, and which statements used it, for whom they are', async () => {
  const { app, ada } = await setUp()
  const grace = await app.user()
  await run(ada, `GRANT SELECT ON TABLE boats.oars TO USER ${grace.name}`)
  app.clock.advance(1 * HOURS)
  await run(ada, 'INSERT INTO boats.oars VALUES (1, 1)')
  await run(ada, 'INSERT INTO boats.oars VALUES (2, 1), (3, 2)')
  app.clock.advance(1 * HOURS)
  await run(grace, 'SELECT count(*) FROM boats.oars')
  app.clock.advance(1 * MINUTES)
  await run(ada, 'SELECT * FROM BOATS.Oars o JOIN boats.hulls h USING (boat)')

  const facts = await factsOf(ada, 'oars')
  expect(facts).toMatchObject({ owner: ada.name, changedBy: ada.name })
  expect(facts.use).toMatchObject({ ofEveryone: true, users: 2, mostBy: ada.name })
  expect(Date.parse(facts.changedAt ?? '') - Date.parse(facts.createdAt ?? '')).toBe(1 * HOURS)
  expect(facts.together).toEqual([{ catalog, database: 'boats', name: 'hulls', type: 'table', times: 1 }])

  const { list, ofEveryone } = await statementsOf(ada, 'oars')
  expect(ofEveryone).toBe(true)
  // Those that differ in their values alone are one.
  expect(list.map(({ entry, times, writes }) => [entry.user, times, writes])).toEqual([
    [ada.name, 1, false],
    [grace.name, 1, false],
    [ada.name, 2, true],
    [ada.name, 1, true],
  ])

  const own = await statementsOf(grace, 'oars')
  expect(own.ofEveryone).toBe(false)
  expect(own.list.map(({ entry }) => entry.sql)).toEqual(['SELECT count(*) FROM boats.oars'])
  const seen = await factsOf(grace, 'oars')
  expect(seen.use).toEqual({ ofEveryone: false, statements: 1, users: 1, mostBy: grace.name })
  expect(seen.changedBy).toBeNull()
  expect(seen.together).toEqual([])
})

test('a table that somebody may not see, or that is not there, is not there', async () => {
  const { app } = await setUp()
  const grace = await app.user()
  const stranger = await app.stranger()
  for (const call of [lineage.facts, lineage.graph, lineage.statements]) {
    expect((await grace.call(call, table('oars'))).code).toBe(CODES.NotFound.code)
    expect((await stranger.call(call, table('oars'))).code).toBe(CODES.NotFound.code)
    expect((await app.call(call, table('oars'))).code).toBe(CODES.LoginRequired.code)
  }
  const ada = await app.admin()
  expect((await ada.call(lineage.facts, table('gone'))).code).toBe(CODES.NotFound.code)
  expect((await ada.call(lineage.facts, { catalog, databaseName: 'boats' })).code).toBe(CODES.BadInput.code)
})

test('lineage is definitions, statements that moved rows, and saved queries that name it', async () => {
  const { app, ada } = await setUp()
  await run(ada, 'CREATE VIEW boats.long_oars AS SELECT * FROM boats.oars WHERE n > 1')
  await run(
    ada,
    'CREATE TABLE boats.pairs AS SELECT o.n FROM boats.oars o, boats.hulls h WHERE o.boat = h.boat',
  )
  await run(ada, 'INSERT INTO boats.hulls SELECT boat FROM boats.oars')
  const saved = (tabName: string, sql: string) =>
    ada.call(editor.createTab, { tabName, sql, catalog, database: 'boats' })
  await saved('Reads it', 'select * from oars')
  await saved('Writes it', 'delete from boats.oars')
  await ada.call(editor.createTab, { tabName: 'Without a place', sql: 'select * from boats.oars' })
  await saved('Only says so', "select 'oars' from boats.hulls")

  const graph = await graphOf(ada, 'oars')
  expect(named(graph.from)).toEqual(['query Writes it'])
  expect(named(graph.to).toSorted()).toEqual([
    'query Reads it',
    'query Without a place',
    'table hulls',
    'table pairs',
    'view long_oars',
  ])
  expect(graph.to.find(({ name }) => name === 'pairs')?.through).toMatchObject({ user: ada.name })
  expect(named((await graphOf(ada, 'pairs')).from).toSorted()).toEqual(['table hulls', 'table oars'])

  // Somebody who may see one of them sees nothing of the others, nor what others ran.
  const grace = await app.user()
  await run(ada, `GRANT SELECT ON TABLE boats.oars TO USER ${grace.name}`)
  expect(await graphOf(grace, 'oars')).toEqual({ from: [], to: [], hidden: 1, broken: '' })
})

test('what is known of a table follows its name, and ends with it', async () => {
  const { ada } = await setUp()
  await run(ada, 'INSERT INTO boats.oars VALUES (1, 1)')
  await run(ada, 'ALTER TABLE boats.oars RENAME TO paddles')
  const { list } = await statementsOf(ada, 'paddles')
  expect(list.map(({ entry }) => entry.kind)).toContain('insert')
  expect((await factsOf(ada, 'paddles')).owner).toBe(ada.name)
  await run(ada, 'DROP TABLE boats.paddles; CREATE TABLE boats.paddles (x int)')
  expect((await statementsOf(ada, 'paddles')).list.map(({ entry }) => entry.kind)).toEqual(['create-table'])
  await run(ada, 'DROP DATABASE boats CASCADE; CREATE DATABASE boats; CREATE TABLE boats.hulls (x int)')
  expect((await factsOf(ada, 'hulls')).use.statements).toBe(1)
})

test('rows and bytes are counted after a write, once for an hour, and what is counted stays', async () => {
  const { app, ada } = await setUp()
  const counted = async () => (await factsOf(ada, 'oars')).measures.map(({ rows }) => rows)
  await app.lineage.measures.run()
  expect(await counted()).toEqual([0])
  await run(ada, 'INSERT INTO boats.oars SELECT range, 1 FROM range(500)')
  await factsOf(ada, 'oars')
  await app.lineage.measures.run()
  expect(await counted()).toEqual([0])
  app.clock.advance(11 * MINUTES)
  await app.lineage.measures.run()
  expect(await counted()).toEqual([500])
  app.clock.advance(2 * HOURS)
  await app.lineage.measures.run()
  expect(await counted()).toEqual([500])
  await run(ada, 'DELETE FROM boats.oars WHERE n < 100')
  await factsOf(ada, 'oars')
  await app.lineage.measures.run()
  const { measures } = await factsOf(ada, 'oars')
  expect(measures.map(({ rows }) => rows)).toEqual([500, 400])
  expect(measures[1]?.bytes).toBeGreaterThanOrEqual(0)
  app.clock.advance(401 * DAYS)
  await app.lineage.measures.forgetOld()
  expect(await app.store.db.selectFrom('table_measures').select('hour').execute()).toEqual([])
})

test('a name that only a text contains is never counted, and uses are forgotten after a month', async () => {
  const { app, ada } = await setUp()
  await run(ada, 'WITH pairs AS (SELECT 1 AS n) SELECT * FROM pairs, boats.oars')
  await app.lineage.uses.flush()
  const uses = await app.store.db
    .selectFrom('table_uses')
    .select('name')
    .where('writes', '=', false)
    .execute()
  expect(uses).toEqual([{ name: 'oars' }])
  app.clock.advance(32 * DAYS)
  await app.lineage.uses.forgetOld()
  expect(await app.store.db.selectFrom('table_uses').select('name').execute()).toEqual([])
})

test('a preview, a failed statement and the list of columns are no uses', async () => {
  const { ada } = await setUp()
  const channel = await ada.channel()
  await channel.run('SELECT nothing FROM boats.oars')
  await channel.run('DESCRIBE boats.oars')
  await ada.call(schema.sample, table('oars'))
  expect((await statementsOf(ada, 'oars')).list.map(({ entry }) => entry.kind)).toEqual(['create-table'])
})

test('an account whose engine does not answer is looked at later, and keeps no other waiting', async () => {
  const { app, ada } = await setUp()
  const failing = createMeasures({
    store: createMeasureStore(app.store.db),
    useServiceEngine: () => Promise.reject(new Error('no engine')),
    clock: app.clock,
    log: createLog('silent'),
  })
  await failing.run()
  await app.lineage.measures.run()
  expect((await factsOf(ada, 'oars')).measures).toEqual([])
  app.clock.advance(11 * MINUTES)
  await app.lineage.measures.run()
  expect((await factsOf(ada, 'oars')).measures.map(({ rows }) => rows)).toEqual([0])
})
