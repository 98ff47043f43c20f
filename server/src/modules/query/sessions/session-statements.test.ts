import { perms, QUERY_STATES } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { MINUTES } from '../../../testing/fake-clock.ts'
import { sharedApp, startApp, type TestApp } from '../../../testing/start-app.ts'

const shared = sharedApp({}, { engine: 'embedded' })

const setUp = async (started?: TestApp) => {
  const app = started ?? (await startApp({}, { engine: 'embedded' }))
  const admin = await app.admin()
  const channel = await admin.channel()
  const [first] = await channel.run('SELECT 1')
  const connId = first?.connId ?? 0
  return { run: async (sql: string) => (await channel.run(sql, { connId })).at(-1)! }
}

test('a statement of the service that takes longer than a minute keeps its engine', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const channel = await (await app.admin()).channel()
  app.engines.hold()
  const created = channel.run('CREATE DATABASE regatta')
  await channel.hear((message) => (message.cmd === 2 ? true : undefined))
  app.clock.advance(2 * MINUTES)
  await app.compute.endUnusedEngines()
  app.engines.release()
  expect(await created).toMatchObject([{ errMsg: '', queryState: 2 }])
})

test('USE moves the connection, says so, and stays [EDITOR-49]', async () => {
  const { run } = await setUp()
  await run('CREATE DATABASE boats')
  expect(await run('USE default_catalog.boats')).toMatchObject({
    queryState: 2,
    dbChange: true,
    catalogChange: false,
    db: 'boats',
  })
  await run('CREATE TABLE oars AS SELECT 42 AS n')
  expect(await run('SELECT n FROM default_catalog.boats.oars')).toMatchObject({
    result: [['42']],
    db: 'boats',
    dbChange: false,
  })
})

test('USE of a database that does not exist moves nothing', async () => {
  const { run } = await setUp(await shared())
  expect(await run('USE nowhere')).toMatchObject({
    queryState: QUERY_STATES.Failed,
    dbChange: false,
    db: 'main',
  })
})

test('databases and tables are listed, filtered by LIKE [EDITOR-48, EDITOR-50]', async () => {
  const { run } = await setUp()
  await run('CREATE DATABASE boats')
  expect((await run('SHOW DATABASES')).result.flat()).toEqual(expect.arrayContaining(['boats', 'main']))
  expect(await run("SHOW DATABASES LIKE 'bo%'")).toMatchObject({
    result: [['boats']],
    fields: [{ name: 'Database' }],
  })
  await run('CREATE TABLE boats.oars (n int)')
  expect(await run('SHOW TABLES FROM boats')).toMatchObject({
    result: [['oars']],
    fields: [{ name: 'Tables_in_boats' }],
  })
})

test('SHOW TABLES has views among tables in their order, those of the open transaction too', async () => {
  const { run } = await setUp()
  for (const name of ['b', 'd', 'a_b']) await run(`CREATE TABLE ${name} (n int)`)
  await run('CREATE VIEW c AS SELECT 1 AS n')
  expect((await run('SHOW TABLES')).result).toEqual([['a_b'], ['b'], ['c'], ['d']])
  expect((await run("SHOW TABLES LIKE '%B'")).result).toEqual([['a_b'], ['b']])
  await run('BEGIN')
  await run('CREATE TABLE ab (n int)')
  await run('DROP TABLE b')
  expect((await run("SHOW TABLES LIKE '%b'")).result).toEqual([['a_b'], ['ab']])
  await run('ROLLBACK')
  expect((await run("SHOW TABLES LIKE '%b'")).result).toEqual([['a_b'], ['b']])
})

test('tables are listed whatever the letter case in which their database was named', async () => {
  const { run } = await setUp()
  await run('CREATE DATABASE boats')
  await run('CREATE TABLE boats.oars (n int)')
  await run('USE Boats')
  expect((await run('SHOW TABLES')).result).toEqual([['oars']])
  expect((await run('SHOW TABLES FROM nowhere')).result).toEqual([])
})

