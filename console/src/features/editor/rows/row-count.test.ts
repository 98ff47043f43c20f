import { expect, test } from 'vitest'
import { rowCount } from './row-count.ts'

const rows = (count: number) => Array.from({ length: count }, () => ['x'])
const windows = (count: number) =>
  new Map(Array.from({ length: count }, (_, at) => [at, { rows: [], longCells: [] }]))

const known = (
  first: number,
  total: number | null,
  over: { isComplete?: boolean; windows?: number } = {},
) => ({
  count: total ?? first,
  total: total === null ? null : { rows: total, isComplete: over.isComplete ?? true },
  windows: windows(over.windows ?? 1),
  firstRows: rows(first),
})

test.each([
  ['all rows when none are missing', known(7, null), false, 'rows 7 of 7'],
  [
    'the first ones when more exist and nobody counted them',
    known(1000, null),
    true,
    'firstRows 1000 of 1000',
  ],
  ['the first ones of all when they were counted', known(1000, 4213), true, 'firstRowsOf 1000 of 4213'],
  [
    'all rows once others than the first were loaded',
    known(1000, 4213, { windows: 2 }),
    true,
    'rows 4213 of 4213',
  ],
  [
    'more than are kept when not all are',
    known(1000, 50_000, { isComplete: false }),
    true,
    'firstRowsOfMore 1000 of 50000',
  ],
  [
    'the first ones that are kept when others than the first were loaded',
    known(1000, 50_000, { isComplete: false, windows: 3 }),
    true,
    'firstRows 50000 of 50000',
  ],
  ['all rows when the first window has them all', known(7, 7), false, 'rows 7 of 7'],
])('tells %s', (_, state, isTruncated, told) => {
  const { key, shown, all } = rowCount(state, isTruncated)
  expect(`${key} ${shown} of ${all}`).toBe(told)
})
