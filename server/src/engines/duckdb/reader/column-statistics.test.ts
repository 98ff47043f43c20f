import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { CellFilter } from '../../../results/reader.ts'
import { readerKit } from '../testing/reader-kit.ts'

const { reader, kept } = readerKit()

interface Asked {
  readonly column?: number
  readonly filters?: Readonly<Record<number, CellFilter>>
  readonly longestCell?: number
}

async function look(queryId: string, { column = 0, filters = {}, longestCell = 100 }: Asked = {}) {
  const found = await reader().statistics(queryId, {
    workId: randomUUID(),
    column,
    filters: Object.entries(filters).map(([at, filter]) => ({ column: Number(at), filter })),
    longestCell,
  })
  if (!found) throw new Error('The result is not kept.')
  return found
}

const of = async (sql: string, asked?: Asked) => look(await kept(sql), asked)
const counts = ({ bins }: { bins: readonly { count: number }[] }) => bins.map(({ count }) => count)

describe.each([
  { form: 'as values', filler: `, repeat('x', 100000) AS filler` },
  { form: 'as texts', filler: '' },
])('of a column that is kept $form', ({ filler }) => {
  test('numbers have extremes, sum, mean, median and a distribution', async () => {
    const sql = `SELECT n${filler} FROM (VALUES (3), (1), (NULL), (10), (3), (4)) t(n)`
    expect(await of(sql)).toMatchObject({
      rows: 6,
      nulls: 1,
      distinct: 4,
      min: '1',
      max: '10',
      sum: '21',
      average: '4.2',
      median: '3.0',
      frequent: [
        { value: '3', isCut: false, count: 2 },
        { value: '1', isCut: false, count: 1 },
        { value: '10', isCut: false, count: 1 },
        { value: '4', isCut: false, count: 1 },
      ],
    })
    expect(counts(await of(sql))).toEqual([1, 0, 2, 1, 0, 0, 0, 0, 0, 1])
  })

  test('filters of any column leave rows out', async () => {
    const sql = `SELECT n, city${filler} FROM (VALUES (3, 'Bern'), (1, 'Chur'), (NULL, 'Bern'), (10, 'Thun')) t(n, city)`
    const filters = { 1: { kind: 'compare', sign: '=', operand: 'Bern' } } as const
    expect(await of(sql, { filters })).toMatchObject({ rows: 2, nulls: 1, distinct: 1, sum: '3' })
    expect(await of(sql, { column: 1, filters: { 0: { kind: 'null', isNull: false } } })).toMatchObject({
      rows: 3,
      distinct: 3,
      min: 'Bern',
      max: 'Thun',
      sum: null,
      bins: [],
    })
  })

  test('times have a distribution, whose parts say from when to when', async () => {
    const found = await of(
      `SELECT day${filler} FROM (VALUES (DATE '2026-01-01'), ('2026-01-03'), ('2026-01-03')) t(day)`,
    )
    expect(found).toMatchObject({ min: '2026-01-01', max: '2026-01-03', sum: null, average: null })
    expect(found.bins).toEqual([
      { count: 1, from: '2026-01-01', to: '2026-01-01' },
      { count: 0, from: null, to: null },
      { count: 2, from: '2026-01-03', to: '2026-01-03' },
    ])
  })
})

test('all rows count, not only those that a page shows', async () => {
  const found = await of('SELECT range AS n FROM range(50000)')
  expect(found).toMatchObject({ rows: 50_000, distinct: 50_000, min: '0', max: '49999', sum: '1249975000' })
  expect(counts(found)).toEqual(Array.from({ length: 20 }, () => 2500))
  expect(found.bins.at(-1)).toEqual({ count: 2500, from: '47500', to: '49999' })
})