test('a database is dropped only when it is empty or when CASCADE is said', async () => {
  const { run } = await setUp()
  await run('CREATE DATABASE boats')
  await run('CREATE TABLE boats.oars (n int)')
  expect((await run('DROP DATABASE boats')).queryState).toBe(QUERY_STATES.Failed)
  expect((await run('DROP DATABASE boats CASCADE')).queryState).toBe(QUERY_STATES.Finished)
})

test('a SELECT shows at most 1000 rows, and computes no more than its limit [EDITOR-37, EDITOR-38, EDITOR-53]', async () => {
  const { run } = await setUp()
  const first = { totalRows: 1000, truncated: true, firstRows: 1000 }
  expect(await run('SELECT * FROM range(5000)')).toMatchObject(first)
  await run('SET sql_select_limit = 3')
  expect(await run('SELECT * FROM range(10)')).toMatchObject({ totalRows: 3, truncated: true, firstRows: 3 })
  expect(await run('SELECT * FROM range(3)')).not.toHaveProperty('firstRows')
  await run('set SQL_SELECT_LIMIT=4000')
  expect(await run('SELECT * FROM range(5000)')).toMatchObject({ ...first, firstRows: 4000 })
  await run('SET sql_select_limit = none')
  const whole = await run('SELECT * FROM range(5000)')
  expect(whole).toMatchObject({ totalRows: 1000, truncated: true, resultKept: true })
  expect(whole).not.toHaveProperty('firstRows')
  expect((await run("SHOW VARIABLES LIKE 'sql_select_limit'")).result).toEqual([
    ['sql_select_limit', '18446744073709551615'],
  ])
  await run('SET sql_select_limit = DEFAULT')
  expect(await run('SELECT * FROM range(5000)')).toMatchObject(first)
  expect((await run('SET sql_select_limit = -1')).errMsg).toContain('whole number of rows, none or DEFAULT')
})

test('the limit is a part of the plan: an endless SELECT ends at it, a sort keeps the first rows alone', async () => {
  const { run } = await setUp()
  await run('CREATE TABLE long AS SELECT hash(range) AS h FROM range(300000)')
  const sorted = await run('SELECT h FROM long ORDER BY h')
  const least = await run('SELECT min(h) FROM long')
  expect([sorted.firstRows, sorted.result[0]]).toEqual([1000, least.result[0]])
  expect(await run('SELECT * FROM range(1000000000000)')).toMatchObject({ firstRows: 1000, errMsg: '' })
})

test('variables are shown, and an unknown one is refused [EDITOR-45]', async () => {
  const { run } = await setUp(await shared())
  expect((await run("SHOW VARIABLES LIKE 'sql_select%'")).result).toEqual([['sql_select_limit', '1000']])
  expect((await run("SHOW VARIABLES LIKE '%warehouse%'")).result).toEqual([
    ['warehouse', 'default_warehouse'],
  ])
  expect(await run('SET memory_limit = 5')).toMatchObject({
    queryState: 3,
    errMsg: expect.stringContaining('memory_limit'),
  })
})

test('the warehouse is set by name and recorded [EDITOR-46]', async () => {
  const { run } = await setUp(await shared())
  expect(await run('SET WAREHOUSE = default_warehouse')).toMatchObject({
    warehouseChange: true,
    warehouse: 'default_warehouse',
  })
  expect(await run('SET WAREHOUSE nowhere')).toMatchObject({ queryState: 3, warehouseChange: false })
})

test('catalogs are listed, and only one that exists can be set [EDITOR-47]', async () => {
  const { run } = await setUp(await shared())
  expect((await run('SHOW CATALOGS')).result).toEqual([['default_catalog', 'Internal', '']])
  expect(await run('SET CATALOG default_catalog')).toMatchObject({
    queryState: 2,
    catalog: 'default_catalog',
  })
  expect((await run('SET CATALOG memory')).queryState).toBe(QUERY_STATES.Failed)
})

