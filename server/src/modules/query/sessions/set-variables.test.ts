import { expect, test } from 'vitest'
import { sharedApp } from '../../../testing/start-app.ts'

const shared = sharedApp()
const shared2 = sharedApp({}, { engine: 'embedded' })

async function session(started = shared) {
  const channel = await (await (await started()).admin()).channel()
  const [first] = await channel.run('SELECT 1')
  const connId = first?.connId ?? 0
  const run = async (sql: string) => (await channel.run(sql, { connId })).at(-1)!
  const shown = async (name: string) => (await run(`SHOW VARIABLES LIKE '${name}'`)).result[0]?.[1]
  const warnings = async () => (await run('SHOW WARNINGS')).result
  return { run, shown, warnings }
}

test.each([
  ['SET autocommit = 0', 'autocommit is always 1 here.'],
  ['SET autocommit = 2', 'autocommit is ON or OFF, not 2.'],
  ['SET autocommit = constructor', 'autocommit is ON or OFF, not constructor.'],
  ['SET sql_auto_is_null = 1', 'sql_auto_is_null is always 0 here.'],
  ['SET NAMES latin1', 'Texts are sent and read as utf8mb4'],
  ['SET NAMES utf8mb4 COLLATE latin1_swedish_ci', 'is a collation of utf8mb4'],
  ['SET CHARACTER SET cp1252', 'Texts are sent and read as utf8mb4'],
  ['SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE', 'cannot be SERIALIZABLE here'],
  ['SET TRANSACTION READ ONLY', 'START TRANSACTION READ ONLY'],
  ['SET net_write_timeout = soon', 'net_write_timeout takes a number'],
  ['SET GLOBAL net_write_timeout = 60', 'There are no GLOBAL variables'],
  ['SET version = 1', 'The variable version cannot be changed here.'],
  ['SET autocommit = 1, unknown_thing = 2', 'The variable unknown_thing does not exist.'],
  ['SET wait_timeout = @@unknown_thing', 'The variable unknown_thing does not exist.'],
  ['SET wait_timeout = NULL', 'wait_timeout takes a number'],
  ['SET wait_timeout = 1 + 1', '+ is not expected at this place'],
  ['SET @boathouse_x = 1, @y = 2', 'Names that begin with boathouse are reserved'],
  [`SET schema = 'main', autocommit = 1`, 'Write SET schema as a statement of its own.'],
])('%s is refused: %s', async (sql, words) => {
  const { run } = await session()
  expect((await run(sql)).errMsg).toContain(words)
})

test('of several assignments all take effect, or none', async () => {
  const { run, shown } = await session()
  const refused = await run(`SET sql_select_limit = 5, wait_timeout = 60, @x = 1, time_zone = 'Mars/Olympus'`)
  expect(refused.errMsg).toContain('Mars/Olympus')
  expect([await shown('sql_select_limit'), await shown('wait_timeout')]).toEqual(['1000', '43200'])
  const set = `SET SESSION sql_select_limit = 5, @@session.wait_timeout := 60, LOCAL query_timeout = 7, time_zone = 'Asia/Tokyo'`
  expect((await run(set)).errMsg).toBe('')
  for (const [name, value] of [
    ['sql_select_limit', '5'],
    ['wait_timeout', '60'],
    ['query_timeout', '7'],
    ['time_zone', 'Asia/Tokyo'],
  ] as const)
    expect(await shown(name)).toBe(value)
})

test('values are those from before the statement', async () => {
  const { run, shown } = await session()
  await run('SET wait_timeout = 60')
  await run('SET @old = @@wait_timeout, wait_timeout = 70, net_read_timeout = @@wait_timeout')
  expect([await shown('wait_timeout'), await shown('net_read_timeout')]).toEqual(['70', '60'])
  await run('SET wait_timeout = @old, @none = NULL')
  expect(await shown('wait_timeout')).toBe('60')
  await run('SET wait_timeout = DEFAULT')
  expect(await shown('wait_timeout')).toBe('43200')
})

test('what clients send when they connect is understood, kept and shown', async () => {
  const { run, shown } = await session()
  for (const sql of [
    'SET NAMES utf8mb4',
    `SET NAMES 'utf8mb4' COLLATE 'utf8mb4_0900_ai_ci'`,
    'SET NAMES utf8',
    'SET character_set_results = NULL',
    `set autocommit=1, sql_mode = concat(@@sql_mode,',STRICT_TRANS_TABLES')`,
    `SET @@SESSION.sql_mode = CONCAT(CONCAT(@@sql_mode, ',STRICT_ALL_TABLES'), ',NO_AUTO_VALUE_ON_ZERO')`,
    'SET SQL_AUTO_IS_NULL = 0',
    'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
    'SET SESSION TRANSACTION READ WRITE',
    'SET tx_isolation = "READ-UNCOMMITTED"',
    'SET SQL_SAFE_UPDATES=1, SQL_QUOTE_SHOW_CREATE=1',
    'SET net_write_timeout = 600, net_read_timeout = 600',
    'SET session_track_schema = ON, session_track_system_variables = "autocommit"',
    'SET foreign_key_checks = OFF',
    'SET SESSION wait_timeout = 28800',
    'SET optimizer_switch = "index_merge=on"',
    `SET SESSION information_schema_stats_expiry=0`,
    '/*!40101 SET NAMES utf8mb4 */',
    '/*!40103 SET @OLD_TIME_ZONE=@@TIME_ZONE, TIME_ZONE="UTC" */',
    '/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */',
    `/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE=REPLACE(@@SQL_MODE, 'STRICT_ALL_TABLES', '') */`,
    '/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */',
  ])
    expect([sql, (await run(sql)).errMsg]).toEqual([sql, ''])
  for (const [name, value] of [
    ['character_set_client', 'utf8mb4'],
    ['collation_connection', 'utf8mb4_bin'],
    ['transaction_isolation', 'READ-UNCOMMITTED'],
    ['tx_isolation', 'READ-UNCOMMITTED'],
    ['net_write_timeout', '600'],
    ['unique_checks', '0'],
    ['foreign_key_checks', '0'],
    ['time_zone', 'UTC'],
    [
      'sql_mode',
      'ANSI_QUOTES,NO_AUTO_VALUE_ON_ZERO,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT,STRICT_TRANS_TABLES',
    ],
  ] as const)
    expect([name, await shown(name)]).toEqual([name, value])
})

