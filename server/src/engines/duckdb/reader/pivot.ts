import type { Cell } from '../../engine/rows.ts'
import type { PivotFigures, PivotOrder, PivotTable } from '../../../results/computing.ts'
import { restored } from '../result-writer/stored-columns.ts'
import { type ArrangedColumn, keyOf, numberOf, passing, textOf } from './arranging.ts'
import { finiteOf, identityOf, sumOf } from './figures.ts'
import { type RunningWork, rowsIn } from './running-work.ts'
import type { FileRows } from './window-rows.ts'

/** Longer names are cut, and end with a digest of the whole: texts that begin alike stay apart. */
const LONGEST_NAME = 300
const DIGEST = 16

type Value = PivotOrder['values'][number]

interface Plan {
  readonly order: PivotOrder
  readonly rows: readonly ArrangedColumn[]
  readonly columns: readonly ArrangedColumn[]
}

const list = (count: number, nameAt: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => nameAt(at))

/** Names, sort keys and values of groups: of rows and heads, of each of them alone, and of all. */
export async function pivotTable(
  work: RunningWork,
  rows: FileRows,
  order: PivotOrder,
): Promise<PivotTable | null> {
  const all = await work.columnsOf(rows)
  const chosen = (places: readonly number[]) => places.flatMap((at) => all[at] ?? [])
  const plan = { order, rows: chosen(order.rows), columns: chosen(order.columns) }
  const isWhole = plan.rows.length === order.rows.length && plan.columns.length === order.columns.length
  if (!isWhole || order.values.some(({ column }) => column !== null && !all[column])) return null
  const source = `${rowsIn(rows.file)} WHERE ${passing(order.filters, all)}`
  const values: string[] = []
  for (const value of order.values) values.push(await aggregateOf(work, source, { value, columns: all }))
  await work.run(`CREATE TEMP TABLE groups AS ${groupsSql(plan, source, values)}`)
  await work.run(`CREATE TEMP TABLE heads AS ${headsSql(plan)}`)
  await work.run(`CREATE TEMP TABLE names AS ${namesSql(plan)}`)
  return readTable(work, plan)
}

interface Aggregated {
  readonly value: Value
  readonly columns: readonly ArrangedColumn[]
}

async function aggregateOf(
  work: RunningWork,
  source: string,
  { value, columns }: Aggregated,
): Promise<string> {
  const { column, aggregate } = value
  const arranged = column === null ? undefined : columns[column]
  if (!arranged) return 'count(*)'
  const plain = restored(arranged.column)
  if (aggregate === 'count') return `count(${plain})`
  if (aggregate === 'distinct') return `count(DISTINCT ${identityOf(arranged)}) FILTER (${plain} IS NOT NULL)`
  const isNumber = arranged.column.family === 'number'
  if (aggregate === 'least' || aggregate === 'most') {
    const compared = isNumber ? numberOf(arranged) : arranged.column.isText ? textOf(arranged) : plain
    return `${aggregate === 'least' ? 'min' : 'max'}(${compared})`
  }
  const number = finiteOf(arranged)
  if (aggregate === 'average') return `avg(${number})`
  const [largest = NaN, count = 0] = await work.numbers(
    `SELECT max(abs(${number})), count(${number}) FROM ${source}`,
  )
  return sumOf(arranged, largest * Math.max(1, count))
}

function nameOf(arranged: ArrangedColumn): string {
  const text = textOf(arranged)
  const cut = `left(${text}, ${LONGEST_NAME - DIGEST - 2}) || '… ' || left(md5(${text}), ${DIGEST})`
  return `CASE WHEN length(${text}) > ${LONGEST_NAME} THEN ${cut} ELSE ${text} END`
}

const named = (all: readonly ArrangedColumn[], letter: string): string[] =>
  all.map((one, at) => `${nameOf(one)} AS ${letter}${at}`)

const keys = (all: readonly ArrangedColumn[], letter: string): string[] =>
  all.map((one, at) => `min(${keyOf(one)}) AS k${letter}${at}`)

function groupsSql({ rows, columns }: Plan, source: string, values: readonly string[]): string {
  const r = list(rows.length, (at) => `r${at}`)
  const c = list(columns.length, (at) => `c${at}`)
  const parts = [
    ...named(rows, 'r'),
    ...named(columns, 'c'),
    ...keys(rows, 'r'),
    ...keys(columns, 'c'),
    ...values.map((value, at) => `${value} AS v${at}`),
    ...[...r, ...c].map((name) => `GROUPING(${name}) AS g${name}`),
  ]
  // Every group is of one of these; their flags tell the total of a row from a row whose head is NULL.
  const sets = new Set([[...r, ...c], r, c, []].map((names) => `(${names.join(', ')})`))
  return `SELECT ${parts.join(', ')} FROM ${source} GROUP BY GROUPING SETS (${[...sets].join(', ')})`
}

