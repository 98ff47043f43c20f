import { expect, test, vi } from 'vitest'
import type { FinishedOutcome } from '../../engine/outcome.ts'
import {
  type OpenFixture,
  cell,
  cells,
  failure,
  finished,
  openSession,
  rowsOf,
  rowsUpTo,
  type SharedEngine,
  sharedEngine,
} from '../../conformance/fixture.ts'

const numbered = (count: number): string =>
  `SELECT ${Array.from({ length: count }, (_, at) => `${at} AS c${at}`).join(', ')}`

/** Columns, their names and how many. */
function columnTests(shared: SharedEngine): void {
  test('keeps the columns of an empty result', async () => {
    const session = await openSession(shared.engine())
    const result = await rowsOf(session, 'SELECT 1 AS a, [1] AS b WHERE false')
    expect(result.columns.map((column) => column.name)).toEqual(['a', 'b'])
    expect(result.rows).toEqual([])
    expect(result.truncated).toBe(false)
  })

  test('keeps column names as written, also repeated ones', async () => {
    const session = await openSession(shared.engine())
    const { columns, rows } = await rowsOf(
      session,
      'SELECT 1 AS a, 2 AS a, 3 AS "A", 4 AS a_1, 5 AS "x y", 1 + 1',
    )
    expect(columns.map((column) => column.name)).toEqual(['a', 'a', 'A', 'a_1', 'x y', '(1 + 1)'])
    expect(rows).toEqual([['1', '2', '3', '4', '5', '2']])
  })

  test('hands over 4096 columns and refuses more in words, without delay', async () => {
    const session = await openSession(shared.engine())
    expect((await rowsOf(session, numbered(4096))).rows[0]).toHaveLength(4096)
    const startedAt = performance.now()
    expect(await failure(session, numbered(20_000))).toMatchObject({
      kind: 'resource',
      message:
        'This statement returns 20000 columns, and the maximum is 4096. Select the columns that you need.',
    })
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })

  test('refuses too many columns of a short text', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, `CREATE TABLE wide AS ${numbered(2049)}`)
    expect(await failure(session, 'SELECT * FROM wide a, wide b')).toMatchObject({ kind: 'resource' })
  })
}

/** Which rows are handed over, and in which order. */
function rowTests(shared: SharedEngine): void {
  test.each([
    'SELECT * FROM range(1000000000000000)',
    'FROM range(1000000000000000);',
    'SELECT * FROM range(1000000000000000); -- all of it; really',
    'WITH RECURSIVE r AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM r) SELECT * FROM r',
    'SELECT i FROM (SELECT range AS i FROM range(1000000000000000)) -- no end',
  ])('does not read to the end to show the beginning: %s', async (sql) => {
    const session = await openSession(shared.engine())
    const result = await rowsOf(session, sql, 3)
    expect(result.rows).toEqual([['0'], ['1'], ['2']])
    expect(result.truncated).toBe(true)
  })

  test('keeps the order asked for under the cap', async () => {
    const session = await openSession(shared.engine())
    const { rows } = await rowsOf(session, 'SELECT range AS i FROM range(100000) ORDER BY i DESC', 3)
    expect(rows).toEqual([['99999'], ['99998'], ['99997']])
    const limited = await rowsOf(
      session,
      'SELECT range AS i FROM range(100000) ORDER BY i LIMIT 2 OFFSET 5',
      3,
    )
    expect(limited.rows).toEqual([['5'], ['6']])
  })

  test.each([
    ['VALUES (1), (2)', 2],
    ['TABLE shown', 1],
    ['DESCRIBE shown', 2],
    ['SUMMARIZE shown', 2],
    ["SELECT * FROM (SHOW TABLES) WHERE name = 'shown'", 1],
    ['EXPLAIN SELECT 1', 1],
    ['EXPLAIN ANALYZE SELECT 1', 1],
    ['/* first */ EXPLAIN (FORMAT json) /* why /* nested */ */ SELECT 1', 1],
    ['PIVOT shown ON a USING sum(b)', 1],
    ["PRAGMA table_info('shown')", 2],
    ["CALL pragma_table_info('shown')", 2],
  ])('shows the rows of %s', async (sql, count) => {
    const session = await openSession(shared.engine())
    await rowsOf(session, 'CREATE OR REPLACE TEMP TABLE shown AS SELECT 1 AS a, 2 AS b')
    const result = await rowsOf(session, sql)
    expect(result.rows).toHaveLength(count)
    expect(result.columns.length).toBeGreaterThan(0)
    expect(result.rowsChanged).toBeNull()
  })
}

