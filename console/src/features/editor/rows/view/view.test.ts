import { describe, expect, test } from 'vitest'
import { cellTest } from './cell-filter.ts'
import { ALL_COLUMNS, hideColumn, moveColumn, shownColumns, togglePinned } from './column-view.ts'
import { grouped } from '../../../../statement/chart/grouped.ts'
import { inLocalTime } from './display.ts'
import { ALL_ROWS, filterRows, shownRows } from './row-view.ts'
import { viewedRows } from './viewed-rows.ts'

const FIELDS = [{ family: 'number' }, { family: 'text' }]
const ROWS = [
  ['10', 'Bern'],
  ['9', null],
  [null, 'basel'],
  ['9007199254740993', 'Chur'],
  ['9007199254740992', 'Aarau'],
]

const sorted = (column: number, descending = false) =>
  shownRows({ ...ALL_ROWS, sort: { column, descending } }, ROWS, FIELDS)

describe('rows', () => {
  test('are sorted as numbers to the digit, with NULL last either way', () => {
    expect(sorted(0)).toEqual([1, 0, 4, 3, 2])
    expect(sorted(0, true)).toEqual([3, 4, 0, 1, 2])
  })

  test('are sorted as people sort texts', () => {
    expect(sorted(1)).toEqual([4, 2, 0, 3, 1])
  })

  test('are left out by a part of the value, by a comparison, and by NULL', () => {
    const kept = (column: number, written: string) =>
      shownRows(filterRows(ALL_ROWS, column, written), ROWS, FIELDS)
    expect(kept(1, 'B')).toEqual([0, 2])
    expect(kept(0, '> 9')).toEqual([0, 3, 4])
    expect(kept(0, '= 9007199254740993')).toEqual([3])
    expect(kept(0, '!=9')).toEqual([0, 3, 4])
    expect(kept(1, 'null')).toEqual([1])
    expect(kept(1, 'not null')).toEqual([0, 2, 3, 4])
    expect(kept(1, '  ')).toBeNull()
  })

  test('a filter without a value does not filter', () => {
    expect(cellTest(' ', 'text')).toBeNull()
  })
})

describe('columns', () => {
  test('are pinned first, moved among themselves, and hidden but for the last', () => {
    const moved = moveColumn(ALL_COLUMNS, { from: 0, to: 2, count: 4 })
    expect(shownColumns(moved, 4)).toEqual([1, 2, 0, 3])
    const pinned = togglePinned(moved, 3)
    expect(shownColumns(pinned, 4)).toEqual([3, 1, 2, 0])
    expect(moveColumn(pinned, { from: 1, to: 3, count: 4 })).toBe(pinned)
    const hidden = [0, 1, 2].reduce((view, column) => hideColumn(view, column, 4), pinned)
    expect(shownColumns(hidden, 4)).toEqual([3])
    expect(hideColumn(hidden, 3, 4)).toBe(hidden)
    expect(shownColumns(togglePinned(pinned, 3), 4)).toEqual([1, 2, 0, 3])
  })

  test('of arranged rows are those of the same rows', () => {
    const grid = {
      count: ROWS.length,
      at: (index: number) => ROWS[index],
      lengthAt: (row: number, column: number) => (row === 3 && column === 1 ? 99 : undefined),
    }
    const viewed = viewedRows(grid, { rows: [3, 0], columns: [1, 0] })
    expect(viewed.count).toBe(2)
    expect(viewed.at(0)).toEqual(['Chur', '9007199254740993'])
    expect(viewed.at(0)).toBe(viewed.at(0))
    expect(viewed.lengthAt(0, 0)).toBe(99)
    expect(viewed.at(2)).toBeUndefined()
  })
})

describe('values', () => {
  test('have their digits grouped, before the point only', () => {
    expect(['1234567.12345', '-1000', '999', '1e10'].map(grouped)).toEqual([
      '1,234,567.12345',
      '-1,000',
      '999',
      '1e10',
    ])
  })

  test('that are moments are shown in the zone of the reader, and others are left', () => {
    const at = new Date('2026-03-01T23:05:07Z')
    expect(inLocalTime('2026-03-01 23:05:07.25+00')).toContain(
      `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}:07.25`,
    )
    expect(inLocalTime('2026-03-01 23:05:07')).toBe('2026-03-01 23:05:07')
  })
})
