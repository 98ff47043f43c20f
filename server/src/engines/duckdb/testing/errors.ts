import { expect, test } from 'vitest'
import {
  type OpenFixture,
  cell,
  failure,
  openSession,
  rowsOf,
  sharedEngine,
} from '../../conformance/fixture.ts'

/** The place is marked with `§` in the text. */
const PLACES: readonly (readonly [kind: string, marked: string])[] = [
  ['syntax', '§selec 1'],
  ['syntax', 'SELECT 1 FROM§'],
  ['syntax', 'SELECT 1,\n       2\n  FROM range(3)\n WHERE §) = 1'],
  ['syntax', `SELECT 'déjà 🎉 日本', 1 §FROM FROM x`.replace('§FROM FROM', 'FROM §FROM')],
  ['missing', 'SELECT §nope FROM range(3)'],
  ['missing', 'SELECT *\n  FROM §nowhere'],
  ['missing', `-- é\nSELECT 'déjà 🎉 日本' AS "ü",\n       §nope FROM range(3)`],
  ['missing', `/* 🎉 */ SELECT * FROM range(3) r JOIN §nowhere n ON n.i = r.range;`],
  ['missing', 'SELECT\u00a01,\u3000§nope FROM range(3)'],
  ['missing', `SELECT '\u00a0' || 'x' /* \u2003 */ || '日',\u00a0§nope FROM range(3)`],
  ['missing', 'UPDATE §nowhere SET i = 1'],
  ['missing', `CREATE TABLE made AS SELECT '🎉', §nope FROM range(3)`],
  ['missing', 'SELECT §no_such_function(1)'],
  ['data', `SELECT 'é🎉', §CAST('x' AS INTEGER)`],
  ['data', `SELECT i, '日本' AS w,\n §CAST('x' || i AS INTEGER) FROM range(3) t(i)`],
]

export function errorTests(open: OpenFixture): void {
  const shared = sharedEngine(open)

  test.each(PLACES)('points at the place of a %s error: %s', async (kind, marked) => {
    const session = await openSession(shared.engine())
    const error = await failure(session, marked.replace('§', ''))
    expect(error).toMatchObject({ kind, offset: marked.indexOf('§') })
    expect(error.message).not.toMatch(/exception_type|LINE \d|\^/)
  })

  test.each(['SELECT * FROM effects', 'DROP TABLE effect', 'SELECT * FROM big', 'SELECT * FROM indexes'])(
    "names nothing that is not the user's: %s",
    async (sql) => {
      const { kind, message } = await failure(await openSession(shared.engine()), sql)
      expect(kind).toBe('missing')
      expect(message).not.toMatch(/boathouse|duckdb|pg_|Did you mean/)
    },
  )

  test.each([
    ['missing', 'SELECT * FROM nowhere.nothing'],
    ['missing', 'SELECT * FROM no_catalog.main.nothing'],
    ['missing', 'DROP TABLE nothing'],
    ['missing', 'INSERT INTO nothing VALUES (1)'],
    ['missing', 'USE nothing'],
    ['data', 'CREATE SCHEMA main'],
    ['data', `SELECT error('on purpose')`],
    ['data', 'SELECT 9223372036854775807 + i FROM range(1, 2) t(i)'],
    ['data', 'SELECT (SELECT i FROM range(2) t(i))'],
    ['syntax', 'SELECT sum(i), i FROM range(2) t(i)'],
    ['syntax', 'SELECT ?'],
  ])('tells a %s error: %s', async (kind, sql) => {
    const error = await failure(await openSession(shared.engine()), sql)
    expect(error.kind).toBe(kind)
    expect(error.message).not.toMatch(/exception_type/)
  })

  test('reports broken constraints as errors of the data', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, 'CREATE TABLE strict (i INTEGER PRIMARY KEY, j INTEGER NOT NULL CHECK (j > 0))')
    await rowsOf(session, 'INSERT INTO strict VALUES (1, 1)')
    for (const row of ['(1, 1)', '(2, NULL)', '(3, 0)'])
      expect((await failure(session, `INSERT INTO strict VALUES ${row}`)).kind).toBe('data')
    expect(await cell(session, 'SELECT count(*) FROM strict')).toBe('1')
  })

  test.each([
    `SELECT CASE WHEN i = 99999 THEN CAST('x' AS INTEGER) ELSE i END FROM range(100000) t(i)`,
    `SELECT CASE WHEN i = 99999 THEN error('late') ELSE i::VARCHAR END FROM range(100000) t(i)`,
    `INSERT INTO late SELECT CASE WHEN i = 99999 THEN CAST('x' AS INTEGER) ELSE i END FROM range(100000) t(i)`,
  ])('fails as a whole when a late row fails: %s', async (sql) => {
    const session = await openSession(shared.engine())
    await rowsOf(session, 'CREATE OR REPLACE TABLE late (i INTEGER)')
    expect((await failure(session, sql, 1_000_000)).kind).toBe('data')
    expect(await cell(session, 'SELECT count(*) FROM late')).toBe('0')
  })

  test('lives on after a statement needed too much memory', async () => {
    const [session, other] = [await openSession(shared.engine()), await openSession(shared.engine())]
    const error = await failure(
      session,
      "SELECT list(i::VARCHAR || 'padding of some length') FROM range(50000000) t(i)",
    )
    expect(error.kind).toBe('resource')
    expect(error.message).toMatch(/larger warehouse/)
    // Advice that cannot be followed: nobody changes these.
    expect(error.message).not.toMatch(/SET |threads|memory_limit|duckdb\.org/)
    expect(await cell(session, 'SELECT 1')).toBe('1')
    expect(await cell(other, 'SELECT 1')).toBe('1')
  })
}
