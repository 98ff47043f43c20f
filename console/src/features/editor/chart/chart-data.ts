import type { ChartKind, ChartSettings } from '@boathouse/contract/editor'
import type { GridRows } from '../../../ui/grid/grid-rows.ts'

export interface ChartColumn {
  readonly name: string
  readonly family: string
}

export interface ChartPoint {
  /** As in the row. */
  readonly label: string
  /** Along the chart; the index of the point if the column is not a measure. */
  readonly x: number
  /** One for each series; null where there is no number. */
  readonly values: readonly (number | null)[]
  /** The same values as in the row. */
  readonly texts: readonly string[]
}

export interface ChartData {
  readonly series: readonly string[]
  readonly points: readonly ChartPoint[]
  /** The column along the chart is a measure, and not only names. */
  readonly isMeasured: boolean
  /** Rows that are not drawn, as they are too many. */
  readonly left: number
}

/** More bars are thinner than a pixel, and more points no clearer. */
export const MOST_BARS = 200
const MOST_POINTS = 5_000

const isNumeric = ({ family }: ChartColumn): boolean => family === 'number'

/** What a result looks like at first: names or times along the chart, the first number as its height. */
export function defaultSettings(columns: readonly ChartColumn[], rows: number): ChartSettings {
  const numbers = columns.filter(isNumeric)
  const x = columns.find((column) => !isNumeric(column)) ?? columns[0]
  const y = numbers.find(({ name }) => name !== x?.name) ?? numbers[0]
  const kindOf = (): ChartKind => {
    if (rows === 1) return 'number'
    return x?.family === 'temporal' ? 'line' : x && isNumeric(x) ? 'scatter' : 'bar'
  }
  return { kind: kindOf(), x: x?.name ?? '', y: y ? [y.name] : [], shown: false }
}

/** Kept settings may be of columns that the query does not have any more. */
export function fittingSettings(kept: ChartSettings | null, columns: readonly ChartColumn[], rows: number) {
  const usual = defaultSettings(columns, rows)
  const isChosen = kept !== null && (kept.x !== '' || kept.y.length > 0)
  if (!isChosen) return { ...usual, shown: kept?.shown ?? false }
  const has = (name: string) => columns.some((column) => column.name === name)
  const y = kept.y.filter((name) => columns.some((column) => column.name === name && isNumeric(column)))
  return { ...kept, x: has(kept.x) ? kept.x : usual.x, y: y.length > 0 ? y : usual.y }
}

const numberOf = (text: string | null | undefined): number | null => {
  const value = text === null || text === undefined || text === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : null
}

/** Behind a time: the end of a mere day looks like one. */
const ZONE = /(:[\d.]+)[+-]\d\d(?::?\d\d)?$/

/** Milliseconds since 1970, in no zone of its own: as the texts are written. */
const timeOf = (text: string | null | undefined): number | null => {
  const value = Date.parse(`${(text ?? '').replace(' ', 'T').replace(ZONE, '$1')}Z`)
  if (!Number.isNaN(value)) return value
  const day = Date.parse(text ?? '')
  return Number.isNaN(day) ? null : day
}

interface Parts {
  readonly columns: readonly ChartColumn[]
  readonly grid: GridRows
  /** Rows to draw, from the first on. */
  readonly rows: number
}

export function chartData({ kind, x, y }: ChartSettings, { columns, grid, rows }: Parts): ChartData {
  const along = columns.findIndex(({ name }) => name === x)
  const series = y.map((name) => columns.findIndex((column) => column.name === name)).filter((at) => at >= 0)
  const family = columns[along]?.family
  const measure =
    kind === 'bar' ? null : family === 'number' ? numberOf : family === 'temporal' ? timeOf : null
  const most = kind === 'bar' ? MOST_BARS : MOST_POINTS
  const points: ChartPoint[] = []
  for (let at = 0; at < Math.min(rows, most); at++) {
    const row = grid.at(at)
    const place = measure ? measure(row?.[along]) : at
    if (!row || place === null) continue
    points.push({
      label: row[along] ?? 'NULL',
      x: place,
      values: series.map((column) => numberOf(row[column])),
      texts: series.map((column) => row[column] ?? 'NULL'),
    })
  }
  return {
    series: series.map((at) => columns[at]?.name ?? ''),
    points: measure && kind !== 'scatter' ? points.toSorted((one, other) => one.x - other.x) : points,
    isMeasured: measure !== null,
    left: Math.max(0, rows - most),
  }
}
