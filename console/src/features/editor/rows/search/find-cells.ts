import type { GridRows } from '../../../../ui/grid/grid-rows.ts'
import type { Cell } from '../../../../ui/grid/grid-selection.ts'

/** More than anybody steps through. */
export const MOST_FOUND = 10_000

export interface FoundCells {
  /** From top to bottom, and from left to right. */
  readonly list: readonly Cell[]
  readonly byRow: ReadonlyMap<number, ReadonlySet<number>>
}

const NOTHING: FoundCells = { list: [], byRow: new Map() }

interface Parts {
  readonly grid: GridRows
  /** Rows to look at, from the first on; one that is not here is passed over. */
  readonly rows: number
  readonly text: string
}

/** Cells whose value holds the text, whatever its letter case. */
export function findCells({ grid, rows, text }: Parts): FoundCells {
  const wanted = text.toLowerCase()
  if (wanted === '') return NOTHING
  const list: Cell[] = []
  const byRow = new Map<number, Set<number>>()
  for (let row = 0; row < rows && list.length < MOST_FOUND; row++) {
    const own = grid.at(row)
    if (!own) continue
    for (let column = 0; column < own.length; column++) {
      if (!own[column]?.toLowerCase().includes(wanted)) continue
      list.push({ row, column })
      byRow.set(row, (byRow.get(row) ?? new Set()).add(column))
    }
  }
  return { list, byRow }
}

/** The first match after a cell, or before it; wraps around at the end. */
export function nextFound(found: readonly Cell[], from: Cell | null, step: 1 | -1): number {
  if (found.length === 0) return -1
  const order = (cell: Cell) => (from ? cell.row - from.row || cell.column - from.column : 1)
  if (step === 1)
    return Math.max(
      0,
      found.findIndex((cell) => order(cell) > 0),
    )
  const before = found.findLastIndex((cell) => order(cell) < 0)
  return before === -1 ? found.length - 1 : before
}
