import { LIMITS } from '@boathouse/contract/limits'
import type { PivotAggregate, PivotSettings } from '@boathouse/contract/pivot'
import { type ChartRows, defaultSettings } from '../../../statement/chart/chart-columns.ts'

/** The number of rows, which is of no column. */
export const OF_ROWS = ''

const COUNTED = { column: OF_ROWS, aggregate: 'count' } as const

/** As the columns suggest: along the rows what would be along a chart. */
export function defaultPivot(parts: ChartRows): PivotSettings {
  const { x, y, by } = defaultSettings(parts)
  const [value] = y.filter((name) => name !== x && isNumber(parts, name))
  return {
    rows: x === '' ? [] : [x],
    columns: by === '' ? [] : [by],
    values: [value === undefined ? COUNTED : { column: value, aggregate: 'sum' }],
    sort: { value: null, descending: false },
  }
}

const isNumber = ({ columns }: Pick<ChartRows, 'columns'>, name: string): boolean =>
  columns.some((column) => column.name === name && column.family === 'number')

/** Sums are of numbers only. */
export const aggregatesOf = (
  parts: Pick<ChartRows, 'columns'>,
  name: string,
  all: readonly PivotAggregate[],
): readonly PivotAggregate[] =>
  name === OF_ROWS
    ? ['count']
    : isNumber(parts, name)
      ? all
      : all.filter((aggregate) => aggregate !== 'sum' && aggregate !== 'average')

/** Kept settings may be of columns that the query does not have any more. */
export function fittingPivot(kept: PivotSettings | null, parts: ChartRows): PivotSettings {
  if (!kept) return defaultPivot(parts)
  const has = (name: string) => parts.columns.some((column) => column.name === name)
  const rows = [...new Set(kept.rows.filter(has))]
  const columns = [...new Set(kept.columns.filter(has))].filter((name) => !rows.includes(name))
  const values = kept.values.filter(({ column, aggregate }) =>
    column === OF_ROWS
      ? aggregate === 'count'
      : has(column) && aggregatesOf(parts, column, [aggregate]).length > 0,
  )
  if (rows.length + columns.length === 0 && kept.rows.length + kept.columns.length > 0)
    return defaultPivot(parts)
  const isSorted = kept.sort.value !== null && kept.sort.value < values.length
  return {
    rows: rows.slice(0, LIMITS.pivotRows),
    columns,
    values: values.length > 0 ? values : [COUNTED],
    sort: isSorted ? kept.sort : { ...kept.sort, value: null },
  }
}
