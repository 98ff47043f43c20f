import { expect, test } from 'vitest'
import { sharedApp } from '../../../testing/start-app.ts'
import { parseSqlMode, quotesIn } from './sql-mode.ts'

const shared = sharedApp({}, { engine: 'embedded' })

const setUp = async () => {
  const admin = await (await shared()).admin()
  const channel = await admin.channel()
  const [first] = await channel.run('SELECT 1')
  const connId = first?.connId ?? 0
  const all = (sql: string) => channel.run(sql, { connId })
  return { admin, connId, channel, all, run: async (sql: string) => (await all(sql)).at(-1)! }
}

test("a list of modes is kept as other servers keep it; what would change another's meaning is refused", () => {
  expect(parseSqlMode('')).toBe('PIPES_AS_CONCAT')
  expect(parseSqlMode(' ansi_quotes ,strict_trans_tables')).toBe(
    'ANSI_QUOTES,PIPES_AS_CONCAT,STRICT_TRANS_TABLES',
  )
  expect(quotesIn(parseSqlMode('ANSI'))).toEqual({ escapes: true, doubleIsText: false })
  expect(quotesIn(parseSqlMode('TRADITIONAL'))).toEqual({ escapes: true, doubleIsText: true })
  expect(() => parseSqlMode('HIGH_NOT_PRECEDENCE')).toThrow('not a supported mode')
})

test('quotes and backslashes mean what the connection says, and to begin with what they are to the engine', async () => {
  const { run } = await setUp()
  expect((await run(`SELECT 'a\\', 1 AS "b"`)).result).toEqual([['a\\', '1']])
  await run(`SET sql_mode = ''`)
  expect((await run('SELECT @@sql_mode')).result).toEqual([['PIPES_AS_CONCAT']])
  expect((await run(String.raw`SELECT 'it\'s', "so \"it\" is", 'a\\', "a''b"`)).result).toEqual([
    [`it's`, 'so "it" is', 'a\\', `a''b`],
  ])
  expect(
    (await run(String.raw`SELECT 'a_b' LIKE 'a\_b', 'axb' LIKE 'a\_b', 'a\0b' = concat('a', chr(0), 'b')`))
      .result,
  ).toEqual([['true', 'false', 'true']])
  expect((await run('SELECT 1 AS `one`, "x" AS "y"')).fields.map(({ name }) => name)).toEqual(['one', 'y'])
  await run('SET sql_mode = DEFAULT')
  expect((await run(`SELECT length('a\\b') AS "n"`)).result).toEqual([['3']])
})

test('an error stands at its place in what was written', async () => {
  const { run } = await setUp()
  await run(`SET sql_mode = ''`)
  expect(await run(String.raw`SELECT 'it\'s', nowhere`)).toMatchObject({
    errPosition: { line: 1, column: 17 },
  })
})

test('what a value holds can neither end its text nor begin a statement', async () => {
  const { run, all } = await setUp()
  await run('CREATE TABLE victims AS SELECT 1 AS a')
  await run(`SET sql_mode = ''`)
  for (const text of [
    String.raw`SELECT '\'; DROP TABLE victims; --'`,
    String.raw`SELECT "'; DROP TABLE victims; --"`,
    String.raw`SELECT 'a\\' = "\\'; DROP TABLE victims; --"`,
  ])
    expect(await all(text)).toMatchObject([{ errMsg: '' }])
  expect((await run('SELECT count(*) FROM victims')).result).toEqual([['1']])
  await run('DROP TABLE victims')
})

test('what was read before sql_mode changed is not run after it', async () => {
  const { run, all } = await setUp()
  const [, second, third] = await all(`SET sql_mode = ''; SELECT 1; SELECT "a"`)
  expect([second?.errMsg, third?.errMsg]).toEqual([
    '',
    expect.stringContaining('sql_mode or sql_dialect changed'),
  ])
  expect((await run('SELECT "a"')).result).toEqual([['a']])
})

test('a new connection continues with the mode of the one before', async () => {
  const { run, channel, connId } = await setUp()
  await run(`SET sql_mode = ''`)
  const [answer] = await channel.run('SELECT "a"', { connId: 0, oriConnId: connId })
  expect(answer).toMatchObject({ result: [['a']] })
})

test('the same word means what the engine means by it, and what MySQL does where sql_dialect says so [REAL-01]', async () => {
  const { run } = await setUp()
  const text = `SELECT length('é'), round(log(100), 3), 7 / 2, 'a' || 'b'`
  expect((await run(text)).result).toEqual([['1', '2.0', '3.5', 'ab']])
  await run(`SET sql_dialect = 'mysql'`)
  const answer = await run(`SELECT length('é'), round(log(100), 3), 7 / 2, 5--1, count( * ) # a comment`)
  expect(answer.result).toEqual([['2', '4.605', '3.5000', '6', '1']])
  expect(answer.fields.map(({ name }) => name)).toEqual([
    `length('é')`,
    'round(log(100), 3)',
    '7 / 2',
    '5--1',
    'count( * )',
  ])
  expect((await run('SELECT version() = @@version')).result).toEqual([['true']])
  expect((await run(`SHOW VARIABLES LIKE 'sql_dialect'`)).result).toEqual([['sql_dialect', 'mysql']])
  await run('SET sql_dialect = DEFAULT')
  expect((await run(text)).result).toEqual([['1', '2.0', '3.5', 'ab']])
})

test('what somebody makes in the words of MySQL others read in those of the engine, and both are authorized as ever', async () => {
  const app = await shared()
  const maker = await (await app.user(['db_admin'])).channel()
  const [{ connId } = { connId: 0 }] = await maker.run(`SET sql_dialect = 'mysql'`)
  const make = async (sql: string) => (await maker.run(sql, { connId })).at(-1)?.errMsg
  expect(await make('CREATE TABLE `mysql_made` (`n` INT(11), `at` DATETIME) ENGINE=InnoDB')).toBe('')
  expect(await make(`INSERT INTO mysql_made SET n = 7, at = '2024-02-20 10:00:00'`)).toBe('')
  expect(
    await make(
      `CREATE VIEW mysql_view AS SELECT n / 2 AS half, WEEK(at) AS week, DATE_ADD(DATE(at), INTERVAL 1 DAY) AS next, CONV(n, 10, 2) AS bits FROM mysql_made`,
    ),
  ).toBe('')
  const { run } = await setUp()
  expect((await run('SELECT * FROM mysql_view')).result).toEqual([['3.5000', '7', '2024-02-21', '111']])
  const stranger = await (await app.user([])).channel()
  const [, refused] = await stranger.run(`SET sql_dialect = 'mysql'; SELECT n / 2 FROM mysql_made`)
  expect(refused?.errMsg).toMatch(/mysql_made/)
  expect(refused?.result ?? []).toEqual([])
})