/** Which of the groups these are: of rows, of heads, of both, or of all. */
function kindSql({ rows, columns }: Plan, kind: 'row' | 'head' | 'both' | 'all'): string {
  const flags = [
    ...rows.map((_, at) => `gr${at} = ${kind === 'row' || kind === 'both' ? 0 : 1}`),
    ...columns.map((_, at) => `gc${at} = ${kind === 'head' || kind === 'both' ? 0 : 1}`),
  ]
  return flags.join(' AND ') || 'true'
}

function headsSql(plan: Plan): string {
  if (plan.columns.length === 0) return 'SELECT 0 AS head WHERE false'
  const c = list(plan.columns.length, (at) => `c${at}`)
  const order = c.map((name) => `k${name} NULLS LAST`).join(', ')
  return `SELECT ${c.join(', ')}, row_number() OVER (ORDER BY ${order}) - 1 AS head
    FROM groups WHERE ${kindSql(plan, 'head')}`
}

function namesSql(plan: Plan): string {
  if (plan.rows.length === 0) return 'SELECT 0 AS place WHERE false'
  const { value, descending } = plan.order.sort
  const direction = descending ? 'DESC' : 'ASC'
  const r = list(plan.rows.length, (at) => `r${at}`)
  const names = r.map((name) => `k${name} ${value === null ? direction : 'ASC'} NULLS LAST`)
  const order = [...(value === null ? [] : [`v${value} ${direction} NULLS LAST`]), ...names].join(', ')
  const v = plan.order.values.map((_, at) => `v${at}`)
  return `SELECT ${[...r, ...v].join(', ')}, row_number() OVER (ORDER BY ${order}) - 1 AS place
    FROM groups WHERE ${kindSql(plan, 'row')}`
}

async function readTable(work: RunningWork, plan: Plan): Promise<PivotTable> {
  const { mostRows, mostHeads, values } = plan.order
  const r = list(plan.rows.length, (at) => `r${at}`)
  const c = list(plan.columns.length, (at) => `c${at}`)
  const v = list(values.length, (at) => `v${at}`)
  const [allHeads = 0] = await work.numbers('SELECT count(*) FROM heads')
  const [allRows = 0] = await work.numbers('SELECT count(*) FROM names')
  const heads =
    c.length === 0
      ? []
      : await work.texts(`SELECT ${c.join(', ')} FROM heads WHERE head < ${mostHeads} ORDER BY head`)
  const size = { heads: heads.length, values: values.length }
  const [total = []] = await work.texts(`SELECT ${v.join(', ')} FROM groups WHERE ${kindSql(plan, 'all')}`)
  const ofHeads = await work.texts(
    `SELECT head, ${qualified('groups', v)} FROM groups JOIN heads ON ${same(c)}
     WHERE ${kindSql(plan, 'head')} AND head < ${mostHeads}`,
  )
  const totals = { cells: cellsOf(ofHeads, size), totals: total }
  if (r.length === 0) return { heads, allHeads, rows: [], allRows, totals }
  const named = await work.texts(
    `SELECT ${[...r, ...v].join(', ')} FROM names WHERE place < ${mostRows} ORDER BY place`,
  )
  const inner =
    c.length === 0
      ? []
      : await work.texts(
          `SELECT place, head, ${qualified('groups', v)} FROM groups JOIN names ON ${same(r, 'names')} JOIN heads ON ${same(c)}
     WHERE ${kindSql(plan, 'both')} AND place < ${mostRows} AND head < ${mostHeads}`,
        )
  const byPlace = new Map<number, Cell[][]>()
  for (const [place = null, ...cells] of inner) {
    const some = byPlace.get(Number(place))
    if (some) some.push(cells)
    else byPlace.set(Number(place), [cells])
  }
  const rows = named.map((row, place) => ({
    names: row.slice(0, r.length),
    cells: cellsOf(byPlace.get(place) ?? [], size),
    totals: row.slice(r.length),
  }))
  return { heads, allHeads, rows, allRows, totals }
}

const qualified = (table: string, names: readonly string[]): string =>
  names.map((name) => `${table}.${name}`).join(', ')

const same = (names: readonly string[], table = 'heads'): string =>
  names.map((name) => `groups.${name} IS NOT DISTINCT FROM ${table}.${name}`).join(' AND ') || 'false'

interface Size {
  readonly heads: number
  readonly values: number
}

/** Rows that begin with the place of their head, side by side. */
function cellsOf(found: readonly (readonly Cell[])[], { heads, values }: Size): PivotFigures['cells'] {
  const cells: Cell[] = Array.from({ length: heads * values }, () => null)
  for (const [head = null, ...figures] of found)
    for (const [at, figure] of figures.entries()) cells[Number(head) * values + at] = figure
  return cells
}
