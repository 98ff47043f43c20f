import { afterAll, expect, test } from 'vitest'
import { must, openSession, ownEngine, rowsOf, rowsUpTo } from '../../conformance/fixture.ts'
import { collecting, filled, into } from '../../conformance/sinks.ts'
import { createInProcessDuckdb } from '../in-process.ts'

const provider = createInProcessDuckdb()
afterAll(() => provider.close())

const session = async () => openSession(await ownEngine({ provider, kill: () => undefined }))

/** What DuckDB hands over in no order: a row that says that none is missing may come anywhere. */
const GROUPED = 'SELECT i % 100000 AS g, count(*) AS n, NULL AS nothing FROM range(300000) t(i) GROUP BY ALL'

test('gives a sink each row of a result without an order once, and no other', async () => {
  const sink = collecting()
  const outcome = await filled(await session(), GROUPED, sink)
  expect(outcome.sinkRows).toBe(100_000)
  expect(new Set(sink.rows.map(([g]) => g)).size).toBe(100_000)
  expect(sink.rows.every(([g, n, nothing]) => g !== null && n === '3' && nothing === null)).toBe(true)
})

test('gives a sink rows of nothing but NULL', async () => {
  const sink = collecting()
  await filled(await session(), 'SELECT NULL AS a, NULL::INTEGER AS b FROM range(5000)', sink)
  expect(sink.rows).toEqual(Array.from({ length: 5000 }, () => [null, null]))
})

test.each([
  ['with an order', `SELECT CASE WHEN i = 150000 THEN error('late') ELSE i END AS v FROM range(200000) t(i)`],
  [
    'without an order',
    `SELECT CASE WHEN n = 3 AND g = 77777 THEN error('late') ELSE g END AS v FROM (${GROUPED})`,
  ],
  [
    'that cannot be read',
    `SELECT CASE WHEN i = 100000 THEN 'x' ELSE i::VARCHAR END::INTEGER AS v FROM range(200000) t(i)`,
  ],
])('never takes rows %s for all of them when one fails', async (_, sql) => {
  const one = await session()
  for (let times = 0; times < 3; times++) {
    const outcome = await into(one, sql, collecting()).outcome
    expect(outcome).toMatchObject({ state: 'failed', error: { kind: 'data' } })
    expect(JSON.stringify(outcome)).toMatch(/late|Could not convert/)
  }
})

test('says that rows are missing where the transaction has failed with them', async () => {
  const one = await session()
  await rowsOf(one, 'BEGIN')
  const outcome = await into(
    one,
    `SELECT CASE WHEN i = 150000 THEN error('late') ELSE i END FROM range(200000) t(i)`,
    collecting(),
  ).outcome
  expect(outcome).toMatchObject({ state: 'failed', error: { kind: 'resource' } })
  expect(await into(one, 'SELECT 1', collecting()).outcome).toMatchObject({ state: 'failed' })
  await rowsOf(one, 'ROLLBACK')
  expect((await filled(one, 'SELECT 1', collecting())).sinkRows).toBe(1)
})

test('does not draw from a sequence once more to find out what failed', async () => {
  const one = await session()
  await rowsOf(one, 'CREATE SEQUENCE drawn')
  const sql = `SELECT CASE WHEN nextval('drawn') = 20000 THEN error('late') END FROM range(30000) t(i)`
  expect(await into(one, sql, collecting()).outcome).toMatchObject({ state: 'failed' })
  const { rows } = await rowsOf(one, `SELECT nextval('drawn') < 30002`)
  expect(rows).toEqual([['true']])
})

test('gives a sink the rows that a statement writes, and undoes them when the sink refuses', async () => {
  const one = await session()
  await rowsOf(one, 'CREATE TABLE written (i INTEGER)')
  const sink = collecting()
  const insert = 'INSERT INTO written SELECT i FROM range(5000) t(i) RETURNING i'
  expect(await filled(one, insert, sink)).toMatchObject({ sinkRows: 5000, result: { rowsChanged: 5000 } })
  expect(sink.rows).toHaveLength(5000)
  const refusing = { ...collecting(), end: () => Promise.reject(new Error('Gone.')) }
  expect(await into(one, insert, refusing).outcome).toMatchObject({ state: 'cancelled' })
  expect((await rowsOf(one, 'SELECT count(*) FROM written')).rows).toEqual([['5000']])
})

test('reports how a statement ran whose rows a sink has taken, without what is put around it', async () => {
  const engine = await ownEngine({ provider, kill: () => undefined })
  const one = await openSession(engine)
  const options = { ...rowsUpTo(1), sink: collecting(), profile: must(engine.profiling) }
  const outcome = await one.execute('SELECT i FROM range(1000) t(i) WHERE i % 2 = 0', options).outcome
  const profile = JSON.stringify(outcome.state === 'finished' && outcome.profile)
  expect(profile).toContain('RANGE')
  expect(profile).not.toContain('UNION')
})
