import { expect, test } from 'vitest'
import { startApp, type TestUser } from '../../../testing/start-app.ts'

async function session(who: TestUser) {
  const channel = await who.channel()
  const [first] = await channel.run('SELECT 1')
  const connId = first?.connId ?? 0
  return async (sql: string) => (await channel.run(sql, { connId })).at(-1)!
}

/** What the service asks to answer DESCRIBE, it asks with its own rights. */
test('nobody reads a table by a macro that the service would call in place of a list of the engine', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const asAdmin = await session(await app.admin())
  const grace = await app.user()
  const asGrace = await session(grace)
  for (const sql of [
    `CREATE TABLE secret AS SELECT 'gold' AS a`,
    'CREATE DATABASE own',
    `GRANT CREATE TABLE, CREATE FUNCTION ON DATABASE own TO USER ${grace.name}`,
  ])
    expect((await asAdmin(sql)).errMsg).toBe('')
  for (const sql of ['USE own', 'CREATE TABLE mine (b INT)']) expect((await asGrace(sql)).errMsg).toBe('')
  const body = `AS TABLE SELECT 'default_catalog' AS database_name, 'own' AS schema_name, 'mine' AS table_name,
    a AS column_name, 'INT' AS data_type, true AS is_nullable, NULL AS column_default,
    NULL AS character_maximum_length, NULL AS numeric_precision, NULL AS numeric_scale, NULL AS comment,
    1 AS column_index FROM main.secret`
  for (const macro of [
    'TEMP MACRO duckdb_columns()',
    'MACRO duckdb_columns()',
    'MACRO own."DUCKDB_columns"()',
  ]) {
    expect((await asGrace(`CREATE ${macro} ${body}`)).errMsg).toContain('Choose another name')
    expect((await asGrace('DESC mine')).result).toEqual([['b', 'INTEGER', 'YES', '', null, '']])
  }
})

const LABEL = 'kingfisher'

/** Each would show the labels of a type by its name. */
const BY_NAME = [
  'SELECT enum_range(NULL::main.lvl)',
  'SELECT enum_first(NULL::default_catalog.main.lvl)',
  'SELECT typeof(NULL::main.lvl)',
  'SELECT typeof([NULL::main.lvl])',
  'DESCRIBE SELECT NULL::main.lvl AS a',
  'WITH x AS (SELECT NULL::main.lvl AS a) SELECT enum_last(a) FROM x',
  'CREATE TEMP TABLE copied (a main.lvl)',
  'CREATE TABLE own.copied (a main.lvl)',
  'CREATE TABLE own.copied AS SELECT NULL::main.lvl AS a',
  'CREATE VIEW own.shown AS SELECT NULL::main.lvl AS a',
  'ALTER TABLE own.mine ADD COLUMN l main.lvl',
  'INSERT INTO own.mine SELECT length(unnest(enum_range(NULL::main.lvl)))',
  `SELECT TRY_CAST('kingfisher' AS main.lvl) IS NULL`,
  'SELECT own.labels()',
] as const

const QUESTIONS = [
  `has_table_privilege('main.secret', 'SELECT')`,
  `has_table_privilege('grace', 'main.secret', 'SELECT')`,
  `has_schema_privilege('main', 'CREATE')`,
  `has_any_column_privilege('main.secret', 'SELECT')`,
  `has_column_privilege('main.secret', 'a', 'SELECT')`,
  `has_database_privilege('default_catalog', 'CREATE')`,
  `has_function_privilege('f', 'EXECUTE')`,
  `has_sequence_privilege('s', 'USAGE')`,
  `pg_has_role('db_admin', 'MEMBER')`,
  `HAS_TABLE_PRIVILEGE('main.secret', 'INSERT')`,
  `pg_catalog.has_table_privilege('main.secret', 'SELECT')`,
] as const

test('labels of a type are read by who holds something beside it, and no function says that everything is granted', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const asAdmin = await session(await app.admin())
  const grace = await app.user()
  const asGrace = await session(grace)
  for (const sql of [
    `CREATE TYPE main.lvl AS ENUM ('${LABEL}', 'heron')`,
    `CREATE TABLE main.graded AS SELECT '${LABEL}'::lvl AS l, 1 AS n`,
    'CREATE DATABASE views',
    `CREATE VIEW views.shown AS SELECT 'heron'::main.lvl AS l, n FROM main.graded`,
    'CREATE DATABASE own',
    'CREATE TABLE own.mine (b INT)',
    `GRANT CREATE TABLE, CREATE VIEW, CREATE FUNCTION ON DATABASE own TO ${grace.name}`,
    `GRANT SELECT, INSERT, ALTER ON own.mine TO ${grace.name}`,
  ])
    expect([sql, (await asAdmin(sql)).errMsg]).toEqual([sql, ''])
  expect((await asGrace('CREATE FUNCTION own.labels() AS enum_range(NULL::main.lvl)')).errMsg).toBe('')
  for (const sql of BY_NAME) {
    const { errMsg, result } = await asGrace(sql)
    expect([sql, errMsg]).toEqual([
      sql,
      expect.stringMatching(/where you have no privilege|cannot be determined/),
    ])
    expect(JSON.stringify([errMsg, result])).not.toContain(LABEL)
  }
  expect((await asGrace(`SELECT enum_range(NULL::ENUM ('a', 'b'))`)).errMsg).toBe('')
  for (const question of QUESTIONS) {
    const { errMsg } = await asGrace(`SELECT ${question}`)
    expect([question, errMsg]).toEqual([
      question,
      expect.stringMatching(/SHOW GRANTS|without the prefix pg_catalog/),
    ])
  }
  expect((await asAdmin(`SELECT has_table_privilege('main.graded', 'SELECT')`)).result).toEqual([['true']])
  expect((await asAdmin('SELECT enum_range(NULL::main.lvl)')).errMsg).toBe('')
  await asAdmin(`GRANT SELECT ON VIEW views.shown TO ${grace.name}`)
  expect((await asGrace('SELECT * FROM views.shown')).result).toEqual([['heron', '1']])
  await asAdmin(`GRANT SELECT ON main.graded TO ${grace.name}`)
  for (const sql of ['SELECT enum_range(NULL::main.lvl)', 'SELECT typeof(l), l FROM main.graded'])
    expect([sql, (await asGrace(sql)).errMsg]).toEqual([sql, ''])
})
