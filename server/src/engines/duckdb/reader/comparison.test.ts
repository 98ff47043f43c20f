import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { ComparisonOrder } from '../../../results/computing.ts'
import { readerKit } from '../testing/reader-kit.ts'

const { reader, kept } = readerKit()

const columnsOf = (count: number) => Array.from({ length: count }, (_, at) => ({ here: at, earlier: at }))

async function compared(before: string, now: string, asked: Partial<ComparisonOrder>) {
  const earlierId = await kept(before)
  const order = {
    workId: randomUUID(),
    earlierId,
    columns: columnsOf(3),
    keys: [],
    mostRows: 100,
    longestCell: 100,
  }
  const found = await reader().compare(await kept(now), { ...order, ...asked })
  if (!found) throw new Error('One of the results is not kept.')
  return found
}

describe.each([
  { form: 'as values', filler: `, repeat('x', 100000) AS filler` },
  { form: 'as texts', filler: '' },
])('two results that are kept $form', ({ filler }) => {
  const rows = (values: string) =>
    `SELECT id, city, boats${filler} FROM (VALUES ${values}) t(id, city, boats)`
  const before = rows(`(1, 'Bern', 3), (2, 'Chur', NULL), (3, 'Thun', 5), (4, NULL, 7)`)
  const now = rows(`(3, 'Thun', 5), (2, 'Chur', 4), (5, 'Biel', 1), (4, 'Zug', 8)`)

  test('differ by rows that are added, removed and changed, by their key', async () => {
    const found = await compared(before, now, { keys: [0] })
    expect(found.columns.map(({ name }) => name)).toEqual(['id', 'city', 'boats'])
    expect(found).toMatchObject({
      repeatedKeys: 0,
      same: 1,
      added: { count: 1, rows: [['5', 'Biel', '1']] },
      removed: { count: 1, rows: [['1', 'Bern', '3']] },
      changed: {
        count: 2,
        rows: [
          { before: ['2', 'Chur', null], now: ['2', 'Chur', '4'], differs: [2] },
          { before: ['4', null, '7'], now: ['4', 'Zug', '8'], differs: [1, 2] },
        ],
      },
    })
  })

  test('differ by whole rows without a key, which are added or removed', async () => {
    const found = await compared(before, now, {})
    expect(found).toMatchObject({
      same: 1,
      changed: { count: 0 },
      added: { count: 3 },
      removed: { count: 3 },
    })
    expect(found.removed.rows).toEqual([
      ['1', 'Bern', '3'],
      ['2', 'Chur', null],
      ['4', null, '7'],
    ])
  })
})

test('rows that are there several times are counted', async () => {
  const found = await compared(
    `SELECT unnest(['a', 'a', 'a', 'b', NULL])`,
    `SELECT unnest(['a', 'b', 'b', NULL, NULL])`,
    { columns: columnsOf(1) },
  )
  expect(found).toMatchObject({
    same: 3,
    added: { count: 2, rows: [['b'], [null]] },
    removed: { count: 2, rows: [['a'], ['a']] },
  })
})

test('a key that several rows have compares nothing, and says how many', async () => {
  const sql = 'SELECT range % 3 AS k, range AS n, 1 AS one FROM range(6)'
  const found = await compared(sql, 'SELECT range AS k, range AS n, 1 AS one FROM range(6)', { keys: [0] })
  expect(found).toMatchObject({ repeatedKeys: 3, same: 0, added: { count: 0 }, removed: { count: 0 } })
  expect(await compared(sql, sql, { keys: [0, 1] })).toMatchObject({ repeatedKeys: 0, same: 6 })
})

test('columns are compared by the pairs that are given, in any order', async () => {
  const found = await compared(
    `SELECT 1 AS id, 'x' AS a, 'y' AS gone`,
    `SELECT 'new' AS fresh, 'z' AS a, 1 AS id`,
    {
      columns: [
        { here: 2, earlier: 0 },
        { here: 1, earlier: 1 },
      ],
      keys: [0],
    },
  )
  expect(found.changed.rows).toEqual([{ before: ['1', 'x'], now: ['1', 'z'], differs: [1] }])
})

test('values differ as far as they are shown in no cell, and lists of texts are no other lists', async () => {
  const long = (end: string) => `SELECT 1 AS id, repeat('x', 5000) || '${end}' AS long, 0 AS n`
  const found = await compared(long('a'), long('b'), { keys: [0] })
  expect(found.changed.rows).toEqual([
    { before: ['1', 'x'.repeat(100), '0'], now: ['1', 'x'.repeat(100), '0'], differs: [1] },
  ])
  const texts = (a: string, b: string) => `SELECT '${a}' AS a, '${b}' AS b, 1 AS n`
  expect(await compared(texts('x","y', 'z'), texts('x', 'y","z'), {})).toMatchObject({ same: 0 })
  expect(await compared(`SELECT NULL AS a, 1, 2`, `SELECT 'null' AS a, 1, 2`, {})).toMatchObject({ same: 0 })
})

test('counts all of many, shows the first, and is nothing where one is not kept or lacks a column', async () => {
  const sql = (from: number) => `SELECT range + ${from} AS n FROM range(50000)`
  const found = await compared(sql(0), sql(10_000), { columns: columnsOf(1), keys: [0], mostRows: 2 })
  expect(found).toMatchObject({
    same: 40_000,
    added: { count: 10_000, rows: [['50000'], ['50001']] },
    removed: { count: 10_000, rows: [['0'], ['1']] },
  })
  const queryId = await kept('SELECT 1')
  const order = { workId: randomUUID(), columns: columnsOf(1), keys: [], mostRows: 1, longestCell: 10 }
  expect(await reader().compare(queryId, { ...order, earlierId: randomUUID() })).toBeNull()
  expect(await reader().compare(queryId, { ...order, earlierId: queryId, columns: columnsOf(2) })).toBeNull()
})
