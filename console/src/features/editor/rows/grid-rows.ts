import type { GridRows } from '../../../ui/grid/grid-rows.ts'
import { WINDOW_ROWS } from './row-windows.ts'
import type { RowsState, WindowRows } from './row-windows.ts'

/** Built once for each window, and only if somebody asks. */
const lengths = new WeakMap<WindowRows, ReadonlyMap<string, number>>()

function lengthsOf(window: WindowRows): ReadonlyMap<string, number> {
  const known = lengths.get(window)
  if (known) return known
  const made = new Map(window.longCells.map(({ row, column, length }) => [`${row} ${column}`, length]))
  lengths.set(window, made)
  return made
}

export function gridRows({ count, windows }: RowsState): GridRows {
  const windowAt = (index: number) => windows.get(Math.floor(index / WINDOW_ROWS))
  return {
    count,
    at: (index) => windowAt(index)?.rows[index % WINDOW_ROWS],
    lengthAt: (index, column) => {
      const window = windowAt(index)
      if (!window || window.longCells.length === 0) return undefined
      return lengthsOf(window).get(`${index % WINDOW_ROWS} ${column}`)
    },
  }
}
