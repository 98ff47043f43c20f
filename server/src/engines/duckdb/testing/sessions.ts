import { expect, test } from 'vitest'
import type { Purpose } from '../../engine/run.ts'
import {
  type OpenFixture,
  cell,
  cells,
  failure,
  openSession,
  rowsOf,
  rowsUpTo,
  sharedEngine,
} from '../../conformance/fixture.ts'

export function sessionTests(open: OpenFixture): void {
  const shared = sharedEngine(open)

  test('enters the catalog, database, time zone and variables it is given', async () => {
    const first = await openSession(shared.engine())
    await rowsOf(first, 'CREATE SCHEMA "odd ""name"')
    await rowsOf(first, 'CREATE TABLE "odd ""name".here AS SELECT 1 AS i')
    const session = await openSession(shared.engine(), {
      database: 'odd "name',
      timeZone: 'Asia/Kolkata',
      variables: { sql_select_limit: "it's 1000", 'a b': 'c' },
    })
    expect(await cells(session, 'SELECT current_catalog(), current_schema()')).toEqual([
      ['default_catalog', 'odd "name'],
    ])
    expect(await cell(session, 'SELECT i FROM here')).toBe('1')
    expect(await cell(session, `SELECT '2026-01-01 00:00:00+00'::TIMESTAMPTZ`)).toBe(
      '2026-01-01 05:30:00+05:30',
    )
    const variables = `SELECT getvariable('sql_select_limit'), getvariable('a b')`
    expect(await cells(session, variables)).toEqual([["it's 1000", 'c']])
  })

  test('stands in the first database of the catalog when none is given', async () => {
    expect(await cell(await openSession(shared.engine()), 'SELECT current_schema()')).toBe('main')
  })

  test('keeps what belongs to one session from the others', async () => {
    const [one, other] = [await openSession(shared.engine()), await openSession(shared.engine())]
    await rowsOf(one, 'CREATE SCHEMA mine')
    await rowsOf(one, 'USE mine')
    await rowsOf(one, `SET TimeZone = 'America/New_York'`)
    await rowsOf(one, `SET VARIABLE v = 1`)
    await rowsOf(one, 'CREATE TEMP TABLE scratch (i INTEGER)')
    const state = `SELECT current_schema(), current_setting('TimeZone'), getvariable('v')`
    expect(await cells(one, state)).toEqual([['mine', 'America/New_York', '1']])
    expect(await cells(other, state)).toEqual([['main', 'UTC', null]])
    expect(await cells(one, 'SELECT * FROM scratch')).toEqual([])
    expect(await failure(other, 'SELECT * FROM scratch')).toMatchObject({ kind: 'missing' })
  })

  test.each<[sql: string, purposes: Purpose[]]>([
    ['SELECT * FROM read_me r JOIN main.read_me USING (i)', ['reads', 'writes']],
    ['WITH c AS (SELECT 1) SELECT * FROM c; -- end', ['reads', 'writes']],
    ['PIVOT (SELECT 1 AS i) ON i', ['reads', 'writes']],
    ['EXPLAIN SELECT * FROM read_me', ['reads', 'writes']],
    ['INSERT INTO read_me SELECT i FROM read_me', ['writes']],
    ['UPDATE read_me SET i = 1', ['writes']],
    ['DELETE FROM read_me', ['writes']],
    ['CREATE OR REPLACE TABLE read_too AS SELECT * FROM read_me', ['writes']],
    ['DROP TABLE IF EXISTS read_too', ['writes']],
    ['BEGIN', ['session']],
    [`PRAGMA table_info('read_me')`, []],
    ['SET VARIABLE v = 1', []],
    ['USE main', []],
  ])('runs %s only when it was taken for what it is', async (sql, purposes) => {
    for (const takenFor of ['reads', 'writes', 'session'] as const) {
      const session = await openSession(shared.engine())
      await rowsOf(session, 'CREATE TABLE IF NOT EXISTS read_me (i INTEGER)')
      const outcome = await session.execute(sql, { ...rowsUpTo(10), takenFor }).outcome
      const refused = { state: 'failed', error: { kind: 'permission' } }
      expect(outcome).toMatchObject(purposes.includes(takenFor) ? { state: 'finished' } : refused)
      await session.close()
    }
  })

  test.each([
    ['SELEC 1', 'syntax'],
    ['SELECT * FROM nowhere', 'missing'],
    [`COPY (SELECT 1) TO 'x.csv'`, 'permission'],
    [`ATTACH 'x.duckdb' AS x`, 'permission'],
    [`FROM read_text('/etc/passwd')`, 'permission'],
    ['SELECT 1; SELECT 2', 'syntax'],
    ['SELECT 1 \0', 'syntax'],
    ['', 'syntax'],
  ])('says why %j is not run', async (sql, kind) => {
    expect(await failure(await openSession(shared.engine()), sql)).toMatchObject({ kind })
  })
}