test('SET ROLE chooses among the roles that were given', async () => {
  const { run } = await setUp()
  await run('CREATE TABLE owned (a INT)')
  await run('SET ROLE user_admin')
  expect((await run('FROM owned')).errMsg).toContain('SELECT on TABLE default_catalog.main.owned')
  expect((await run('SET ROLE nobody')).errMsg).toContain('nobody')
  await run('SET ROLE db_admin')
  expect((await run('FROM owned')).queryState).toBe(QUERY_STATES.Finished)
  await run('SET ROLE NONE')
  expect((await run('CREATE WAREHOUSE boats')).queryState).toBe(QUERY_STATES.Failed)
  expect((await run('FROM owned')).queryState).toBe(QUERY_STATES.Failed)
  await run('SET ROLE ALL')
  expect((await run('FROM owned')).queryState).toBe(QUERY_STATES.Finished)
  expect((await run('SHOW VARIABLES')).result.flat().join()).not.toContain('active roles')
})

test('DROP DATABASE drops nothing that is not empty, also of tables that were altered', async () => {
  const { run } = await setUp()
  await run('CREATE DATABASE boats')
  await run('CREATE TABLE boats.oars (n int)')
  await run('INSERT INTO boats.oars VALUES (42)')
  await run('ALTER TABLE boats.oars ALTER n SET DEFAULT 5')
  expect(await run('DROP DATABASE boats')).toMatchObject({
    queryState: QUERY_STATES.Failed,
    errMsg: 'The database boats is not empty: it holds oars. DROP DATABASE … CASCADE drops all of it.',
  })
  expect((await run('SELECT n FROM boats.oars')).result).toEqual([['42']])
})

test('a session that drops its own database continues in main, and says so', async () => {
  const { run } = await setUp()
  await run('CREATE DATABASE boats')
  await run('USE boats')
  expect(await run('DROP DATABASE Boats')).toMatchObject({ queryState: 2, dbChange: true, db: 'main' })
  await run('CREATE TABLE oars (n int)')
  expect(await run('SHOW TABLES')).toMatchObject({ result: [['oars']], db: 'main' })
})

test('USE answers the name that the database was given', async () => {
  const { run } = await setUp()
  await run('CREATE DATABASE Boats')
  expect(await run('USE bOATS')).toMatchObject({ queryState: 2, db: 'Boats' })
  expect(await run('USE nowhere')).toMatchObject({
    errMsg: 'The database nowhere does not exist. SHOW DATABASES lists those that do.',
    errKind: 'missing',
  })
  // Terminal clients of MySQL have a command `use` of their own, and send only this of USE WAREHOUSE name.
  expect((await run('USE warehouse')).errMsg).toContain('To choose a warehouse, send SET WAREHOUSE = name.')
})

test.each([
  [
    "SHOW DATABASES LIKE 'x' extra",
    'This form of the statement is not supported. extra is not expected at this place.',
  ],
  [
    'SHOW TABLES WHERE 1 = 1',
    'This form of the statement is not supported. 1 is not expected at this place.',
  ],
  ['SHOW TABLES FROM nowhere', 'The database nowhere does not exist. SHOW DATABASES lists those that do.'],
])('%s is not answered with something else', async (sql, errMsg) => {
  const { run } = await setUp(await shared())
  expect(await run(sql)).toMatchObject({ queryState: QUERY_STATES.Failed, errMsg })
})

test('SHOW ALL TABLES lists the tables of every database, and nothing of the service', async () => {
  const { run } = await setUp()
  for (const sql of [
    'CREATE DATABASE boats',
    'CREATE TABLE boats.oars (n int)',
    'CREATE VIEW v AS SELECT 1 AS n',
  ])
    await run(sql)
  expect(await run('SHOW ALL TABLES')).toMatchObject({
    queryState: QUERY_STATES.Finished,
    result: [
      ['boats', 'oars', 'BASE TABLE'],
      ['main', 'v', 'VIEW'],
    ],
  })
  expect((await run('SHOW TABLES')).result).toEqual([['v']])
})

