import { CODES } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp } from '../../../testing/start-app.ts'

const OK = CODES.Ok.code

const setUp = async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const grace = await app.user()
  const [adminChannel, graceChannel] = [await admin.channel(), await grace.channel()]
  const connected = async (channel: typeof adminChannel) => {
    const connId = (await channel.run('SELECT 1'))[0]?.connId ?? 0
    return async (sql: string) => (await channel.run(sql, { connId })).at(-1)!
  }
  const [asAdmin, asGrace] = [await connected(adminChannel), await connected(graceChannel)]
  for (const sql of [
    'CREATE DATABASE yard',
    'CREATE TABLE boats (a INT PRIMARY KEY, b VARCHAR NOT NULL)',
    'CREATE TABLE oars (a INT REFERENCES boats (a))',
    'CREATE TABLE yard.secrets (s INT)',
    'CREATE VIEW fleet AS FROM boats',
    'CREATE VIEW hidden AS FROM yard.secrets',
    'CREATE SEQUENCE counter',
    'CREATE MACRO twice(x) AS x * 2',
    'CREATE INDEX by_secret ON yard.secrets (s)',
    "COMMENT ON TABLE yard.secrets IS 'where secrets are'",
    'CREATE VIEW every_table AS SELECT table_name FROM information_schema.tables',
    'CREATE VIEW every_function AS SELECT function_name FROM duckdb_functions() WHERE NOT internal',
    'CREATE MACRO tables_by_macro() AS TABLE SELECT table_name FROM duckdb_tables()',
    `GRANT SELECT ON VIEW every_table TO ${grace.name}`,
    `GRANT SELECT ON VIEW every_function TO ${grace.name}`,
    `GRANT USAGE ON FUNCTION tables_by_macro TO ${grace.name}`,
    `GRANT SELECT ON boats TO ${grace.name}`,
  ])
    expect([sql, (await asAdmin(sql)).errMsg]).toEqual([sql, ''])
  return { app, grace, asAdmin, asGrace }
}

/** Everything that lists names, as somebody would try it. */
const LISTINGS = [
  'SELECT * FROM information_schema.tables',
  'SELECT * FROM information_schema.columns',
  'SELECT * FROM information_schema.schemata',
  'SELECT * FROM information_schema.table_constraints',
  'SELECT * FROM information_schema.key_column_usage',
  'SELECT * FROM information_schema.referential_constraints',
  'SELECT * FROM system.information_schema.tables',
  'SELECT * FROM duckdb_tables()',
  'SELECT * FROM duckdb_tables',
  'SELECT * FROM duckdb_columns()',
  'SELECT * FROM duckdb_columns',
  'SELECT * FROM duckdb_views()',
  'SELECT * FROM duckdb_schemas()',
  'SELECT * FROM duckdb_constraints()',
  'SELECT * FROM duckdb_indexes()',
  'SELECT * FROM duckdb_sequences()',
  'SELECT * FROM duckdb_types()',
  'SELECT * FROM duckdb_functions() WHERE NOT internal',
  'SELECT * FROM pg_catalog.pg_tables',
  'SELECT * FROM pg_catalog.pg_class',
  'SELECT * FROM pg_catalog.pg_attribute',
  'SELECT * FROM pg_catalog.pg_namespace',
  'SELECT * FROM pg_catalog.pg_views',
  'SELECT * FROM pg_catalog.pg_index',
  'SELECT * FROM pg_catalog.pg_constraint',
  'SELECT * FROM pg_catalog.pg_description',
  'SELECT * FROM pg_catalog.pg_sequences',
  'SELECT * FROM sqlite_master',
  'SELECT * FROM sqlite_schema',
  'FROM (SHOW TABLES)',
  'FROM (SHOW ALL TABLES)',
  'FROM (SHOW DATABASES)',
  'SHOW TABLES',
  'SHOW TABLES FROM yard',
  'SHOW ALL TABLES',
  'SHOW DATABASES',
  `SELECT * FROM pragma_table_info('yard.secrets')`,
  `SELECT * FROM pragma_table_info('default_catalog.yard.secrets')`,
  `SELECT * FROM pragma_show('yard.secrets')`,
  'SELECT * FROM every_table',
  'SELECT * FROM every_function',
  'SELECT * FROM tables_by_macro()',
  'WITH duckdb_tables AS (SELECT 1) SELECT * FROM duckdb_tables()',
  'SELECT (SELECT string_agg(table_name) FROM duckdb_tables())',
  'SELECT x.* FROM duckdb_tables() AS x, duckdb_tables() AS y',
  'PIVOT (FROM duckdb_tables()) ON schema_name USING count(*)',
  `SELECT * FROM query_table('duckdb_tables')`,
  `SELECT * FROM histogram('duckdb_tables', 'table_name')`,
  'DESCRIBE yard.secrets',
  'DESCRIBE SELECT * FROM yard.secrets',
  'SELECT * FROM secret',
  'SELECT * FROM yard.secret',
  'SELECT hidde FROM hidde',
  'SELECT twic(2)',
] as const

