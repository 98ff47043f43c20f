import { type DuckDBConnection, quotedString } from '@duckdb/node-api'
import type { ResultFacts, StoredColumn, TextResult } from '../../../results/form.ts'
import type { ResultRows } from '../../engine/rows.ts'
import { CellSizes } from '../rows/cell-sizes.ts'
import { readResult } from '../rows/result-rows.ts'
import { RowsMissing } from '../rows/row-source.ts'
import { restored } from '../result-writer/stored-columns.ts'

/** A kept result as a file of values. */
export interface FileRows {
  readonly file: string
  readonly facts: ResultFacts
}

export type WindowRows = Pick<ResultRows, 'rows' | 'longCells'>

interface Range {
  readonly first: number
  readonly count: number
}

export interface Window {
  readonly columns: readonly StoredColumn[]
  readonly rows: Range | { readonly places: readonly number[] }
  readonly longestCell?: number | undefined
}

/** Some rows of a small result, whose texts are all in memory. */
export function textWindow(
  { facts, rows }: TextResult,
  { columns, rows: wanted, longestCell }: Window,
): WindowRows {
  const at = columns.map((column) => facts.columns.indexOf(column))
  const some =
    'places' in wanted
      ? wanted.places.map((place) => rows[place] ?? [])
      : rows.slice(Math.max(0, wanted.first), wanted.first + wanted.count)
  const cells = new CellSizes(longestCell)
  return cells.finish(
    some.map((row, index) => at.map((place, column) => cells.take(row[place] ?? null, index, column))),
  )
}

const conditionOf = (wanted: Window['rows']): string =>
  'places' in wanted
    ? `file_row_number IN (${wanted.places.join(', ') || 'NULL'}) ORDER BY file_row_number`
    : `file_row_number >= ${Math.max(0, wanted.first)} AND file_row_number < ${wanted.first + wanted.count}`

export async function fileWindow(
  connection: DuckDBConnection,
  { file, facts }: FileRows,
  { columns, rows: wanted, longestCell }: Window,
): Promise<WindowRows> {
  await connection.run(`SET TimeZone = ${quotedString(facts.timeZone)}`)
  const rows = `SELECT ${columns.map(restored).join(', ')} FROM read_parquet(${quotedString(file)}, file_row_number = true)`
  const result = await connection.run(`${rows} WHERE ${conditionOf(wanted)}`)
  const maxRows = 'places' in wanted ? wanted.places.length : wanted.count
  const read = (await readResult(connection, result, { names: null, maxRows, longestCell })).result
  return 'places' in wanted ? inOrderOf(wanted.places, read) : withLongCells(read.rows, read.longCells)
}

const withLongCells = (rows: WindowRows['rows'], longCells: WindowRows['longCells']): WindowRows => ({
  rows,
  ...(longCells && { longCells }),
})

/** Rows that were read in the order of the file, in the order of these places. */
function inOrderOf(places: readonly number[], { rows, longCells }: WindowRows): WindowRows {
  if (rows.length !== places.length) throw new RowsMissing()
  const fromFirst = new Map(places.toSorted((a, b) => a - b).map((place, at) => [place, at]))
  const order = places.map((place) => fromFirst.get(place) ?? 0)
  const shownAt = new Map(order.map((from, to) => [from, to]))
  return withLongCells(
    order.map((from) => rows[from] ?? []),
    longCells?.map((cell) => ({ ...cell, row: shownAt.get(cell.row) ?? 0 })),
  )
}
