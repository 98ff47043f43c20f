import { describe, expect, test } from 'vitest'
import { EVERY_NAME, type ListedName, type ObjectName } from '../../engine/objects.ts'
import { definitionIn } from './definitions.ts'
import { findUses, requireListed } from './object-uses.ts'
import { probeOf } from './probes.ts'
import { referencesIn } from './references.ts'
import { limited, purposeOf, readStatement } from './statement-kind.ts'
import { tokensOf } from './tokens.ts'

const PLACE = { catalog: 'lake', schema: 'main' }

const pathOf = ({ type, catalog, database, name }: ObjectName): string =>
  `${type} ${[catalog, database, name].filter((part) => part !== null).join('.')}`

describe('tokens', () => {
  test.each([
    [`SELECT 'a--b' -- c`, ['SELECT', `'a--b'`]],
    [`SELECT 'it''s \\' FROM t`, ['SELECT', `'it''s \\'`, 'FROM', 'T']],
    [`SELECT 1.FROM t`, ['SELECT', '1.', 'FROM', 'T']],
    [`SELECT 1e5, 2.5E-3, a1.b`, ['SELECT', '1e5', ',', '2.5E-3', ',', 'A1', '.', 'B']],
    [`/* a /* b */ c "d""e" */`, ['C', '"d""e"', '*', '/']],
    [`U&'\\0041' X'00' "é"`, [`U&'\\0041'`, `X'00'`, '"é"']],
    ['`a` # é', ['`', 'A', '`', '#', 'é']],
    [`'open`, [`'`, 'OPEN']],
  ])('are those that the server finds: %s', (sql, texts) => {
    expect(tokensOf(sql).map(({ text }) => text)).toEqual(texts)
  })

  test('are found in texts of megabytes', () => {
    expect(tokensOf(`SELECT '${"x''".repeat(300_000)}'`)).toHaveLength(2)
  })
})

describe('what a statement is for', () => {
  test.each([
    ['select 1', 'reads'],
    ['(SELECT 1)', 'reads'],
    ['WITH a AS (SELECT 1) SELECT * FROM a', 'reads'],
    ['/* INSERT */ -- x\n VALUES 1', 'reads'],
    ['EXPLAIN SELECT 1', 'reads'],
    ['EXPLAIN (TYPE IO, FORMAT JSON) INSERT INTO t SELECT 1', 'reads'],
    ['EXPLAIN (SELECT 1)', 'reads'],
    ['EXPLAIN ANALYZE SELECT 1', 'reads'],
    ['EXPLAIN ANALYZE VERBOSE DELETE FROM t', 'writes'],
    ['EXPLAIN ANALYZE INSERT INTO t SELECT 1', 'writes'],
    ['insert into t select 1', 'writes'],
    ['CREATE OR REPLACE TABLE t AS SELECT 1', 'writes'],
    ['START TRANSACTION READ ONLY', 'session'],
    ['EXPLAIN EXPLAIN SELECT 1', null],
    ['EXPLAIN CALL x()', null],
    ['CALL system.sync()', null],
    ["EXECUTE IMMEDIATE 'DROP TABLE t'", null],
    ['PREPARE p FROM DROP TABLE t', null],
    ['CREATE CATALOG c USING memory', null],
    ['CREATE FUNCTION f() RETURNS int RETURN 1', null],
    ['CREATE MATERIALIZED VIEW v AS SELECT 1', null],
    ['SET SESSION AUTHORIZATION admin', null],
    ['GRANT SELECT ON t TO anna', null],
    ['SHOW CREATE TABLE t', null],
    ['SELECTED', null],
    ['"SELECT" 1', null],
  ])('%s: %s', (sql, purpose) => {
    expect(purposeOf(readStatement(sql))).toBe(purpose)
  })

  test.each(['', ';', '-- nothing', '/* nothing */ ;'])('there is none in %j', (sql) => {
    expect(() => readStatement(sql)).toThrow('no statement')
  })
})