const NAMES = /secrets|hidden|yard|counter|twice|by_secret|boathouse_internal/i

test('nothing names an object that the requester has no access to', async () => {
  const { asGrace } = await setUp()
  const leaks: unknown[] = []
  for (const sql of LISTINGS) {
    const { result, errMsg, fields } = await asGrace(sql)
    // Names of the question itself may be repeated.
    const asked = (sql.match(/\w+/g) ?? []).filter((word) => NAMES.test(word))
    const shown = asked.reduce(
      (text, word) => text.replaceAll(word, ''),
      JSON.stringify([result, errMsg, fields]),
    )
    if (NAMES.test(shown)) leaks.push([sql, shown.slice(0, 300)])
  }
  expect(leaks).toEqual([])
})

test('pain 27: one sees what one holds something on, wherever names are listed', async () => {
  const { asAdmin, grace, asGrace } = await setUp()
  const names = async (sql: string) => (await asGrace(sql)).result.map(([name]) => name ?? '').sort()
  const tables = `SELECT table_name FROM information_schema.tables WHERE table_schema = 'main'`
  expect(await names(tables)).toEqual(['boats', 'every_function', 'every_table'])
  expect(await names('SELECT table_name FROM duckdb_tables()')).toEqual(['boats'])
  expect(await names('SELECT * FROM every_table')).toEqual(['boats', 'every_function', 'every_table'])
  expect(await names('SELECT * FROM tables_by_macro()')).toEqual(['boats'])
  expect(await names(`SELECT column_name FROM duckdb_columns() WHERE table_name = 'boats'`)).toEqual([
    'a',
    'b',
  ])
  expect(await names(`SELECT name FROM pragma_table_info('boats')`)).toEqual(['a', 'b'])
  expect(await names('SHOW DATABASES')).toEqual(['main'])

  await asAdmin(`GRANT SELECT ON ALL TABLES IN DATABASE yard TO ${grace.name}`)
  expect(await names('SELECT table_name FROM duckdb_tables()')).toEqual(['boats', 'secrets'])
  expect(await names('SELECT schema_name FROM duckdb_schemas() WHERE NOT internal')).toEqual(['yard'])
  await asAdmin(`REVOKE SELECT ON ALL TABLES IN DATABASE yard FROM ${grace.name}`)
  expect(await names('SELECT table_name FROM duckdb_tables()')).toEqual(['boats'])
  await asAdmin(`GRANT SELECT ON ALL VIEWS TO ${grace.name}`)
  expect(await names('SELECT view_name FROM duckdb_views() WHERE NOT internal')).toEqual([
    'every_function',
    'every_table',
    'fleet',
    'hidden',
  ])
  expect(await names('SELECT table_name FROM duckdb_tables()')).toEqual(['boats'])
  await asAdmin(`GRANT CREATE TABLE ON DATABASE main TO ${grace.name}`)
  expect(await names('SELECT sequence_name FROM duckdb_sequences()')).toEqual(['counter'])
})

