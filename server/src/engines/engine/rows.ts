import type { Column } from './columns.ts'

export interface ResultRows {
  readonly columns: readonly Column[]
  /** Exact text of every value, null for SQL's NULL. */
  readonly rows: readonly (readonly Cell[])[]
  /** The cells of `rows` that were cut, by row and column; missing when there are none. */
  readonly longCells?: readonly LongCell[] | undefined
  /** More rows existed than `maxRows`. */
  readonly truncated: boolean
  /** Rows written by a statement that writes rows; null for one that reads or defines. */
  readonly rowsChanged: number | null
}

export type Cell = string | null

/** A cell that has only its beginning: 0-based place, and its true length in UTF-16 units. */
export interface LongCell {
  readonly row: number
  readonly column: number
  readonly length: number
}