test.each([
  ['SELECT 1;', 'SELECT 1\nLIMIT 5'],
  ['SELECT 1 -- all', 'SELECT 1\nLIMIT 5'],
  ['SELECT * FROM (SELECT 1 LIMIT 3)', 'SELECT * FROM (SELECT 1 LIMIT 3)\nLIMIT 5'],
  ['SELECT 1 ORDER BY 1 OFFSET 2', 'SELECT 1 ORDER BY 1 OFFSET 2\nLIMIT 5'],
  ['SELECT 1 LIMIT 3', 'SELECT 1 LIMIT 3'],
  ['SELECT 1 FETCH FIRST ROW ONLY', 'SELECT 1 FETCH FIRST ROW ONLY'],
  ['SELECT "LIMIT" FROM t', 'SELECT "LIMIT" FROM t\nLIMIT 5'],
  ['EXPLAIN SELECT 1', 'EXPLAIN SELECT 1'],
])('puts the limit of rows into the plan: %s', (sql, sent) => {
  expect(limited(readStatement(sql), 5)).toBe(sent)
})

describe('a definition', () => {
  const usesOf = (sql: string) =>
    definitionIn(readStatement(sql), PLACE)?.uses.map(({ action, object }) => `${action} ${pathOf(object)}`)

  test.each([
    ['CREATE TABLE T (i INT)', ['create table lake.main.t']],
    ['CREATE TABLE IF NOT EXISTS a."B c".d (i INT)', ['create table a.b c.d']],
    ['CREATE OR REPLACE TABLE t AS SELECT 1', ['create table lake.main.t', 'drop table lake.main.t']],
    [`CREATE TABLE t (d timestamp(3) with time zone) WITH (format = 'ORC')`, ['create table lake.main.t']],
    [`CREATE VIEW x.v COMMENT 'AS' SECURITY DEFINER AS SELECT 1`, ['create view lake.x.v']],
    ['DROP VIEW IF EXISTS v', ['drop view lake.main.v']],
    ['ALTER TABLE t ADD COLUMN a INT', ['alter table lake.main.t']],
    ['ALTER TABLE x.t RENAME TO u', ['alter table lake.x.t', 'create table lake.x.u']],
    ['ALTER TABLE t EXECUTE optimize', ['alter table lake.main.t']],
    ['TRUNCATE TABLE t', ['delete table lake.main.t']],
    [`COMMENT ON COLUMN a.b.c.d IS 'x'`, ['alter table a.b.c']],
    ['CREATE SCHEMA x', ['create database lake.x']],
    ['DROP SCHEMA IF EXISTS a.x CASCADE', ['drop database a.x']],
  ])('names its objects: %s', (sql, uses) => {
    expect(usesOf(sql)).toEqual(uses)
  })

  test.each([
    `CREATE TABLE t (i INT) WITH (location = 's3://others/')`,
    `CREATE TABLE t WITH (format = 'ORC', "location" = 'x') AS SELECT 1`,
    `CREATE SCHEMA s WITH (location = 's3://others/')`,
    'CREATE SCHEMA s AUTHORIZATION admin',
    `ALTER TABLE t SET PROPERTIES location = 'x'`,
    'ALTER TABLE t SET AUTHORIZATION admin',
    `ALTER TABLE t EXECUTE add_files(location => 's3://others/', format => 'ORC')`,
    'CREATE TABLE t (LIKE secret INCLUDING PROPERTIES)',
    'CREATE VIEW v SECURITY INVOKER AS SELECT 1',
    "COMMENT ON SCHEMA s IS 'x'",
  ])('is refused where it reaches beyond the account, or its objects cannot be known: %s', (sql) => {
    expect(() => usesOf(sql)).toThrow(/\./)
  })
})

