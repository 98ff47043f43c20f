import type { PivotSettings } from '@boathouse/contract/pivot'
import type { PivotTable } from '@boathouse/contract/result-work'
import { describe, expect, test } from 'vitest'
import '../../../i18n/pivot.ts'
import { defaultPivot, fittingPivot } from './pivot-columns.ts'
import { pivotGrid } from './pivot-grid.ts'

const COLUMNS = [
  { name: 'city', family: 'text' },
  { name: 'year', family: 'number' },
  { name: 'paid', family: 'number' },
]
const ROWS = [
  ['Bern', '2024', '1.5'],
  ['Bern', '2025', '2.5'],
  ['Chur', '2025', '4'],
]
const parts = {
  columns: COLUMNS,
  rows: ROWS.length,
  grid: { count: ROWS.length, at: (at: number) => ROWS[at], lengthAt: () => undefined },
}
const settings: PivotSettings = {
  rows: ['city'],
  columns: ['year'],
  values: [{ column: 'paid', aggregate: 'average' }],
  sort: { value: 0, descending: true },
}

describe('the settings of a pivot', () => {
  test('begin with what would be along a chart, and sum up its measure', () => {
    expect(defaultPivot(parts)).toMatchObject({
      rows: ['year'],
      columns: ['city'],
      values: [{ column: 'paid', aggregate: 'sum' }],
    })
    expect(defaultPivot({ ...parts, columns: COLUMNS.slice(0, 1) })).toMatchObject({
      rows: ['city'],
      values: [{ column: '', aggregate: 'count' }],
    })
  })

  test('stay as they are kept, without columns that are gone or cannot be summed up', () => {
    expect(fittingPivot(settings, parts)).toEqual(settings)
    const other = {
      rows: ['city', 'gone'],
      columns: ['city', 'year'],
      values: [
        { column: 'city', aggregate: 'sum' as const },
        { column: 'city', aggregate: 'distinct' as const },
      ],
      sort: { value: 1, descending: true },
    }
    expect(fittingPivot(other, parts)).toEqual({
      rows: ['city'],
      columns: ['year'],
      values: [{ column: 'city', aggregate: 'distinct' }],
      sort: { value: null, descending: true },
    })
    expect(fittingPivot({ ...settings, rows: ['gone'], columns: [] }, parts).rows).toEqual(['year'])
  })
})

describe('a pivot in the grid', () => {
  const table: PivotTable = {
    heads: [['2024'], [null]],
    allHeads: 2,
    rows: [{ names: [null], cells: ['1.3333333333333333', null], totals: ['2'] }],
    allRows: 1,
    totals: { cells: ['1', '2'], totals: ['3'] },
    totalRows: 3,
    complete: true,
  }

  test('has names, heads and totals, and its totals last', () => {
    const { columns, lines } = pivotGrid(table, settings)
    expect(columns.map(({ name }) => name)).toEqual(['city', '2024', 'NULL', 'Total'])
    expect(columns.map(({ sort }) => sort?.value)).toEqual([null, undefined, undefined, 0])
    expect(lines).toEqual([
      ['NULL', '1.33333333333', null, '2'],
      ['Total', '1', '2', '3'],
    ])
  })

  test('names its values where there are several, or no heads', () => {
    const values = [...settings.values, { column: '', aggregate: 'count' as const }]
    const names = (heads: string[][], columns: string[]) =>
      pivotGrid({ ...table, heads, rows: [] }, { ...settings, columns, values }).columns.map(
        ({ name }) => name,
      )
    expect(names([['2024']], ['year'])).toEqual([
      'city',
      '2024, Average of paid',
      '2024, Number of rows',
      'Total, Average of paid',
      'Total, Number of rows',
    ])
    expect(names([], [])).toEqual(['city', 'Average of paid', 'Number of rows'])
  })
})