test('what has no meaning here is warned of, until the next statement that asks for something else', async () => {
  const { run, warnings } = await session()
  await run('SET wait_timeout = 43200, foreign_key_checks = 1, NAMES utf8mb4')
  expect(await warnings(), 'what it is anyway').toEqual([])
  await run('SET wait_timeout = 60, foreign_key_checks = 0, sql_select_limit = 10')
  const left = [
    ['Warning', '1235', 'wait_timeout is kept and has no effect here.'],
    ['Warning', '1235', 'foreign_key_checks is kept and has no effect here. Constraints are always checked.'],
  ]
  expect(await warnings()).toEqual(left)
  expect((await run('SHOW COUNT(*) WARNINGS')).result).toEqual([['2']])
  expect((await run('SHOW WARNINGS LIMIT 1, 1')).result).toEqual([left[1]])
  expect((await run('SHOW ERRORS')).result).toEqual([])
  expect(await warnings(), 'still there').toEqual(left)
  await run('SELECT 1')
  expect(await warnings()).toEqual([])
})

test('warnings are of one connection', async () => {
  const [one, other] = [await session(), await session()]
  await one.run('SET wait_timeout = 60')
  expect(await other.warnings()).toEqual([])
  expect(await one.warnings()).toHaveLength(1)
})

test('SHOW ERRORS shows why the last statement failed, and nothing of what was not run', async () => {
  const { run, warnings } = await session()
  await run('SET unknown_thing = 1; SELECT 1')
  const [error] = await warnings()
  expect(error?.slice(0, 2)).toEqual(['Error', '1193'])
  expect(error?.[2]).toContain('unknown_thing')
  expect((await run('SHOW COUNT(*) ERRORS')).result).toEqual([['1']])
  expect((await run('SHOW ERRORS')).result).toEqual([error])
})

test('the counts are variables', async () => {
  const { run, warnings } = await session(shared2)
  await run('SET wait_timeout = 60, net_read_timeout = 5')
  const counts = 'SELECT @@warning_count, @@session.error_count'
  expect((await run(counts)).result).toEqual([['2', '0']])
  expect((await run(counts)).result, 'asking leaves them').toEqual([['2', '0']])
  expect(await warnings()).toHaveLength(2)
  await run('SELECT * FROM nowhere')
  expect((await run(counts)).result).toEqual([['1', '1']])
  await run('SELECT 1')
  expect((await run(counts)).result).toEqual([['0', '0']])
})

test('a connection that only reads changes nothing until it may write again', async () => {
  const { run } = await session(shared2)
  await run('CREATE OR REPLACE TABLE only_read (a INT)')
  await run('PREPARE put AS INSERT INTO only_read VALUES (1)')
  expect((await run('SET SESSION TRANSACTION READ ONLY')).errMsg).toBe('')
  for (const sql of [
    'INSERT INTO only_read VALUES (1)',
    'EXECUTE put',
    'CREATE DATABASE only_read_database',
    'CREATE ROLE only_read_role',
    'EXPLAIN ANALYZE INSERT INTO only_read VALUES (1)',
    `SELECT nextval('only_read_numbers')`,
  ])
    expect(`${sql}: ${(await run(sql)).errMsg}`).toContain('This connection only reads.')
  for (const sql of [
    'SELECT * FROM only_read',
    'SHOW TABLES',
    'DESC only_read',
    'SET @a = 1',
    'BEGIN',
    'COMMIT',
  ])
    expect([sql, (await run(sql)).errMsg]).toEqual([sql, ''])
  expect((await run('SELECT count(*), @@transaction_read_only FROM only_read')).result).toEqual([['0', '1']])
  await run('SET SESSION TRANSACTION READ WRITE')
  expect((await run('INSERT INTO only_read VALUES (1)')).errMsg).toBe('')
})

test('variables of the user in a list are read by statements', async () => {
  const { run } = await session(shared2)
  await run(`SET @a = 1, @b = 'it''s', @c = 3000000000, @d = 1.5, @e = NULL, @f = CONCAT(@@version, '-x')`)
  const read = `SELECT getvariable('a') + 1, getvariable('b'), getvariable('c') + 1, getvariable('d') * 2, getvariable('e'), getvariable('f')`
  expect((await run(read)).result).toEqual([['2', "it's", '3000000001', '3.0', null, '8.0.33-x']])
})

test('the zone of a list takes effect in the engine', async () => {
  const { run } = await session(shared2)
  await run(`SET time_zone = '+05:30', default_order = 'desc'`)
  const hour = `SELECT strftime(TIMESTAMPTZ '2024-01-01 00:00:00+00', '%H:%M')`
  expect((await run(hour)).result).toEqual([['05:30']])
  expect((await run(`SET default_collation = 'klingon', time_zone = 'UTC'`)).errMsg).toContain('klingon')
  expect((await run(hour)).result).toEqual([['05:30']])
})
