import { expect, test } from 'vitest'
import { startApp, type TestUser } from '../../../testing/start-app.ts'

async function session(who: TestUser) {
  const channel = await who.channel()
  const [first] = await channel.run('SELECT 1')
  const connId = first?.connId ?? 0
  return async (sql: string) => {
    const answer = (await channel.run(sql, { connId })).at(-1)!
    return answer.errMsg === '' ? answer.result : answer.errMsg
  }
}

test('information_schema has the columns of other servers, and shows each what they may see', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const asAdmin = await session(await app.admin())
  const grace = await app.user()
  const asGrace = await session(grace)
  for (const sql of [
    'CREATE TABLE boats (id INT PRIMARY KEY, name VARCHAR UNIQUE, sail DOUBLE)',
    'CREATE TABLE secret (a INT)',
    `CREATE VIEW fleet AS SELECT id FROM boats`,
    'CREATE MACRO twice(x) AS 2 * x',
    'CREATE MACRO hidden(x) AS x',
    `GRANT SELECT ON TABLE boats TO USER ${grace.name}`,
    `GRANT USAGE ON FUNCTION twice TO USER ${grace.name}`,
  ])
    expect([sql, await asAdmin(sql)]).toEqual([sql, []])

  const tables = `SELECT TABLE_NAME, TABLE_TYPE, ENGINE, TABLE_ROWS, TABLE_COLLATION, CREATE_TIME
    FROM information_schema.TABLES WHERE table_schema = 'main' ORDER BY 1`
  const boats = ['boats', 'BASE TABLE', 'DuckDB', '0', 'utf8mb4_bin', null]
  expect(await asGrace(tables)).toEqual([boats])
  expect((await asAdmin(tables)) as unknown[]).toContainEqual(boats)

  const columns = `SELECT c.COLUMN_NAME, c.COLUMN_TYPE, c.COLUMN_KEY, c.EXTRA, c.CHARACTER_SET_NAME
    FROM \`information_schema\`.\`COLUMNS\` c WHERE c.TABLE_SCHEMA = 'main' ORDER BY c.TABLE_NAME, ORDINAL_POSITION`
  expect(await asGrace(columns)).toEqual([
    ['id', 'INTEGER', 'PRI', '', null],
    ['name', 'VARCHAR', 'UNI', '', 'utf8mb4'],
    ['sail', 'DOUBLE', '', '', null],
  ])
  expect(
    await asGrace(
      `SELECT DISTINCT DEFAULT_CHARACTER_SET_NAME, DEFAULT_COLLATION_NAME FROM information_schema.schemata`,
    ),
  ).toEqual([['utf8mb4', 'utf8mb4_bin']])
  expect(
    await asGrace(`SELECT TABLE_NAME FROM information_schema.views WHERE table_schema = 'main'`),
  ).toEqual([])
  expect(
    await asAdmin(
      `SELECT TABLE_NAME, SECURITY_TYPE FROM information_schema.views WHERE table_schema = 'main'`,
    ),
  ).toEqual([['fleet', 'DEFINER']])
  const routines = 'SELECT ROUTINE_NAME, ROUTINE_DEFINITION FROM information_schema.routines ORDER BY 1'
  expect(await asGrace(routines)).toEqual([['twice', '(2 * x)']])
  expect(await asAdmin(routines)).toEqual([
    ['hidden', 'x'],
    ['twice', '(2 * x)'],
  ])
  const keys = `SELECT TABLE_NAME, INDEX_NAME, COLUMN_NAME FROM information_schema.statistics ORDER BY 3`
  expect(await asGrace(keys)).toEqual([
    ['boats', 'PRIMARY', 'id'],
    ['boats', expect.any(String), 'name'],
  ])
  expect(await asGrace('SELECT count(*) FROM information_schema.triggers')).toEqual([['0']])
  expect(await asGrace('SELECT nothing FROM information_schema.tables')).toContain('nothing')
  expect(await asAdmin('CREATE DATABASE information_listed')).toContain('information_listed')
})

test('an index is distinguished from one whose name differs in the case of a letter that the engine does not know', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const asAdmin = await session(await app.admin())
  const grace = await app.user()
  const asGrace = await session(grace)
  for (const sql of [
    'CREATE TABLE mine (a INT)',
    'CREATE TABLE theirs (a INT)',
    'CREATE INDEX "é" ON mine (a)',
    'CREATE INDEX "É" ON theirs (a)',
    `GRANT ALTER ON TABLE mine TO USER ${grace.name}`,
  ])
    expect([sql, await asAdmin(sql)]).toEqual([sql, []])
  expect(await asGrace('DROP INDEX "É"')).toContain('ALTER on TABLE default_catalog.main.theirs')
  expect(await asGrace('DROP INDEX "é"')).toEqual([])
})
