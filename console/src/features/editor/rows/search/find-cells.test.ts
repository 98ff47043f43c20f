import { expect, test } from 'vitest'
import { findCells, nextFound } from './find-cells.ts'

const rows = [
  ['Bern', null],
  ['Basel', 'bernina'],
  ['Chur', 'x'],
]
const grid = { count: 4, at: (index: number) => rows[index], lengthAt: () => undefined }

test('a text is found in every cell that holds it, whatever its letter case', () => {
  const { list, byRow } = findCells({ grid, rows: 4, text: 'BERN' })
  expect(list).toEqual([
    { row: 0, column: 0 },
    { row: 1, column: 1 },
  ])
  expect([...byRow.keys()]).toEqual([0, 1])
  expect(findCells({ grid, rows: 4, text: '' }).list).toEqual([])
})

test('the next one is behind the cell, and after the last one comes the first', () => {
  const found = [
    { row: 0, column: 0 },
    { row: 1, column: 1 },
  ]
  expect(nextFound(found, null, 1)).toBe(0)
  expect(nextFound(found, { row: 0, column: 0 }, 1)).toBe(1)
  expect(nextFound(found, { row: 1, column: 1 }, 1)).toBe(0)
  expect(nextFound(found, { row: 1, column: 0 }, -1)).toBe(0)
  expect(nextFound(found, { row: 0, column: 0 }, -1)).toBe(1)
  expect(nextFound([], null, 1)).toBe(-1)
})
