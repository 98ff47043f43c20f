import { expect, test } from 'vitest'
import { AppError } from '../../../kernel/app-error.ts'
import { openProgram } from '../../../testing/client-kit.ts'
import { startApp, sharedApp } from '../../../testing/start-app.ts'

const embedded = sharedApp({}, { engine: 'embedded' })

const refusalOf = (refused: Promise<unknown>) =>
  refused.then(
    () => null,
    (error: unknown) => (error instanceof AppError ? { code: error.code, message: error.message } : error),
  )

async function withTable(table: string) {
  const app = await embedded()
  const admin = await openProgram(app, await app.admin())
  await admin.run(`CREATE TABLE ${table} (n INTEGER, name VARCHAR)`)
  return { app, admin }
}

test('reports the columns and parameters of a select, and runs nothing', async () => {
  const { app, admin } = await withTable('described_read')
  const known = () => app.store.db.selectFrom('statements').select('query_id').orderBy('query_id').execute()
  const before = await known()
  expect(
    await admin.describe('SELECT name, n + 1 AS next FROM described_read WHERE n > ? AND name = ?'),
  ).toMatchObject({
    columns: [
      { name: 'name', type: 'VARCHAR', family: 'text' },
      { name: 'next', type: 'INTEGER', family: 'number' },
    ],
    parameters: [
      { name: '1', type: 'INTEGER' },
      { name: '2', type: 'VARCHAR' },
    ],
  })
  expect(await known()).toEqual(before)
})

test('reports that an insert has no columns, takes values of the table, and inserts nothing', async () => {
  const { admin } = await withTable('described_written')
  expect(await admin.describe('INSERT INTO described_written VALUES (?, ?)')).toMatchObject({
    columns: [],
    parameters: [{ name: '1' }, { name: '2' }],
  })
  const returning = await admin.describe('INSERT INTO described_written VALUES (1, ?) RETURNING n')
  expect(returning.columns).toMatchObject([{ name: 'n', type: 'INTEGER', family: 'number' }])
  const [count] = await admin.run('SELECT count(*) FROM described_written')
  expect(count?.result?.rows).toEqual([['0']])
})

test('sees what the session has: its place, its temporary tables and its open transaction', async () => {
  const { admin } = await withTable('described_session')
  await admin.run('BEGIN; CREATE TEMP TABLE brief (only_here INTEGER)')
  expect((await admin.describe('SELECT * FROM brief')).columns).toMatchObject([{ name: 'only_here' }])
  expect(await admin.state()).toMatchObject({ inTransaction: true })
  expect((await admin.run('ROLLBACK'))[0]?.code).toBe('Ok')
})

test('refuses an unknown table, a text that is no statement, several, and what may never run', async () => {
  const { admin } = await withTable('described_refused')
  expect(await refusalOf(admin.describe('SELECT * FROM nowhere'))).toMatchObject({ code: 'QueryFailed' })
  expect(await refusalOf(admin.describe('SELECT FROM WHERE'))).toMatchObject({ code: 'QueryFailed' })
  expect(await refusalOf(admin.describe('SELECT 1; SELECT 2'))).toMatchObject({ code: 'BadInput' })
  expect(await refusalOf(admin.describe(''))).toMatchObject({ code: 'BadInput' })
  expect(await refusalOf(admin.describe("SELECT * FROM read_csv('/etc/passwd')"))).toBeInstanceOf(Object)
  expect(await refusalOf(admin.describe("ATTACH '/tmp/x.db'"))).toMatchObject({ code: expect.any(String) })
})

test('reports nothing of tables that somebody may not read, with parameters or without', async () => {
  const { app, admin } = await withTable('described_secret')
  const grace = await app.user()
  const connection = await openProgram(app, grace)
  for (const sql of ['SELECT name FROM described_secret', 'SELECT name FROM described_secret WHERE n = ?'])
    expect(await refusalOf(connection.describe(sql))).toMatchObject({ code: 'NoPermission' })
  await admin.run(`GRANT SELECT ON described_secret TO ${grace.name}`)
  for (const sql of ['SELECT name FROM described_secret', 'SELECT name FROM described_secret WHERE n = ?'])
    expect((await connection.describe(sql)).columns).toMatchObject([{ name: 'name' }])
})

test('statements of the service, and engines that cannot, are known when they run', async () => {
  const { admin } = await withTable('described_later')
  expect(await admin.describe('SHOW TABLES')).toEqual({ columns: null, parameters: [] })
  const app = await startApp({}, { without: ['describing'] })
  const connection = await openProgram(app, await app.admin())
  expect(await connection.describe('SELECT ? + 1')).toEqual({
    columns: null,
    parameters: [{ name: '1', type: null }],
  })
})
