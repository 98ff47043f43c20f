import { randomUUID } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { type ExportFormat, ResultRefused } from '../../../results/reader.ts'
import {
  ENDLESS,
  MIB,
  type OpenFixture,
  cell,
  failure,
  openSession,
  rowsUpTo,
} from '../../conformance/fixture.ts'
import { KEEP, runKept } from '../../conformance/run-kept.ts'
import { sharedResults, type SharedResults } from '../../conformance/shared-results.ts'

const WHOLE = { offset: 0, length: 100_000_000 }
const MOST_BYTES = 100 * MIB

/** What is read again of what was shown. */
function windowTests(shared: SharedResults): void {
  const { results } = shared

  test('reads the rows of a statement again, in their order and by windows', async () => {
    const session = await openSession(shared.engine())
    const sql = `SELECT 5000 - range AS i, 'row ' || range AS w FROM range(5000) ORDER BY i DESC`
    const { queryId, result, kept } = await runKept(session, sql)
    expect(kept).toEqual({ rows: 5000, complete: true, bytes: 0 })
    expect([result.rows.length, result.truncated]).toEqual([10, true])
    const first = await results().read(queryId, { offset: 0, limit: 10 })
    expect(first).toEqual({ ...result, totalRows: 5000, complete: true })
    const last = await results().read(queryId, { offset: 4995, limit: 100 })
    expect(last?.rows).toEqual([5, 4, 3, 2, 1].map((i) => [String(i), `row ${5000 - i}`]))
    expect(last).toMatchObject({ truncated: false, totalRows: 5000 })
    expect(await results().read(queryId, { offset: 9000, limit: 10 })).toMatchObject({ rows: [] })
    const all = await results().read(queryId, { offset: 0, limit: 100_000 })
    expect(all?.rows.map(([i]) => i)).toEqual(Array.from({ length: 5000 }, (_, i) => String(5000 - i)))
  })

  test.each([
    ['SELECT 1 AS one', 1],
    ['SELECT 1 AS a, 2 AS a, 3 AS "A"', 1],
    ['SELECT 1 AS file_row_number, 2 AS "end", 3 AS "boathouse rows"', 1],
    ['SELECT * FROM range(0)', 0],
    ['VALUES (1), (NULL)', 2],
    ['FROM range(3); -- done; really', 3],
    ['WITH RECURSIVE r AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM r WHERE i < 4) SELECT * FROM r', 4],
    ['PIVOT (FROM range(3) t(a)) ON a USING count(*)', 1],
    ['DESCRIBE SELECT 1 AS x', 1],
    ['SELECT row(1, 2) AS tuple', 1],
    [`SELECT repeat('x', 300000) AS long`, 1],
    ['SHOW TABLES', 0],
  ])('keeps what is shown of %s', async (sql, rows) => {
    const { queryId, result, kept } = await runKept(await openSession(shared.engine()), sql)
    expect(kept).toEqual({ rows, complete: true, bytes: 0 })
    expect(await results().read(queryId, { offset: 0, limit: 10 })).toEqual({
      ...result,
      totalRows: rows,
      complete: true,
    })
  })
}

/** How much is kept. */
function amountTests(shared: SharedResults): void {
  const { results } = shared

  test('keeps only what was shown of a result that is too large', async () => {
    const session = await openSession(shared.engine())
    const keep = { ...KEEP, maxBytes: 10_000 }
    const { queryId } = await runKept(session, 'SELECT sha256(range::VARCHAR) FROM range(5000)', { keep })
    expect(await results().read(queryId, { offset: 0, limit: 100 })).toMatchObject({
      totalRows: 10,
      complete: false,
    })
    const wide = await runKept(session, `SELECT repeat('x', 100000)`, { keep })
    expect([wide.kept, wide.result.rows.length]).toEqual([null, 1])
  })
}

