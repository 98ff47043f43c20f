import type { ChartSettings } from '@boathouse/contract/editor'
import { t } from '../../i18n/texts.ts'
import type { GridCells } from '../../ui/grid/grid-rows.ts'
import { type ChartRows, MOST_BARS, MOST_SERIES } from './chart-columns.ts'
import { type ChartEntry, type ChartGroup, groupsOf, largest } from './chart-groups.ts'
import { grainName, numberOf, startOf, timeOf } from './chart-values.ts'

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
  /** The series are the values of a column, and not columns. */
  readonly isSplit: boolean
  /** Rows that are not drawn, as they are too many. */
  readonly left: number
  /** Points that are not drawn, for the same reason. */
  readonly pointsLeft: number
}

/** More points are no clearer. */
const MOST_POINTS = 5_000
/** Of what is added up, in one go. */
const MOST_READ = 100_000

interface Plan {
  readonly settings: ChartSettings
  readonly rows: ChartRows
  readonly along: number
  readonly by: number
  readonly values: readonly number[]
  /** Where a row is along the chart; null: rows are only named. */
  readonly measure: ((text: string | null | undefined) => number | null) | null
  readonly isTime: boolean
}

const indexOf = ({ columns }: ChartRows, name: string): number =>
  name === '' ? -1 : columns.findIndex((column) => column.name === name)

function planOf(settings: ChartSettings, rows: ChartRows): Plan {
  const along = indexOf(rows, settings.x)
  const family = rows.columns[along]?.family
  const by = settings.kind === 'scatter' ? -1 : indexOf(rows, settings.by)
  const values = settings.y.map((name) => indexOf(rows, name)).filter((at) => at >= 0)
  const isTime = family === 'temporal'
  return {
    settings,
    rows,
    along,
    by,
    isTime,
    values: by >= 0 ? values.slice(0, 1) : values,
    measure: isNamed(settings) ? null : isTime ? timeOf : family === 'number' ? numberOf : null,
  }
}

/** A number is that of the first row, wherever that would be along a chart. */
const isNamed = ({ kind }: ChartSettings): boolean => kind === 'bar' || kind === 'number'

/** Whether rows become points of their own, one by one. */
const isRowByRow = ({ settings: { kind, aggregate, grain, top }, by, isTime }: Plan): boolean =>
  kind === 'scatter' ||
  kind === 'number' ||
  (by < 0 && aggregate === 'none' && top === 0 && (grain === 'none' || !isTime))

export function chartData(settings: ChartSettings, rows: ChartRows): ChartData {
  const plan = planOf(settings, rows)
  return isRowByRow(plan) ? pointByRow(plan) : pointByName(plan)
}

const nameOf = ({ rows }: Plan, at: number): string => rows.columns[at]?.name ?? ''

/** By their places, or as they are chosen to be sorted. */
function ordered(groups: readonly ChartGroup[], { settings, measure }: Plan): readonly ChartGroup[] {
  const { kind, order } = settings
  if (kind === 'scatter' || kind === 'number') return groups
  if (measure) return groups.toSorted((one, other) => (one.place ?? 0) - (other.place ?? 0))
  if (order === 'value') return groups.toSorted((one, other) => totalOf(other) - totalOf(one))
  if (order === 'name') return groups.toSorted((one, other) => byName(one.label, other.label))
  return groups
}

const byName = new Intl.Collator('en', { numeric: true }).compare

const totalOf = ({ values }: ChartGroup): number => values.reduce<number>((all, one) => all + (one ?? 0), 0)

function drawn(
  plan: Plan,
  all: readonly ChartGroup[],
  made: { series: readonly string[]; left: number },
): ChartData {
  const points = ordered(all, plan)
  const most = plan.settings.kind === 'bar' ? MOST_BARS : MOST_POINTS
  return {
    ...made,
    isMeasured: plan.measure !== null,
    isSplit: plan.by >= 0,
    points: points.slice(0, most).map((group, at) => ({ ...group, x: group.place ?? at })),
    pointsLeft: Math.max(0, points.length - most),
  }
}

function pointByRow(plan: Plan): ChartData {
  const { rows, along, values, measure, settings } = plan
  // What is sorted by value is looked at as a whole.
  const most = settings.kind === 'bar' && settings.order === 'rows' ? MOST_BARS : MOST_POINTS
  const groups: ChartGroup[] = []
  for (let at = 0; at < Math.min(rows.rows, most); at++) {
    const row = rows.grid.at(at)
    const place = measure ? measure(row?.[along]) : null
    if (!row || (measure && place === null)) continue
    groups.push({
      label: row[along] ?? 'NULL',
      place,
      values: values.map((column) => numberOf(row[column])),
      texts: values.map((column) => row[column] ?? 'NULL'),
    })
  }
  const series = values.map((at) => nameOf(plan, at))
  return drawn(plan, groups, { series, left: Math.max(0, rows.rows - most) })
}

