import { type DuckDBType, DuckDBTypeId } from '@duckdb/node-api'
import type { Cell } from '../../engine/rows.ts'
import type { Bin, ColumnStatistics, FrequentValue, StatisticsOrder } from '../../../results/computing.ts'
import { restored, storedType } from '../result-writer/stored-columns.ts'
import { type ArrangedColumn, keyOf, numberOf, passing } from './arranging.ts'
import { finiteOf, identityOf, sumOf } from './figures.ts'
import { type RunningWork, rowsIn } from './running-work.ts'
import type { FileRows } from './window-rows.ts'

const MOST_FREQUENT = 10
const MOST_BINS = 20
/** Texts of values at these places, however they lie in the file. */
export type TextsAt = (places: readonly number[]) => Promise<ReadonlyMap<number, PlacedText>>

export interface PlacedText {
  readonly text: string
  readonly isCut: boolean
}

interface Looked {
  readonly work: RunningWork
  readonly arranged: ArrangedColumn
  /** Behind FROM: rows that pass and have a value. */
  readonly filled: string
}

const TIMES: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.DATE,
  DuckDBTypeId.TIMESTAMP,
  DuckDBTypeId.TIMESTAMP_NS,
  DuckDBTypeId.TIMESTAMP_TZ,
])

/** Where a value is along a line, as a DOUBLE; null: such values have no distance. */
function distanceOf(arranged: ArrangedColumn): string | null {
  const { column, type } = arranged
  if (column.family === 'number') return finiteOf(arranged)
  if (column.isText || !TIMES.has(type.typeId)) return null
  const time = `CAST(${restored(column)} AS TIMESTAMP)`
  return `CASE WHEN isfinite(${time}) THEN epoch(${time}) END`
}

/** All that is known of a column: over all rows of the file that pass. */
export async function columnStatistics(
  work: RunningWork,
  rows: FileRows,
  { column, filters, textsAt }: StatisticsOrder & { readonly textsAt: TextsAt },
): Promise<ColumnStatistics | null> {
  const columns = await work.columnsOf(rows)
  const arranged = columns[column]
  if (!arranged) return null
  const value = restored(arranged.column)
  const all = `${rowsIn(rows.file)} WHERE ${passing(filters, columns)}`
  const [count = 0, values = 0, distinct = 0] = await work.numbers(
    `SELECT count(*), count(${value}), count(DISTINCT ${identityOf(arranged)}) FILTER (${value} IS NOT NULL) FROM ${all}`,
  )
  const known = { rows: count, nulls: count - values, distinct }
  if (values === 0) return { ...known, ...NOTHING }
  const looked = { work, arranged, filled: `${all} AND ${value} IS NOT NULL` }
  const ends = await extremes(looked)
  const frequent = await frequentPlaces(looked)
  const texts = await textsAt([...ends, ...frequent.map(({ place }) => place)])
  const [min = null, max = null] = ends.map((place) => texts.get(place)?.text ?? null)
  return {
    ...known,
    min,
    max,
    frequent: frequent.flatMap(({ place, count }): FrequentValue[] => {
      const text = texts.get(place)
      return text ? [{ value: text.text, isCut: text.isCut, count }] : []
    }),
    ...(await alongLine(looked)),
  }
}

const NOTHING = { min: null, max: null, sum: null, average: null, median: null, frequent: [], bins: [] }

/** The places of the first and the last value, in the order in which rows are sorted. */
async function extremes({ work, arranged, filled }: Looked): Promise<readonly number[]> {
  const endOf = (direction: string) =>
    work.numbers(
      `SELECT file_row_number FROM ${filled} ORDER BY ${keyOf(arranged)} ${direction} NULLS LAST, file_row_number LIMIT 1`,
    )
  return [...(await endOf('ASC')), ...(await endOf('DESC'))]
}

async function frequentPlaces({ work, arranged, filled }: Looked) {
  const read = await work.run(
    `SELECT min(file_row_number) AS place, count(*) AS n FROM ${filled}
     GROUP BY ${identityOf(arranged)} ORDER BY n DESC, place LIMIT ${MOST_FREQUENT}`,
  )
  return read.rowCount === 0
    ? []
    : read
        .getChunk(0)
        .getRows()
        .map(([place, count]) => ({ place: Number(place), count: Number(count) }))
}

/** Figures of values that have distances. */
async function alongLine(
  looked: Looked,
): Promise<Pick<ColumnStatistics, 'sum' | 'average' | 'median' | 'bins'>> {
  const { work, arranged, filled } = looked
  const distance = distanceOf(arranged)
  if (distance === null) return { sum: null, average: null, median: null, bins: [] }
  const [low = NaN, high = NaN, count = 0] = await work.numbers(
    `SELECT min(${distance}), max(${distance}), count(${distance}) FROM ${filled}`,
  )
  const largest = Math.max(Math.abs(low), Math.abs(high))
  const figures =
    arranged.column.family === 'number'
      ? await figuresOf(looked, distance, largest * Math.max(1, count))
      : { sum: null, average: null, median: null }
  return { ...figures, bins: await binsOf(looked, { distance, low, high }) }
}

/** `most` is what their sum can be at most. */
async function figuresOf({ work, arranged, filled }: Looked, distance: string, most: number) {
  const [figures = []] = await work.texts(
    `SELECT ${sumOf(arranged, most)}, avg(${distance}), median(${distance}) FROM ${filled}`,
  )
  const [sum = null, average = null, median = null] = figures
  return { sum, average, median }
}

interface Line {
  readonly distance: string
  readonly low: number
  readonly high: number
}

const isWhole = ({ typeId }: DuckDBType, arranged: ArrangedColumn): boolean =>
  storedType(arranged.column).kind === 'integer' || typeId === DuckDBTypeId.DATE

async function binsOf({ work, arranged, filled }: Looked, { distance, low, high }: Line): Promise<Bin[]> {
  const span = high - low
  if (!(span > 0) || !Number.isFinite(span)) return []
  // A part holds whole numbers or days; others would be wider than their neighbours.
  const step = arranged.column.family === 'number' ? 1 : 86_400
  const isStepped = isWhole(arranged.type, arranged) && span / step < Number.MAX_SAFE_INTEGER
  const width = isStepped ? Math.ceil((span / step + 1) / MOST_BINS) * step : span / MOST_BINS
  const count = isStepped ? Math.ceil((span + step) / width) : MOST_BINS
  const value = arranged.column.family === 'number' ? numberOf(arranged) : restored(arranged.column)
  const found = await work.texts(
    `SELECT CAST(least(floor((${distance} - ${exactly(low)}) / ${exactly(width)}), ${count - 1}) AS INTEGER) AS bin,
       count(*), min(${value}), max(${value})
     FROM ${filled} AND ${distance} IS NOT NULL GROUP BY bin ORDER BY bin`,
  )
  const bins = new Map(found.map(([bin = null, ...figures]) => [Number(bin), figures]))
  return Array.from({ length: count }, (_, at): Bin => {
    const [rows = null, from = null, to = null] = bins.get(at) ?? ([] as Cell[])
    return { count: Number(rows ?? 0), from, to }
  })
}

const exactly = (value: number): string => `CAST('${value}' AS DOUBLE)`