/** Cells that were cut are kept whole. */
function longCellTests(shared: SharedResults): void {
  const { results } = shared

  test.each([
    ['a small result', `SELECT range AS i, repeat('é', 5000) AS w FROM range(3)`, 'é'.repeat(5000)],
    [
      'one of tuples',
      `SELECT range AS i, row('x', repeat('y', 5000)) AS w FROM range(3)`,
      `(x, ${'y'.repeat(5000)})`,
    ],
    ['one of much text', `SELECT range AS i, repeat('x', 1000000) AS w FROM range(3)`, 'x'.repeat(1_000_000)],
    [
      'more rows than are shown',
      `SELECT range AS i, repeat('x', 5000) AS w FROM range(50)`,
      'x'.repeat(5000),
    ],
  ])('keeps the whole of cells that were cut: %s', async (_, sql, whole) => {
    const session = await openSession(shared.engine())
    const { queryId, result } = await runKept(session, sql, { longestCell: 4096 })
    const cut = whole.slice(0, 4096)
    const { length } = whole
    expect(result.rows.at(-1)?.[1]).toBe(cut)
    expect(result.longCells).toEqual(result.rows.map((_, row) => ({ row, column: 1, length })))
    const window = await results().read(queryId, { offset: 1, limit: 2, longestCell: 4096 })
    expect(window?.rows).toEqual([
      ['1', cut],
      ['2', cut],
    ])
    expect(window?.longCells).toEqual([0, 1].map((row) => ({ row, column: 1, length })))
    expect(await results().read(queryId, { offset: 2, limit: 1 })).toMatchObject({ rows: [['2', whole]] })
    expect(await results().cell(queryId, { row: 2, column: 1, ...WHOLE })).toEqual({ text: whole, length })
  })

  test('keeps cells that are too large to hold together, and gives them one by one', async () => {
    const session = await openSession(shared.engine())
    const sql = `SELECT range AS i, repeat('x', 10000000) AS w FROM range(15)`
    const { queryId, kept } = await runKept(session, sql, {
      maxRows: 100,
      keep: { ...KEEP, maxBytes: 256 * MIB },
      longestCell: 4096,
    })
    expect(kept).toMatchObject({ rows: 15, complete: true })
    const window = await results().read(queryId, { offset: 13, limit: 2, longestCell: 4096 })
    expect(window?.longCells).toEqual([0, 1].map((row) => ({ row, column: 1, length: 10_000_000 })))
    const last = await results().cell(queryId, { row: 14, column: 1, offset: 9_999_000, length: 5000 })
    expect(last).toEqual({ text: 'x'.repeat(1000), length: 10_000_000 })
  })
}

/** What is not kept. */
function unkeptTests(shared: SharedResults): void {
  const { results } = shared

  test('keeps nothing of statements that show no rows, fail, are cancelled or do not ask for it', async () => {
    const session = await openSession(shared.engine())
    for (const sql of [
      'CREATE TABLE unkept (i INTEGER)',
      'INSERT INTO unkept VALUES (1)',
      'EXPLAIN SELECT 1',
    ]) {
      const { kept, queryId } = await runKept(session, sql)
      expect({ sql, kept }).toEqual({ sql, kept: null })
      expect(await results().read(queryId, { offset: 0, limit: 1 })).toBeNull()
    }
    const asked = [
      session.execute(`SELECT error('late') FROM range(5000)`, { ...rowsUpTo(10), queryId: 'failed' }),
      session.execute(ENDLESS, { ...rowsUpTo(10), queryId: 'cancelled', keep: KEEP }),
      session.execute('SELECT 1', { ...rowsUpTo(10), queryId: 'unasked', keep: null }),
    ]
    await asked[1]?.cancel()
    await Promise.all(asked.map((run) => run.outcome))
    for (const queryId of ['failed', 'cancelled', 'unasked', randomUUID()])
      expect(await results().read(queryId, { offset: 0, limit: 1 })).toBeNull()
  })

  test('is cancelled or finished as a whole, at whatever row it was cancelled', async () => {
    const [session, other] = [await openSession(shared.engine()), await openSession(shared.engine())]
    const keep = { ...KEEP, maxRows: 400_000 }
    for (let round = 0; round < 8; round++) {
      const options = { ...rowsUpTo(10), keep }
      const run = session.execute('SELECT range AS i, md5(range::VARCHAR) AS m FROM range(400000)', options)
      for (let waited = 0; waited < round * 4; waited++) await cell(other, 'SELECT 1')
      await run.cancel()
      const outcome = await run.outcome
      expect(outcome.state).toMatch(/^(finished|cancelled)$/)
      const read = await results().read(options.queryId, { offset: 399_999, limit: 1 })
      expect(read?.rows[0]?.[0] ?? null).toBe(outcome.state === 'finished' ? '399999' : null)
    }
    expect(await cell(session, 'SELECT 1')).toBe('1')
  })
}

