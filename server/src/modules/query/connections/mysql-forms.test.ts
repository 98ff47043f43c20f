import { expect, test } from 'vitest'
import { openProgram } from '../../../testing/client-kit.ts'
import { sharedApp } from '../../../testing/start-app.ts'

const shared = sharedApp({}, { engine: 'embedded' })

async function opened() {
  const app = await shared()
  const connection = await openProgram(app, await app.admin())
  const run = async (sql: string) => (await connection.run(sql)).at(-1)!
  const ok = async (...texts: string[]) => {
    for (const sql of texts) expect([sql, (await run(sql)).message]).toEqual([sql, ''])
  }
  const rows = async (sql: string) => {
    const { result, message } = await run(sql)
    return result?.rows ?? message
  }
  return { app, run, ok, rows }
}

test('UPDATE and DELETE of joined tables, and of the first rows in an order', async () => {
  const { run, ok, rows } = await opened()
  await ok('CREATE TABLE boats (id INT PRIMARY KEY, name VARCHAR(20), crew INT)')
  await ok('CREATE TABLE races (boat INT, place INT)')
  await ok(`INSERT INTO boats VALUES (1, 'Ada', 4), (2, 'Bo', 2), (3, 'Cy', 8), (4, 'Di', 1)`)
  await ok('INSERT INTO races VALUES (1, 1), (1, 3), (3, 2)')
  const updated = await run(
    'UPDATE boats b JOIN races r ON r.boat = b.id SET b.crew = b.crew + 1, b.name = UPPER(b.name)',
  )
  expect(updated.result?.rowsChanged, 'each row once, however often it is found').toBe(2)
  expect(await rows('SELECT * FROM boats ORDER BY id')).toEqual([
    ['1', 'ADA', '5'],
    ['2', 'Bo', '2'],
    ['3', 'CY', '9'],
    ['4', 'Di', '1'],
  ])
  await ok('UPDATE boats SET crew = 0 WHERE id > 1 ORDER BY id DESC LIMIT 1')
  expect(await rows('SELECT id FROM boats WHERE crew = 0')).toEqual([['4']])
  const deleted = await run('DELETE b FROM boats b LEFT JOIN races r ON r.boat = b.id WHERE r.boat IS NULL')
  expect(deleted.result?.rowsChanged).toBe(2)
  await ok('DELETE FROM boats ORDER BY id LIMIT 1')
  expect(await rows('SELECT id FROM boats')).toEqual([['3']])
})

test('a table with a column that is named as the number of a row is left alone', async () => {
  const { run, ok, rows } = await opened()
  await ok('CREATE TABLE odd (a INT, RowId INT)', 'INSERT INTO odd VALUES (1, 7), (2, 7)')
  const refused = await run('DELETE FROM odd ORDER BY a LIMIT 1')
  expect([refused.errorDetail, refused.message]).toEqual(['not-supported', expect.stringContaining('rowid')])
  expect(await rows('SELECT count(*) FROM odd')).toEqual([['2']])
})

test('CREATE TABLE LIKE makes the same columns, defaults and keys, for who may read the other', async () => {
  const { app, run, ok, rows } = await opened()
  await ok(
    `CREATE TABLE sails (id INT PRIMARY KEY, name VARCHAR(9) NOT NULL DEFAULT 'a\\\\b', area DECIMAL(6,2) UNIQUE)`,
  )
  await ok(
    'INSERT INTO sails (id, area) VALUES (1, 1.5)',
    'CREATE TABLE spare LIKE sails',
    'CREATE TABLE IF NOT EXISTS spare (LIKE sails)',
  )
  expect(await rows('SELECT count(*) FROM spare')).toEqual([['0']])
  await ok('INSERT INTO spare (id, area) VALUES (1, 1.5)')
  expect(await rows('SELECT * FROM spare')).toEqual([['1', 'a\\b', '1.50']])
  expect((await run('INSERT INTO spare (id) VALUES (1)')).errorDetail).toBe('duplicate-key')
  expect((await run('CREATE TABLE another LIKE nothing')).errorDetail).toBe('missing-table')
  const bo = await openProgram(app, await app.user())
  const [refused] = await bo.run('CREATE TABLE mine LIKE sails')
  expect(refused).toMatchObject({ state: 'failed', errorDetail: 'missing-table' })
})

test('what a new column cannot have is said as a warning', async () => {
  const { run, ok, rows } = await opened()
  await ok('CREATE TABLE masts (id INT)', 'ALTER TABLE masts ADD COLUMN height INT(11) DEFAULT 3 AFTER id')
  expect(await rows('SHOW WARNINGS')).toEqual([
    ['Warning', '1235', expect.stringContaining('is the last one')],
  ])
  expect((await run('ALTER TABLE masts ADD a INT, ADD b INT')).message).toContain('one change at a time')
})