test('a time zone keeps the name that it was given', async () => {
  const { run } = await setUp(await shared())
  await run("SET time_zone = 'Asia/Kathmandu'")
  expect((await run("SHOW VARIABLES LIKE 'time_zone'")).result).toEqual([['time_zone', 'Asia/Kathmandu']])
  expect((await run("SELECT TIMESTAMPTZ '2026-01-01 00:00:00+00'")).result).toEqual([
    ['2026-01-01 05:45:00+05:45'],
  ])
})

test('current_user is the name of the requester, also as a function', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const user = await app.user(['db_admin'])
  const [answer] = await (
    await user.channel()
  ).run('SELECT current_user, session_user, CURRENT_USER(), USER ( ), SESSION_USER()')
  expect(answer?.errMsg).toBe('')
  expect(answer?.result).toEqual([Array.from({ length: 5 }, () => user.name)])
})

test('current_role returns the active roles as they are with each statement', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const [admin, user] = [await app.admin(), await app.user(['db_admin', 'cluster_admin'])]
  const channel = await user.channel()
  const connId = (await channel.run('SELECT 1'))[0]?.connId ?? 0
  const run = async (sql: string) => (await channel.run(sql, { connId, oriConnId: connId })).at(-1)
  const roles = async () => (await run('SELECT CURRENT_ROLE()'))?.result[0]?.[0]
  expect(await roles()).toBe('cluster_admin, db_admin')
  expect((await run('SELECT current_role'))?.result).toEqual([['cluster_admin, db_admin']])
  await run('SET ROLE db_admin')
  expect(await roles()).toBe('db_admin')
  await run('SET ROLE NONE')
  expect(await roles()).toBe('NONE')
  await run('SET ROLE DEFAULT')
  await admin.call(perms.revokeRoleFromUser, { role: 'db_admin', user: user.name })
  expect(await roles()).toBe('cluster_admin')
  await run('BEGIN')
  await run("SELECT 1 / length(error('failed'))")
  await run('SET ROLE NONE')
  await run('ROLLBACK')
  expect(await roles(), 'behind a transaction that failed').toBe('NONE')
})

test.each([
  'sys',
  'temp',
  'SYSTEM',
  'default_catalog',
  'pg_catalog',
  'information_schema',
  '_statistics_',
  'main',
])('no database is created under the name %s, which would be ambiguous', async (name) => {
  const { run } = await setUp(await shared())
  expect(await run(`CREATE DATABASE ${name}`)).toMatchObject({
    queryState: QUERY_STATES.Failed,
    errMsg: `The name ${name} is reserved for the service and its engines. Choose another.`,
  })
})

test('main is there already, and is never dropped', async () => {
  const { run } = await setUp()
  expect(await run('CREATE DATABASE IF NOT EXISTS main')).toMatchObject({ queryState: 2 })
  await run('CREATE TABLE main.oars (n int)')
  for (const sql of ['DROP DATABASE main', 'DROP DATABASE IF EXISTS Main CASCADE'])
    expect((await run(sql)).errMsg).toMatch(
      /^The database main is part of the catalog and cannot be dropped\.$/i,
    )
  expect(await run('SELECT count(*) FROM main.oars')).toMatchObject({ result: [['0']] })
})

test.each([
  'SET GLOBAL query_timeout = 5',
  'SET @@global.sql_select_limit = 5',
  'RESET GLOBAL query_timeout',
])('%s is refused, and the session is as it was', async (sql) => {
  const { run } = await setUp(await shared())
  const before = (await run('SHOW VARIABLES')).result
  expect(await run(sql)).toMatchObject({
    queryState: QUERY_STATES.Failed,
    errMsg: 'Variables belong to one connection. There are no GLOBAL variables. Write SET name = value.',
  })
  expect((await run('SHOW VARIABLES')).result).toEqual(before)
})

