import { systemClock } from '@boathouse/client/clock'
import { result } from '@boathouse/contract/result'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { send } from '../../../../lib/api.ts'
import { gridRows } from '../grid-rows.ts'
import { createRowWindows, WINDOW_ROWS } from '../row-windows.ts'
import type { RowsState } from '../row-windows.ts'
import type { GridRows } from '../../../../ui/grid/grid-rows.ts'
import type { RowView } from './row-view.ts'

/** Rows that the service arranges, because not all of them are here. */
export interface ArrangedRows {
  /** Null until the first of them are here. */
  readonly grid: GridRows | null
  /** How many are here from the first on. */
  readonly here: number
  readonly placeAt: (index: number) => number
  /** What is shown is not yet what was requested. */
  readonly isPending: boolean
  readonly failure: Error | null
  readonly look: (first: number, last: number) => void
  readonly retry: () => void
}

/** A user who types is interested in the whole word. */
const REST_MS = 250

/** What is chosen counts at once. */
function useSettled(view: RowView | null): RowView | null {
  const [settled, setSettled] = useState(view)
  const isTyped = view !== null && settled !== null && view.filters !== settled.filters
  if (!isTyped && view !== settled) setSettled(view)
  useEffect(() => {
    if (!isTyped) return undefined
    const timer = setTimeout(() => setSettled(view), REST_MS)
    return () => clearTimeout(timer)
  }, [view, isTyped])
  return isTyped ? settled : view
}

export const arrangedWindow = (
  queryId: string,
  { sort, filters }: RowView,
  window: { offset: number; limit: number },
) => ({
  queryId,
  ...window,
  sort,
  filters: [...filters].map(([column, written]) => ({ column, written })),
})

/** `view` is null while the service has nothing to arrange. */
export function useArrangedRows(queryId: string, view: RowView | null): ArrangedRows {
  const settled = useSettled(view)
  const windows = useMemo(
    () =>
      createRowWindows({
        fields: [],
        rows: [],
        longCells: [],
        isTruncated: false,
        isKept: settled !== null,
        clock: systemClock,
        load: async (window, signal) => {
          if (!settled) throw new Error('Nothing is arranged.')
          const loaded = await send(result.arrangedRows, arrangedWindow(queryId, settled, window), { signal })
          return { ...loaded, totalRows: loaded.shownRows }
        },
      }),
    [queryId, settled],
  )
  useEffect(() => {
    if (settled) windows.open()
    return windows.close
  }, [windows, settled])
  const state = useSyncExternalStore(windows.subscribe, windows.get)
  const isHere = settled !== null && state.fields !== null
  // What was arranged before stays until there is something newer.
  const [last, setLast] = useState<RowsState | null>(null)
  const shown = isHere ? state : settled === null ? null : last
  if (shown !== last) setLast(shown)
  const grid = useMemo(() => shown && gridRows(shown), [shown])
  return {
    grid,
    here: shown?.windows.get(0)?.rows.length ?? 0,
    placeAt: (index) =>
      shown?.windows.get(Math.floor(index / WINDOW_ROWS))?.places?.[index % WINDOW_ROWS] ?? index,
    isPending: view !== settled || (settled !== null && !isHere && state.failure === null),
    failure: state.failure,
    look: windows.look,
    retry: windows.retry,
  }
}