describe('a statement that changes rows is analyzed as a query of what it reads', () => {
  test.each([
    ['INSERT INTO a.t (b, "c") SELECT 1, 2', 'SELECT 1, 2'],
    ['INSERT INTO t (SELECT 1)', '(SELECT 1)'],
    ['INSERT INTO t WITH a AS (SELECT 1) SELECT * FROM a', 'WITH a AS (SELECT 1) SELECT * FROM a'],
    ['INSERT INTO t VALUES (1)', 'VALUES (1)'],
    ['DELETE FROM t', 'SELECT 1 FROM t'],
    ['DELETE FROM t WHERE i IN (SELECT i FROM s)', 'SELECT 1 FROM t WHERE i IN (SELECT i FROM s)'],
    ['UPDATE t SET i = 1', 'SELECT (\n1\n) FROM t'],
    [
      'UPDATE a.t SET "i" = f(1, 2), j = ARRAY[1, 2][1] WHERE i = (SELECT 1 WHERE true)',
      'SELECT (\nf(1, 2)\n), (\nARRAY[1, 2][1]\n) FROM a.t\nWHERE i = (SELECT 1 WHERE true)',
    ],
    [
      'MERGE INTO t AS a USING (SELECT 1 i) b ON a.i = b.i WHEN MATCHED THEN UPDATE SET i = b.i',
      'SELECT 1 FROM t AS a JOIN (SELECT 1 i) b ON a.i = b.i',
    ],
  ])('%s', (sql, probe) => {
    expect(probeOf(readStatement(sql))?.sql).toBe(probe)
  })

  test.each([
    'INSERT INTO t',
    'INSERT INTO t (a, b)',
    'INSERT INTO t DEFAULT VALUES',
    'UPDATE t SET',
    'UPDATE t SET i',
    'UPDATE t SET i = , j = 1',
    'UPDATE t AS a SET i = 1',
    'MERGE INTO t USING s ON true',
    'MERGE INTO t USING s ON true WHEN MATCHED AND i = (SELECT 1 FROM secret) THEN DELETE',
    'MERGE INTO t USING s ON true WHEN MATCHED THEN UPDATE SET i = (TABLE secret)',
  ])('and is refused where that is not all: %s', (sql) => {
    expect(() => probeOf(readStatement(sql))).toThrow(/\./)
  })
})

