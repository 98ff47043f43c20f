import { describe, expect, test } from 'vitest'
import '../../i18n/chart.ts'
import {
  type ChartColumn,
  defaultSettings,
  fittingSettings,
  MOST_BARS,
  MOST_SERIES,
} from './chart-columns.ts'
import { chartData } from './chart-data.ts'
import { layersOf } from './chart-overlay.ts'
import { heightScale, niceScale } from './chart-scale.ts'
import { spansOf } from './chart-stack.ts'
import { namesBelow } from './plot.tsx'
import { UNCHOSEN } from './unchosen.ts'

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

type Cells = readonly (string | null)[]

const partsOf = (columns: readonly ChartColumn[], rows: readonly Cells[]) => ({
  columns,
  rows: rows.length,
  grid: { count: rows.length, at: (at: number) => rows[at], lengthAt: () => undefined },
})
const parts = partsOf(COLUMNS, ROWS)
const settings = { ...UNCHOSEN, x: 'city', y: ['boats', 'rowers'], shown: true }

/** Columns by the first letter of their types: t(emporal), n(umber), s(tring). */
const table = (heads: string, ...rows: readonly string[]) => {
  const families = { t: 'temporal', n: 'number', s: 'text' }
  const columns = heads.split(' ').map((head) => {
    const [name = '', type = 's'] = head.split(':')
    return { name, family: families[type as keyof typeof families] }
  })
  return partsOf(
    columns,
    rows.map((row) => row.split(' ').map((cell) => (cell === '-' ? null : cell))),
  )
}

const shown = (data: ReturnType<typeof chartData>) =>
  data.points.map(({ label, texts }) => `${label}: ${texts.join(' ')}`)

describe('a chart', () => {
  test('that is a number shows the first row, whatever its time is and however a chart is sorted', () => {
    const rows = table('day:t boats:n', '2026-03-02 3', '2026-03-01 9', '- 5')
    const number = { ...settings, kind: 'number' as const, x: 'day', y: ['boats'] }
    for (const order of ['rows', 'name', 'value'] as const)
      expect(shown(chartData({ ...number, order }, rows)).map((one) => one.split(': ')[1])).toEqual([
        '3',
        '9',
        '5',
      ])
  })

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

  test('of columns that are gone falls back to those there are', () => {
    const kept = { ...settings, x: 'gone', y: ['city', 'rowers'], by: 'gone' }
    expect(fittingSettings(kept, parts)).toMatchObject({ kind: 'bar', x: 'day', y: ['rowers'], by: '' })
    const other = { ...kept, y: ['gone too'], stack: 'percent' as const }
    expect(fittingSettings(other, parts)).toMatchObject({ kind: 'line', stack: 'none', shown: true })
  })
})

