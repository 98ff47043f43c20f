import { expect, test } from 'vitest'
import { summarise } from './selection-summary.ts'

const rowsOf = (rows: (string | null)[][]) => ({
  count: rows.length,
  at: (index: number) => rows[index],
  lengthAt: () => undefined,
})
const all = (rows: (string | null)[][]) =>
  summarise(rowsOf(rows), { top: 0, bottom: rows.length - 1, left: 0, right: (rows[0]?.length ?? 1) - 1 })

test('counts, and adds decimals and huge integers without losing a digit', () => {
  expect(all([['0.1'], ['0.2'], ['9007199254740993'], [null], ['0.2']])).toEqual({
    cells: 5,
    nulls: 1,
    distinct: 3,
    sum: '9007199254740993.5',
    average: '2251799813685248.375',
    min: '0.1',
    max: '9007199254740993',
  })
})

test('negative numbers', () => {
  expect(all([['-1.5'], ['1']])).toMatchObject({ sum: '-0.5', average: '-0.25', min: '-1.5', max: '1' })
})

test('what are no numbers is counted and not added', () => {
  expect(all([['a'], ['b'], ['a']])).toEqual({
    cells: 3,
    nulls: 0,
    distinct: 2,
    sum: null,
    average: null,
    min: null,
    max: null,
  })
})

test('a single cell, and rows that are not here, have none', () => {
  expect(all([['1']])).toBeNull()
  expect(summarise({ ...rowsOf([['1']]), count: 5 }, { top: 0, bottom: 4, left: 0, right: 0 })).toBeNull()
})
