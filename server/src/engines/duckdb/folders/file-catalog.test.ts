import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  cell,
  cells,
  failure,
  listsIn,
  must,
  openSession,
  rowsOf,
  rowsUpTo,
  testSpace,
} from '../../conformance/fixture.ts'
import type { Engine } from '../../engine/engine.ts'
import type { EngineSession } from '../../engine/session.ts'
import type { FolderCatalog } from '../../engine/attachments.ts'
import type { ObjectUse } from '../../engine/objects.ts'
import { createInProcessDuckdb } from '../in-process.ts'

async function temporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'boathouse-lake-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function put(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), text)
  }
}

const FILES = {
  'sales/orders/2026.csv': 'id,amount\n1,10\n2,20\n',
  'sales/events/a.ndjson': '{"kind":"open"}\n{"kind":"close"}\n',
  'sales/days/day=1/a.csv': 'n\n1\n',
  'sales/days/day=2/a.csv': 'n\n2\n',
}

async function setUp(files: Readonly<Record<string, string>> = FILES) {
  const root = await temporary()
  await put(root, files)
  const provider = createInProcessDuckdb()
  onTestFinished(() => provider.close())
  const lake: FolderCatalog = { kind: 'folder', id: randomUUID(), name: 'lake', root, below: [] }
  const space = { ...(await testSpace()), folders: [root] }
  const engine = await provider.open(space)
  onTestFinished(() => engine.close())
  await must(engine.attachments).attach(lake)
  return { root, engine, lake, session: await openSession(engine) }
}

/** What a statement of somebody without any rights is asked about. */
async function usesOf(session: EngineSession, sql: string): Promise<readonly ObjectUse[] | string> {
  let uses: readonly ObjectUse[] = []
  const authorize = async (asked: readonly ObjectUse[]) => {
    uses = asked
    return { message: 'asked' }
  }
  const outcome = await session.execute(sql, { ...rowsUpTo(10), authorize }).outcome
  if (outcome.state !== 'failed') throw new Error(`It ran: ${sql}`)
  return outcome.error.message === 'asked' ? uses : outcome.error.message
}

const lakeTable = (name: string) => ({ type: 'table', catalog: 'lake', database: 'sales', name })
const reads = (name: string) => ({ action: 'read', object: lakeTable(name), through: null })

/** Parquet is made by a session: its own engine writes none. */
async function putParquet(engine: Engine, root: string): Promise<void> {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await mkdir(join(root, 'sales/parts'), { recursive: true })
  await connection.run(`COPY (SELECT range AS id FROM range(3)) TO '${join(root, 'sales/parts/a.parquet')}'`)
  connection.closeSync()
  instance.closeSync()
  await must(engine.attachments).check('lake')
}

test('no statement of any user leaves the folder, or reads it by a path', async () => {
  const { root, session } = await setUp()
  const outside = await temporary()
  await put(outside, { 'secret.csv': 'secret\n42\n' })
  await put(root, { 'readme.csv': 'a\n1\n' })
  for (const sql of [
    `FROM '${join(root, 'sales/orders/2026.csv')}'`,
    `FROM read_csv('${join(root, 'sales/orders/2026.csv')}')`,
    `FROM system.main.read_csv('${join(root, 'sales/orders/2026.csv')}')`,
    `FROM read_text('${join(root, '**')}')`,
    `FROM glob('${join(root, '*')}')`,
    `FROM '${join(outside, 'secret.csv')}'`,
    `FROM lake.sales."../../readme"`,
    `FROM lake.sales."orders/../../../secret.csv"`,
    `FROM lake."${outside}".secret`,
    `COPY lake.sales.orders TO '${join(root, 'out.csv')}'`,
    'FROM lake.sales.secret',
  ])
    expect([sql, await session.execute(sql, rowsUpTo(10)).outcome]).toMatchObject([sql, { state: 'failed' }])
})

