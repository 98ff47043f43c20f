import { expect, test } from 'vitest'
import { openProgram } from '../../../testing/client-kit.ts'
import { sharedApp } from '../../../testing/start-app.ts'

const shared = sharedApp({}, { engine: 'embedded' })

const opened = async () => {
  const app = await shared()
  const connection = await openProgram(app, await app.admin())
  const run = async (sql: string) => (await connection.run(sql)).at(-1)!
  return { connection, run }
}

test.each([
  ['SET sql_dialect = french', 'sql_dialect is one of engine, mysql, not french.', 'wrong-value'],
  ['SET NAMES koi8r', 'character_set_client is one of utf8mb4', 'wrong-value'],
  ['SET autocommit = 2', 'autocommit is ON or OFF, not 2.', 'wrong-value'],
  ['SET wait_timeout = 0', 'wait_timeout takes seconds from 1 to 43200, not 0.', 'wrong-value'],
  ['SET idle_transaction_timeout = 86400', 'takes seconds from 1 to 43200', 'wrong-value'],
  [`SET time_zone = 'Mars/Olympus'`, 'Mars/Olympus is not a time zone', undefined],
  ['SET "came by" = 1', 'This form of the statement is not supported', 'unreadable'],
  ['SET `came by` = 1', 'The variable came by does not exist', 'missing-variable'],
  ['SELECT @@nothing', 'The variable nothing does not exist', 'missing-variable'],
])('%s is refused: %s', async (sql, words, detail) => {
  const { run } = await opened()
  const answer = await run(sql)
  expect(answer).toMatchObject({ state: 'failed', message: expect.stringContaining(words) })
  expect(answer.errorDetail).toBe(detail)
})

test('a client of MySQL begins as MySQL does, and has that again after DEFAULT, RESET and a reset', async () => {
  const { connection, run } = await opened()
  const begun = {
    sql_dialect: 'mysql',
    autocommit: '1',
    time_zone: 'SYSTEM',
    system_time_zone: 'UTC',
    sql_select_limit: '18446744073709551615',
    wait_timeout: '28800',
    character_set_client: 'utf8mb4',
  }
  const quoted = await run(String.raw`SELECT "it\'s" AS a, 'b\\c' AS b`)
  expect(quoted.result?.rows).toEqual([["it's", String.raw`b\c`]])
  expect(await connection.state()).toMatchObject({ variables: begun })
  const changed = `SET sql_dialect = engine, time_zone = 'Asia/Tokyo', sql_select_limit = 5, NAMES latin1`
  expect((await run(changed)).message).toBe('')
  expect(await connection.state()).toMatchObject({
    variables: { sql_dialect: 'engine', time_zone: 'Asia/Tokyo', character_set_results: 'latin1' },
  })
  await run('RESET sql_dialect')
  await run('SET time_zone = DEFAULT')
  expect(await connection.state()).toMatchObject({
    variables: { sql_dialect: 'mysql', time_zone: 'SYSTEM', sql_select_limit: '5' },
  })
  await connection.reset()
  expect(await connection.state()).toMatchObject({ variables: begun })
  expect((await run(`SELECT "text"`)).result?.rows).toEqual([['text']])
})

test('the zone of the server is UTC, and another one holds for texts and for now', async () => {
  const { run } = await opened()
  const zone = `SELECT current_setting('TimeZone'), @@time_zone, strftime(TIMESTAMPTZ '2024-01-01 00:00:00+00', '%H')`
  expect((await run(zone)).result?.rows).toEqual([['UTC', 'SYSTEM', '00']])
  await run(`SET time_zone = '+09:00'`)
  expect((await run(zone)).result?.rows).toEqual([['Etc/GMT-9', '+09:00', '09']])
  await run(`SET time_zone = 'system'`)
  expect((await run(zone)).result?.rows).toEqual([['UTC', 'SYSTEM', '00']])
})

test.each([
  ['max_execution_time', 30, 'Stopped after 0.03 s, the max_execution_time of this connection.'],
  ['max_statement_time', 0.03, 'Stopped after 0.03 s, the max_statement_time of this connection.'],
])('%s ends a statement that reads for longer', async (name, value, message) => {
  const { run } = await opened()
  expect((await run(`SET ${name} = ${value}`)).warnings).toBe(0)
  const endless = 'SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range <> b.range'
  expect(await run(endless)).toMatchObject({ code: 'StatementTimedOut', message })
  await run(`SET ${name} = 0`)
  expect((await run('SELECT 1')).code).toBe('Ok')
})

test('warnings have the numbers of what went wrong', async () => {
  const { run } = await opened()
  await run('SELECT * FROM nowhere')
  expect((await run('SHOW WARNINGS')).result?.rows).toEqual([
    ['Error', '1146', expect.stringContaining('nowhere')],
  ])
  expect((await run('SET foreign_key_checks = 0')).warnings).toBe(1)
  expect((await run('SHOW WARNINGS')).result?.rows).toEqual([
    ['Warning', '1235', expect.stringContaining('foreign_key_checks')],
  ])
})

test.each([
  ['DESCRIBE nowhere', 1146],
  ['SHOW CREATE TABLE nowhere', 1146],
  ['SHOW COLUMNS FROM nowhere', 1146],
  ['SHOW CREATE DATABASE nowhere', 1049],
  ['SELECT @@nowhere', 1193],
  ['SELECT nowhere FROM (SELECT 1 AS a) AS t', 1054],
])('%s says what is missing with the number %i', async (sql, number) => {
  const { run } = await opened()
  await run(sql)
  expect((await run('SHOW WARNINGS')).result?.rows[0]?.[1]).toBe(String(number))
})