test('sums are exact where a type can hold them, and near where none can', async () => {
  expect(await of('SELECT * FROM (VALUES (9007199254740993::HUGEINT), (1)) t(n)')).toMatchObject({
    sum: '9007199254740994',
  })
  expect(await of('SELECT * FROM (VALUES (0.10::DECIMAL(38,2)), (0.20)) t(n)')).toMatchObject({ sum: '0.30' })
  const huge = '170141183460469231731687303715884105727'
  expect(await of(`SELECT * FROM (VALUES ('${huge}'::HUGEINT), ('${huge}'::HUGEINT)) t(n)`)).toMatchObject({
    sum: expect.stringMatching(/^3\.4028\d*e\+?38$/),
    distinct: 1,
  })
  expect(await of(`SELECT * FROM (VALUES ('${'9'.repeat(60)}'::BIGNUM), ('1')) t(n)`)).toMatchObject({
    distinct: 2,
    max: '9'.repeat(60),
  })
})

test('infinite and undefined numbers are values but have no place in the distribution', async () => {
  const found = await of(`SELECT unnest(['NaN'::DOUBLE, 'infinity', 1, 2, 2])`)
  expect(found).toMatchObject({ rows: 5, distinct: 4, min: '1.0', max: 'nan', sum: '5.0', median: '2.0' })
  expect(counts(found).reduce((all, one) => all + one, 0)).toBe(3)
  expect((await of(`SELECT unnest(['infinity'::TIMESTAMP, '2026-01-01'])`)).bins).toEqual([])
})

test('values of every type are counted', async () => {
  const sql = `SELECT [1, 2] AS list, {'a': 1} AS struct, 'ab'::BLOB AS bytes, true AS bool, TIME '10:00' AS time,
    INTERVAL 1 DAY AS span, uuid() AS id, MAP {'a': 1} AS map, NULL AS nothing, '{"a":1}'::JSON AS json, 'é'::VARCHAR AS text`
  const queryId = await kept(sql)
  for (let column = 0; column < 11; column++) {
    const found = await look(queryId, { column })
    const isNothing = column === 8
    expect({ column, ...found }).toMatchObject({
      rows: 1,
      nulls: isNothing ? 1 : 0,
      distinct: isNothing ? 0 : 1,
    })
    expect(found.frequent).toHaveLength(isNothing ? 0 : 1)
  }
})

test('long values are found to the last character, and shown cut', async () => {
  const found = await of(`SELECT repeat('x', 5000) || (range % 2) AS w FROM range(3) UNION ALL SELECT ''`, {
    longestCell: 10,
  })
  expect(found).toMatchObject({ rows: 4, distinct: 3, min: '', max: 'x'.repeat(10) })
  expect(found.frequent).toEqual([
    { value: 'x'.repeat(10), isCut: true, count: 2 },
    { value: 'x'.repeat(10), isCut: true, count: 1 },
    { value: '', isCut: false, count: 1 },
  ])
})

test('is nothing of a column that is not there, and of a result that is not kept', async () => {
  const order = { workId: randomUUID(), column: 1, filters: [], longestCell: 10 }
  expect(await reader().statistics(await kept('SELECT 1'), order)).toBeNull()
  expect(await reader().statistics(randomUUID(), order)).toBeNull()
  expect(await of('SELECT 1 AS n WHERE false')).toMatchObject({ rows: 0, nulls: 0, distinct: 0, bins: [] })
})

test('is stopped by its id, also before it has begun, and others continue', async () => {
  const queryId = await kept('SELECT range AS n, md5(range::VARCHAR) AS h FROM range(100000)')
  const workId = randomUUID()
  const asked = (id: string) =>
    reader().statistics(queryId, { workId: id, column: 1, filters: [], longestCell: 10 })
  const [stopped, other] = [asked(workId), asked(randomUUID())]
  await reader().stopWork(workId)
  await expect(stopped).rejects.toThrow('It was stopped.')
  expect(await other).toMatchObject({ rows: 100_000, distinct: 100_000 })
  await reader().stopWork(workId)
})