/** What a statement that writes gives. */
function writingTests(shared: SharedEngine): void {
  test('counts the rows that a statement wrote', async () => {
    const session = await openSession(shared.engine())
    const changed = async (sql: string) => (await rowsOf(session, sql)).rowsChanged
    expect(await changed('CREATE TABLE counted AS SELECT range AS i FROM range(7)')).toBe(7)
    expect(await changed('INSERT INTO counted SELECT * FROM range(5)')).toBe(5)
    expect(await changed('UPDATE counted SET i = i + 1 WHERE i < 3')).toBe(6)
    expect(await changed('DELETE FROM counted WHERE i > 100')).toBe(0)
    expect(await changed('DELETE FROM counted')).toBe(12)
    expect(await changed('DROP TABLE counted')).toBeNull()
  })

  test('shows nothing but the count of a statement that writes', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, 'CREATE TABLE written (i INTEGER)')
    const result = await rowsOf(session, 'INSERT INTO written VALUES (1), (2)')
    expect(result).toEqual({ columns: [], rows: [], truncated: false, rowsChanged: 2 })
  })

  test('hands over what RETURNING gives, under the cap, and counts all of it', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, 'CREATE TABLE returned (i INTEGER)')
    const result = await rowsOf(
      session,
      'INSERT INTO returned SELECT * FROM range(5) RETURNING i, i * 2 AS twice',
      2,
    )
    expect(result.rows).toEqual([
      ['0', '0'],
      ['1', '2'],
    ])
    expect([result.truncated, result.rowsChanged]).toEqual([true, 5])
    expect(await cell(session, 'SELECT count(*) FROM returned')).toBe('5')
  })

  test('defines, changes and drops schemas, tables and views', async () => {
    const session = await openSession(shared.engine())
    for (const sql of [
      'CREATE SCHEMA made',
      "CREATE TABLE made.t (i INTEGER PRIMARY KEY, w VARCHAR DEFAULT 'none')",
      'INSERT INTO made.t (i) VALUES (1)',
      'ALTER TABLE made.t ADD COLUMN d DATE',
      'CREATE VIEW made.v AS SELECT i, w, d FROM made.t',
    ])
      await rowsOf(session, sql)
    expect(await cells(session, 'SELECT * FROM made.v')).toEqual([['1', 'none', null]])
    await rowsOf(session, 'DROP SCHEMA made CASCADE')
    expect((await failure(session, 'SELECT * FROM made.v')).kind).toBe('missing')
  })
}

/** What is reported of a run. */
function measureTests(shared: SharedEngine): void {
  test('reports while it runs how far it has come, in rows too', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, 'CREATE TABLE long AS SELECT range AS i FROM range(10000000)')
    const sql = 'SELECT sum(length(repeat(i::VARCHAR, 500))) FROM long'
    const run = session.execute(sql, rowsUpTo(10))
    const { percentage, rows, totalRows } = await vi.waitUntil(
      () => {
        const progress = run.progress()
        return (progress.rows ?? 0) > 0 && progress
      },
      { timeout: 20_000, interval: 10 },
    )
    await run.cancel()
    expect(percentage).toBeGreaterThan(0)
    expect(rows).toBeLessThanOrEqual(totalRows ?? 0)
    expect(totalRows).toBeGreaterThan(1_000_000)
    await rowsOf(session, 'DROP TABLE long')
  })

  test('reports how much it handed over, and how much memory it took', async () => {
    const session = await openSession(shared.engine())
    const outcomeOf = (sql: string) =>
      session.execute(sql, { ...rowsUpTo(10), longestCell: 10 }).outcome as Promise<FinishedOutcome>
    expect((await outcomeOf(`SELECT 1, 'é🎉', NULL`)).bytes).toBe(7)
    expect((await outcomeOf(`SELECT repeat('é', 1000) FROM range(2)`)).bytes).toBe(4000)
    expect((await outcomeOf('CREATE TABLE no_rows (i INTEGER)')).bytes).toBe(0)
    const hungry = 'SELECT count(DISTINCT sha256(i::VARCHAR)) FROM range(1000000) t(i)'
    expect((await outcomeOf(hungry)).peakMemoryBytes).toBeGreaterThan(20_000_000)
    // The peak of one statement is not reported for the next.
    const slow = 'SELECT sum(length(repeat(i::VARCHAR, 500))) FROM range(150000) t(i)'
    expect((await outcomeOf(slow)).peakMemoryBytes ?? 0).toBeLessThan(20_000_000)
  })
}