interface ReadRow {
  readonly row: GridCells
  label: string
  readonly place: number | null
}

/** Rows with their places and names, by the grain of times. */
function readRows({ rows, along, measure, isTime, settings: { grain } }: Plan): ReadRow[] {
  const read: ReadRow[] = []
  for (let at = 0; at < Math.min(rows.rows, MOST_READ); at++) {
    const row = rows.grid.at(at)
    if (!row) continue
    const text = row[along]
    const time = isTime && grain !== 'none' ? timeOf(text) : null
    if (time !== null && grain !== 'none') {
      const start = startOf(time, grain)
      read.push({ row, label: grainName(start, grain), place: start })
      continue
    }
    const place = measure ? measure(text) : null
    if (!measure || place !== null) read.push({ row, label: text ?? 'NULL', place })
  }
  return read
}

/** What a row adds to the totals by which the largest are found. */
const weightOf = ({ settings: { aggregate }, values }: Plan, row: GridCells): number =>
  aggregate === 'count' ? 1 : Math.abs(numberOf(row[values[0] ?? -1]) ?? 0)

function totalsBy(
  plan: Plan,
  read: readonly ReadRow[],
  keyOf: (read: ReadRow) => string,
): Map<string, number> {
  const totals = new Map<string, number>()
  for (const one of read) {
    const key = keyOf(one)
    totals.set(key, (totals.get(key) ?? 0) + weightOf(plan, one.row))
  }
  return totals
}

/** The names of the series, in the order in which they first appear; those that are too many are one. */
function seriesBy(plan: Plan, read: readonly ReadRow[]) {
  const keyOf = ({ row }: ReadRow): string => row[plan.by] ?? 'NULL'
  const totals = totalsBy(plan, read, keyOf)
  if (totals.size <= MOST_SERIES) return { names: [...totals.keys()], keyOf }
  const shown = new Set(largest(totals, MOST_SERIES - 1))
  const others = t('chart.others', { count: totals.size - shown.size })
  return {
    names: [...[...totals.keys()].filter((name) => shown.has(name)), others],
    keyOf: (one: ReadRow) => (shown.has(keyOf(one)) ? keyOf(one) : others),
  }
}

function pointByName(plan: Plan): ChartData {
  const { rows, values, by, measure, settings } = plan
  const { aggregate, top, grain } = settings
  const read = readRows(plan)
  const others = !measure && top > 0 ? keepLargest(plan, read) : null
  const isCount = aggregate === 'count'
  const counted = isCount ? [t('chart.rows')] : values.map((at) => nameOf(plan, at))
  const split = by >= 0 ? seriesBy(plan, read) : null
  const series = split?.names ?? counted
  const entries: ChartEntry[] = read.map((one) => {
    const { row, label, place } = one
    const columns = isCount ? [-1] : values
    return {
      label,
      place,
      values: columns.map((column, at) => ({
        series: split ? split.names.indexOf(split.keyOf(one)) : at,
        value: numberOf(row[column]),
        text: row[column] ?? 'NULL',
      })),
    }
  })
  const groups = groupsOf(entries, { series: series.length, aggregate })
  const left = Math.max(0, rows.rows - MOST_READ)
  // Bars of times stand in their order, too.
  const isOfTime = plan.isTime && grain !== 'none' && !measure && settings.order === 'rows'
  const inTime = isOfTime ? groups.toSorted((one, other) => (one.place ?? 0) - (other.place ?? 0)) : groups
  const data = drawn(
    plan,
    inTime.map((group) => (measure ? group : { ...group, place: null })),
    { series, left },
  )
  return others === null ? data : { ...data, points: lastOf(data.points, others) }
}

/** Gives the rows of all but the largest names one name, and says which. Null: all are shown. */
function keepLargest(plan: Plan, read: readonly ReadRow[]): string | null {
  const totals = totalsBy(plan, read, ({ label }) => label)
  if (totals.size <= plan.settings.top) return null
  const shown = new Set(largest(totals, plan.settings.top))
  const others = t('chart.others', { count: totals.size - shown.size })
  for (const one of read) if (!shown.has(one.label)) one.label = others
  return others
}

/** The rest stands behind those that are named, however large it is. */
function lastOf(points: readonly ChartPoint[], label: string): ChartPoint[] {
  const rest = points.filter((point) => point.label === label)
  return [...points.filter((point) => point.label !== label), ...rest].map((point, x) => ({ ...point, x }))
}
