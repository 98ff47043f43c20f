import { expect, test } from 'vitest'
import { openProgram } from '../../../testing/client-kit.ts'
import { sharedApp, type TestApp } from '../../../testing/start-app.ts'

const shared = sharedApp({}, { engine: 'embedded' })
let tables = 0

async function opened(app: TestApp) {
  const connection = await openProgram(app, await app.admin())
  const table = `saved${++tables}`
  const run = async (sql: string) => (await connection.run(sql.replaceAll('TABLE_HERE', table))).at(-1)!
  const ok = async (...texts: string[]) => {
    for (const sql of texts) expect([sql, (await run(sql)).message]).toEqual([sql, ''])
  }
  const rows = async () =>
    (await run('SELECT n FROM TABLE_HERE ORDER BY n')).result?.rows.map(([n]) => Number(n))
  await ok('CREATE TABLE TABLE_HERE (n INT PRIMARY KEY)')
  return { connection, run, ok, rows }
}

const insert = (n: number) => `INSERT INTO TABLE_HERE VALUES (${n})`

test('a nested transaction that succeeds is a part of the outer one', async () => {
  const { ok, rows } = await opened(await shared())
  await ok('BEGIN', insert(1), 'SAVEPOINT a', insert(2), 'SAVEPOINT b', insert(3))
  await ok('RELEASE SAVEPOINT b', 'RELEASE SAVEPOINT a', 'COMMIT')
  expect(await rows()).toEqual([1, 2, 3])
})

test('what nothing was changed before can be returned to, also after an error, and more than once', async () => {
  const { run, ok, rows, connection } = await opened(await shared())
  await ok(insert(1), 'BEGIN', 'SELECT * FROM TABLE_HERE', 'SAVEPOINT `A`', insert(2))
  await ok('ROLLBACK TO SAVEPOINT a')
  expect(await rows()).toEqual([1])
  expect((await run(insert(1))).errorDetail).toBe('duplicate-key')
  await ok('ROLLBACK TO a', insert(3))
  expect((await connection.state()).inTransaction).toBe(true)
  await ok('COMMIT')
  expect(await rows()).toEqual([1, 3])
})

test('what nothing was changed behind can be returned to', async () => {
  const { ok, rows } = await opened(await shared())
  await ok(
    'BEGIN',
    insert(1),
    'SAVEPOINT a',
    'SELECT * FROM TABLE_HERE',
    'ROLLBACK TO a',
    insert(2),
    'COMMIT',
  )
  expect(await rows()).toEqual([1, 2])
})

test('in between, the whole transaction is rolled back, and that is said', async () => {
  const { run, ok, rows, connection } = await opened(await shared())
  await ok('BEGIN', insert(1), 'SAVEPOINT a', insert(2))
  const refused = await run('ROLLBACK TO a')
  expect([refused.state, refused.errorDetail]).toEqual(['failed', 'rolled-back'])
  expect(refused.message).toContain('It was rolled back')
  expect((await connection.state()).inTransaction).toBe(false)
  expect(await rows()).toEqual([])
})

test('with autocommit off a savepoint begins the transaction', async () => {
  const { ok, rows, connection } = await opened(await shared())
  await ok('SET autocommit = 0', 'SAVEPOINT a', insert(1), 'ROLLBACK TO a')
  expect((await connection.state()).inTransaction).toBe(true)
  await ok(insert(2), 'COMMIT')
  expect(await rows()).toEqual([2])
})

test('a savepoint ends with its transaction, and those behind it with it', async () => {
  const { run, ok } = await opened(await shared())
  await ok('BEGIN', 'SAVEPOINT a', 'SAVEPOINT b', 'ROLLBACK TO a')
  expect((await run('RELEASE SAVEPOINT b')).errorDetail).toBe('missing-savepoint')
  await ok('COMMIT', 'BEGIN')
  expect((await run('ROLLBACK TO a')).errorDetail).toBe('missing-savepoint')
  await ok('ROLLBACK', 'SAVEPOINT alone')
})

test('the console has none', async () => {
  const app = await shared()
  const channel = await (await app.admin()).channel()
  expect(await channel.run('SAVEPOINT a')).toMatchObject([
    { errMsg: expect.stringContaining('SAVEPOINT is not available: transactions have none.') },
  ])
})
