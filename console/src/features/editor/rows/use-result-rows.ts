import { systemClock } from '@boathouse/client/clock'
import { query } from '@boathouse/contract/query'
import type { Row } from '@boathouse/contract/realtime'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { send } from '../../../lib/api.ts'
import { gridRows } from './grid-rows.ts'
import type { GridRows } from '../../../ui/grid/grid-rows.ts'
import { createRowWindows } from './row-windows.ts'
import type { RowsState, RowWindows } from './row-windows.ts'
import type { StatementResult } from '../running/run.ts'

export interface ResultRows extends RowsState {
  readonly grid: GridRows
  /** Those that came with the answer, or else the first ones kept. */
  readonly firstRows: readonly Row[]
  readonly look: RowWindows['look']
  readonly retry: RowWindows['retry']
}

type WithRows = Pick<StatementResult, 'queryId' | 'fields' | 'rows' | 'longCells' | 'truncated' | 'isKept'>

const NOTHING: WithRows = {
  queryId: '',
  fields: [],
  rows: [],
  longCells: [],
  truncated: false,
  isKept: false,
}

/** The rows of a statement, beyond what its answer brought; undefined: it has none. */
export function useResultRows(statement: WithRows | undefined): ResultRows {
  const { queryId, fields, rows, longCells, truncated, isKept } = statement ?? NOTHING
  const windows = useMemo(
    () =>
      createRowWindows({
        fields,
        rows,
        longCells,
        isTruncated: truncated,
        isKept,
        clock: systemClock,
        load: (window, signal) => send(query.resultWindow, { queryId, ...window }, { signal, silent: true }),
      }),
    [queryId, fields, rows, longCells, truncated, isKept],
  )
  useEffect(() => {
    windows.open()
    return windows.close
  }, [windows])
  const state = useSyncExternalStore(windows.subscribe, windows.get)
  return useMemo(
    () => ({
      ...state,
      grid: gridRows(state),
      firstRows: state.windows.get(0)?.rows ?? [],
      look: windows.look,
      retry: windows.retry,
    }),
    [state, windows],
  )
}
