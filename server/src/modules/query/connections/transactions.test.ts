import { expect, test } from 'vitest'
import { openProgram } from '../../../testing/client-kit.ts'
import { sharedApp, startApp, type TestApp } from '../../../testing/start-app.ts'

const shared = sharedApp({}, { engine: 'embedded' })

async function opened(app: TestApp) {
  const connection = await openProgram(app, await app.admin())
  const run = async (sql: string) => (await connection.run(sql)).at(-1)!
  const ok = async (...texts: string[]) => {
    for (const sql of texts) expect([sql, (await run(sql)).message]).toEqual([sql, ''])
  }
  const isOpen = async () => (await connection.state()).inTransaction
  const count = async (table: string) =>
    Number((await run(`SELECT count(*) FROM ${table}`)).result?.rows[0]?.[0])
  return { connection, run, ok, isOpen, count }
}

let tables = 0
const newTable = async (app: TestApp, columns = 'n INT PRIMARY KEY') => {
  const table = `t${++tables}`
  await (await opened(app)).ok(`CREATE TABLE ${table} (${columns})`)
  return table
}

test.each([
  ['ROLLBACK TO SAVEPOINT a', 'SAVEPOINT a does not exist', 'missing-savepoint'],
  ['RELEASE SAVEPOINT a', 'SAVEPOINT a does not exist', 'missing-savepoint'],
  ['SAVEPOINT a b', 'Write SAVEPOINT name', 'unreadable'],
  ['ROLLBACK RELEASE', 'RELEASE is not available', 'not-supported'],
  ['COMMIT AND', 'This form of the statement is not supported. Write COMMIT [AND [NO] CHAIN].', 'unreadable'],
  ['START TRANSACTION READ', 'Write START TRANSACTION', 'unreadable'],
  ['SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE', 'cannot be SERIALIZABLE here', 'wrong-value'],
  ['SET TRANSACTION READ ONLY', 'START TRANSACTION READ ONLY', 'not-supported'],
])('%s is refused, and an open transaction stays as it is', async (sql, words, detail) => {
  const app = await shared()
  const table = await newTable(app)
  const { run, ok, isOpen, count } = await opened(app)
  await ok('BEGIN', `INSERT INTO ${table} VALUES (1)`)
  const refused = await run(sql)
  expect(refused).toMatchObject({ state: 'failed', message: expect.stringContaining(words) })
  expect(refused.errorDetail).toBe(detail)
  expect(await isOpen()).toBe(true)
  await ok('COMMIT')
  expect(await count(table)).toBe(1)
})

test('tables cannot be locked: LOCK TABLES commits and warns, UNLOCK TABLES does nothing', async () => {
  const app = await shared()
  const table = await newTable(app)
  const { run, ok, isOpen, count } = await opened(app)
  const admin = await (await app.admin()).channel()
  for (const sql of [`LOCK TABLES ${table} WRITE`, 'UNLOCK TABLES'])
    expect(await admin.run(sql)).toMatchObject([
      { errMsg: expect.stringContaining('Tables cannot be locked') },
    ])
  await ok('BEGIN', `INSERT INTO ${table} VALUES (1)`, `LOCK TABLES ${table} WRITE`)
  expect(await isOpen()).toBe(false)
  expect((await run('SHOW WARNINGS')).result?.rows).toEqual([
    ['Warning', '1235', expect.stringContaining('Tables cannot be locked')],
  ])
  await ok('BEGIN', `INSERT INTO ${table} VALUES (2)`, 'UNLOCK TABLES')
  expect(await isOpen()).toBe(true)
  await ok('ROLLBACK')
  expect(await count(table)).toBe(1)
})

test('with autocommit off, the first statement that reads or writes a table begins a transaction', async () => {
  const app = await shared()
  const table = await newTable(app)
  const [mine, other] = [await opened(app), await opened(app)]
  await mine.ok('SET autocommit = 0', 'SELECT 1', 'SHOW TABLES', 'SET @a = 1')
  expect(await mine.isOpen()).toBe(false)
  await mine.ok(`INSERT INTO ${table} VALUES (1)`)
  expect(await mine.isOpen()).toBe(true)
  expect([await mine.count(table), await other.count(table)]).toEqual([1, 0])
  await mine.ok('ROLLBACK')
  expect([await mine.isOpen(), await other.count(table)]).toEqual([false, 0])
  await mine.ok(`INSERT INTO ${table} VALUES (2)`, `INSERT INTO ${table} VALUES (3)`, 'COMMIT')
  expect([await mine.isOpen(), await other.count(table)]).toEqual([false, 2])
  await mine.ok(`SELECT * FROM ${table}`)
  expect(await mine.isOpen()).toBe(true)
  await other.ok(`INSERT INTO ${table} VALUES (4)`)
  expect(await mine.count(table), 'of the snapshot that the SELECT began').toBe(2)
  await mine.ok('COMMIT')
  expect(await mine.count(table)).toBe(3)
})

