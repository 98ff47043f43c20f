import { expect, test } from 'vitest'
import { openProgram, TestSink } from '../../../testing/client-kit.ts'
import { MINUTES } from '../../../testing/fake-clock.ts'
import { startApp } from '../../../testing/start-app.ts'

async function opened() {
  const app = await startApp({}, { engine: 'embedded' })
  const connection = await openProgram(app, await app.admin())
  const run = async (sql: string) => (await connection.run(sql)).at(-1)!
  expect((await run('CREATE TABLE boats (n INT)')).message).toBe('')
  expect((await run('SET autocommit = 0')).message).toBe('')
  const pass = async (ms: number) => {
    app.clock.advance(ms)
    await app.queries.connections.endIdle()
  }
  return { app, connection, run, pass }
}

test('a transaction that wrote is rolled back after idle_transaction_timeout, and its user gets to know once', async () => {
  const { connection, run, pass } = await opened()
  await run('CREATE TEMPORARY TABLE brief AS SELECT 1 AS n')
  await run('COMMIT')
  await run('INSERT INTO boats VALUES (1)')
  await pass(9 * MINUTES)
  expect((await run('SELECT count(*) FROM boats')).result?.rows).toEqual([['1']])
  await pass(9 * MINUTES)
  expect((await run('SELECT count(*) FROM boats')).result?.rows).toEqual([['1']])
  await pass(11 * MINUTES)
  expect((await connection.state()).inTransaction).toBe(true)
  expect(await run('COMMIT')).toMatchObject({
    code: 'Interrupted',
    errorDetail: 'rolled-back',
    message:
      'Nothing came on this connection for longer than idle_transaction_timeout, and your open transaction was rolled back: nothing of it took effect. Begin it again.',
  })
  expect((await connection.state()).inTransaction).toBe(false)
  expect((await run('SELECT (SELECT count(*) FROM boats), n FROM brief')).result?.rows).toEqual([['0', '1']])
})

test('one that only read ends without a word, and the next statement sees what is there now', async () => {
  const { app, connection, run, pass } = await opened()
  await run('COMMIT')
  await run('SELECT * FROM boats')
  const other = await openProgram(app, await app.admin())
  await other.run('INSERT INTO boats VALUES (1)')
  expect((await run('SELECT count(*) FROM boats')).result?.rows).toEqual([['0']])
  await pass(10 * MINUTES)
  expect((await connection.state()).inTransaction).toBe(false)
  expect(await run('SELECT count(*) FROM boats')).toMatchObject({ notice: '', result: { rows: [['1']] } })
})

test('a connection without statements is closed after wait_timeout, and not before', async () => {
  const { connection, run, pass } = await opened()
  await run('SET wait_timeout = 120')
  await pass(MINUTES)
  await run('SELECT 1')
  await pass(1.5 * MINUTES)
  expect(connection.closed.aborted).toBe(false)
  await pass(MINUTES)
  expect(connection.closed.aborted).toBe(true)
})

test('a client that takes no rows for net_write_timeout ends its statement', async () => {
  const { connection, run } = await opened()
  await run('SET net_write_timeout = 0.05')
  const sink = new TestSink(() => new Promise(() => undefined))
  const [answer] = await connection.run('SELECT range FROM range(1000000)', { sink })
  expect(answer).toMatchObject({ code: 'Cancelled', message: expect.stringContaining('no longer reads') })
  expect((await run('SELECT 1')).code).toBe('Ok')
})
