import type { Column } from '../engines/engine/columns.ts'
import type { Cell } from '../engines/engine/rows.ts'
import type { Arrangement } from './reader.ts'

/** Something that is computed over all rows of kept results. It can be stopped, and ends when it takes too long. */
interface ResultWork {
  /** By which it is stopped. */
  readonly workId: string
}

export interface StatisticsOrder extends ResultWork {
  readonly column: number
  readonly filters: Arrangement['filters']
  /** Texts of more UTF-16 units come cut. */
  readonly longestCell: number
}

/** What one column holds, in all rows that pass. */
export interface ColumnStatistics {
  readonly rows: number
  readonly nulls: number
  /** Without NULL. */
  readonly distinct: number
  readonly min: Cell
  readonly max: Cell
  /** Of numbers; null for all others, and where there is none. */
  readonly sum: Cell
  readonly average: Cell
  readonly median: Cell
  /** The most frequent values, NULL not among them. */
  readonly frequent: readonly FrequentValue[]
  /** Parts of the same width, from the least value to the largest; none where values are not along a line. */
  readonly bins: readonly Bin[]
}

export interface FrequentValue {
  readonly value: string
  readonly isCut: boolean
  readonly count: number
}

/** The least and the largest value in it are null where it is empty. */
export interface Bin {
  readonly count: number
  readonly from: Cell
  readonly to: Cell
}

type PivotAggregate = 'sum' | 'average' | 'least' | 'most' | 'count' | 'distinct'

export interface PivotOrder extends ResultWork {
  /** Columns by their places: their values are the names of rows, and the heads of columns. */
  readonly rows: readonly number[]
  readonly columns: readonly number[]
  /** Of no column: the number of rows. */
  readonly values: readonly { readonly column: number | null; readonly aggregate: PivotAggregate }[]
  readonly filters: Arrangement['filters']
  /** By the total of a value, by its place among them; null: by names. */
  readonly sort: { readonly value: number | null; readonly descending: boolean }
  readonly mostRows: number
  readonly mostHeads: number
}

export interface PivotTable {
  /** What stands above each group of values. */
  readonly heads: readonly (readonly Cell[])[]
  readonly allHeads: number
  readonly rows: readonly PivotRow[]
  readonly allRows: number
  /** Of all rows, also those that are not shown. */
  readonly totals: PivotFigures
}

export interface PivotFigures {
  /** One for each value of each head; null where there are no rows. */
  readonly cells: readonly Cell[]
  /** Over all heads, also those that are not shown. */
  readonly totals: readonly Cell[]
}

export interface PivotRow extends PivotFigures {
  readonly names: readonly Cell[]
}

export interface ComparisonOrder extends ResultWork {
  /** The run before. */
  readonly earlierId: string
  /** What is compared, by the places in this result and in the one before. */
  readonly columns: readonly { readonly here: number; readonly earlier: number }[]
  /** Of these columns, by their places among them, those that say which row is which; none: rows as a whole. */
  readonly keys: readonly number[]
  /** Of each kind. */
  readonly mostRows: number
  readonly longestCell: number
}

export interface ResultComparison {
  readonly columns: readonly Column[]
  /** Values of the key that are there more than once, in either result: then nothing is compared. */
  readonly repeatedKeys: number
  readonly same: number
  readonly added: ComparedRows
  readonly removed: ComparedRows
  readonly changed: { readonly count: number; readonly rows: readonly ChangedRow[] }
}

export interface ComparedRows {
  readonly count: number
  readonly rows: readonly (readonly Cell[])[]
}

interface ChangedRow {
  readonly before: readonly Cell[]
  readonly now: readonly Cell[]
  /** Places of the values that differ. */
  readonly differs: readonly number[]
}