test('SET autocommit = 1 commits what is open', async () => {
  const app = await shared()
  const table = await newTable(app)
  const [mine, other] = [await opened(app), await opened(app)]
  await mine.ok(
    'SET autocommit = 0',
    `INSERT INTO ${table} VALUES (1)`,
    `SET time_zone = 'UTC', autocommit = 1`,
  )
  expect([await mine.isOpen(), await other.count(table)]).toEqual([false, 1])
  await mine.ok('BEGIN', `INSERT INTO ${table} VALUES (2)`, 'SET autocommit = 1')
  expect(await mine.isOpen(), 'it was on before').toBe(true)
  await mine.ok('ROLLBACK', `INSERT INTO ${table} VALUES (3)`)
  expect(await other.count(table)).toBe(2)
})

test('a commit that fails says so, and autocommit stays off', async () => {
  const app = await shared()
  const table = await newTable(app)
  const [mine, other] = [await opened(app), await opened(app)]
  await mine.ok('SET autocommit = 0', `INSERT INTO ${table} VALUES (1)`)
  await other.ok('BEGIN', `INSERT INTO ${table} VALUES (1)`, 'COMMIT')
  const failed = await mine.run('SET autocommit = 1')
  expect(failed).toMatchObject({ state: 'failed', errorDetail: 'duplicate-key' })
  expect(await mine.connection.state()).toMatchObject({
    inTransaction: false,
    variables: { autocommit: '0' },
  })
  expect(await other.count(table)).toBe(1)
})

test('COMMIT and ROLLBACK without a transaction are no errors, BEGIN commits the open one', async () => {
  const app = await shared()
  const table = await newTable(app)
  const [mine, other] = [await opened(app), await opened(app)]
  await mine.ok('COMMIT', 'ROLLBACK', 'ROLLBACK WORK')
  await mine.ok('BEGIN', `INSERT INTO ${table} VALUES (1)`, 'START TRANSACTION WITH CONSISTENT SNAPSHOT')
  expect([await mine.isOpen(), await other.count(table)]).toEqual([true, 1])
  await mine.ok(`INSERT INTO ${table} VALUES (2)`, 'COMMIT AND CHAIN')
  expect([await mine.isOpen(), await other.count(table)]).toEqual([true, 2])
  await mine.ok(`INSERT INTO ${table} VALUES (3)`, 'ROLLBACK AND CHAIN')
  expect([await mine.isOpen(), await other.count(table)]).toEqual([true, 2])
  await mine.ok('COMMIT AND NO CHAIN NO RELEASE')
  expect(await mine.isOpen()).toBe(false)
})

test('a transaction that only reads refuses to write', async () => {
  const app = await shared()
  const table = await newTable(app)
  const { run, ok, count } = await opened(app)
  await ok('START TRANSACTION READ ONLY', `SELECT * FROM ${table}`)
  expect(await run(`INSERT INTO ${table} VALUES (1)`)).toMatchObject({ errorDetail: 'read-only' })
  await ok('ROLLBACK', `INSERT INTO ${table} VALUES (1)`)
  expect(await count(table)).toBe(1)
})

test('what defines something commits the open transaction and is no part of one, a temporary table is', async () => {
  const app = await shared()
  const table = await newTable(app)
  const [mine, other] = [await opened(app), await opened(app)]
  await mine.ok('SET autocommit = 0', `INSERT INTO ${table} VALUES (1)`, `CREATE TABLE ${table}_made (n INT)`)
  expect([await mine.isOpen(), await other.count(table), await other.count(`${table}_made`)]).toEqual([
    false,
    1,
    0,
  ])
  await mine.ok(`INSERT INTO ${table} VALUES (2)`, `CREATE TEMPORARY TABLE brief AS SELECT 1 AS n`)
  expect([await mine.isOpen(), await other.count(table)]).toEqual([true, 1])
  await mine.ok('ROLLBACK')
  await mine.ok(`INSERT INTO ${table} VALUES (3)`, `CREATE DATABASE ${table}_base`)
  expect([await mine.isOpen(), await other.count(table)]).toEqual([false, 2])
  await mine.ok('PREPARE p AS DROP TABLE IF EXISTS nothing', `INSERT INTO ${table} VALUES (4)`, 'EXECUTE p')
  expect([await mine.isOpen(), await other.count(table)]).toEqual([false, 3])
  await mine.ok(`INSERT INTO ${table} VALUES (5)`)
  await other.ok('BEGIN', `INSERT INTO ${table} VALUES (5)`, 'COMMIT')
  const refused = await mine.run(`CREATE TABLE ${table}_never (n INT)`)
  expect(refused).toMatchObject({
    errorDetail: 'duplicate-key',
    message: expect.stringContaining('This statement did not run.'),
  })
  expect((await other.run(`SELECT * FROM ${table}_never`)).errorDetail).toBe('missing-table')
})

