import type { GridRows } from '../../../../ui/grid/grid-rows.ts'
import type { Statistics } from '../../../../statement/statistics/statistics.ts'
import { comparing } from '../view/compare-cells.ts'
import { summarise } from '../selection-summary.ts'

const MOST_FREQUENT = 8

interface Parts {
  readonly grid: GridRows
  /** Rows to look at, from the first on. */
  readonly rows: number
  readonly column: number
  readonly family: string
}

/** What the rows that are here hold in one column, where they are kept nowhere. */
export function summariseColumn({ grid, rows, column, family }: Parts): Statistics {
  const counts = new Map<string, number>()
  let seen = 0
  let nulls = 0
  for (let at = 0; at < rows; at++) {
    const row = grid.at(at)
    if (!row) continue
    seen++
    const value = row[column] ?? null
    if (value === null) nulls++
    else counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  const values = [...counts.keys()].toSorted(comparing(family))
  const figures =
    family === 'number' && seen === rows
      ? summarise(grid, { top: 0, bottom: rows - 1, left: column, right: column })
      : null
  return {
    rows: seen,
    nulls,
    distinct: counts.size,
    min: values[0] ?? null,
    max: values.at(-1) ?? null,
    sum: figures?.sum ?? null,
    average: figures?.average ?? null,
    median: null,
    bins: [],
    frequent: [...counts]
      .map(([value, count]) => ({ value, isCut: false, count }))
      .toSorted((one, other) => other.count - one.count)
      .slice(0, MOST_FREQUENT),
  }
}
