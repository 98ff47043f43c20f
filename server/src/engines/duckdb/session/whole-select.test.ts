import { DuckDBConnection } from '@duckdb/node-api'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { openSession, ownEngine, rowsOf, rowsUpTo } from '../../conformance/fixture.ts'
import { collecting } from '../../conformance/sinks.ts'
import type { EngineSession } from '../../engine/session.ts'
import type { ExecuteOptions } from '../../engine/run.ts'
import { createInProcessDuckdb } from '../in-process.ts'

const provider = createInProcessDuckdb()
afterAll(() => provider.close())

const open = async () => openSession(await ownEngine({ provider, kill: () => undefined }))

/** As a program's statement that only reads. */
async function read(session: EngineSession, sql: string, over: Partial<ExecuteOptions> = {}) {
  const sink = collecting()
  const { state } = await session.execute(sql, { ...rowsUpTo(3), takenFor: 'reads', sink, ...over }).outcome
  return { state, names: sink.columns?.map(({ name }) => name), rows: sink.rows }
}

/** How often texts with this in them are run from now on without being bound first, and how often they are bound. */
function watched(part: string) {
  const spies = [
    vi.spyOn(DuckDBConnection.prototype, 'run'),
    vi.spyOn(DuckDBConnection.prototype, 'prepare'),
  ] as const
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()))
  return () => spies.map(({ mock }) => mock.calls.filter(([text]) => text.includes(part)).length)
}

test('a text that gave little is run in one call the next time, with the same rows', async () => {
  const session = await open()
  const sql = 'SELECT 41 + 1 AS answer;'
  const first = await read(session, sql)
  const calls = watched('41 + 1')
  expect(first).toEqual({ state: 'finished', names: ['answer'], rows: [['42']] })
  expect(await read(session, sql)).toEqual(first)
  expect(calls()).toEqual([1, 0])
})

test('a text with other values is run in one call, with its own rows', async () => {
  const session = await open()
  await rowsOf(session, "CREATE TABLE boats AS SELECT i, 'boat ' || i AS name FROM range(5) t(i)")
  const find = (id: number, name: string) =>
    read(session, `SELECT name FROM boats WHERE i = ${id} OR name = '${name}'`)
  expect((await find(1, 'boat 1')).rows).toEqual([['boat 1']])
  const calls = watched('FROM boats')
  expect((await find(3, 'boat 4')).rows).toEqual([['boat 3'], ['boat 4']])
  expect((await find(9, 'no-one')).rows).toEqual([])
  expect((await read(session, "SELECT name FROM boats WHERE i = 2e0 OR name = ''")).rows).toEqual([
    ['boat 2'],
  ])
  expect(calls()).toEqual([3, 0])
})

test.each(["it''s", 'a;b', 'a--b', '/* a', 'a"b', 'a$b', 'a\\b', 'a\nb', '(a)'])(
  'a value that might be more than one is looked at as any other text: %s',
  async (value) => {
    const session = await open()
    for (let times = 0; times < 2; times++) await read(session, "SELECT 'plain' AS v")
    const calls = watched(value)
    const { rows } = await read(session, `SELECT '${value}' AS v`)
    expect(rows).toEqual([[value.replace("''", "'")]])
    expect(calls()[0]).toBe(0)
  },
)

test.each([
  [
    "SELECT 'x;' AS a , 'a\\' AS b, ') AS t; SELECT 2 AS c --' AS c",
    "SELECT 'x;' AS a , e'a\\' AS b, ') AS t; SELECT 2 AS c --' AS c",
  ],
  ["SELECT 'x' AS a, 1 AS b", "SELECT e'x' AS a, 1 AS b"],
  ['SELECT 1 AS "a"', `SELECT 1 AS "a' "`],
])(
  'a text is looked at if its quotes may mean something else than those of one that was: %s',
  async (known, other) => {
    const session = await open()
    for (let times = 0; times < 2; times++) expect((await read(session, known)).state).toBe('finished')
    const calls = watched(other)
    await read(session, other)
    expect(calls()[0]).toBe(0)
  },
)

test('a value by which a text is refused is so when others were not', async () => {
  const session = await open()
  for (let times = 0; times < 2; times++)
    expect((await read(session, "SELECT 'plain' AS v")).state).toBe('finished')
  expect((await read(session, "SELECT 'boathouse_internal' AS v")).state).toBe('failed')
})

test('a sender who must be authorized is so each time', async () => {
  const session = await open()
  await rowsOf(session, 'CREATE TABLE boats AS SELECT 1 AS i')
  const sql = 'SELECT i FROM boats'
  for (let times = 0; times < 2; times++) expect((await read(session, sql)).rows).toEqual([['1']])
  const denied = { authorize: async () => ({ message: 'You may not read boats.' }) }
  const failed = await read(session, sql, denied)
  expect(failed).toMatchObject({ state: 'failed', rows: [] })
})

test('what has more rows than before is handed over as a whole, and each row once', async () => {
  const session = await open()
  const sql = 'SELECT i FROM generate_series(1, getvariable($$rows$$)) t(i)'
  await rowsOf(session, 'SET VARIABLE rows = 3')
  for (let times = 0; times < 2; times++) expect((await read(session, sql)).rows.length).toBe(3)
  await rowsOf(session, 'SET VARIABLE rows = 5000')
  expect((await read(session, sql)).rows.length).toBe(5000)
})

test('columns that have the same name keep it', async () => {
  const session = await open()
  for (let times = 0; times < 3; times++)
    expect(await read(session, 'SELECT 1 AS i, 2 AS i')).toMatchObject({
      names: ['i', 'i'],
      rows: [['1', '2']],
    })
})

test('sees what its own transaction has written', async () => {
  const session = await open()
  await rowsOf(session, 'CREATE TABLE boats (i INTEGER)')
  const sql = 'SELECT count(*) AS n FROM boats'
  for (let times = 0; times < 2; times++) expect((await read(session, sql)).rows).toEqual([['0']])
  await rowsOf(session, 'BEGIN')
  await rowsOf(session, 'INSERT INTO boats VALUES (1)')
  for (let times = 0; times < 2; times++) expect((await read(session, sql)).rows).toEqual([['1']])
  await rowsOf(session, 'ROLLBACK')
  expect((await read(session, sql)).rows).toEqual([['0']])
})

test('what it reads and is no more is named in an error as that of any other', async () => {
  const session = await open()
  await rowsOf(session, 'CREATE TABLE boats AS SELECT 1 AS i')
  const sql = 'SELECT i FROM boats'
  for (let times = 0; times < 2; times++) await read(session, sql)
  await rowsOf(session, 'DROP TABLE boats')
  const { outcome } = session.execute(sql, { ...rowsUpTo(3), takenFor: 'reads', sink: collecting() })
  expect(await outcome).toMatchObject({
    state: 'failed',
    error: { message: expect.stringContaining('boats') },
  })
})