test('a plan tells what was read, and not where it lies', async () => {
  const { session, engine } = await setUp()
  for (const form of [
    'ANALYZE',
    '(ANALYZE, FORMAT json)',
    '(ANALYZE, FORMAT html)',
    '(ANALYZE, FORMAT graphviz)',
  ]) {
    const sql = `EXPLAIN ${form} SELECT * FROM lake.sales.orders JOIN lake.sales.days ON n = id`
    const shown = (await cells(session, sql)).flat().join('\n')
    expect(shown).not.toMatch(/Filename|boathouse|\.csv/)
    expect(shown).toMatch(/Total Files Read|is not shown/)
  }
  const options = { ...rowsUpTo(10), profile: engine.profiling }
  const outcome = await session.execute('SELECT * FROM lake.sales.orders', options).outcome
  const profile = JSON.stringify(outcome.state === 'finished' && outcome.profile)
  expect(profile).toContain('Total Files Read')
  expect(profile).not.toMatch(/Filename|\.csv/)
})

test('a link in the folder leads nowhere', async () => {
  const { root, session, engine } = await setUp({ 'sales/orders/a.csv': 'id\n1\n' })
  const outside = await temporary()
  await put(outside, { 't/secret.csv': 'id\n42\n' })
  await symlink(join(outside, 't/secret.csv'), join(root, 'sales/orders/b.csv'))
  await symlink(join(outside, 't'), join(root, 'sales/secret'))
  await must(engine.attachments).check('lake')
  expect(await cells(session, 'FROM lake.sales.orders')).toEqual([['1']])
  expect((await failure(session, 'FROM lake.sales.secret')).kind).toBe('missing')
})

test('Parquet, CSV and JSON files are tables, with their partitions as columns', async () => {
  const { root, session, engine } = await setUp()
  await putParquet(engine, root)
  expect(await cell(session, 'SELECT sum(amount) FROM lake.sales.orders')).toBe('30')
  expect(await cells(session, 'SELECT kind FROM lake.sales.events ORDER BY 1')).toEqual([['close'], ['open']])
  expect(await cells(session, 'SELECT n, day FROM lake.sales.days ORDER BY day')).toEqual([
    ['1', '1'],
    ['2', '2'],
  ])
  const lists = listsIn(engine, session)
  const place = { catalog: 'lake', database: 'sales' }
  const page = { descending: false, offset: 0, limit: 10, seen: 'all' as const, search: '' }
  const { list } = await lists.tablePage(place, 'table', page)
  expect(list.map(({ name }) => name)).toEqual(['days', 'events', 'orders', 'parts'])
  expect(await lists.tablePage(place, 'view', page)).toEqual({ total: 0, list: [] })
  const shown = JSON.stringify(
    await cells(session, 'SELECT sql FROM duckdb_tables() UNION ALL SELECT sql FROM duckdb_views()'),
  )
  expect(shown).not.toContain(root)
})

test('it can only be read', async () => {
  const { session, engine } = await setUp()
  const inside = await openSession(engine, { catalog: 'lake', database: 'sales' })
  const refused = 'The catalog lake shows external data and is read-only.'
  for (const sql of [
    'CREATE TABLE lake.sales.mine (i int)',
    'CREATE VIEW lake.sales.mine AS SELECT 1',
    'CREATE OR REPLACE VIEW lake.sales.orders AS SELECT 1',
    'DROP VIEW lake.sales.orders',
    'CREATE SCHEMA lake.mine',
    'DROP SCHEMA lake.sales CASCADE',
    'CREATE MACRO lake.sales.m() AS 1',
  ])
    expect([sql, (await failure(session, sql)).message]).toEqual([sql, refused])
  expect((await failure(inside, 'CREATE TABLE mine (i int)')).message).toBe(refused)
  await rowsOf(inside, 'CREATE TEMP TABLE mine AS SELECT * FROM orders')
  expect(await cell(inside, 'SELECT count(*) FROM mine')).toBe('2')
  await rowsOf(inside, 'CREATE TABLE default_catalog.main.kept AS SELECT * FROM orders')
  await rowsOf(inside, 'INSERT INTO default_catalog.main.kept SELECT * FROM orders')
  expect(await cell(inside, 'SELECT count(*) FROM default_catalog.main.kept')).toBe('4')
})