test('an administrator of data sees all, and no longer without the role', async () => {
  const { asAdmin } = await setUp()
  const count = async () => (await asAdmin(`SELECT count(*) FROM duckdb_tables() WHERE NOT temporary`)).result
  expect(await count()).toEqual([['3']])
  await asAdmin('SET ROLE user_admin')
  expect(await count()).toEqual([['0']])
  await asAdmin('SET ROLE ALL')
  expect(await count()).toEqual([['3']])
})

test('objects of your own session are visible: temporary tables, also in a transaction', async () => {
  const { asGrace } = await setUp()
  await asGrace('CREATE TEMP TABLE mine (a INT)')
  const names = async () => (await asGrace(`SELECT table_name FROM duckdb_tables() ORDER BY 1`)).result.flat()
  expect(await names()).toEqual(['boats', 'mine'])
  await asGrace('BEGIN')
  await asGrace('CREATE TEMP TABLE more (a INT)')
  expect(await names()).toEqual(['boats', 'mine', 'more'])
  await asGrace('ROLLBACK')
  expect(await names()).toEqual(['boats', 'mine'])
})

test('what is listed can be counted, joined and kept like any other rows', async () => {
  const { asGrace } = await setUp()
  const joined = await asGrace(
    `SELECT t.table_name, count(*) FROM information_schema.tables t JOIN information_schema.columns c
     USING (table_schema, table_name) WHERE table_type = 'BASE TABLE' GROUP BY ALL`,
  )
  expect(joined).toMatchObject({ errCode: OK, result: [['boats', '2']], resultKept: true })
})

test('settings and catalogs are shown as they are for a session, without the machine', async () => {
  const { asGrace } = await setUp()
  await asGrace('SET default_order = DESC')
  const { errMsg, result } = await asGrace(
    'SELECT name, value FROM duckdb_settings() ORDER BY lower(name) ASC',
  )
  expect([errMsg, result.map(([name]) => name?.toLowerCase())]).toEqual([
    '',
    [
      'calendar',
      'default_collation',
      'default_null_order',
      'default_order',
      'ieee_floating_point_ops',
      'integer_division',
      'memory_limit',
      'threads',
      'timezone',
    ],
  ])
  expect(result.find(([name]) => name === 'default_order')?.[1]).toMatch(/^DESC/)
  const seen = await asGrace('SELECT * FROM duckdb_databases() ORDER BY 1 ASC')
  expect([seen.errMsg, seen.result.map(([name]) => name)]).toEqual([
    '',
    ['default_catalog', 'system', 'temp'],
  ])
  expect(
    (await asGrace(`SELECT oid FROM pg_type WHERE typname = 'int8' AND oid IS NOT NULL`)).result,
  ).toEqual([['20']])
  expect(JSON.stringify([result, seen.result])).not.toMatch(/[/\\]|\.duckdb/)
  for (const sql of [
    `SELECT current_setting('temp_directory')`,
    `SELECT current_setting('secret_directory')`,
    `SELECT value FROM duckdb_settings() WHERE name = 'allowed_directories'`,
    `SELECT setting FROM pg_catalog.pg_settings WHERE name = 'temp_directory'`,
  ])
    expect([sql, (await asGrace(sql)).result]).toEqual([sql, []])
})

test('a name is proposed to who may see it, and to nobody else', async () => {
  const { asAdmin, asGrace } = await setUp()
  for (const sql of ['FROM boatz', 'SELECT * FROM bots', 'INSERT INTO boatz VALUES (1)'])
    expect((await asGrace(sql)).errMsg).toContain('Did you mean "boats"?')
  for (const sql of [
    'FROM oarz',
    'FROM yard.secretz',
    'FROM hiden',
    'DROP VIEW hiden',
    `SELECT nextval('countr')`,
    'SELECT twise(1)',
    'SELECT 1::secretz',
  ]) {
    const { errMsg } = await asGrace(sql)
    expect(errMsg).not.toBe('')
    expect([sql, errMsg]).toEqual([sql, expect.not.stringMatching(/oars|secrets|hidden|counter|twice/)])
  }
  expect((await asAdmin('FROM yard.secretz')).errMsg).toContain('secrets')
})
