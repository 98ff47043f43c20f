import { expect, test } from 'vitest'
import { type OpenFixture, cell, openSession, rowsOf, rowsUpTo } from '../../conformance/fixture.ts'
import { KEEP, runKept } from '../../conformance/run-kept.ts'
import { sharedResults } from '../../conformance/shared-results.ts'

/** What an engine remembers of a text must not be seen when it is run again. */
export function keptAgainTests(open: OpenFixture): void {
  const shared = sharedResults(open)
  const { results } = shared

  test('keeps the rows that were shown, of a statement that gives others every time', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, 'CREATE SEQUENCE ticket')
    const { queryId, result } = await runKept(
      session,
      `SELECT nextval('ticket') AS n, random() AS r FROM range(3000)`,
    )
    expect((await results().read(queryId, { offset: 0, limit: 10 }))?.rows).toEqual(result.rows)
    expect(await cell(session, `SELECT nextval('ticket')`)).toBe('3001')
  })

  test('keeps the rows of a statement that is run again, also when its columns have changed', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, 'CREATE TABLE changing AS SELECT range AS i FROM range(3000)')
    const readLast = async () => {
      const { queryId, kept, result } = await runKept(session, 'FROM changing')
      expect([kept?.rows, result.rows.length, result.truncated]).toEqual([3000, 10, true])
      return (await results().read(queryId, { offset: 2999, limit: 1 }))?.rows
    }
    expect([await readLast(), await readLast()]).toEqual([[['2999']], [['2999']]])
    await rowsOf(session, `ALTER TABLE changing ADD COLUMN w VARCHAR DEFAULT 'new'`)
    expect([await readLast(), await readLast()]).toEqual([[['2999', 'new']], [['2999', 'new']]])
    await rowsOf(session, 'ALTER TABLE changing DROP COLUMN w')
    expect([await readLast(), await readLast()]).toEqual([[['2999']], [['2999']]])
    for (let round = 0; round < 3; round++) {
      expect((await runKept(session, 'SELECT 42 AS n')).result.rows).toEqual([['42']])
      const late = `SELECT i / (2999 - i)::INTEGER + CASE WHEN i = 2999 THEN error('late')::INTEGER ELSE 0 END FROM changing`
      expect((await session.execute(late, { ...rowsUpTo(10), keep: KEEP }).outcome).state).toBe('failed')
    }
  })

  test('keeps all rows of a statement that gave few of them before', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, `CREATE TABLE growing AS SELECT 0 AS i, 'first' AS w`)
    const read = async () => {
      const { queryId, kept, result } = await runKept(session, 'FROM growing')
      const last = await results().read(queryId, { offset: (kept?.rows ?? 0) - 1, limit: 10 })
      return [kept?.rows, result.rows.length, result.truncated, last?.rows]
    }
    const one = [1, 1, false, [['0', 'first']]]
    const many = [3000, 10, true, [['2999', 'row 2999']]]
    expect([await read(), await read()]).toEqual([one, one])
    await rowsOf(session, `INSERT INTO growing SELECT range, 'row ' || range FROM range(1, 2000)`)
    expect(await read()).toEqual([2000, 10, true, [['1999', 'row 1999']]])
    await rowsOf(session, `INSERT INTO growing SELECT range, 'row ' || range FROM range(2000, 3000)`)
    expect([await read(), await read()]).toEqual([many, many])
    await rowsOf(session, `DELETE FROM growing WHERE i > 0`)
    expect([await read(), await read()]).toEqual([one, one])
    await rowsOf(session, `INSERT INTO growing SELECT range, repeat('x', 100_000) FROM range(300)`)
    expect((await runKept(session, 'FROM growing')).kept?.rows).toBe(301)
  })

  test('draws from a sequence once, also where it gave few rows before', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, 'CREATE SEQUENCE number')
    await rowsOf(session, 'CREATE TABLE drawing AS SELECT 1 AS i')
    const sql = `SELECT nextval('number') AS n, 'w' AS w FROM drawing`
    expect((await runKept(session, sql)).kept?.rows).toBe(1)
    await rowsOf(session, 'INSERT INTO drawing FROM range(4999)')
    expect((await runKept(session, sql)).kept?.rows).toBe(5000)
    expect(await cell(session, `SELECT nextval('number')`)).toBe('5002')
  })
}
