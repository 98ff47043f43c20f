import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import {
  type OpenFixture,
  cell,
  cells,
  failure,
  openSession,
  ownEngine,
  rowsOf,
  type SharedEngine,
  sharedEngine,
  testSpace,
} from '../../conformance/fixture.ts'

const DEEP_LIST = `repeat('[', 100000) || repeat(']', 100000)`
const DEEP_OBJECT = `repeat('{"a":', 100000) || '1' || repeat('}', 100000)`

const TOO_MUCH: readonly (readonly [sql: string, words: RegExp])[] = [
  [`SELECT length(repeat('x', 2000000000))`, /^repeat\(\) makes at most 16,777,216 characters/],
  [`SELECT length(repeat('x', i::BIGINT)) FROM range(16777217, 16777218) t(i)`, /^repeat\(\) makes at most/],
  [`SELECT repeat(repeat('x', 10000), 10000)`, /^repeat\(\) makes at most/],
  [`SELECT list_transform([20000000], lambda n: repeat('x', n))`, /^repeat\(\) makes at most/],
  [`SELECT lpad('a', 2000000000, 'b')`, /^lpad\(\) makes at most/],
  [`SELECT rpad('a', 2000000000, 'b')`, /^rpad\(\) makes at most/],
  [`SELECT len(range(2000000000))`, /^range\(\) makes a list of at most 16,777,216 items/],
  [`SELECT len(generate_series(1, 2000000000))`, /^generate_series\(\) makes a list of at most/],
  [`SELECT levenshtein(repeat('a', 5000), repeat('b', 5000))`, /^levenshtein\(\) compares texts/],
  [`SELECT json_structure(${DEEP_LIST})`, /can be nested 100 levels deep at most for json_structure\(\)/],
  [`SELECT json_structure(${DEEP_OBJECT})`, /can be nested 100 levels deep/],
  [`SELECT json_merge_patch('{}', ${DEEP_OBJECT})`, /can be nested 100 levels deep/],
  [`SELECT json_pretty((${DEEP_LIST})::JSON)`, /can be nested 100 levels deep/],
]

/** DuckDB's own places of the same functions. */
const AROUND = [
  `SELECT system.main.repeat('x', 3)`,
  `SELECT main.repeat('x', 3)`,
  `SELECT system . /* ; */ "Main" . "REPEAT"('x', 3)`,
  `CREATE VIEW around AS SELECT system.repeat('x', 3)`,
  `FROM main.duckdb_tables()`,
  `FROM system.main.duckdb_tables`,
  `SELECT pg_catalog.current_query()`,
  `SET search_path = 'main'`,
]

const NOT_SHOWN = [
  'FROM duckdb_secrets()',
  'FROM duckdb_memory()',
  'FROM duckdb_extensions()',
  'FROM duckdb_variables()',
  'FROM duckdb_logs',
  'FROM pg_catalog.pg_prepared_statements',
  'SELECT current_query()',
  'SELECT get_type(1)',
]

const LISTINGS = [
  'duckdb_columns()',
  'duckdb_constraints()',
  'duckdb_databases()',
  'duckdb_functions() WHERE NOT internal',
  'duckdb_indexes()',
  'duckdb_schemas()',
  'duckdb_sequences()',
  'duckdb_settings()',
  'duckdb_tables()',
  'duckdb_tables',
  'duckdb_views() WHERE NOT internal',
  'information_schema.columns',
  'information_schema.schemata',
  'information_schema.tables',
  'system.information_schema.tables',
  'information_schema.table_constraints',
  'pg_catalog.pg_attribute',
  'pg_catalog.pg_class',
  'pg_catalog.pg_constraint',
  'pg_catalog.pg_database',
  'pg_catalog.pg_namespace',
  'pg_catalog.pg_settings',
  'pg_catalog.pg_tables',
  'sqlite_master',
  '(SHOW ALL TABLES)',
]

/** How much one value may be. */
function limitTests(shared: SharedEngine): void {
  test.each(TOO_MUCH)('says in words that one value would be too much: %s', async (sql, words) => {
    const session = await openSession(shared.engine())
    expect(await failure(session, sql)).toMatchObject({ kind: 'data', message: expect.stringMatching(words) })
  })

  test('functions with a limit are what they were below it', async () => {
    const session = await openSession(shared.engine())
    const sql = `SELECT repeat('ab', 2), repeat([1], 2), repeat(NULL, 2), lpad('7', 3, '0'), rpad('7', 3, '0'), range(3),
      generate_series(1, 2), range(0, 10, 5), levenshtein('ab', 'ba'), json_structure('[1]'),
      json_merge_patch('{"a":1}', '{"b":2}')`
    expect(await cells(session, sql)).toEqual([
      [
        'abab',
        '[1, 1]',
        null,
        '007',
        '700',
        '[0, 1, 2]',
        '[1, 2]',
        '[0, 5]',
        '2',
        '["UBIGINT"]',
        '{"a":1,"b":2}',
      ],
    ])
    const { columns } = await rowsOf(session, `SELECT repeat('x', 3)`)
    expect(columns.map(({ name }) => name)).toEqual([`repeat('x', 3)`])
    const wide = `SELECT length(json_structure('[' || repeat('{"a":[1]},', 20000) || '1]'))`
    expect(Number(await cell(session, wide))).toBeGreaterThan(0)
  })

  test('limits hold in every database, in views, macros and defaults', async () => {
    const session = await openSession(shared.engine())
    for (const sql of [
      'CREATE SCHEMA guarded',
      'USE guarded',
      `CREATE VIEW v AS SELECT repeat('x', 20000000) AS r`,
      `CREATE MACRO m(n) AS repeat('x', n)`,
      `CREATE TABLE t (i INTEGER, r VARCHAR DEFAULT repeat('x', 20000000))`,
    ])
      await rowsOf(session, sql)
    for (const sql of [
      'SELECT length(r) FROM v',
      'SELECT length(m(20000000))',
      'INSERT INTO t (i) VALUES (1)',
    ])
      expect(await failure(session, sql)).toMatchObject({
        message: expect.stringMatching(/^repeat\(\) makes/),
      })
  })
}

