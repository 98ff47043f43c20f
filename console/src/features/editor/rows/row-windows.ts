import type { ClockLike, TimerId } from '@boathouse/client/clock'
import { createEmitter } from '@boathouse/client/emitter'
import type { Output } from '@boathouse/contract/call'
import { LIMITS } from '@boathouse/contract/limits'
import type { query } from '@boathouse/contract/query'
import type { Field, LongCell, Row } from '@boathouse/contract/realtime'

export const WINDOW_ROWS = LIMITS.selectRows
/** Beside the first one, which came with the answer. */
const MOST_WINDOWS = 10
/** Rows before and after those on the screen that are loaded with them. */
const AHEAD_ROWS = 200
/** A user who drags the scroll bar passes windows that need not be loaded. */
const REST_MS = 80

type Loaded = Output<typeof query.resultWindow> & Pick<WindowRows, 'places'>

export interface WindowRows {
  readonly rows: readonly Row[]
  readonly longCells: readonly LongCell[]
  /** The place of each row in the original order, if they are in another one. */
  readonly places?: readonly number[]
}

/** What is known of a result's rows; a new object whenever that changes. */
export interface RowsState {
  /** Null while not even the first rows are here. */
  readonly fields: readonly Field[] | null
  /** Rows that can be looked at. */
  readonly count: number
  /** All that are kept, once the service has said so. */
  readonly total: { readonly rows: number; readonly isComplete: boolean } | null
  /** By number: window 2 begins at row 2000. */
  readonly windows: ReadonlyMap<number, WindowRows>
  /** Why rows are missing; null when nothing went wrong. */
  readonly failure: Error | null
}

export interface RowWindowsParts extends WindowRows {
  readonly fields: readonly Field[]
  /** There are more rows than came with the answer. */
  readonly isTruncated: boolean
  readonly isKept: boolean
  readonly clock: Pick<ClockLike, 'setTimeout' | 'clearTimeout'>
  load(window: { offset: number; limit: number }, signal: AbortSignal): Promise<Loaded>
}

const totalOf = ({ totalRows, complete }: Loaded) => ({
  count: totalRows,
  total: { rows: totalRows, isComplete: complete },
})

const windowOf = (row: number): number => Math.floor(row / WINDOW_ROWS)

/** Loads what is looked at and lets go of what is far from it, so that memory stays the same for any result. */
export function createRowWindows(parts: RowWindowsParts) {
  const { clock, rows, longCells } = parts
  const changed = createEmitter<void>()
  /** A kept result whose answer was given again, without its rows. */
  const isElsewhere = parts.isKept && parts.fields.length === 0
  let state: RowsState = {
    fields: isElsewhere ? null : parts.fields,
    count: rows.length,
    total: null,
    windows: new Map(isElsewhere ? [] : [[0, { rows, longCells }]]),
    failure: null,
  }
  const loading = new Map<number, AbortController>()
  let looked = { first: 0, last: 0 }
  let restTimer: TimerId

  function become(next: Partial<RowsState>): void {
    state = { ...state, ...next }
    changed.emit()
  }

  const isWhole = (window: number): boolean => {
    const have = state.windows.get(window)?.rows.length ?? 0
    return have >= WINDOW_ROWS || (have > 0 && window * WINDOW_ROWS + have >= state.count)
  }

  function wanted(): number[] {
    if (isElsewhere && state.fields === null) return [0]
    if (!parts.isKept || state.total === null) return []
    const from = windowOf(Math.max(0, looked.first - AHEAD_ROWS))
    const to = windowOf(Math.max(0, Math.min(state.count - 1, looked.last + AHEAD_ROWS)))
    return Array.from({ length: to - from + 1 }, (_, at) => from + at).filter((window) => !isWhole(window))
  }

  /** The first window stays: it came with the answer, and its rows are what is copied. */
  function withWindow(window: number, loaded: WindowRows): Map<number, WindowRows> {
    const windows = new Map(state.windows).set(window, loaded)
    const centre = windowOf((looked.first + looked.last) / 2)
    const others = [...windows.keys()].filter((one) => one !== 0)
    const farthest = others.toSorted((one, other) => Math.abs(other - centre) - Math.abs(one - centre))
    for (const one of farthest.slice(0, Math.max(0, others.length - MOST_WINDOWS))) windows.delete(one)
    return windows
  }

  async function request(window: number, range: { offset: number; limit: number }): Promise<Loaded | null> {
    const stop = new AbortController()
    loading.set(window, stop)
    try {
      return await parts.load(range, stop.signal)
    } catch (error) {
      if (!stop.signal.aborted) become({ failure: error instanceof Error ? error : new Error(String(error)) })
      return null
    } finally {
      if (loading.get(window) === stop) loading.delete(window)
    }
  }

  async function loadWindow(window: number): Promise<void> {
    const loaded = await request(window, { offset: window * WINDOW_ROWS, limit: WINDOW_ROWS })
    if (!loaded) return
    become({
      ...totalOf(loaded),
      fields: state.fields ?? loaded.fields,
      windows: withWindow(window, {
        rows: loaded.rows,
        longCells: loaded.longCells,
        ...(loaded.places ? { places: loaded.places } : {}),
      }),
    })
  }

  /** How many rows there are costs one of them. */
  async function loadTotal(): Promise<void> {
    const loaded = await request(-1, { offset: 0, limit: 1 })
    if (loaded) become(totalOf(loaded))
  }

  function giveUp(window: number, stop: AbortController): void {
    loading.delete(window)
    stop.abort()
  }

  function loadWanted(): void {
    if (state.failure) return
    const now = wanted()
    for (const [window, stop] of loading) if (window >= 0 && !now.includes(window)) giveUp(window, stop)
    for (const window of now) if (!loading.has(window)) void loadWindow(window)
    if (parts.isKept && parts.isTruncated && state.total === null && !loading.has(-1)) void loadTotal()
  }

  return {
    get: (): RowsState => state,
    subscribe: changed.subscribe,
    open: loadWanted,
    /** Rows on the screen, both included. */
    look(first: number, last: number): void {
      looked = { first, last }
      clock.clearTimeout(restTimer)
      restTimer = clock.setTimeout(loadWanted, REST_MS)
    },
    retry(): void {
      become({ failure: null })
      loadWanted()
    },
    close(): void {
      clock.clearTimeout(restTimer)
      for (const [window, stop] of loading) giveUp(window, stop)
    },
  }
}

export type RowWindows = ReturnType<typeof createRowWindows>
