import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { PivotOrder, PivotRow } from '../../../results/computing.ts'
import { readerKit } from '../testing/reader-kit.ts'

const { reader, kept } = readerKit()

interface Asked extends Partial<Omit<PivotOrder, 'workId'>> {
  readonly values: PivotOrder['values']
}

async function pivot(sql: string, asked: Asked) {
  const order = { rows: [], columns: [], filters: [], sort: { value: null, descending: false } }
  const found = await reader().pivot(await kept(sql), {
    workId: randomUUID(),
    ...order,
    mostRows: 100,
    mostHeads: 10,
    ...asked,
  })
  if (!found) throw new Error('The result is not kept.')
  return found
}

const lines = ({ rows }: { rows: readonly PivotRow[] }) =>
  rows.map(({ names, cells, totals }) => `${names.join(' ')}: ${cells.join(' ')} | ${totals.join(' ')}`)

const SUM = { column: 2, aggregate: 'sum' } as const

describe.each([
  { form: 'as values', filler: `, repeat('x', 100000) AS filler` },
  { form: 'as texts', filler: '' },
])('a pivot of rows that are kept $form', ({ filler }) => {
  const sales = `SELECT city, year, paid${filler} FROM (VALUES
    ('Bern', 2025, 1), ('Bern', 2026, 2), ('Bern', 2026, 3), ('Chur', 2025, 10), (NULL, 2026, 20), ('Chur', NULL, NULL)) t(city, year, paid)`

  test('has rows, heads and totals, where NULL is a name like others', async () => {
    const found = await pivot(sales, { rows: [0], columns: [1], values: [SUM] })
    expect(found.heads).toEqual([['2025'], ['2026'], [null]])
    expect(lines(found)).toEqual(['Bern: 1 5  | 6', 'Chur: 10   | 10', ':  20  | 20'])
    expect(found.totals).toEqual({ cells: ['11', '25', null], totals: ['36'] })
    expect([found.allRows, found.allHeads]).toEqual([3, 3])
  })

  test('has every aggregate, several at once, over rows that pass', async () => {
    const values = (['sum', 'average', 'least', 'most', 'count', 'distinct'] as const).map((aggregate) => ({
      column: 2,
      aggregate,
    }))
    const filters = [{ column: 0, filter: { kind: 'null', isNull: false } }] as const
    const found = await pivot(sales, {
      rows: [0],
      values: [...values, { column: null, aggregate: 'count' }],
      filters,
    })
    expect(lines(found)).toEqual(['Bern:  | 6 2.0 1 3 3 3 3', 'Chur:  | 10 10.0 10 10 1 1 2'])
    expect(found.totals).toEqual({ cells: [], totals: ['16', '4.0', '1', '10', '4', '4', '5'] })
  })

  test('is sorted by names or by a total, either way', async () => {
    const names = async (sort: PivotOrder['sort']) =>
      (await pivot(sales, { rows: [0], columns: [1], values: [SUM], sort })).rows.map((row) => row.names[0])
    expect(await names({ value: null, descending: true })).toEqual(['Chur', 'Bern', null])
    expect(await names({ value: 0, descending: true })).toEqual([null, 'Chur', 'Bern'])
    expect(await names({ value: 0, descending: false })).toEqual(['Bern', 'Chur', null])
  })
})

test('has no rows but totals where only heads are chosen, and the other way round', async () => {
  const sql = 'SELECT range AS n, range % 3 AS kind FROM range(30)'
  const found = await pivot(sql, { columns: [1], values: [{ column: 0, aggregate: 'sum' }] })
  expect(found).toMatchObject({ rows: [], heads: [['0'], ['1'], ['2']] })
  expect(found.totals).toEqual({ cells: ['135', '145', '155'], totals: ['435'] })
  const none = await pivot(sql, { values: [{ column: null, aggregate: 'count' }] })
  expect(none).toEqual({
    heads: [],
    allHeads: 0,
    rows: [],
    allRows: 0,
    totals: { cells: [], totals: ['30'] },
  })
})

test('shows no more rows and heads than may be, says how many there are, and its totals are of all', async () => {
  const sql = 'SELECT range // 100 AS a, range % 100 AS b FROM range(10000)'
  const value = { column: null, aggregate: 'count' } as const
  const found = await pivot(sql, { rows: [0], columns: [1], values: [value], mostRows: 3, mostHeads: 2 })
  expect(lines(found)).toEqual(['0: 1 1 | 100', '1: 1 1 | 100', '2: 1 1 | 100'])
  expect(found).toMatchObject({ allRows: 100, allHeads: 100, heads: [['0'], ['1']] })
  expect(found.totals).toEqual({ cells: ['100', '100'], totals: ['10000'] })
})

test('is sorted as the rows are: numbers as numbers, texts as people do, times in their order', async () => {
  const value = { column: null, aggregate: 'count' } as const
  const names = async (values: string) =>
    (await pivot(`SELECT unnest([${values}]) AS n`, { rows: [0], values: [value] })).rows.map(
      (row) => row.names[0],
    )
  expect(await names('10, 9, 100')).toEqual(['9', '10', '100'])
  expect(await names('10::HUGEINT, 9, 100')).toEqual(['9', '10', '100'])
  expect(await names(`'Zug', 'äsch', 'Bern'`)).toEqual(['äsch', 'Bern', 'Zug'])
  expect(await names(`DATE '2026-02-01', '2025-12-31'`)).toEqual(['2025-12-31', '2026-02-01'])
})

test('of two columns has their values together, also of long texts', async () => {
  const sql = `SELECT repeat('x', 1000) || (range % 2) AS long, range % 2 AS a, range // 2 AS b FROM range(4)`
  const value = { column: null, aggregate: 'count' } as const
  const found = await pivot(sql, { rows: [1, 2], columns: [0], values: [value] })
  expect(lines(found)).toEqual(['0 0: 1  | 1', '0 1: 1  | 1', '1 0:  1 | 1', '1 1:  1 | 1'])
  // They begin alike in all that is shown.
  const heads = found.heads.map(([head]) => head ?? '')
  expect(new Set(heads).size).toBe(2)
  for (const head of heads) expect(head).toMatch(/^x{282}… [0-9a-f]{16}$/)
})

test('is nothing of a result that is not kept, or that lacks a column', async () => {
  const order = {
    workId: randomUUID(),
    rows: [5],
    columns: [],
    values: [SUM],
    filters: [],
    mostRows: 1,
    mostHeads: 1,
  }
  const sorted = { ...order, sort: { value: null, descending: false } }
  expect(await reader().pivot(randomUUID(), sorted)).toBeNull()
  expect(await reader().pivot(await kept('SELECT 1'), sorted)).toBeNull()
})
