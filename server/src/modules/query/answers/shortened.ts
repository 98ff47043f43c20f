import { LIMITS, type LongCell, type Row } from '@boathouse/contract'

/** Not in the middle of a character of two units: half of one is no text. */
const beginningOf = (cell: string): string => {
  const isSplit = (cell.codePointAt(LIMITS.cellLength - 1) ?? 0) > 0xffff
  return cell.slice(0, isSplit ? LIMITS.cellLength - 1 : LIMITS.cellLength)
}

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
      return beginningOf(cell)
    }),
  )
  return { rows: short, longCells }
}
