import type { Field } from '@boathouse/contract/realtime'
import { useCallback, useMemo, useState } from 'react'
import type { GridRows } from '../../../../ui/grid/grid-rows.ts'
import type { ResultRows } from '../use-result-rows.ts'
import { ALL_COLUMNS, shownColumns } from './column-view.ts'
import type { ColumnView } from './column-view.ts'
import { ALL_ROWS, shownRows } from './row-view.ts'
import type { RowView } from './row-view.ts'
import { viewedRows } from './viewed-rows.ts'

export interface ResultView {
  readonly columnView: ColumnView
  readonly rowView: RowView
  /** As they are shown, from left to right; `id` is the place in the result. */
  readonly columns: readonly (Field & { readonly id: number })[]
  /** So many of the first columns stay where they are. */
  readonly pinned: number
  readonly grid: GridRows
  /** Place in the result of a row that is shown. */
  readonly rowAt: (index: number) => number
  /** Rows are sorted or left out. */
  readonly isArranged: boolean
  /** Rows that sorting and filtering do not know, because they are not here. */
  readonly rowsBeyond: number
  readonly arrangeColumns: (change: (view: ColumnView, count: number) => ColumnView) => void
  readonly arrangeRows: (change: (view: RowView) => RowView) => void
  readonly reset: () => void
}

interface Arrangement {
  readonly columns: ColumnView
  readonly rows: RowView
}

const PLAIN: Arrangement = { columns: ALL_COLUMNS, rows: ALL_ROWS }
const NO_FIELDS: readonly Field[] = []

/** How the rows of one statement are looked at; another statement begins with all of them as they were answered. */
export function useResultView(statementKey: string, rows: ResultRows): ResultView {
  const [kept, setKept] = useState<{ key: string; arrangement: Arrangement }>({
    key: statementKey,
    arrangement: PLAIN,
  })
  const arrangement = kept.key === statementKey ? kept.arrangement : PLAIN
  const fields = rows.fields ?? NO_FIELDS
  const { firstRows, grid: all } = rows
  const change = useCallback(
    (reduce: (before: Arrangement) => Arrangement) =>
      setKept((before) => ({
        key: statementKey,
        arrangement: reduce(before.key === statementKey ? before.arrangement : PLAIN),
      })),
    [statementKey],
  )

  const order = useMemo(
    () => shownColumns(arrangement.columns, fields.length),
    [arrangement.columns, fields.length],
  )
  const shown = useMemo(
    () => shownRows(arrangement.rows, firstRows, fields),
    [arrangement.rows, firstRows, fields],
  )
  const grid = useMemo(() => {
    const isPlain = order.length === fields.length && order.every((column, at) => column === at)
    return viewedRows(all, { rows: shown, columns: isPlain ? null : order })
  }, [all, shown, order, fields.length])
  const columns = useMemo(
    () => order.flatMap((id) => (fields[id] ? [{ ...fields[id], id }] : [])),
    [order, fields],
  )

  return {
    columnView: arrangement.columns,
    rowView: arrangement.rows,
    columns,
    pinned: arrangement.columns.pinned.filter((column) => !arrangement.columns.hidden.has(column)).length,
    grid,
    rowAt: (index) => shown?.[index] ?? index,
    isArranged: shown !== null,
    rowsBeyond: Math.max(0, all.count - firstRows.length),
    arrangeColumns: (reduce) =>
      change((before) => ({ ...before, columns: reduce(before.columns, fields.length) })),
    arrangeRows: (reduce) => change((before) => ({ ...before, rows: reduce(before.rows) })),
    reset: () => change(() => PLAIN),
  }
}