function partTests(shared: SharedResults): void {
  const { results } = shared

  test('gives a single value by parts, however long, and splits no character', async () => {
    const session = await openSession(shared.engine())
    const { queryId } = await runKept(
      session,
      `SELECT range AS i, repeat('é🎉', 100000) AS long, NULL AS nothing FROM range(20)`,
    )
    const partOf = (row: number, column: number, part = WHOLE) =>
      results().cell(queryId, { row, column, ...part })
    expect(await partOf(19, 0)).toEqual({ text: '19', length: 2 })
    expect(await partOf(19, 2)).toEqual({ text: null, length: 0 })
    expect(await partOf(3, 1)).toEqual({ text: 'é🎉'.repeat(100_000), length: 300_000 })
    expect(await partOf(3, 1, { offset: 3, length: 5 })).toEqual({ text: 'é🎉é', length: 300_000 })
    expect(await partOf(3, 1, { offset: 299_998, length: 2 })).toEqual({ text: '🎉', length: 300_000 })
    expect(await partOf(3, 1, { offset: 300_000, length: 2 })).toEqual({ text: '', length: 300_000 })
    for (const [row, column] of [
      [20, 0],
      [-1, 0],
      [0, 3],
    ] as const)
      expect(await partOf(row, column)).toBeNull()
    expect(await results().cell(randomUUID(), { row: 0, column: 0, ...WHOLE })).toBeNull()
  })
}

/** Results as files. */
function exportTests(shared: SharedResults): void {
  const { results } = shared
  const exportFile = () => join(shared.directory(), 'exports', randomUUID())

  test('writes the whole result as CSV, JSON and Parquet', async () => {
    const session = await openSession(shared.engine())
    const { queryId } = await runKept(
      session,
      `SELECT range AS "a b", CASE WHEN range = 1 THEN NULL ELSE 'x,"' || range END AS w, '' AS e FROM range(3000)`,
    )
    const exported = async (format: ExportFormat) => {
      const file = exportFile()
      const written = await results().export(queryId, { format, file, maxBytes: MOST_BYTES })
      const bytes = await readFile(file)
      expect(written).toEqual({ bytes: bytes.length })
      return bytes
    }
    const csv = (await exported('csv')).toString().split('\n')
    expect(csv.slice(0, 3)).toEqual(['a b,w,e', '0,"x,""0",""', '1,,""'])
    expect(csv).toHaveLength(3002)
    const json = JSON.parse((await exported('json')).toString()) as unknown[]
    expect(json.slice(0, 2)).toEqual([
      { 'a b': 0, w: 'x,"0', e: '' },
      { 'a b': 1, w: null, e: '' },
    ])
    expect(json).toHaveLength(3000)
    expect((await exported('parquet')).subarray(0, 4).toString()).toBe('PAR1')
    expect((await exported('xlsx')).subarray(0, 2).toString()).toBe('PK')
  })

  test.each(['csv', 'json', 'parquet', 'xlsx'] as const)(
    'makes no file as %s that is larger than it may be',
    async (format) => {
      const session = await openSession(shared.engine())
      const { queryId } = await runKept(session, 'SELECT sha256(range::VARCHAR) AS h FROM range(20000)')
      const file = exportFile()
      expect(await results().export(queryId, { format, file, maxBytes: 100_000 })).toEqual({ bytes: null })
      expect((await readdir(dirname(file))).filter((name) => name.startsWith(basename(file)))).toEqual([])
    },
  )

  test('writes results without rows', async () => {
    const { queryId } = await runKept(await openSession(shared.engine()), 'SELECT 1 AS a WHERE false')
    const [csv, json] = [exportFile(), exportFile()]
    await results().export(queryId, { format: 'csv', file: csv, maxBytes: MOST_BYTES })
    await results().export(queryId, { format: 'json', file: json, maxBytes: MOST_BYTES })
    expect(await readFile(csv, 'utf8')).toBe('a\n')
    expect(JSON.parse(await readFile(json, 'utf8'))).toEqual([])
  })

  test('writes exports into their folder and nowhere else, and none of what is not kept', async () => {
    const { queryId } = await runKept(await openSession(shared.engine()), 'SELECT 1')
    const { directory } = { directory: shared.directory() }
    const exported = (file: string, id = queryId) =>
      results().export(id, { format: 'csv', file, maxBytes: MOST_BYTES })
    for (const file of ['x.csv', 'results/x.parquet', 'exports/../x.csv', '../x.csv', 'exports/a/x.csv'])
      await expect(exported(join(directory, file))).rejects.toThrow(ResultRefused)
    expect(await exported(exportFile(), randomUUID())).toBeNull()
    const unwritable = exported(join(directory, 'exports', 'x'.repeat(300)))
    await expect(unwritable).rejects.toThrow(ResultRefused)
    await expect(unwritable).rejects.not.toThrow(dirname(directory))
  })
}

