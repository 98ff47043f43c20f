import { LIMITS } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { shortened } from './shortened.ts'

const most = LIMITS.cellLength

test('a cell over the limit is its beginning, with its true length beside it', () => {
  const { rows, longCells } = shortened([['x'.repeat(most + 1), 'y'.repeat(most), null]])
  expect(rows).toEqual([['x'.repeat(most), 'y'.repeat(most), null]])
  expect(longCells).toEqual([{ row: 0, column: 0, length: most + 1 }])
})

test('a beginning never ends in half a character', () => {
  const { rows, longCells } = shortened([[`x${'😀'.repeat(most)}`, '😀'.repeat(most)]])
  expect(rows).toEqual([[`x${'😀'.repeat(most / 2 - 1)}`, '😀'.repeat(most / 2)]])
  expect(longCells.map(({ length }) => length)).toEqual([1 + 2 * most, 2 * most])
})
