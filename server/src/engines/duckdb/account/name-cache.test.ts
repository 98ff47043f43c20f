import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  listsIn,
  must,
  openSession,
  ownEngine,
  rowsOf,
  runUnderId,
  testSpace,
} from '../../conformance/fixture.ts'
import type { CatalogReader } from '../../engine/catalogs.ts'
import type { TableType } from '../../engine/names.ts'
import type { ObjectChange } from '../../engine/objects.ts'
import { createInProcessDuckdb } from '../in-process.ts'
import { openAccount } from './account.ts'
import { NameCache } from './name-cache.ts'

const WHOLE = { descending: false, offset: 0, limit: 1000, seen: 'all', search: '' } as const
const TYPES: readonly TableType[] = ['table', 'view']

/** Whatever changes names, and much that looks as if it did. */
const CORPUS = `CREATE TABLE t AS SELECT 1 AS i
CREATE TABLE IF NOT EXISTS t (i int)
CREATE TABLE IF NOT EXISTS u (i int)
CREATE OR REPLACE TABLE T (j int)
ALTER TABLE t RENAME TO "odd ""name"
ALTER TABLE "odd ""name" RENAME COLUMN j TO k

ALTER TABLE "odd ""name" ADD COLUMN l timestamp DEFAULT now()
CREATE VIEW v AS SELECT * FROM u
CREATE TABLE IF NOT EXISTS v (i int)

CREATE OR REPLACE VIEW v AS SELECT i + 1 AS i FROM u
ALTER VIEW v RENAME TO W
COMMENT ON TABLE u IS 'rowing'

CREATE SCHEMA s
CREATE TABLE s.a (i int)
CREATE VIEW s.b AS SELECT * FROM s.a
CREATE TABLE s.É (i int)
CREATE TABLE s.é (i int)

CREATE TABLE piv AS PIVOT (SELECT 'x' AS k, 1 AS n) ON k USING sum(n)

EXPLAIN CREATE TABLE explained (i int)

EXPLAIN ANALYZE CREATE TABLE analysed AS SELECT 1 AS i

CREATE TEMP TABLE passing (i int)
CREATE SEQUENCE s.numbers
CREATE TABLE drawn (i int DEFAULT nextval('s.numbers'))
CREATE TYPE mood AS ENUM ('calm')
CREATE MACRO twice(x) AS x * 2
CREATE INDEX held ON u (i)

DROP INDEX held
DROP MACRO twice
DROP SCHEMA s CASCADE

DROP VIEW IF EXISTS nothing
DROP TABLE IF EXISTS nothing
DROP VIEW w
DROP TABLE PIV
CREATE TABLE w (i int)

CREATE SCHEMA further.inner
CREATE TABLE further.inner.far (i int)
CREATE TABLE further.near (i int)
USE further.inner
CREATE TABLE here (i int)
ALTER TABLE here RENAME TO there
DROP TABLE far
USE default_catalog.main

CREATE SCHEMA apart
USE default_catalog.apart
CREATE MACRO next_of(x) AS x + 1
CREATE TABLE derived (a int, b int AS (next_of(a)))
CREATE TABLE derived_too (a int, b int AS (next_of(a)))
USE default_catalog.main

ALTER TABLE apart.derived RENAME TO moved
DROP TABLE apart.derived_too

BEGIN
CREATE TABLE taken (i int)
ALTER TABLE taken RENAME TO renamed
DROP TABLE u
ROLLBACK

BEGIN
CREATE TABLE taken (i int)
ALTER TABLE taken RENAME TO renamed
DROP TABLE u
COMMIT

BEGIN
CREATE TABLE refused AS SELECT 'x'::int AS i
COMMIT

CHECKPOINT`
  .split('\n\n')
  .map((group) => group.split('\n'))

const FURTHER = /further|here|\bfar\b/

/** As the engine keeps them, in the form in which it lists all tables. */
async function keptIn(lists: CatalogReader, catalog: string) {
  const databases = (await lists.databasePage(catalog, WHOLE)).list
  const all: string[] = []
  for (const { name: database } of databases)
    for (const type of TYPES)
      for (const { name } of (await lists.tablePage({ catalog, database }, type, WHOLE)).list)
        all.push(String([database, name, type]))
  return { databases: databases.map(({ name }) => name), all: new Set(all) }
}

