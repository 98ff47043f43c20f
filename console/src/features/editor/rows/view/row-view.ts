import type { GridCells } from '../../../../ui/grid/grid-rows.ts'
import { cellTest } from './cell-filter.ts'
import { comparing } from './compare-cells.ts'

export interface RowView {
  /** The column is a place in the original order. */
  readonly sort: { readonly column: number; readonly descending: boolean } | null
  /** What was written to see fewer rows, by column. */
  readonly filters: ReadonlyMap<number, string>
}

export const ALL_ROWS: RowView = { sort: null, filters: new Map() }

export const isArranging = ({ sort, filters }: RowView): boolean => sort !== null || filters.size > 0

type Families = readonly { readonly family: string }[]

export const filterRows = (view: RowView, column: number, written: string): RowView => {
  const filters = new Map(view.filters)
  if (written.trim() === '') filters.delete(column)
  else filters.set(column, written)
  return { ...view, filters }
}

/** Places of the rows that are shown, in their order; null: all, in the original order. NULL comes last. */
export function shownRows(view: RowView, rows: readonly GridCells[], fields: Families): number[] | null {
  if (!isArranging(view)) return null
  const { sort, filters } = view
  const tests = [...filters].flatMap(([column, written]) => {
    const test = cellTest(written, fields[column]?.family ?? 'text')
    return test ? [{ column, test }] : []
  })
  const kept = rows.flatMap((row, at) =>
    tests.every(({ column, test }) => test(row[column] ?? null)) ? [at] : [],
  )
  if (!sort) return kept
  const compare = comparing(fields[sort.column]?.family ?? 'text')
  const direction = sort.descending ? -1 : 1
  return kept.toSorted((one, other) => {
    const a = rows[one]?.[sort.column] ?? null
    const b = rows[other]?.[sort.column] ?? null
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return direction * compare(a, b)
  })
}