/** What DuckDB makes several statements of, and what is several. */
function compoundTests(shared: SharedEngine): void {
  test('runs what DuckDB makes several statements of', async () => {
    const session = await openSession(shared.engine())
    for (const sql of [
      `CREATE TABLE pivoted AS SELECT * FROM (VALUES (1, 'x'), (2, 'y')) v(a, b)`,
      'CREATE TABLE wide_pivot AS PIVOT pivoted ON b USING sum(a)',
      'INSERT INTO wide_pivot (PIVOT pivoted ON b USING sum(a));',
      'CREATE SEQUENCE numbers',
      `ALTER TABLE pivoted ADD COLUMN n BIGINT DEFAULT nextval('numbers')`,
      'ALTER TABLE pivoted ADD COLUMN t TIMESTAMPTZ DEFAULT now() -- done;',
    ])
      await rowsOf(session, sql)
    expect(await cells(session, 'FROM wide_pivot')).toEqual([
      ['1', '2'],
      ['1', '2'],
    ])
    expect(await cells(session, 'SELECT a, n, t IS NULL FROM pivoted')).toEqual([
      ['1', '1', 'false'],
      ['2', '2', 'false'],
    ])
    for (const sql of [
      'EXPLAIN PIVOT pivoted ON b USING sum(a)',
      'EXPLAIN ANALYZE PIVOT pivoted ON b USING sum(a)',
    ])
      expect((await cells(session, sql))[0]?.[1]).toMatch(/AGGREGATE|GROUP_BY/)
  })

  test('undoes all of what DuckDB makes several statements of, with the transaction around it', async () => {
    const session = await openSession(shared.engine())
    const sequence = 'CREATE SEQUENCE short_one MAXVALUE 2'
    for (const sql of ['CREATE TABLE undone AS FROM range(3) t(i)', sequence]) await rowsOf(session, sql)
    await failure(session, `ALTER TABLE undone ADD COLUMN n BIGINT DEFAULT nextval('short_one')`)
    expect((await rowsOf(session, 'FROM undone')).columns).toHaveLength(1)
    for (const sql of ['BEGIN', 'ALTER TABLE undone ADD COLUMN t TIMESTAMPTZ DEFAULT now()', 'ROLLBACK'])
      await rowsOf(session, sql)
    expect((await rowsOf(session, 'FROM undone')).columns).toHaveLength(1)
  })

  test('says of no statement that it changed rows when it defines something', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, 'CREATE TABLE indexed (i INTEGER)')
    for (const sql of ['CREATE INDEX by_i ON indexed (i)', 'CREATE INDEX IF NOT EXISTS by_i ON indexed (i)'])
      expect((await rowsOf(session, sql)).rowsChanged).toBeNull()
  })

  test('holds a VARIANT in a table', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, 'CREATE TABLE variants (v VARIANT)')
    await rowsOf(session, 'INSERT INTO variants VALUES (1::VARIANT)')
    expect(await cell(session, 'FROM variants')).toBe('1')
  })

  test('runs a single statement and no more', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, 'CREATE TABLE once (i INTEGER)')
    for (const sql of [
      'INSERT INTO once VALUES (1); INSERT INTO once VALUES (2)',
      'SELECT 1; INSERT INTO once VALUES (3)',
      'SELECT 1) LIMIT 1; INSERT INTO once VALUES (4); SELECT (1',
      'SELECT 1) UNION ALL (SELECT 2',
      'INSERT INTO once VALUES (5) \0 ; SELECT 1',
      '',
      ' ;; -- nothing',
    ])
      expect((await failure(session, sql)).kind).toBe('syntax')
    expect(await cell(session, 'SELECT count(*) FROM once')).toBe('0')
  })
}

/** Cells that are cut. */
function longCellTests(shared: SharedEngine): void {
  test('cuts long cells, in any place, and tells what they had', async () => {
    const session = await openSession(shared.engine())
    const sql = `SELECT repeat('é', 10), repeat('é', 11), repeat('🎉', 5), 'x' || repeat('🎉', 5), range(1000), NULL::VARCHAR
      FROM range(2)`
    const { rows, longCells } = await finished(session.execute(sql, { ...rowsUpTo(10), longestCell: 10 }))
    const row = ['é'.repeat(10), 'é'.repeat(10), '🎉'.repeat(5), `x${'🎉'.repeat(4)}`, '[0, 1, 2, ', null]
    expect(rows).toEqual([row, row])
    expect(longCells).toEqual(
      [0, 1].flatMap((at) => [
        { row: at, column: 1, length: 11 },
        { row: at, column: 3, length: 11 },
        { row: at, column: 4, length: 4890 },
      ]),
    )
    const short = await finished(session.execute('SELECT 1', { ...rowsUpTo(10), longestCell: 10 }))
    expect(short.longCells).toBeUndefined()
    expect(await cell(session, `SELECT repeat('x', 100000)`)).toHaveLength(100_000)
  })

  test('hands over the beginnings of cells that are too large to hold together', async () => {
    const session = await openSession(shared.engine())
    const sql = `SELECT repeat('x', 10000000) FROM range(7)`
    expect((await failure(session, sql)).kind).toBe('resource')
    const options = { ...rowsUpTo(10), longestCell: 4096 }
    const { rows, longCells } = await finished(session.execute(sql, options))
    expect(rows).toEqual(rows.map(() => ['x'.repeat(4096)]))
    expect(longCells).toEqual(rows.map((_, row) => ({ row, column: 0, length: 10_000_000 })))
    expect(rows).toHaveLength(7)
    expect(await cell(session, 'SELECT 1')).toBe('1')
  })
}

export function resultTests(open: OpenFixture): void {
  const shared = sharedEngine(open)
  columnTests(shared)
  rowTests(shared)
  writingTests(shared)
  measureTests(shared)
  compoundTests(shared)
  longCellTests(shared)
}