describe('a first chart', () => {
  test.each([
    ['times along, the first number as its height', parts, { kind: 'line', x: 'day', y: ['boats'] }],
    ['names along', table('city boats:n', 'Bern 3', 'Chur 4'), { kind: 'bar', x: 'city', y: ['boats'] }],
    [
      'two measures',
      table('boats:n rowers:n', '1.5 2', '2.5 4'),
      { kind: 'scatter', x: 'boats', y: ['rowers'] },
    ],
    ['one row', table('boats:n', '3'), { kind: 'number', y: ['boats'] }],
    ['one row of two', table('n:n sum:n', '2 9'), { kind: 'number', y: ['n'] }],
    [
      'years along, however they are typed',
      table('revenue:n l_year:n', '10 1995', '20 1996', '30 1997'),
      { kind: 'line', x: 'l_year', y: ['revenue'] },
    ],
    [
      'two years as bars',
      table('year:n revenue:n', '1995 10', '1996 20'),
      { kind: 'bar', x: 'year', y: ['revenue'] },
    ],
    [
      'keys are not measures',
      table('order_id:n city paid:n', '1 Bern 10', '2 Chur 20'),
      { kind: 'bar', x: 'city', y: ['paid'] },
    ],
    [
      'a name that tells the rows apart',
      table('region nation paid:n', 'EU CH 1', 'EU FR 2', 'AS JP 3'),
      { x: 'nation', by: '', aggregate: 'none' },
    ],
    [
      'a few names as series',
      table('flag status paid:n', 'A F 1', 'N F 2', 'N O 3', 'R F 4'),
      { x: 'flag', by: 'status', y: ['paid'], aggregate: 'none' },
    ],
    [
      'a series for each name over time',
      table('day:t city boats:n', '2026-01-01 Bern 1', '2026-01-01 Chur 2', '2026-01-02 Bern 3'),
      { kind: 'line', x: 'day', by: 'city', aggregate: 'none' },
    ],
    [
      'rows of one place added up',
      table('city boats:n', 'Bern 1', 'Bern 2', 'Chur 3'),
      { x: 'city', aggregate: 'sum' },
    ],
    [
      'prices averaged',
      table('city price:n', 'Bern 1', 'Bern 2', 'Chur 3'),
      { x: 'city', aggregate: 'average' },
    ],
    [
      'rows counted where there are only keys',
      table('id:n city', '1 Bern', '2 Bern', '3 Chur'),
      { kind: 'bar', x: 'city', aggregate: 'count' },
    ],
    ['names counted', table('city', 'Bern', 'Bern', 'Chur'), { kind: 'bar', x: 'city', aggregate: 'count' }],
    [
      'long names beside their bars',
      table('city boats:n', 'Lauterbrunnen-Wengen 1', 'Chur 2'),
      { kind: 'bar', isHorizontal: true },
    ],
    [
      'the largest of very many',
      table('city boats:n', ...Array.from({ length: 60 }, (_, at) => `city${at} ${at}`)),
      { kind: 'bar', order: 'value', top: 25 },
    ],
  ])('has %s', (_, given, expected) => {
    expect(defaultSettings(given)).toMatchObject(expected)
  })
})

describe('rows of the same place', () => {
  const sales = table(
    'day:t city boats:n',
    '2026-01-30 Bern 1.10',
    '2026-01-31 Chur 2',
    '2026-02-01 Bern 4',
    '2026-02-02 Bern -',
    '2026-02-03 Chur 6',
  )
  const bars = { ...UNCHOSEN, x: 'city', y: ['boats'] }
  test.each([
    ['sum', ['Bern: 5.1', 'Chur: 8']],
    ['average', ['Bern: 2.55', 'Chur: 4']],
    ['least', ['Bern: 1.1', 'Chur: 2']],
    ['most', ['Bern: 4', 'Chur: 6']],
    ['count', ['Bern: 3', 'Chur: 2']],
  ] as const)('are one point by their %s', (aggregate, expected) => {
    expect(shown(chartData({ ...bars, aggregate }, sales))).toEqual(expected)
  })

  test.each([
    ['day', ['2026-01-30: 1.10', '2026-01-31: 2', '2026-02-01: 4', '2026-02-02: NULL', '2026-02-03: 6']],
    ['week', ['2026-01-26: 7.1', '2026-02-02: 6']],
    ['month', ['2026-01: 3.1', '2026-02: 10']],
    ['quarter', ['2026 Q1: 13.1']],
    ['year', ['2026: 13.1']],
  ] as const)('are one by the %s of their times, as a line and as bars', (grain, expected) => {
    for (const kind of ['line', 'bar'] as const)
      expect(shown(chartData({ ...bars, kind, x: 'day', grain, aggregate: 'sum' }, sales))).toEqual(expected)
  })

  test('are apart by the values of another column', () => {
    const data = chartData({ ...bars, kind: 'line', x: 'day', grain: 'month', by: 'city' }, sales)
    expect(data.series).toEqual(['Bern', 'Chur'])
    expect(shown(data)).toEqual(['2026-01: 1.10 2', '2026-02: 4 6'])
  })

  test('of many series the smallest are one', () => {
    const rows = Array.from({ length: 12 }, (_, at) => `Bern kind${at} ${at + 1}`)
    const data = chartData({ ...bars, by: 'kind' }, table('city kind boats:n', ...rows))
    expect(data.series).toHaveLength(MOST_SERIES)
    expect(data.series.at(-1)).toBe('Others (5)')
    expect(data.points[0]?.values.at(-1)).toBe(1 + 2 + 3 + 4 + 5)
  })

  test('are sorted by name or value, and those behind the largest are one, at the end', () => {
    const cities = table('city boats:n', 'c10 5', 'c2 1', 'c1 9', 'c3 4')
    expect(shown(chartData({ ...bars, order: 'name' }, cities))).toEqual([
      'c1: 9',
      'c2: 1',
      'c3: 4',
      'c10: 5',
    ])
    expect(shown(chartData({ ...bars, order: 'value', top: 2 }, cities))).toEqual([
      'c1: 9',
      'c10: 5',
      'Others (2): 5',
    ])
  })

  test('stand on one another, also below zero, or as shares of a hundred', () => {
    const point = { label: '', x: 0, values: [1, null, 3, -2], texts: [] }
    expect(spansOf(point, 'none')).toEqual([[0, 1], null, [0, 3], [0, -2]])
    expect(spansOf(point, 'stacked')).toEqual([[0, 1], null, [1, 4], [0, -2]])
    expect(spansOf({ ...point, values: [1, 3] }, 'percent')).toEqual([
      [0, 25],
      [25, 100],
    ])
    const stacked = { kind: 'bar', stack: 'stacked' } as const
    expect(heightScale({ points: [point] }, stacked)).toMatchObject({ low: -2, high: 4 })
    expect(heightScale({ points: [point] }, { kind: 'line', stack: 'stacked' })).toMatchObject({ high: 4 })
  })
})

