import { expect, test } from 'vitest'
import { openProgram } from '../../../testing/client-kit.ts'
import { sharedApp } from '../../../testing/start-app.ts'

const shared = sharedApp({}, { engine: 'embedded' })

const opened = async () => {
  const app = await shared()
  const connection = await openProgram(app, await app.admin())
  return async (sql: string) => (await connection.run(sql)).at(-1)!
}

test.each([
  ['SELECT @a := 1', '@a cannot be given a value inside of a statement. Write SET @a = value before it.'],
  ['SELECT n, @row := @row + 1 FROM (SELECT 1 AS n) t', '@row cannot be given a value'],
  ['SET @boathouse_x = 1', 'Names that begin with boathouse are reserved'],
  ['SET @x = (SELECT n FROM (VALUES (1), (2)) t(n))', 'More than one row returned'],
  [`SET @x = read_text('/etc/passwd')`, 'read_text is not allowed'],
  ['EXECUTE nothing USING @a', 'No statement is prepared as nothing'],
  [`PREPARE p FROM 'SELECT 1; SELECT 2'`, 'this statement is unknown'],
])('%s is refused: %s', async (sql, words) => {
  const run = await opened()
  expect((await run(sql)).message).toContain(words)
})

test('a variable is a value of its type wherever a value may stand, and is called as it was written', async () => {
  const run = await opened()
  for (const sql of [
    'SET @n = 20 + 1',
    `SET @text = "it's \\\\ a 'quote'"`,
    `SET @day = DATE '2026-11-17'`,
    'SET @d := 1.50',
    'SET @none = NULL',
    'SET @big = 18446744073709551615',
    'SET @copy = @n * 2',
    'SET @`odd name` = 7',
  ])
    expect([sql, (await run(sql)).message]).toEqual([sql, ''])
  const read = await run('SELECT @n, @text, @day, @d, @none, @big, @copy, @`odd name`, @never_set')
  expect(read.result?.columns.map(({ name }) => name).slice(0, 3)).toEqual(['@n', '@text', '@day'])
  expect(read.result?.rows).toEqual([
    ['21', `it's \\ a 'quote'`, '2026-11-17', '1.50', null, '18446744073709551615', '42', '7', null],
  ])
  const placed = await run(
    `SELECT range + @n AS a FROM range(100) WHERE range IN (@n, @copy) AND range BETWEEN 0 AND @n ORDER BY 1 LIMIT 5`,
  )
  expect(placed.result?.rows).toEqual([['42']])
  expect(
    (await run(`SELECT @day + INTERVAL 1 DAY > @day, -@n, concat('[', @text, ']')`)).result?.rows,
  ).toEqual([['true', '-21', `[it's \\ a 'quote']`]])
})

test('a text that looks like SQL stays a value', async () => {
  const run = await opened()
  await run(`SET @evil = "'; DROP TABLE t; -- "`)
  expect((await run('SELECT @evil')).result?.rows).toEqual([[`'; DROP TABLE t; -- `]])
  await run(`SET @two = CONCAT(@evil, ')')`)
  expect((await run('SELECT @two, length(@two)')).result?.rows).toEqual([[`'; DROP TABLE t; -- )`, '21']])
})

test('statements are prepared from texts and executed with variables', async () => {
  const run = await opened()
  await run('CREATE TABLE boats (n INT, name VARCHAR)')
  await run(`PREPARE adds FROM 'INSERT INTO boats VALUES (?, ?)'`)
  await run(`SET @n = 1, @name = 'oar \\'one\\''`)
  expect(await run('EXECUTE adds USING @n, @name')).toMatchObject({ message: '', result: { rowsChanged: 1 } })
  expect((await run('EXECUTE adds USING @n')).message).toContain('needs values for its parameters 2')
  await run(`PREPARE looks FROM "SELECT name FROM boats WHERE n = ? AND n = @n"`)
  expect((await run('EXECUTE looks USING @n')).result?.rows).toEqual([[`oar 'one'`]])
  expect((await run('DEALLOCATE PREPARE looks')).message).toBe('')
  expect(await run('EXECUTE looks USING @n')).toMatchObject({ errorDetail: 'missing-prepared' })
})

test('in the console a single @ is what it is to the engine', async () => {
  const channel = await (await (await shared()).admin()).channel()
  const [answer] = await channel.run('SELECT @n FROM (SELECT -5 AS n)')
  expect(answer?.result).toEqual([['5']])
})