test('what a statement reads of it is reported by table, also through views, and what cannot be determined is not run', async () => {
  const { root, engine, session } = await setUp()
  await putParquet(engine, root)
  await rowsOf(session, 'CREATE VIEW v AS SELECT * FROM lake.sales.orders')
  await rowsOf(session, 'CREATE VIEW w AS SELECT * FROM lake.sales.parts')
  await rowsOf(session, 'CREATE TABLE own (id int)')
  await rowsOf(session, 'CREATE SEQUENCE numbers')
  await rowsOf(session, 'CREATE MACRO all_orders() AS TABLE FROM lake.sales.orders')
  const inMain = (type: string, name: string) => ({
    type,
    catalog: 'default_catalog',
    database: 'main',
    name,
  })
  const view = (name: string) => inMain('view', name)
  const own = { action: 'read', object: inMain('table', 'own'), through: null }
  const cases: Readonly<Record<string, unknown>> = {
    'FROM lake.sales.parts': [reads('parts')],
    'FROM lake.sales.orders': [reads('orders')],
    'SELECT * FROM own, lake.sales.orders o WHERE o.id IN (SELECT id FROM lake.sales.parts)': [
      own,
      reads('orders'),
      reads('parts'),
    ],
    'WITH x AS (FROM lake.sales.events) SELECT count(*) FROM x': [reads('events')],
    'DESCRIBE lake.sales.orders': [reads('orders')],
    'SUMMARIZE lake.sales.orders': [reads('orders')],
    'EXPLAIN SELECT * FROM lake.sales.orders': [reads('orders')],
    'FROM v': [
      { action: 'read', object: view('v'), through: null },
      { ...reads('orders'), through: view('v') },
    ],
    'FROM w': [
      { action: 'read', object: view('w'), through: null },
      { ...reads('parts'), through: view('w') },
    ],
    'INSERT INTO own SELECT id FROM lake.sales.orders': [
      reads('orders'),
      { action: 'insert', object: inMain('table', 'own'), through: null },
    ],
    'CREATE TABLE kept AS SELECT * FROM lake.sales.orders': [
      reads('orders'),
      { action: 'create', object: inMain('table', 'kept'), through: null },
    ],
  }
  for (const [sql, expected] of Object.entries(cases)) {
    const uses = await usesOf(session, sql)
    const sorted = (list: unknown) =>
      Array.isArray(list) ? new Set(list.map((one) => JSON.stringify(one))) : list
    expect([sql, sorted(uses)]).toEqual([sql, sorted(expected)])
  }
  const made = await usesOf(session, 'CREATE VIEW mine AS SELECT * FROM lake.sales.orders')
  expect(made).toContainEqual(reads('orders'))
  for (const sql of [
    'FROM all_orders()',
    `SELECT nextval('numbers') FROM lake.sales.orders`,
    `SELECT * FROM lake.sales.orders, query_table('own')`,
    `FROM query_table('lake.sales.orders')`,
    'UPDATE own SET id = (SELECT max(id) FROM lake.sales.orders)',
    'DELETE FROM own WHERE id IN (SELECT id FROM lake.sales.orders)',
    'INSERT INTO own SELECT id FROM lake.sales.orders RETURNING id',
  ])
    expect([sql, await usesOf(session, sql)]).toEqual([sql, expect.stringContaining('cannot be determined')])
})

test('only users who may read a table learn why it cannot be read', async () => {
  const { session } = await setUp({
    'sales/mixed/a.csv': 'a\n',
    'sales/mixed/b.json': '{}',
    'sales/bad/a.parquet': 'this is no Parquet',
  })
  await rowsOf(session, 'CREATE VIEW v AS SELECT * FROM lake.sales.mixed')
  await rowsOf(session, 'CREATE TABLE own (id int)')
  const view = { type: 'view', catalog: 'default_catalog', database: 'main', name: 'v' }
  for (const sql of [
    'FROM lake.sales.mixed',
    'SELECT count(*) FROM lake.sales.mixed',
    'WITH x AS (FROM lake.sales.mixed) SELECT 1 FROM x LIMIT 0',
    'DESCRIBE lake.sales.mixed',
    'EXPLAIN SELECT * FROM lake.sales.mixed',
    `FROM query_table('lake.sales.mixed')`,
    'DELETE FROM own WHERE id IN (SELECT 1 FROM lake.sales.mixed)',
    'INSERT INTO own SELECT 1 FROM lake.sales.mixed',
    'CREATE TABLE kept AS SELECT * FROM lake.sales.mixed',
  ])
    expect([sql, await usesOf(session, sql)]).toEqual([
      sql,
      expect.arrayContaining([reads('mixed')]) as unknown,
    ])
  expect(await usesOf(session, 'FROM lake.sales.bad')).toEqual([reads('bad')])
  expect(await usesOf(session, 'FROM v')).toEqual([
    { action: 'read', object: view, through: null },
    { ...reads('mixed'), through: view },
  ])
})

