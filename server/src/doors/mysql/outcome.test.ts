import { expect, test } from 'vitest'
import { openProgram } from '../../testing/client-kit.ts'
import { sharedApp } from '../../testing/start-app.ts'
import { outcomeOf } from './outcome.ts'

const shared = sharedApp({}, { engine: 'embedded' })

const opened = async () => {
  const app = await shared()
  const connection = await openProgram(app, await app.admin())
  return async (sql: string) => outcomeOf((await connection.run(sql)).at(-1)!, sql)
}

const DONE = { error: null, affectedRows: 0, lastInsertId: 0, warnings: 0, info: '' }

test('a statement that fails says why by number, and has changed nothing', async () => {
  const run = await opened()
  await run('CREATE TABLE keys (n INT PRIMARY KEY, m INT NOT NULL)')
  await run('INSERT INTO keys VALUES (1, 1)')
  for (const [sql, code, sqlState] of [
    ['SELEC 1', 1064, '42000'],
    ['SELECT * FROM nowhere', 1146, '42S02'],
    ['SELECT nothing FROM keys', 1054, '42S22'],
    ['SELECT no_such(1)', 1305, '42000'],
    ['SELECT * FROM nowhere.keys', 1049, '42000'],
    ['USE nowhere', 1049, '42000'],
    ['INSERT INTO keys VALUES (1, 2)', 1062, '23000'],
    ['INSERT INTO keys VALUES (2, NULL)', 1048, '23000'],
    ['INSERT INTO keys VALUES (2)', 1136, '21S01'],
    [`SELECT 'x'::INTEGER`, 1292, '22007'],
    ['SELECT CAST(300 AS TINYINT)', 1264, '22003'],
    ['CREATE TABLE keys (n INT)', 1050, '42S01'],
    ['ROLLBACK TO SAVEPOINT a', 1305, '42000'],
    ['SELECT @@nothing', 1193, 'HY000'],
    ['SET autocommit = 7', 1231, '42000'],
    ['KILL 987654321', 1094, 'HY000'],
    ['EXECUTE nothing', 1243, 'HY000'],
    [`COPY keys TO '/tmp/x'`, 1235, '42000'],
  ] as const)
    expect([sql, await run(sql)]).toEqual([
      sql,
      { ...DONE, warnings: 1, error: { code, sqlState, message: expect.any(String) } },
    ])
})

test('rows that were changed are counted, with the words of MySQL', async () => {
  const run = await opened()
  expect(await run('CREATE TABLE rows_of (n INT, m INT)')).toEqual(DONE)
  expect(await run('INSERT INTO rows_of VALUES (1, 1)')).toEqual({ ...DONE, affectedRows: 1 })
  expect(await run('INSERT INTO rows_of VALUES (2, 1), (3, 1)')).toEqual({
    ...DONE,
    affectedRows: 2,
    info: 'Records: 2  Duplicates: 0  Warnings: 0',
  })
  expect(await run('UPDATE rows_of SET m = 2 WHERE n < 3')).toEqual({
    ...DONE,
    affectedRows: 2,
    info: 'Rows matched: 2  Changed: 2  Warnings: 0',
  })
  expect(await run('DELETE FROM rows_of WHERE n = 3')).toEqual({ ...DONE, affectedRows: 1 })
  expect(await run('CREATE TABLE copied AS SELECT * FROM rows_of')).toEqual({
    ...DONE,
    affectedRows: 2,
    info: 'Records: 2  Duplicates: 0  Warnings: 0',
  })
  expect(await run('SELECT * FROM rows_of')).toEqual(DONE)
  expect(await run('BEGIN')).toEqual(DONE)
  expect(await run('COMMIT')).toEqual(DONE)
  expect(await run('SHOW TABLES')).toEqual(DONE)
})

test('what leaves out rows says nothing of records', async () => {
  const run = await opened()
  await run('CREATE TABLE once (n INT PRIMARY KEY)')
  await run('INSERT INTO once VALUES (1)')
  expect(await run('INSERT INTO once VALUES (1), (2), (3) ON CONFLICT DO NOTHING')).toEqual({
    ...DONE,
    affectedRows: 2,
  })
})

test('warnings are counted', async () => {
  const run = await opened()
  expect(await run('SET foreign_key_checks = 0, sql_safe_updates = 1')).toEqual({ ...DONE, warnings: 2 })
  expect(await run('SELECT 1')).toEqual(DONE)
})
