import { TEXT, columnOf } from '../../../engines/engine/columns.ts'
import type { ResultRows } from '../../../engines/engine/rows.ts'

/** Rows of the service: columns of text. */
export const ownRows = (names: readonly string[], rows: (string | null)[][]): ResultRows => ({
  columns: names.map((name) => columnOf(name, 'VARCHAR', TEXT)),
  rows,
  truncated: false,
  rowsChanged: null,
})

/** Of a statement that gives none. */
export const NO_ROWS: ResultRows = ownRows([], [])