test('what is added, changed and removed is seen by the next statement', async () => {
  const { root, session, engine } = await setUp({ 'sales/orders/a.csv': 'id\n1\n' })
  const soon = { timeout: 20_000, interval: 100 }
  const rowsIn = async (sql: string) => {
    const outcome = await session.execute(sql, rowsUpTo(10)).outcome
    return outcome.state === 'finished' ? outcome.result.rows : outcome.state
  }
  expect(await cell(session, 'SELECT count(*) FROM lake.sales.orders')).toBe('1')
  await put(root, { 'sales/orders/b.csv': 'id\n2\n', 'more/t/a.json': '[{"a":1}]' })
  await expect.poll(() => rowsIn('SELECT count(*) FROM lake.sales.orders'), soon).toEqual([['2']])
  await expect.poll(() => rowsIn('FROM lake.more.t'), soon).toEqual([['1']])
  await rm(join(root, 'more'), { recursive: true })
  await rm(join(root, 'sales/orders/a.csv'))
  await put(root, { 'sales/orders/b.csv': 'id,note\n3,new\n' })
  await expect.poll(() => rowsIn('FROM lake.sales.orders'), soon).toEqual([['3', 'new']])
  await expect.poll(() => rowsIn('FROM lake.more.t'), soon).toBe('failed')
  expect(await listsIn(engine, session).databases('lake', 'all')).not.toContain('more')
})

test('a folder that is gone and files that are nonsense are reported as such, and other tables stay readable', async () => {
  const { root, engine, session } = await setUp({
    'sales/good/a.csv': 'id\n1\n',
    'sales/bad/a.parquet': 'this is no Parquet',
    'sales/mixed/a.csv': 'a\n',
    'sales/mixed/b.json': '{}',
  })
  const attachments = must(engine.attachments)
  expect((await failure(session, 'FROM lake.sales.bad')).message).toMatch(
    /^The table sales\.bad of the catalog lake cannot be read: .*lake\/sales\/bad\/a\.parquet/,
  )
  for (const select of ['*', 'count(*)', '1'])
    expect((await failure(session, `SELECT ${select} FROM lake.sales.mixed`)).message).toContain(
      'files of several formats',
    )
  expect(await cell(session, 'SELECT id FROM lake.sales.good')).toBe('1')
  const gone: FolderCatalog = { kind: 'folder', id: randomUUID(), name: 'gone', root, below: ['nowhere'] }
  const closed: FolderCatalog = { kind: 'folder', id: randomUUID(), name: 'closed', root: null, below: [] }
  await attachments.attach(gone)
  await attachments.attach(closed)
  expect(await attachments.check('gone')).toBe('The catalog gone cannot be read: it is not there.')
  expect(await attachments.check('closed')).toContain('has not allowed it for this account')
  expect((await failure(session, 'FROM gone.sales.t')).message).toContain('it is not there')
  expect(await cell(session, 'SELECT id FROM lake.sales.good')).toBe('1')
  await expect(attachments.tryOut(gone)).rejects.toThrow('it is not there')
  const tried = await attachments.tryOut({ kind: 'folder', id: '', name: 'lake', root, below: [] })
  expect(tried).toMatchObject({ databases: 1, tables: 3 })
  expect(tried.problems.join()).not.toContain(root)
  expect(tried.problems).toHaveLength(2)
})

test('one that is removed is gone, and its files stay', async () => {
  const { engine, lake, session, root } = await setUp()
  await must(engine.attachments).remove(lake)
  expect((await failure(session, 'FROM lake.sales.orders')).kind).toBe('missing')
  await must(engine.attachments).attach({ ...lake, name: 'again', root })
  expect(await cell(session, 'SELECT count(*) FROM again.sales.orders')).toBe('2')
})