/** Where results lie, and how long. */
function fileTests(shared: SharedResults): void {
  const { results } = shared

  test('takes nothing but a name for an id', async () => {
    for (const queryId of ['', '../x', 'a/b', 'x.parquet'])
      await expect(results().read(queryId, { offset: 0, limit: 1 })).rejects.toThrow(ResultRefused)
  })

  test('lists what is on disk and drops it', async () => {
    const session = await openSession(shared.engine())
    const [one, other] = [await runKept(session, 'SELECT 1'), await runKept(session, 'FROM range(5000)')]
    await results().read(other.queryId, { offset: 0, limit: 1 })
    await results().read(one.queryId, { offset: 0, limit: 1 })
    const listed = new Map((await results().list()).map(({ queryId, bytes }) => [queryId, bytes]))
    expect(listed.get(one.queryId)).toBeGreaterThan(100)
    expect(listed.get(other.queryId)).toBeGreaterThan(listed.get(one.queryId) ?? 0)
    await results().drop([one.queryId, other.queryId, randomUUID()])
    expect(await results().read(one.queryId, { offset: 0, limit: 1 })).toBeNull()
    expect((await results().list()).map(({ queryId }) => queryId)).not.toContain(other.queryId)
  })

  test('keeps the files of results from every statement', async () => {
    const session = await openSession(shared.engine())
    const { queryId } = await runKept(session, 'SELECT 1')
    await results().read(queryId, { offset: 0, limit: 1 })
    const taken = join(shared.directory(), 'exports', 'taken.csv')
    await results().export(queryId, { format: 'csv', file: taken, maxBytes: MOST_BYTES })
    const file = join(shared.directory(), 'results', `${queryId}.parquet`)
    for (const sql of [
      `FROM '${file}'`,
      `FROM "${file}"`,
      `FROM read_parquet('${file}')`,
      `FROM parquet_metadata('${file}')`,
      `FROM read_blob('${file}')`,
      `FROM glob('${shared.directory()}/*/*')`,
      `FROM '${shared.directory()}/exports/taken.csv'`,
      `FROM 'results/${queryId}.parquet'`,
      `FROM '${queryId}.parquet'`,
      `COPY (SELECT 1) TO '${file}'`,
      `ATTACH '${shared.directory()}/exports/x.duckdb' AS x`,
    ])
      expect({ sql, kind: (await failure(session, sql)).kind }).toEqual({ sql, kind: 'permission' })
  })
}

export function keptTests(open: OpenFixture): void {
  const shared = sharedResults(open)
  windowTests(shared)
  amountTests(shared)
  longCellTests(shared)
  unkeptTests(shared)
  partTests(shared)
  exportTests(shared)
  fileTests(shared)
}
