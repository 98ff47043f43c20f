import type { GridCells } from './grid-rows.ts'

export interface GridColumn {
  readonly name: string
  readonly type: string
  /** By which its cells are coloured and aligned. */
  readonly family: string
  /** Stays with the column when it moves, as its width does; by default, its place. */
  readonly id?: number
}

const MIN_WIDTH_PX = 56
const MAX_WIDTH_PX = 360
export const WIDEST_PX = 1600
export const RESIZE_STEP_PX = 16
/** Of one character of the cells' font at 12 px. */
const CELL_CHAR_PX = 7.25
const NAME_CHAR_PX = 7.3
const TYPE_CHAR_PX = 7.5
const PADDING_PX = 22
/** Rows that are looked at: enough to be right nearly always, few enough to cost nothing. */
const SAMPLE_ROWS = 50

const WIDE_CHARACTER =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u{1f300}-\u{1faff}]/gu

/** Characters of East Asian scripts take two places. */
function places(value: string): number {
  const shown = value.slice(0, 80)
  return shown.length + (shown.match(WIDE_CHARACTER)?.length ?? 0)
}

function widthOfValues(rows: readonly GridCells[], column: number): number {
  let longest = 0
  for (const row of rows.slice(0, SAMPLE_ROWS)) longest = Math.max(longest, places(row[column] ?? 'NULL'))
  return longest * CELL_CHAR_PX
}

const NARROWEST_GUTTER_PX = 52

/** Of the row numbers. */
export const gutterWidth = (rows: number): number =>
  Math.max(NARROWEST_GUTTER_PX, Math.ceil(String(rows).length * CELL_CHAR_PX) + PADDING_PX)

const LONGEST_TYPE = 14

/** What fits beside a name: without what is in its brackets where that is long. */
export const shortType = (type: string): string =>
  type.length <= LONGEST_TYPE
    ? type
    : type.replace('TIMESTAMP WITH TIME ZONE', 'TIMESTAMPTZ').replace(/\(.*\)/s, '')

const widthOfHeader = ({ name, type }: GridColumn): number =>
  places(name) * NAME_CHAR_PX + 8 + Math.min(shortType(type).length, LONGEST_TYPE) * TYPE_CHAR_PX

const fit = (width: number, max: number): number =>
  Math.round(Math.max(MIN_WIDTH_PX, Math.min(max, width + PADDING_PX)))

/** Wide enough for what most rows hold; long texts are cut and can be widened. */
export const initialWidths = (columns: readonly GridColumn[], rows: readonly GridCells[]): number[] =>
  columns.map((column, at) => fit(Math.max(widthOfHeader(column), widthOfValues(rows, at)), MAX_WIDTH_PX))

export const fittedWidth = (
  columns: readonly GridColumn[],
  rows: readonly GridCells[],
  at: number,
): number => {
  const column = columns[at]
  return fit(Math.max(column ? widthOfHeader(column) : 0, widthOfValues(rows, at)), WIDEST_PX)
}

export const clampWidth = (width: number): number =>
  Math.max(MIN_WIDTH_PX, Math.min(WIDEST_PX, Math.round(width)))

/** By the ids of the columns. */
export type Widths = ReadonlyMap<number, number>

export const columnId = (columns: readonly GridColumn[], at: number): number => columns[at]?.id ?? at

export const measuredWidths = (columns: readonly GridColumn[], rows: readonly GridCells[]): Widths =>
  new Map(initialWidths(columns, rows).map((width, at) => [columnId(columns, at), width]))

/** In the order of the columns; one that was never measured is measured now. */
export function widthsInOrder(
  columns: readonly GridColumn[],
  rows: readonly GridCells[],
  known: Widths,
): number[] {
  const isKnown = columns.every((_, at) => known.has(columnId(columns, at)))
  const measured = isKnown ? [] : initialWidths(columns, rows)
  return columns.map((_, at) => known.get(columnId(columns, at)) ?? measured[at] ?? MIN_WIDTH_PX)
}
