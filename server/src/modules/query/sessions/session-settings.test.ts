import { expect, test } from 'vitest'
import { sharedApp, startApp } from '../../../testing/start-app.ts'

const shared = sharedApp({}, { engine: 'embedded' })

const session = async () => {
  const channel = await (await (await shared()).admin()).channel()
  const [first] = await channel.run('SELECT 1')
  const connId = first?.connId ?? 0
  return async (sql: string) => (await channel.run(sql, { connId })).at(-1)!
}

const VALUES = `(VALUES ('b'), (NULL), ('a'), ('B')) AS t(x)`

test.each([
  [
    `default_null_order = 'nulls_first'`,
    `SELECT x FROM ${VALUES} WHERE x IS DISTINCT FROM 'B' ORDER BY x`,
    [null, 'a', 'b'],
  ],
  [`default_order = 'desc'`, `SELECT x FROM ${VALUES} WHERE x <> 'B' ORDER BY x`, ['b', 'a']],
  [`default_collation = 'nocase'`, `SELECT count(*) FROM ${VALUES} WHERE x = 'b'`, ['2']],
  ['ieee_floating_point_ops = false', 'SELECT 1e0 / 0e0', [null]],
  [`calendar = 'japanese'`, `SELECT era(TIMESTAMPTZ '2024-01-01')`, ['236']],
  [`time_zone = '+05:30'`, `SELECT strftime(TIMESTAMPTZ '2024-01-01 00:00:00+00', '%H:%M')`, ['05:30']],
  [`time_zone = 'UTC-0800'`, `SELECT strftime(TIMESTAMPTZ '2024-01-01 00:00:00+00', '%H:%M')`, ['16:00']],
  [`search_path = 'main'`, 'SELECT current_schema()', ['main']],
])('SET %s holds for the session, and for no other', async (assignment, sql, rows) => {
  const [run, other] = [await session(), await session()]
  const before = (await other(sql)).result
  expect((await run(`SET ${assignment}`)).errMsg).toBe('')
  expect((await run(sql)).result.flat()).toEqual(rows)
  expect((await other(sql)).result).toEqual(before)
  const [name = ''] = assignment.split(' ')
  if (name !== 'search_path') await run(`RESET ${name}`)
  expect((await run(sql)).result).toEqual(before)
})

test.each([
  [`SET default_null_order = 'sideways'`, 'is one of NULLS_LAST'],
  [`SET default_collation = 'klingon'`, 'klingon'],
  [`SET default_collation = 'a; b'`, 'takes a name'],
  [`SET calendar = 'mayan'`, 'is one of gregorian'],
  [`SET time_zone = '+15:00'`, 'is not an offset of whole hours'],
  [`SET time_zone = 'UTC+05:30'`, 'is not a time zone'],
  ['SET TIME ZONE 15', 'is not an offset of whole hours'],
  [`SET GLOBAL TIME ZONE 'UTC'`, 'There are no GLOBAL variables'],
  [`SET time_zon = 'UTC'`, 'Did you mean time_zone?'],
  [`SET GLOBAL default_order = 'desc'`, 'There are no GLOBAL variables'],
])('%s is refused: %s', async (sql, words) => {
  const run = await session()
  expect((await run(sql)).errMsg).toContain(words)
})

test('SET TIME ZONE is SET time_zone, and outlives the engine as that does', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const channel = await (await app.admin()).channel()
  const [first] = await channel.run(`SET TIME ZONE 'Asia/Tokyo'`)
  expect(first?.errMsg).toBe('')
  const run = async (sql: string) => (await channel.run(sql, { connId: first?.connId ?? 0 })).at(-1)!
  const zone = `SELECT @@time_zone, current_setting('TimeZone')`
  expect((await run(zone)).result).toEqual([['Asia/Tokyo', 'Asia/Tokyo']])
  app.engines.crash('it was killed')
  expect((await run(zone)).result).toEqual([['Asia/Tokyo', 'Asia/Tokyo']])
  await run('SET TIME ZONE 2')
  expect((await run(zone)).result).toEqual([['+02:00', 'Etc/GMT-2']])
  await run('SET TIME ZONE LOCAL')
  expect((await run(zone)).result).toEqual([['UTC', 'UTC']])
  expect((await run(`SET TIME ZONE 'Nowhere'`)).errMsg).toContain('is not a time zone')
})

test('a transaction that has failed can still be ended with other chosen', async () => {
  const run = await session()
  await run(`SET default_order = 'desc'`)
  await run('BEGIN')
  expect((await run('SELECT 1 / nothing')).errMsg).not.toBe('')
  expect((await run('ROLLBACK')).errMsg).toBe('')
  expect((await run('SELECT * FROM range(2) ORDER BY 1')).result).toEqual([['1'], ['0']])
})