test('names that are kept are those that DuckDB lists, after any statement', async () => {
  const engine = await ownEngine({ provider: createInProcessDuckdb(), kill: () => undefined })
  await must(engine.attachments).attach({ kind: 'own', id: randomUUID(), name: 'further', isNew: true })
  const [session, reader] = [await openSession(engine), await openSession(engine)]
  const noStatement = () => Promise.reject(new Error('These names are not kept.'))
  const kept = must(engine.catalogs).in({ read: noStatement, inTransaction: false })
  const listed = listsIn(engine, reader, true)
  const seen = new Set<string>()
  for (const group of CORPUS) {
    for (const sql of group) await runUnderId(session, sql)
    const catalog = FURTHER.test(group.join()) ? 'further' : 'default_catalog'
    const known = await keptIn(kept, catalog)
    const all = await listed.allTables(catalog)
    const everything = new Set(all.map(({ database, name, type }) => String([database, name, type])))
    expect([group, known.all]).toEqual([group, everything])
    expect(known.databases).toEqual(await listed.databases(catalog, 'all'))
    seen.add([...known.all].join())
  }
  // So that it is not a comparison of nothing with nothing.
  expect(seen.size).toBeGreaterThan(8)
})

test('a catalog that is renamed, removed and made again is listed as it is', async () => {
  const engine = await ownEngine({ provider: createInProcessDuckdb(), kill: () => undefined })
  const attachments = must(engine.attachments)
  const first = { kind: 'own', id: randomUUID(), name: 'first', isNew: true } as const
  await attachments.attach(first)
  const session = await openSession(engine)
  await rowsOf(session, 'CREATE TABLE first.main.t (i int)')
  const lists = listsIn(engine, session)
  const tables = async (catalog: string) =>
    (await lists.tablePage({ catalog, database: 'main' }, 'table', WHOLE)).list.map(({ name }) => name)
  expect(await tables('FIRST')).toEqual(['t'])
  expect(await attachments.rename('first', 'second')).toBe(true)
  expect([await tables('first'), await tables('second')]).toEqual([[], ['t']])
  await rowsOf(session, 'CREATE TABLE second.main.u (i int)')
  await attachments.attach({ kind: 'own', id: randomUUID(), name: 'first', isNew: true })
  expect([await tables('first'), await tables('second')]).toEqual([[], ['t', 'u']])
  await attachments.remove({ id: first.id, name: 'second' })
  expect(await tables('second')).toEqual([])
})

test('names that cannot be read are queried in a statement, and the operator is notified why', async () => {
  const onTrouble = vi.fn<(message: string) => void>()
  const space = await testSpace()
  await mkdir(space.directory, { recursive: true })
  const account = await openAccount(space, { inMemory: true, onTrouble })
  onTestFinished(() => account.close())
  const path = join(space.directory, 'data')
  vi.spyOn(DuckDBInstance.prototype, 'connect').mockRejectedValueOnce(new Error(`IO Error: ${path}: gone`))
  onTestFinished(() => void vi.restoreAllMocks())
  const asked = { catalog: 'default_catalog', of: 'databases', page: WHOLE } as const
  expect(await account.names(asked)).toBeNull()
  expect(onTrouble).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^Names are not at hand: .*gone/))
  expect(onTrouble.mock.calls.join()).not.toContain(space.directory)
  expect(await account.names(asked)).toMatchObject({ list: [{ name: 'main' }] })
})

async function setUp(parts: Partial<ConstructorParameters<typeof NameCache>[0]> = {}) {
  const instance = await DuckDBInstance.create(':memory:')
  onTestFinished(() => instance.closeSync())
  const connection = await instance.connect()
  onTestFinished(() => connection.closeSync())
  const reads = vi.spyOn(instance, 'connect')
  const known = new NameCache({ instance, keptCatalog: () => 'memory', ...parts })
  const list = async () =>
    (await known.page({ catalog: 'memory', database: 'main', of: 'table', page: WHOLE }))?.list.map(
      ({ name }) => name,
    )
  const change = (what: 'created' | 'dropped', name: string): ObjectChange => ({
    change: what,
    object: { type: 'table', catalog: 'memory', database: 'main', name },
  })
  return { connection, known, list, change, reads: () => reads.mock.calls.length }
}