describe('what a statement reads', () => {
  const table = (name: string, more: object = {}) => ({
    catalog: 'lake',
    schema: 'main',
    table: name,
    columns: [],
    directlyReferenced: true,
    referenceChain: [],
    ...more,
  })
  const info = (...referencedTables: readonly unknown[]) => JSON.stringify({ referencedTables })

  test('is what the analyzer has found, with the view that reads it', () => {
    const link = (viewName: string) => ({ catalogName: 'lake', schemaName: 'main', viewName })
    const chain = [link('v'), link('w')]
    const read = referencesIn(
      info(
        table('v', { viewText: 'SELECT 1' }),
        table('t', { directlyReferenced: false, referenceChain: chain }),
        table('t$snapshots'),
      ),
    )
    expect(read.map(({ object, through }) => [pathOf(object), through && pathOf(through)])).toEqual([
      ['view lake.main.v', null],
      ['table lake.main.t', 'view lake.main.v'],
      ['table lake.main.t', null],
    ])
  })

  test.each([
    '{}',
    info(null),
    info(table('')),
    info({ ...table('t'), catalog: undefined }),
    info(table('t', { directlyReferenced: false })),
    info(table('t', { referenceChain: undefined })),
    info(table('t', { directlyReferenced: false, referenceChain: [{ expression: 'x' }] })),
  ])('is refused where it cannot be known: %s', (json) => {
    expect(() => referencesIn(json)).toThrow('could not be determined')
  })

  const finding = (references: readonly unknown[]) => ({
    place: PLACE,
    mayAll: false,
    analyze: async () => ({ references: referencesIn(info(...references)), columns: [] }),
  })
  const usesOf = async (sql: string, ...references: readonly unknown[]) =>
    (await findUses(readStatement(sql), finding(references))).uses.map(
      ({ action, object }) => `${action} ${pathOf(object)}`,
    )

  test('is reported of what writes, with the table that it changes', async () => {
    const used = table('t', { columns: [{ column: 'i' }] })
    expect(await usesOf('INSERT INTO t SELECT * FROM s', table('s'))).toEqual([
      'read table lake.main.s',
      'insert table lake.main.t',
    ])
    expect(await usesOf('INSERT INTO t SELECT * FROM t', used)).toEqual([
      'read table lake.main.t',
      'insert table lake.main.t',
    ])
    expect(await usesOf('DELETE FROM t', table('t'))).toEqual(['delete table lake.main.t'])
    expect(await usesOf('UPDATE t SET i = i + 1', used)).toEqual([
      'read table lake.main.t',
      'update table lake.main.t',
    ])
  })

  test.each([['SELECT * FROM system.runtime.queries', { catalog: 'system' }]])(
    'is refused where it lists what others have: %s',
    async (sql, where) => {
      await expect(usesOf(sql, table('x', where))).rejects.toThrow('lists of this engine')
    },
  )

  test.each([
    "SELECT * FROM TABLE(lake.system.table_changes(schema_name => 'main', table_name => 'secret'))",
    "SELECT * FROM TABLE(query(query => 'SELECT 1'))",
    'SELECT * FROM TABLE(sequence(0, 1))',
  ])('is refused where a function reads what is not reported: %s', async (sql) => {
    await expect(usesOf(sql)).rejects.toThrow('table function')
  })

  test('may come from functions that read nothing', async () => {
    expect(
      await usesOf(
        'SELECT * FROM TABLE(exclude_columns(input => TABLE(t), columns => DESCRIPTOR(i)))',
        table('t'),
      ),
    ).toEqual(['read table lake.main.t'])
  })

  test.each(['GRANT SELECT ON t TO anna', 'CALL x()', 'SHOW SESSION'])(
    'is refused of a statement that nobody understands: %s',
    async (sql) => {
      await expect(usesOf(sql)).rejects.toThrow('Only a database administrator')
    },
  )
})

describe('information_schema', () => {
  const object = {
    type: 'listing',
    catalog: 'sales',
    database: 'information_schema',
    name: 'tables',
  } as const
  const reading =
    (...listed: readonly ListedName[]) =>
    () =>
      requireListed([{ action: 'read', object, through: null }], listed)
  const all = (type: ListedName['type'], catalog = 'sales', database = ''): ListedName => ({
    type,
    catalog,
    database,
    name: '',
  })

  test('is for those who may see all of its catalog', () => {
    const refusal = 'information_schema of the catalog sales shows all names in it'
    expect(reading()).toThrow(refusal)
    expect(reading(all('table'))).toThrow(refusal)
    expect(reading(all('table', 'web'), all('view', 'web'))).toThrow(refusal)
    expect(reading(all('table', 'sales', 'shop'), all('view', 'sales', 'shop'))).toThrow(refusal)
    expect(reading({ ...all('table'), name: 'orders' }, all('view'))).toThrow(refusal)
    expect(
      reading(...EVERY_NAME, { type: 'hidden', catalog: 'sales', database: 'shop', name: 'mv' }),
    ).toThrow(refusal)
    expect(reading(all('table'), all('view'))).not.toThrow()
    expect(reading(...EVERY_NAME)).not.toThrow()
  })

  test('of a statement is a list, and those of the cluster itself are refused', async () => {
    const uses = (catalog: string, database: string) =>
      findUses(readStatement('SELECT 1 FROM t'), {
        place: PLACE,
        mayAll: false,
        analyze: async () => ({
          columns: [],
          references: [
            {
              object: { type: 'table', catalog, database, name: 'tables' },
              through: null,
              usesColumns: true,
            },
          ],
        }),
      })
    expect((await uses('sales', 'information_schema')).uses).toMatchObject([{ action: 'read', object }])
    await expect(uses('system', 'runtime')).rejects.toThrow('Only a database administrator')
    await expect(uses('system', 'information_schema')).rejects.toThrow('Only a database administrator')
  })
})
