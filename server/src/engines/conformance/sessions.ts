import { expect, test } from 'vitest'
import { type Purpose, SessionRefused } from '../engine.ts'
import {
  type OpenFixture,
  cell,
  cells,
  failure,
  finished,
  openSession,
  rowsOf,
  rowsUpTo,
  sharedEngine,
} from './fixture.ts'

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

  test.each([{ catalog: 'nowhere' }, { database: 'dropped' }, { timeZone: 'Mars/Olympus' }])(
    'refuses to open in a state that does not exist: %o',
    async (state) => {
      const opening = openSession(shared.engine(), state)
      await expect(opening).rejects.toBeInstanceOf(SessionRefused)
      await expect(opening).rejects.toMatchObject({ error: { message: expect.stringMatching(/\S/) } })
    },
  )

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

  test('shows what is committed to every session, and nothing else', async () => {
    const [one, other] = [await openSession(shared.engine()), await openSession(shared.engine())]
    await rowsOf(one, 'CREATE TABLE seen (i INTEGER)')
    await rowsOf(one, 'BEGIN')
    await rowsOf(one, 'INSERT INTO seen VALUES (1)')
    expect(await cell(other, 'SELECT count(*) FROM seen')).toBe('0')
    await rowsOf(one, 'COMMIT')
    expect(await cell(other, 'SELECT count(*) FROM seen')).toBe('1')
  })

  test('runs the statements of one session one after the other, in the order sent', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, 'CREATE TABLE ordered (i INTEGER)')
    const runs = Array.from({ length: 20 }, (_, i) => rowsOf(session, `INSERT INTO ordered VALUES (${i})`))
    const last = cells(session, "SELECT string_agg(i, ',' ORDER BY rowid) FROM ordered")
    await Promise.all(runs)
    expect(await last).toEqual([[Array.from({ length: 20 }, (_, i) => i).join(',')]])
  })

  test('runs sessions side by side', async () => {
    const sessions = await Promise.all(Array.from({ length: 20 }, () => openSession(shared.engine())))
    const answers = await Promise.all(
      sessions.map((session, i) => cell(session, `SELECT ${i} + count(*) FROM range(1000)`)),
    )
    expect(answers).toEqual(sessions.map((_, i) => String(i + 1000)))
  })

  test('ends a transaction that failed with ROLLBACK', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, 'BEGIN')
    expect((await session.execute(`SELECT 'x'::INTEGER`, rowsUpTo(1)).outcome).state).toBe('failed')
    expect((await session.execute('SELECT 1', rowsUpTo(1)).outcome).state).toBe('failed')
    await rowsOf(session, 'ROLLBACK')
    expect(await cell(session, 'SELECT 1')).toBe('1')
  })

  test('answers that a closed session is closed', async () => {
    const session = await openSession(shared.engine())
    await session.close()
    await session.close()
    const outcome = await session.execute('SELECT 1', rowsUpTo(1)).outcome
    expect(outcome).toMatchObject({ state: 'failed', error: { kind: 'unavailable' } })
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

  test('does nothing of a statement that was taken for something else', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, 'CREATE TABLE untouched (i INTEGER)')
    for (const sql of ['INSERT INTO untouched VALUES (1)', 'DROP TABLE untouched', 'BEGIN'])
      await session.execute(sql, { ...rowsUpTo(10), takenFor: 'reads' }).outcome
    expect(await cell(session, 'SELECT count(*) FROM untouched')).toBe('0')
    await rowsOf(session, 'BEGIN')
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

  test('a statement that was made ready runs once, when it is executed and not before', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, 'CREATE TABLE hinted (i INTEGER)')
    const options = rowsUpTo(10)
    session.makeReady('INSERT INTO hinted VALUES (1)', options)
    expect(await cell(session, 'SELECT count(*) FROM hinted')).toBe('0')
    session.makeReady('INSERT INTO hinted VALUES (2)', options)
    expect(await finished(session.execute('INSERT INTO hinted VALUES (2)', options))).toMatchObject({
      rowsChanged: 1,
    })
    expect(await cells(session, 'SELECT i FROM hinted')).toEqual([['2']])
  })

  test('what is executed is what was asked for, whatever was made ready', async () => {
    const session = await openSession(shared.engine())
    const options = rowsUpTo(10)
    session.makeReady('SELECT 1', options)
    expect((await finished(session.execute('SELECT 2', options))).rows).toEqual([['2']])
    for (const sql of ['SELEC 3', 'SELECT * FROM nowhere', 'PIVOT (SELECT 1 AS i) ON i', '', 'SELECT ?'])
      session.makeReady(sql, options)
    expect(await failure(session, 'SELEC 3')).toMatchObject({ kind: 'syntax' })
    expect(await cell(session, 'SELECT 4')).toBe('4')
  })

  test('what was made ready sees what happened in the meantime', async () => {
    const [one, other] = [await openSession(shared.engine()), await openSession(shared.engine())]
    await rowsOf(one, 'CREATE TABLE changing AS SELECT 1 AS i')
    const options = rowsUpTo(10)
    one.makeReady('SELECT * FROM changing', options)
    await rowsOf(other, 'INSERT INTO changing VALUES (2)')
    expect((await finished(one.execute('SELECT * FROM changing', options))).rows).toEqual([['1'], ['2']])
    const later = rowsUpTo(10)
    one.makeReady('SELECT * FROM changing', later)
    // Done before the table is another: sessions are served side by side.
    await one.execute('SELECT 1', rowsUpTo(1)).outcome
    one.makeReady('SELECT * FROM changing', later)
    await cell(other, 'SELECT 1')
    await rowsOf(other, `CREATE OR REPLACE TABLE changing AS SELECT 'text' AS t, 3 AS n`)
    const outcome = await one.execute('SELECT * FROM changing', later).outcome
    expect(outcome).toMatchObject({ state: 'finished', result: { rows: [['text', '3']] } })
  })
  // An engine may leave out a condition that all rows meet, or expect no rows where there are none yet.
  test.each([
    ['SELECT count(*), sum(i) FROM growing WHERE i < 100', [['100', '4950']]],
    ['SELECT count(*) FROM growing WHERE i >= 100', [['1']]],
    ['SELECT count(*) FROM growing WHERE i IS NULL', [['1']]],
    ['SELECT i, count(*) FROM growing WHERE i > 98 GROUP BY i ORDER BY i', [['99', '1'], ['5000000000', '1']]], // prettier-ignore
  ])('what was made ready is right about what was written in the meantime: %s', async (sql, expected) => {
    const [one, other] = [await openSession(shared.engine()), await openSession(shared.engine())]
    await rowsOf(one, 'CREATE OR REPLACE TABLE growing AS SELECT range AS i FROM range(100)')
    const options = rowsUpTo(10)
    one.makeReady(sql, options)
    await cell(other, 'SELECT 1')
    await rowsOf(other, 'INSERT INTO growing VALUES (5000000000), (NULL)')
    expect((await finished(one.execute(sql, options))).rows).toEqual(expected)
  })

  test('what was made ready changes only what it is meant to', async () => {
    const [one, other] = [await openSession(shared.engine()), await openSession(shared.engine())]
    for (const sql of ['UPDATE growing SET i = -1 WHERE i < 100', 'DELETE FROM growing WHERE i < 100']) {
      await rowsOf(one, 'CREATE OR REPLACE TABLE growing AS SELECT range AS i FROM range(100)')
      const options = rowsUpTo(1)
      one.makeReady(sql, options)
      await cell(other, 'SELECT 1')
      await rowsOf(other, 'INSERT INTO growing VALUES (5000)')
      expect(await finished(one.execute(sql, options))).toMatchObject({ rowsChanged: 100 })
      expect(await cell(one, 'SELECT count(*) FROM growing WHERE i = 5000')).toBe('1')
    }
  })
  test('is right about what others write at the same moment', async () => {
    const [reader, writer] = [await openSession(shared.engine()), await openSession(shared.engine())]
    await rowsOf(reader, 'CREATE OR REPLACE TABLE growing AS SELECT range AS i FROM range(1000)')
    let written = 999
    const over = new AbortController()
    const writing = (async () => {
      for (; !over.signal.aborted; written++)
        await rowsOf(writer, `INSERT INTO growing VALUES (${written + 1})`)
    })()
    const wrong: unknown[] = []
    for (let times = 0; times < 200; times++) {
      const known = written
      const [[count] = []] = await cells(reader, `SELECT count(*) FROM growing WHERE i <= ${known}`)
      if (count !== String(known + 1)) wrong.push({ known, count })
    }
    over.abort()
    await writing
    expect(wrong).toEqual([])
  })
}