test('LIMIT takes two numbers, and an error behind it is reported at its own place', async () => {
  const { run } = await setUp(await shared())
  expect((await run('SELECT range FROM range(9)\nLIMIT 2, 3')).result).toEqual([['2'], ['3'], ['4']])
  expect(await run('SELECT * FROM (FROM range(9) LIMIT 2, 3), nowhere')).toMatchObject({
    queryState: QUERY_STATES.Failed,
    errPosition: { line: 1, column: 43 },
  })
})

test('@@variables have the values of the connection, and an unknown one is reported at its place', async () => {
  const { run } = await setUp(await shared())
  await run('SET query_timeout = 77')
  expect(await run('SELECT @@query_timeout, @@session.time_zone AS zone')).toMatchObject({
    result: [['77', 'UTC']],
    fields: [{ name: '@@query_timeout' }, { name: 'zone' }],
  })
  expect((await run('SELECT 1 WHERE @@autocommit = 1')).result).toEqual([['1']])
  expect(await run('SELECT 1,\n  @@nobody')).toMatchObject({
    errMsg: 'The variable nobody does not exist. SHOW VARIABLES lists them.',
    errPosition: { line: 2, column: 3 },
  })
  expect((await run('SET version = 5')).errMsg).toBe('The variable version cannot be changed here.')
})

test('SHOW takes WHERE over the columns that it shows', async () => {
  const { run } = await setUp()
  await run('CREATE TABLE oars (a INT); CREATE TABLE boats (a INT)')
  expect((await run("SHOW TABLES WHERE Tables_in_main <> 'oars'")).result).toEqual([['boats']])
  expect(
    (await run("SHOW VARIABLES WHERE Variable_name IN ('query_timeout', 'autocommit') AND Value > 100"))
      .result,
  ).toEqual([['query_timeout', '300']])
  expect(await run("SHOW TABLES WHERE name = 'oars'")).toMatchObject({
    errMsg: 'There is no column name here: it shows Tables_in_main.',
    errPosition: { line: 1, column: 19 },
  })
})

test('a statement of the service that is far too long is refused, not read', async () => {
  const { run } = await setUp(await shared())
  expect(await run(`SET ROLE ${'a, '.repeat(20_000)}a`)).toMatchObject({
    queryState: QUERY_STATES.Failed,
    errMsg: expect.stringMatching(/^SET ROLE has at most 16384 characters/),
  })
})

test('an offset is a time zone, and a place can be set in the words of the engine', async () => {
  const { run } = await setUp()
  await run("SET time_zone = '+02:00'")
  expect((await run("SELECT TIMESTAMPTZ '2026-01-01 00:00:00+00'")).result).toEqual([
    ['2026-01-01 02:00:00+02'],
  ])
  expect((await run('SELECT @@time_zone')).result).toEqual([['+02:00']])
  expect((await run("SET time_zone = '+05:45'")).errMsg).toContain('offset of whole hours')
  await run('CREATE DATABASE boats')
  expect(await run("SET schema = 'boats'")).toMatchObject({ db: 'boats', dbChange: true })
  expect(await run("SET search_path = 'default_catalog.main'")).toMatchObject({ db: 'main' })
  expect((await run("SET search_path = 'main,boats'")).errMsg).toContain('one database')
})

test('what clients ask for when they connect is answered', async () => {
  const { run } = await setUp()
  expect((await run("SHOW CHARACTER SET LIKE 'utf8%'")).result).toEqual([
    ['utf8mb4', 'UTF-8 Unicode', 'utf8mb4_bin', '4'],
  ])
  expect((await run("SHOW COLLATION WHERE Charset = 'latin1'")).result).toEqual([])
  expect(await run('SHOW WARNINGS')).toMatchObject({ result: [], fields: [{ name: 'Level' }, {}, {}] })
})