/** Functions of the service are called, and none of DuckDB in their place. */
function wayAroundTests(shared: SharedEngine): void {
  test.each(AROUND)('there is no way around: %s', async (sql) => {
    const session = await openSession(shared.engine())
    expect(await failure(session, sql)).toMatchObject({ kind: 'permission' })
  })

  test.each(NOT_SHOWN)('says that it is not available: %s', async (sql) => {
    const session = await openSession(shared.engine())
    expect(await failure(session, sql)).toMatchObject({
      kind: 'permission',
      message: expect.stringContaining('() is not available'),
    })
  })
}

/** What lists show of the service and the machine. */
function listingTests(shared: SharedEngine): void {
  test.each(LISTINGS)('shows nothing of the service nor of the machine: %s', async (listing) => {
    const session = await openSession(shared.engine())
    await rowsOf(session, 'CREATE TABLE IF NOT EXISTS mine (i INTEGER PRIMARY KEY)')
    const text = JSON.stringify(await cells(session, `FROM ${listing}`))
    expect(text).not.toMatch(/boathouse_internal|marked_at/)
    expect(text).not.toContain(dirname(shared.directory()))
  })

  test('reports in which databases names are looked for, without places of the service', async () => {
    const session = await openSession(shared.engine())
    const asked = 'SELECT current_schemas(false), current_schemas(true), current_schemas(NULL)'
    const schemas = [['[main]', '[main, main, main, main, pg_catalog]', null]]
    expect(await cells(session, asked)).toEqual(schemas)
    expect(await cells(session, `${asked} FROM information_schema.engines LIMIT 1`)).toEqual(schemas)
    await rowsOf(session, 'CREATE SCHEMA stands_here')
    await rowsOf(session, 'USE stands_here')
    expect(await cells(session, 'SELECT current_schemas(false)')).toEqual([['[stands_here]']])
  })

  test('shows a user their own tables and name', async () => {
    const session = await openSession(shared.engine(), { user: "Anna O'Neill" })
    await rowsOf(session, 'CREATE TABLE IF NOT EXISTS mine (i INTEGER PRIMARY KEY)')
    for (const listing of ['duckdb_tables()', 'information_schema.tables', 'pg_catalog.pg_tables'])
      expect(JSON.stringify(await cells(session, `FROM ${listing}`))).toContain('mine')
    const names = await cells(session, 'SELECT current_user, user, session_user')
    expect(new Set(names.flat())).toEqual(new Set(["Anna O'Neill"]))
  })
}

/** What users define with what is guarded. */
function definedTests(shared: SharedEngine, open: OpenFixture): void {
  test('what was defined with a guarded function is there after the engine has ended in the middle', async () => {
    const fixture = await open()
    const space = await testSpace()
    const engine = await ownEngine(fixture, space)
    const session = await openSession(engine)
    for (const sql of [
      `CREATE TABLE t (s VARCHAR DEFAULT repeat('x', 2), g VARCHAR AS (lpad(s, 3, '0')), CHECK (length(repeat(s, 2)) < 9))`,
      `CREATE INDEX by_repeated ON t (repeat(s, 2))`,
      `CREATE VIEW v AS SELECT repeat(s, 3) AS r FROM t`,
      `INSERT INTO t VALUES ('a')`,
    ])
      await rowsOf(session, sql)
    fixture.kill(engine)
    await engine.lost
    const again = await openSession(await ownEngine(fixture, space))
    await rowsOf(again, 'INSERT INTO t DEFAULT VALUES')
    expect(await cells(again, 'SELECT s, g, r FROM t, v WHERE r = repeat(s, 3) ORDER BY s')).toEqual([
      ['a', '00a', 'aaa'],
      ['xx', '0xx', 'xxxxxx'],
    ])
  })

  test("what is made in main is the account's own, wherever the session stands", async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, 'CREATE SCHEMA boats')
    const inBoats = await openSession(shared.engine(), { database: 'boats' })
    await rowsOf(inBoats, 'CREATE TABLE main.moored AS SELECT 1 AS n')
    await rowsOf(inBoats, 'CREATE VIEW main.seen AS SELECT n FROM main.moored')
    expect(await cell(session, 'SELECT n FROM default_catalog.main.moored')).toBe('1')
    expect(await cell(session, 'SELECT n FROM default_catalog.main.seen')).toBe('1')
  })
}

/** What one statement can do to others, and what it sees of the service. */
export function guardTests(open: OpenFixture): void {
  const shared = sharedEngine(open)
  limitTests(shared)
  wayAroundTests(shared)
  listingTests(shared)
  definedTests(shared, open)
}
