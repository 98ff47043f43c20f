import type { Cell } from '../../engine/rows.ts'
import type { ComparedRows, ComparisonOrder, ResultComparison } from '../../../results/computing.ts'
import { storedType } from '../result-writer/stored-columns.ts'
import { type ArrangedColumn, textOf } from './arranging.ts'
import { type RunningWork, rowsIn } from './running-work.ts'
import type { FileRows } from './window-rows.ts'

interface Both {
  readonly now: FileRows
  readonly before: FileRows
}

type TextsOf = (places: readonly number[]) => Promise<readonly (readonly Cell[])[]>

interface Order extends ComparisonOrder {
  readonly textsOfNow: TextsOf
  readonly textsOfBefore: TextsOf
}

type Side = 'now' | 'before'
type Columns = readonly ArrangedColumn[]

/** 16 bytes for values of any length; as JSON, so that no two lists of values have the same text. */
const digestOf = (columns: Columns): string =>
  `md5_number(to_json([${columns.map(textOf).join(', ')}])::VARCHAR)`

/**
 * Rows of both with the digest of their key and of all their values. The number among equal keys tells rows apart that are
 * the same: of three in one result and two in the other, one was added or removed.
 */
const sideSql = (file: string, columns: Columns, keys: Columns): string =>
  `SELECT place, k, h, row_number() OVER (PARTITION BY k ORDER BY place) AS nth FROM (
     SELECT file_row_number AS place, ${digestOf(keys)} AS k, ${digestOf(columns)} AS h FROM ${rowsIn(file)})`

/** Which rows are new, gone or others than in the run before. */
export async function comparison(
  work: RunningWork,
  both: Both,
  order: Order,
): Promise<ResultComparison | null> {
  const [now, before] = [
    await sideOf(work, both, { ...order, side: 'now' }),
    await sideOf(work, both, { ...order, side: 'before' }),
  ]
  if (!now || !before) return null
  const columns = now.map(({ column }) => {
    const { name, type, family } = column
    return { name, type, family, valueType: storedType(column) }
  })
  const repeated = order.keys.length === 0 ? [0] : await work.numbers(REPEATED)
  const [repeatedKeys = 0] = repeated
  const nothing = { count: 0, rows: [] }
  if (repeatedKeys > 0)
    return { columns, repeatedKeys, same: 0, added: nothing, removed: nothing, changed: nothing }
  const [same = 0, changed = 0] = await work.numbers(
    'SELECT count(*) FILTER (n.h = b.h), count(*) FILTER (n.h <> b.h) FROM now n JOIN before b ON n.k = b.k AND n.nth = b.nth',
  )
  return {
    columns,
    repeatedKeys,
    same,
    added: await onlyIn(work, 'now', { most: order.mostRows, textsOf: order.textsOfNow }),
    removed: await onlyIn(work, 'before', { most: order.mostRows, textsOf: order.textsOfBefore }),
    changed: {
      count: changed,
      rows: changed === 0 ? [] : await changedRows(work, both, { ...order, now, before }),
    },
  }
}

const REPEATED = `SELECT (SELECT count(DISTINCT k) FROM now WHERE nth > 1) + (SELECT count(DISTINCT k) FROM before WHERE nth > 1)`

/** Makes the table of one side; null when a column is not there. */
async function sideOf(
  work: RunningWork,
  both: Both,
  { columns, keys, side }: Order & { readonly side: Side },
): Promise<Columns | null> {
  const all = await work.columnsOf(both[side])
  const compared = columns.flatMap(({ here, earlier }) => all[side === 'now' ? here : earlier] ?? [])
  if (compared.length < columns.length || compared.length === 0) return null
  const chosen = keys.length === 0 ? compared : keys.flatMap((at) => compared[at] ?? [])
  await work.run(`CREATE TEMP TABLE ${side} AS ${sideSql(both[side].file, compared, chosen)}`)
  return compared
}

interface Shown {
  readonly most: number
  readonly textsOf: TextsOf
}

async function onlyIn(work: RunningWork, side: Side, { most, textsOf }: Shown): Promise<ComparedRows> {
  const other = side === 'now' ? 'before' : 'now'
  const rows = `FROM ${side} s WHERE NOT EXISTS (SELECT 1 FROM ${other} o WHERE o.k = s.k AND o.nth = s.nth)`
  const [count = 0] = await work.numbers(`SELECT count(*) ${rows}`)
  if (count === 0) return { count, rows: [] }
  const places = await work.texts(`SELECT place ${rows} ORDER BY place LIMIT ${most}`)
  return { count, rows: await textsOf(places.map(([place = null]) => Number(place))) }
}

/** The first of them, with the places of the values that differ. */
async function changedRows(work: RunningWork, both: Both, order: Order & Record<Side, Columns>) {
  await work.run(
    `CREATE TEMP TABLE changed AS SELECT n.place AS now_place, b.place AS before_place
     FROM now n JOIN before b ON n.k = b.k AND n.nth = b.nth WHERE n.h <> b.h ORDER BY n.place LIMIT ${order.mostRows}`,
  )
  const valuesOf = (side: Side) =>
    `SELECT ${side}_place AS place, ${order[side].map((one, at) => `${textOf(one)} AS v${at}`).join(', ')}
     FROM changed JOIN ${rowsIn(both[side].file)} ON file_row_number = ${side}_place`
  const differs = order.columns.map(
    (_, at) => `CASE WHEN n.v${at} IS DISTINCT FROM b.v${at} THEN '1' ELSE '0' END`,
  )
  const found = await work.texts(
    `SELECT now_place, before_place, concat(${differs.join(', ')}) FROM changed
     JOIN (${valuesOf('now')}) n ON n.place = now_place JOIN (${valuesOf('before')}) b ON b.place = before_place
     ORDER BY now_place`,
  )
  const now = await order.textsOfNow(found.map(([place = null]) => Number(place)))
  const before = await order.textsOfBefore(found.map(([, place = null]) => Number(place)))
  return found.map(([, , flags], at) => ({
    now: now[at] ?? [],
    before: before[at] ?? [],
    differs: (flags ?? '').split('').flatMap((flag, column) => (flag === '1' ? [column] : [])),
  }))
}