test('how many rows were changed and found, also beside other columns', async () => {
  const { run, ok, rows } = await opened()
  await ok('CREATE TABLE oars (n INT)', 'INSERT INTO oars VALUES (1), (2), (3)')
  expect(await rows('SELECT ROW_COUNT()')).toEqual([['3']])
  await ok('SELECT * FROM oars WHERE n > 1')
  expect(await rows('SELECT FOUND_ROWS(), 1 + ROW_COUNT()')).toEqual([['2', '0']])
  await ok('SELECT SQL_CALC_FOUND_ROWS * FROM oars LIMIT 1')
  const refused = await run('SELECT FOUND_ROWS()')
  expect([refused.errorDetail, refused.message]).toEqual([
    'not-supported',
    expect.stringContaining('COUNT(*)'),
  ])
})

test('who asks is the same alone and beside something else', async () => {
  const { rows } = await opened()
  const [alone] = (await rows('SELECT CURRENT_USER(), USER(), CONNECTION_ID()')) as string[][]
  expect(await rows('SELECT CURRENT_USER(), USER(), CONNECTION_ID(), 1')).toEqual([[...(alone ?? []), '1']])
  expect(await rows('SELECT 1 WHERE CURRENT_USER = CURRENT_USER()')).toEqual([['1']])
})

test('|| and texts as conditions are true by the number that they begin with', async () => {
  const { rows } = await opened()
  expect(await rows(`SELECT 'y' || 'x' AS a, '1x' || 'y' AS b, 'y' OR 0 AS c, NOT 'abc' AS d`)).toEqual([
    ['false', 'true', 'false', 'true'],
  ])
  expect(await rows('SHOW WARNINGS')).toContainEqual([
    'Warning',
    '1235',
    `Truncated incorrect DOUBLE value: 'y'`,
  ])
  expect(await rows(`SELECT 1 WHERE 'b' BETWEEN 'a' AND 'c'`)).toEqual([['1']])
})

test('GROUP_CONCAT is ordered by a position', async () => {
  const { rows } = await opened()
  expect(
    await rows(
      `SELECT GROUP_CONCAT(n ORDER BY 1 DESC SEPARATOR '-') FROM (SELECT 1 AS n UNION SELECT 3 UNION SELECT 2) t`,
    ),
  ).toEqual([['3-2-1']])
})

test.each([
  ['SELECT nope FROM shown', `Unknown column 'nope' in 'field list'`],
  ['SELECT shown.nope FROM shown', `Unknown column 'shown.nope' in 'field list'`],
  ['SELECT id FROM shown WHERE nope = 1', `Unknown column 'nope' in 'where clause'`],
  ['SELECT id FROM shown ORDER BY nope', `Unknown column 'nope' in 'order clause'`],
  ['INSERT INTO shown (nope) VALUES (1)', `Unknown column 'nope' in 'field list'`],
  ['UPDATE shown SET nope = 1', `Unknown column 'nope' in 'field list'`],
])('%s: %s', async (sql, message) => {
  const { run, ok } = await opened()
  await ok('CREATE TABLE IF NOT EXISTS shown (id INT)')
  const refused = await run(sql)
  expect([refused.errorDetail, refused.message]).toEqual(['missing-column', message])
})

test('what the service knows is in information_schema, for who may see it', async () => {
  const { app, ok, rows } = await opened()
  await ok(`SET time_zone = 'Europe/Oslo'`, 'CREATE TABLE keyed (a INT, b INT, PRIMARY KEY (b, a))')
  const variable = (of: string) =>
    rows(`SELECT VARIABLE_VALUE FROM information_schema.${of}_VARIABLES WHERE VARIABLE_NAME = 'TIME_ZONE'`)
  expect([await variable('SESSION'), await variable('GLOBAL')]).toEqual([[['Europe/Oslo']], [['SYSTEM']]])
  expect(await rows('SELECT INFO FROM information_schema.PROCESSLIST')).toEqual([
    ['SELECT INFO FROM information_schema.PROCESSLIST'],
  ])
  expect(
    await rows(
      `SELECT TABLE_MODEL, PRIMARY_KEY FROM information_schema.tables_config WHERE table_name = 'keyed'`,
    ),
  ).toEqual([['PRI_KEYS', '`b`, `a`']])
  const bo = await openProgram(app, await app.user())
  const [roles] = await bo.run('SELECT ROLE_NAME FROM information_schema.ENABLED_ROLES')
  expect(roles?.result?.rows).toEqual([['public']])
  const [unseen] = await bo.run(`SELECT * FROM information_schema.tables_config WHERE table_name = 'keyed'`)
  expect(unseen?.result?.rows).toEqual([])
})

test('USE says the same of a database that is not seen and of one that is not there', async () => {
  const { app, ok } = await opened()
  await ok('CREATE DATABASE hidden_one')
  const bo = await openProgram(app, await app.user())
  const said = async (database: string) =>
    (await bo.run(`USE ${database}`))[0]?.message.replaceAll(database, 'x')
  expect(await said('hidden_one')).toBe(await said('nothing_one'))
  expect(await said('hidden_one')).toContain('does not exist')
})
