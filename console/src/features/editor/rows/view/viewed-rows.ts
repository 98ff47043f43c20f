import type { GridCells, GridRows } from '../../../../ui/grid/grid-rows.ts'

interface Arranged {
  /** Places of the rows in the result; null: all of them, as they are. */
  readonly rows: readonly number[] | null
  /** Places of the columns; null: all of them, as they are. */
  readonly columns: readonly number[] | null
}

/** Rows as they are arranged. What is made of a row is kept with it, so that it is drawn once. */
export function viewedRows(grid: GridRows, { rows, columns }: Arranged): GridRows {
  if (!rows && !columns) return grid
  const made = new WeakMap<GridCells, GridCells>()
  const arranged = (row: GridCells | undefined): GridCells | undefined => {
    if (!row || !columns) return row
    const known = made.get(row)
    if (known) return known
    const cells = columns.map((column) => row[column] ?? null)
    made.set(row, cells)
    return cells
  }
  const rowOf = (index: number): number => (rows ? (rows[index] ?? -1) : index)
  return {
    count: rows ? rows.length : grid.count,
    at: (index) => arranged(grid.at(rowOf(index))),
    lengthAt: (index, column) => grid.lengthAt(rowOf(index), columns?.[column] ?? column),
  }
}
