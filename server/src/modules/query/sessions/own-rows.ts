import { type Column, TEXT, columnOf } from '../../../engines/engine/columns.ts'
import type { ResultRows } from '../../../engines/engine/rows.ts'

/** What keeps the tables, as clients are shown it. */
export const OWN_ENGINE = 'Boathouse'

/** A column of whole numbers, for clients that read them as such. */
export const numbers = (name: string): Column =>
  columnOf(name, 'BIGINT', { kind: 'integer', bits: 64, isSigned: true })

/** Rows of the service: columns of text, unless one says otherwise. */
export const ownRows = (
  columns: readonly (string | Column)[],
  rows: readonly (readonly (string | null)[])[],
): ResultRows => ({
  columns: columns.map((column) => (typeof column === 'string' ? columnOf(column, 'VARCHAR', TEXT) : column)),
  rows,
  truncated: false,
  rowsChanged: null,
})

/** Of a statement that gives none. */
export const NO_ROWS: ResultRows = ownRows([], [])
