import { LIMITS, type LongCell, type Row } from '@boathouse/contract'

/** Cells over the limit travel as a prefix with their true length; the whole is asked for by query id. */
export function shortened(rows: readonly (readonly (string | null)[])[]): {
  rows: Row[]
  longCells: LongCell[]
} {
  const longCells: LongCell[] = []
  const short = rows.map((cells, row) =>
    cells.map((cell, column) => {
      if (cell === null || cell.length <= LIMITS.cellLength) return cell
      longCells.push({ row, column, length: cell.length })
      return cell.slice(0, LIMITS.cellLength)
    }),
  )
  return { rows: short, longCells }
}