test('names are read once, and then updated by the changes that are reported', async () => {
  const { connection, known, list, change, reads } = await setUp()
  await connection.run('CREATE TABLE a (i int)')
  expect(await list()).toEqual(['a'])
  await connection.run('CREATE TABLE b (i int)')
  known.took([change('created', 'b')], known.position)
  expect(await list()).toEqual(['a', 'b'])
  expect(reads()).toBe(1)
  known.doubt()
  expect(await list()).toEqual(['a', 'b'])
  expect(reads()).toBe(2)
})

test('what two did with one name at the same time is looked at again', async () => {
  const { connection, known, list, change, reads } = await setUp()
  expect(await list()).toEqual([])
  const [one, other] = [known.position, known.position]
  await connection.run('CREATE TABLE a (i int)')
  await connection.run('DROP TABLE a')
  // Reported in the wrong order.
  known.took([change('dropped', 'a')], other)
  known.took([change('created', 'a')], one)
  expect(await list()).toEqual([])
  expect(reads()).toBe(2)
})

test('a change that was under way during a doubt is not trusted', async () => {
  const { connection, known, list, change, reads } = await setUp()
  const since = known.position
  await connection.run('CREATE TABLE a (i int)')
  await connection.run('DROP TABLE a')
  known.doubt()
  expect(await list()).toEqual([])
  known.took([change('created', 'a')], since)
  expect(await list()).toEqual([])
  expect(reads()).toBe(2)
})

test('what takes effect while names are read is among them', async () => {
  const { connection, known, list, change } = await setUp()
  const [first, second] = [list(), list()]
  await connection.run('CREATE TABLE a (i int)')
  known.took([change('created', 'a')], known.position)
  expect(await list()).toEqual(['a'])
  for (const names of [await first, await second]) expect([[], ['a']]).toContainEqual(names)
  known.took(
    Array.from({ length: 12_000 }, (_, at) => change('created', `n${at}`)),
    known.position,
  )
  expect(await list()).toHaveLength(1000)
  known.took([change('dropped', 'n1')], 0)
  expect(await list()).toEqual(['a'])
})

test('a catalog that goes while it is read is no catalog without databases', async () => {
  let name: string | null = 'gone'
  const { known } = await setUp({ keptCatalog: () => name })
  const databases = () => known.page({ catalog: 'asked', of: 'databases', page: WHOLE })
  expect(await databases()).toBeNull()
  name = 'memory'
  expect(await databases()).toMatchObject({ list: [{ name: 'main' }] })
  known.doubt()
  const reading = databases()
  name = null
  known.doubt()
  expect(await reading).toBeNull()
})

test('many who ask while names change all the time read them together', async () => {
  const { connection, known, list, reads } = await setUp()
  await connection.run('CREATE TABLE a (i int)')
  const apply = known['readAndKeep'].bind(known)
  vi.spyOn(known as unknown as { readAndKeep: typeof apply }, 'readAndKeep').mockImplementation((catalog) => {
    const reading = apply(catalog)
    known.doubt()
    return reading
  })
  const all = await Promise.all(Array.from({ length: 20 }, list))
  expect(all).toEqual(Array.from({ length: 20 }, () => ['a']))
  expect(reads()).toBeLessThan(6)
})

test('names that take too long to read, or are too many, are not had from here', async () => {
  const slow = await setUp({ readingMs: 1 })
  const sql = `SELECT string_agg(format('CREATE TABLE t{} (i int)', i), ';') FROM range(3000) r(i)`
  await slow.connection.run(String((await slow.connection.runAndReadAll(sql)).getRows()[0]?.[0]))
  expect(await slow.list()).toBeUndefined()
  const many = await setUp({ mostNames: 2 })
  await many.connection.run('CREATE TABLE a (i int)')
  expect(await many.list()).toEqual(['a'])
  await many.connection.run('CREATE TABLE b (i int)')
  many.known.doubt()
  expect(await many.list()).toBeUndefined()
})