test('a first statement that fails leaves no transaction, a later one must be rolled back', async () => {
  const app = await shared()
  const table = await newTable(app)
  const { run, ok, isOpen, count } = await opened(app)
  await ok('SET autocommit = 0')
  expect((await run(`INSERT INTO ${table} SELECT 'x' FROM range(1)`)).errorDetail).toBe('cast')
  expect(await isOpen()).toBe(false)
  await ok(`INSERT INTO ${table} VALUES (1)`)
  expect((await run(`INSERT INTO ${table} VALUES (1)`)).errorDetail).toBe('duplicate-key')
  expect(await isOpen()).toBe(true)
  expect((await run(`SELECT * FROM ${table}`)).errorDetail).toBe('failed-transaction')
  expect(await run('COMMIT')).toMatchObject({ errorDetail: 'rolled-back' })
  expect(await isOpen()).toBe(false)
  expect(await count(table)).toBe(0)
})

test('two that change the same row are in conflict, which can be sent again', async () => {
  const app = await shared()
  const table = await newTable(app, 'n INT, v INT')
  const [mine, other] = [await opened(app), await opened(app)]
  await mine.ok(`INSERT INTO ${table} VALUES (1, 1)`, 'SET autocommit = 0', `UPDATE ${table} SET v = 2`)
  await other.ok('SET autocommit = 0')
  expect(await other.run(`UPDATE ${table} SET v = 3`)).toMatchObject({ errorDetail: 'conflict' })
  await mine.ok('COMMIT')
  await other.ok(`UPDATE ${table} SET v = 3`, 'COMMIT')
})

test('stopped, a first statement leaves no transaction', async () => {
  const app = await shared()
  const table = await newTable(app)
  const { connection, ok, isOpen } = await opened(app)
  await ok('SET autocommit = 0', 'SET max_execution_time = 30')
  const endless = `SELECT count(*) FROM ${table} t, range(1000000) a, range(1000000) b WHERE a.range <> b.range`
  await ok(`INSERT INTO ${table} VALUES (1)`, 'COMMIT')
  expect((await connection.run(endless))[0]?.code).toBe('StatementTimedOut')
  expect(await isOpen()).toBe(false)
  await ok(`SELECT * FROM ${table}`)
})

test('an engine that ends between two statements takes the transaction with it, and that is said once', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const { run, ok, isOpen, count } = await opened(app)
  await ok('CREATE TABLE boats (n INT)', 'SET autocommit = 0', 'INSERT INTO boats VALUES (1)')
  app.engines.crash('it was killed')
  expect(await run('INSERT INTO boats VALUES (2)')).toMatchObject({
    code: 'Interrupted',
    errorDetail: 'rolled-back',
    message: expect.stringContaining('your open transaction was rolled back: nothing of it took effect'),
  })
  expect(await isOpen()).toBe(false)
  expect(await count('boats')).toBe(0)
  await ok('INSERT INTO boats VALUES (3)', 'COMMIT')
  await ok('INSERT INTO boats VALUES (4)')
  app.engines.crash('it was killed')
  expect((await run('COMMIT')).errorDetail).toBe('rolled-back')
  await ok('COMMIT')
  expect(await count('boats')).toBe(1)
  await ok('COMMIT', 'INSERT INTO boats VALUES (5)')
  app.engines.crash('it was killed')
  expect(await run('ROLLBACK')).toMatchObject({
    state: 'finished',
    notice: expect.stringContaining('rolled back'),
  })
})

test('the console has the transactions of the engine', async () => {
  const app = await shared()
  const channel = await (await app.admin()).channel()
  const [first] = await channel.run('SELECT 1')
  const run = async (sql: string) => (await channel.run(sql, { connId: first?.connId ?? 0 })).at(-1)!
  expect((await run('SET autocommit = 0')).errMsg).toContain('autocommit is always 1 here.')
  expect((await run('COMMIT')).errMsg).toContain('no transaction is active')
  const table = `t${++tables}`
  await run('BEGIN')
  await run(`CREATE TABLE ${table} (n INT)`)
  await run('ROLLBACK')
  expect((await run(`SELECT * FROM ${table}`)).errMsg).toContain('does not exist')
})