test('scales end at steps that are easy to read', () => {
  expect(niceScale(0, 97, 4).ticks).toEqual([0, 25, 50, 75, 100])
  expect(niceScale(-0.3, 0.25, 4).ticks).toEqual([-0.4, -0.2, 0, 0.2, 0.4])
  expect(niceScale(5, 5, 4)).toMatchObject({ low: 0, high: 10 })
  expect(niceScale(0, 0, 4)).toMatchObject({ low: -1, high: 1 })
})

describe('a line over bars', () => {
  const rows = table('city boats:n crew:n share:n', 'Bern 300 100 0.5', 'Chur 100 200 0.25')
  const bars = { ...UNCHOSEN, kind: 'bar', x: 'city', y: ['boats', 'crew', 'share'], shown: true } as const
  const layers = (part: Partial<typeof UNCHOSEN>) => {
    const own = { ...bars, y: [...bars.y], ...part }
    return layersOf(chartData(own, rows), { ...own, kind: 'bar' })
  }

  test('is the last value, on the scale of the bars or on one of its own', () => {
    const joined = layers({ overlay: 'line', stack: 'stacked' })
    expect(joined.main.data.series).toEqual(['boats', 'crew'])
    expect(joined.line?.data.points.map(({ values }) => values)).toEqual([[0.5], [0.25]])
    expect([joined.main.scale.high, joined.line?.scale.high]).toEqual([400, 400])
    const own = layers({ overlay: 'axis' })
    expect([own.main.scale.high, own.hasOwnAxis]).toEqual([300, true])
    expect(own.line?.scale.high).toBeLessThan(1)
  })

  test('has an axis of its own where the bars are shares of 100', () => {
    const { main, line, hasOwnAxis } = layers({ overlay: 'line', stack: 'percent' })
    expect([main.scale.high, hasOwnAxis]).toEqual([100, true])
    expect(line?.scale.high).toBeLessThan(1)
  })

  test('is only drawn over upright bars of several values', () => {
    expect(layers({ overlay: 'line', y: ['boats'] }).line).toBeNull()
    expect(layers({ overlay: 'line', isHorizontal: true }).line).toBeNull()
    expect(layers({ overlay: 'line', by: 'city' }).line).toBeNull()
    expect(layers({}).line).toBeNull()
  })
})

test('a name at the edge ends within the chart, and no name is over another', () => {
  const points = ['JAPAN', 'PERU', 'MOZAMBIQUE'].map((label) => ({ label, x: 0, values: [1], texts: ['1'] }))
  const data = { points, series: ['n'], isMeasured: false, isSplit: false, left: 0, pointsLeft: 0 }
  const at = (places: readonly number[]) =>
    namesBelow(data, { xOf: (point) => places[point] ?? 0 }, { width: 500, height: 200 })
  expect(at([100, 300, 490])).toEqual([
    { at: 0, name: 'JAPAN', x: 100 },
    { at: 1, name: 'PERU', x: 300 },
    { at: 2, name: 'MOZAMBIQUE', x: 460 },
  ])
  expect(at([100, 370, 490]).map(({ name }) => name)).toEqual(['JAPAN', 'PERU'])
})
