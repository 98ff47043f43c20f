import type { ChartKind, ChartSettings } from '@boathouse/contract/editor'
import type { GridRows } from '../../ui/grid/grid-rows.ts'
import { UNCHOSEN } from './unchosen.ts'

export interface ChartColumn {
  readonly name: string
  readonly family: string
}

export interface ChartRows {
  readonly columns: readonly ChartColumn[]
  readonly grid: GridRows
  /** Rows to draw, from the first on. */
  readonly rows: number
}

/** More bars are thinner than a pixel. */
export const MOST_BARS = 200
/** More lines look alike. */
export const MOST_SERIES = 8

/** Rows by which a column is judged. */
const LOOKED_AT = 1_000
/** With more bars than this, the largest are looked for. */
const MANY_NAMES = 50
const TOP_OF_MANY = 25
const LONG_NAME = 14
/** With fewer steps a line says nothing. */
const STEPS_OF_LINE = 3

/** Numbers that count time, and numbers that name something: neither is a measure. */
const STEP = /(?:^|[^a-z])(?:year|quarter|month|week|weekday|day|hour)$/i
const KEY = /(?:^|[^a-z])(?:id|key|code|number|no|nr|zip|rank|position|year)$|[a-z](?:Id|Key|Code|key)$/
/** To be added up, a number must not be one of these. */
const RATIO = /avg|average|mean|median|rate|ratio|percent|pct|share|price|discount|temperature/i
const WHOLE = /^-?\d+$/

/** Others say nothing in a picture, as lists and bytes do. */
type Role = 'time' | 'step' | 'name' | 'key' | 'measure' | 'other'

interface Look {
  readonly name: string
  readonly at: number
  readonly role: Role
  readonly distinct: number
  readonly longest: number
}

function roleOf({ name, family }: ChartColumn, values: ReadonlySet<string>): Role {
  if (family === 'temporal') return 'time'
  if (family === 'text' || family === 'boolean') return 'name'
  if (family !== 'number') return 'other'
  const isWhole = [...values].every((value) => WHOLE.test(value))
  if (isWhole && STEP.test(name)) return 'step'
  return isWhole && KEY.test(name) ? 'key' : 'measure'
}

function looksOf({ columns, grid, rows }: ChartRows): Look[] {
  return columns.map((column, at) => {
    const values = new Set<string>()
    for (let row = 0; row < Math.min(rows, LOOKED_AT); row++) values.add(grid.at(row)?.[at] ?? '')
    values.delete('')
    const longest = [...values].reduce((most, value) => Math.max(most, value.length), 0)
    return { name: column.name, at, role: roleOf(column, values), distinct: values.size, longest }
  })
}

/** What goes along the chart: times, then what counts them, then names, and of those one that tells the rows apart. */
function alongOf(looks: readonly Look[], rows: number): Look | undefined {
  const of = (role: Role) => looks.filter((look) => look.role === role)
  const names = of('name')
  const telling = rows <= MOST_BARS ? names.find(({ distinct }) => distinct === rows) : undefined
  return of('time')[0] ?? of('step')[0] ?? telling ?? names[0] ?? of('key')[0] ?? looks[0]
}

/** Whether two rows are at the same place. */
function isRepeated({ grid, rows }: ChartRows, places: readonly number[]): boolean {
  const seen = new Set<string>()
  const count = Math.min(rows, LOOKED_AT)
  for (let at = 0; at < count; at++) seen.add(JSON.stringify(places.map((place) => grid.at(at)?.[place])))
  return seen.size < count
}

function kindOf(x: Look | undefined, rows: number): ChartKind {
  if (rows === 1) return 'number'
  if (x?.role === 'time') return 'line'
  if (x?.role === 'step') return x.distinct >= STEPS_OF_LINE ? 'line' : 'bar'
  return x?.role === 'measure' ? 'scatter' : 'bar'
}

/** What a result looks like at first, by the types and the values of its columns. */
export function defaultSettings(parts: ChartRows): ChartSettings {
  const looks = looksOf(parts)
  const x = alongOf(looks, parts.rows)
  const kind = kindOf(x, parts.rows)
  const others = looks.filter(({ at }) => at !== x?.at)
  // One row has nothing along it. A column that is alone is along the chart, and its height.
  const measured = kind === 'number' ? looks : others
  const y = measured.find(({ role }) => role === 'measure') ?? [...measured, ...(x ? [x] : [])].find(isNumber)
  const named: ChartSettings = { ...UNCHOSEN, kind, x: x?.name ?? '', y: y ? [y.name] : [] }
  if (!x || kind === 'number' || kind === 'scatter') return named
  const isCounted = !y || (y.role === 'key' && isRepeated(parts, [x.at]))
  if (isCounted) return x.role === 'name' ? { ...named, ...countsOf(x) } : named
  const by = isRepeated(parts, [x.at])
    ? looks.find(({ role, at, distinct }) => isSplitting(role) && at !== x.at && isFew(distinct))
    : undefined
  const isSeveral = isRepeated(parts, by ? [x.at, by.at] : [x.at])
  const settings: ChartSettings = {
    ...named,
    by: by?.name ?? '',
    aggregate: isSeveral ? (RATIO.test(y.name) ? 'average' : 'sum') : 'none',
  }
  return x.role === 'name' ? { ...settings, ...shapeOfNames(x) } : settings
}

const isNumber = ({ role }: Look): boolean => role === 'measure' || role === 'step' || role === 'key'
const isSplitting = (role: Role): boolean => role === 'name' || role === 'step'
const isFew = (distinct: number): boolean => distinct > 1 && distinct <= MOST_SERIES

/** How often each name is there, where there is no number. */
const countsOf = (x: Look) =>
  ({ ...shapeOfNames(x), kind: 'bar', aggregate: 'count', order: 'value' }) as const

/** Names that are long have more room beside their bars; of very many, the largest are shown. */
const shapeOfNames = ({ distinct, longest }: Look) => ({
  isHorizontal: longest > LONG_NAME && distinct <= MANY_NAMES,
  ...(distinct > MANY_NAMES && ({ order: 'value', top: TOP_OF_MANY } as const)),
})

/** Kept settings may be of columns that the query does not have any more. */
export function fittingSettings(kept: ChartSettings | null, parts: ChartRows): ChartSettings {
  const usual = defaultSettings(parts)
  const isChosen = kept !== null && (kept.x !== '' || kept.y.length > 0)
  if (!isChosen) return { ...usual, shown: kept?.shown ?? false }
  const { columns } = parts
  const has = (name: string) => columns.some((column) => column.name === name)
  const y = kept.y.filter((name) => columns.some((one) => one.name === name && one.family === 'number'))
  // Of none of them: it is another query by now.
  if (!has(kept.x) && y.length === 0) return { ...usual, shown: kept.shown }
  return {
    ...kept,
    x: has(kept.x) ? kept.x : usual.x,
    y: y.length > 0 ? y : usual.y,
    by: has(kept.by) ? kept.by : '',
  }
}
