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

export interface Column {
  readonly name: string
  /** The engine's own spelling, as in `DECIMAL(18,2)`. */
  readonly type: string
  readonly family: ColumnFamily
}

/** How a value is aligned, compared and exported, whatever the engine calls its type. */
export type ColumnFamily = 'number' | 'text' | 'boolean' | 'temporal' | 'binary' | 'nested' | 'other'
