import { query } from '@boathouse/contract/query'
import { result } from '@boathouse/contract/result'
import type { Field, Row } from '@boathouse/contract/realtime'
import { useCallback, useMemo, useState } from 'react'
import { send } from '../../../../lib/api.ts'
import type { GridRows } from '../../../../ui/grid/grid-rows.ts'
import type { ResultRows } from '../use-result-rows.ts'
import { ALL_COLUMNS, shownColumns } from './column-view.ts'
import type { ColumnView } from './column-view.ts'
import { ALL_ROWS, isArranging, shownRows } from './row-view.ts'
import type { RowView } from './row-view.ts'
import { arrangedWindow, useArrangedRows } from './use-arranged-rows.ts'
import { viewedRows } from './viewed-rows.ts'

export interface ResultView {
  readonly columnView: ColumnView
  readonly rowView: RowView
  /** As they are shown, from left to right; `id` is the place in the result. */
  readonly columns: readonly (Field & { readonly id: number })[]
  /** The number of first columns that stay in place. */
  readonly pinned: number
  readonly grid: GridRows
  /** Place in the result of a row that is shown. */
  readonly rowAt: (index: number) => number
  /** Rows are sorted or left out. */
  readonly isArranged: boolean
  /** They are by the service, over all that are kept; null: here, over all that there are. */
  readonly elsewhere: {
    readonly isPending: boolean
    readonly failure: Error | null
    readonly retry: () => void
  } | null
  /** Rows of the grid that are here, from the first on. */
  readonly rowsHere: number
  /** The statement has more rows than are kept. */
  readonly isPart: boolean
  /** Rows on the screen, both included: those near them are loaded. */
  readonly look: (first: number, last: number) => void
  /** Rows of the grid that are not here, in the columns of the result. */
  readonly fetchRows: (offset: number, limit: number) => Promise<readonly Row[]>
  readonly arrangeColumns: (change: (view: ColumnView, count: number) => ColumnView) => void
  readonly arrangeRows: (change: (view: RowView) => RowView) => void
  readonly reset: () => void
}

interface Arrangement {
  readonly columns: ColumnView
  readonly rows: RowView
}

/** Whose rows they are. */
export interface ViewedResult {
  /** Another one starts with all rows in the original order. */
  readonly key: string
  readonly queryId: string
  readonly isKept: boolean
}

const PLAIN: Arrangement = { columns: ALL_COLUMNS, rows: ALL_ROWS }
const NO_FIELDS: readonly Field[] = []
const lookAtNothing = (): void => undefined

function useArrangement(key: string) {
  const [kept, setKept] = useState<{ key: string; arrangement: Arrangement }>({ key, arrangement: PLAIN })
  const change = useCallback(
    (reduce: (before: Arrangement) => Arrangement) =>
      setKept((before) => ({
        key,
        arrangement: reduce(before.key === key ? before.arrangement : PLAIN),
      })),
    [key],
  )
  return { arrangement: kept.key === key ? kept.arrangement : PLAIN, change }
}

/** How the rows of one statement are looked at. What is not all here is sorted and filtered where it is kept. */
export function useResultView({ key, queryId, isKept }: ViewedResult, rows: ResultRows): ResultView {
  const { arrangement, change } = useArrangement(key)
  const fields = rows.fields ?? NO_FIELDS
  const { firstRows, grid: all } = rows
  const isBeyond = isKept && all.count > firstRows.length
  const isElsewhere = isBeyond && isArranging(arrangement.rows)
  const arranged = useArrangedRows(queryId, isElsewhere ? arrangement.rows : null)

  const order = useMemo(
    () => shownColumns(arrangement.columns, fields.length),
    [arrangement.columns, fields.length],
  )
  const shown = useMemo(
    () => (isElsewhere ? null : shownRows(arrangement.rows, firstRows, fields)),
    [isElsewhere, arrangement.rows, firstRows, fields],
  )
  const source = (isElsewhere && arranged.grid) || all
  const grid = useMemo(() => {
    const isPlain = order.length === fields.length && order.every((column, at) => column === at)
    return viewedRows(source, { rows: shown, columns: isPlain ? null : order })
  }, [source, shown, order, fields.length])
  const columns = useMemo(
    () => order.flatMap((id) => (fields[id] ? [{ ...fields[id], id }] : [])),
    [order, fields],
  )

  const isServed = source !== all
  const fetchRows = async (offset: number, limit: number): Promise<readonly Row[]> => {
    if (!isServed) return (await send(query.resultWindow, { queryId, offset, limit })).rows
    return (await send(result.arrangedRows, arrangedWindow(queryId, arrangement.rows, { offset, limit })))
      .rows
  }
  return {
    columnView: arrangement.columns,
    rowView: arrangement.rows,
    columns,
    pinned: arrangement.columns.pinned.filter((column) => !arrangement.columns.hidden.has(column)).length,
    grid,
    rowAt: (index) => (isServed ? arranged.placeAt(index) : (shown?.[index] ?? index)),
    isArranged: isServed || shown !== null,
    elsewhere: isElsewhere ? arranged : null,
    isPart: rows.total?.isComplete === false,
    rowsHere: isServed ? arranged.here : shown ? grid.count : firstRows.length,
    look: isServed ? arranged.look : shown ? lookAtNothing : rows.look,
    fetchRows,
    arrangeColumns: (reduce) =>
      change((before) => ({ ...before, columns: reduce(before.columns, fields.length) })),
    arrangeRows: (reduce) => change((before) => ({ ...before, rows: reduce(before.rows) })),
    reset: () => change(() => PLAIN),
  }
}
