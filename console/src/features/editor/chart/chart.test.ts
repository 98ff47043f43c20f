import { describe, expect, test } from 'vitest'
import { chartData, defaultSettings, fittingSettings, MOST_BARS } from './chart-data.ts'
import { niceScale } from './chart-scale.ts'

const COLUMNS = [
  { name: 'day', family: 'temporal' },
  { name: 'city', family: 'text' },
  { name: 'boats', family: 'number' },
  { name: 'rowers', family: 'number' },
]
const ROWS = [
  ['2026-03-02', 'Bern', '3', '10.5'],
  ['2026-03-01', 'Chur', null, '7'],
  ['2026-03-03', 'Thun', '5', 'NaN'],
]
const parts = {
  columns: COLUMNS,
  grid: { count: 3, at: (at: number) => ROWS[at], lengthAt: () => undefined },
  rows: 3,
}
const settings = { kind: 'bar' as const, x: 'city', y: ['boats', 'rowers'], shown: true }

describe('a chart', () => {
  test('draws numbers only, and keeps the texts of what it draws', () => {
    const { points, series } = chartData(settings, parts)
    expect(series).toEqual(['boats', 'rowers'])
    expect(points.map(({ label }) => label)).toEqual(['Bern', 'Chur', 'Thun'])
    expect(points.map(({ values }) => values)).toEqual([
      [3, 10.5],
      [null, 7],
      [5, null],
    ])
    expect(points[1]?.texts).toEqual(['NULL', '7'])
  })

  test('of times is in their order, with their distances', () => {
    const { points, isMeasured } = chartData({ ...settings, kind: 'line', x: 'day' }, parts)
    expect(isMeasured).toBe(true)
    expect(points.map(({ label }) => label)).toEqual(['2026-03-01', '2026-03-02', '2026-03-03'])
    expect((points[1]?.x ?? 0) - (points[0]?.x ?? 0)).toBe(86_400_000)
  })

  test('has no more bars than can be seen, and says how many rows are left', () => {
    const many = { ...parts, rows: 1000, grid: { ...parts.grid, at: () => ROWS[0] } }
    const { points, left } = chartData(settings, many)
    expect([points.length, left]).toEqual([MOST_BARS, 1000 - MOST_BARS])
  })

  test('begins with what the columns suggest', () => {
    expect(defaultSettings(COLUMNS, 3)).toMatchObject({ kind: 'line', x: 'day', y: ['boats'] })
    expect(defaultSettings(COLUMNS.slice(1), 3)).toMatchObject({ kind: 'bar', x: 'city' })
    expect(defaultSettings(COLUMNS.slice(2), 3)).toMatchObject({ kind: 'scatter', x: 'boats', y: ['rowers'] })
    expect(defaultSettings(COLUMNS.slice(2, 3), 1)).toMatchObject({ kind: 'number', y: ['boats'] })
  })

  test('of columns that are gone falls back to those there are', () => {
    const kept = { ...settings, x: 'gone', y: ['city', 'rowers'] }
    expect(fittingSettings(kept, COLUMNS, 3)).toMatchObject({ kind: 'bar', x: 'day', y: ['rowers'] })
  })
})

test('scales end at steps that are easy to read', () => {
  expect(niceScale(0, 97, 4).ticks).toEqual([0, 25, 50, 75, 100])
  expect(niceScale(-0.3, 0.25, 4).ticks).toEqual([-0.4, -0.2, 0, 0.2, 0.4])
  expect(niceScale(5, 5, 4)).toMatchObject({ low: 0, high: 10 })
  expect(niceScale(0, 0, 4)).toMatchObject({ low: -1, high: 1 })
})
