import type { LongCell, ResultRows } from './rows.ts'

/** The same rows with long cells cut, and how many bytes the whole of them has. */
export function shownRows(whole: ResultRows, longestCell: number): { result: ResultRows; bytes: number } {
  const longCells: LongCell[] = []
  let bytes = 0
  const rows = whole.rows.map((cells, row) =>
    cells.map((cell, column) => {
      if (cell === null) return null
      bytes += Buffer.byteLength(cell)
      if (cell.length <= longestCell) return cell
      longCells.push({ row, column, length: cell.length })
      return cell.slice(0, longestCell)
    }),
  )
  return { result: { ...whole, rows, ...(longCells.length > 0 && { longCells }) }, bytes }
}
