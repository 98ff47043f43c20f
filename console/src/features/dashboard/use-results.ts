import { dashboard as calls, type FilterValues, type TileResult } from '@boathouse/contract/dashboard'
import { useEffect, useRef } from 'react'
import { useAction, useCall } from '../../lib/api.ts'

const WHILE_RUNNING_MS = 700
/** What a schedule has refreshed meanwhile. */
const OTHERWISE_MS = 60_000
/** While the values that were applied before are still running. */
const UNTIL_OTHERS_END_MS = 2_000

export interface TileResults {
  /** Undefined until the first answer. */
  readonly of: ReadonlyMap<string, TileResult> | undefined
  readonly running: number
  /** Null: none of them has rows or an error yet. */
  readonly oldest: string | null
  readonly isRefreshing: boolean
  /** Not before; null: now. */
  readonly refreshableAt: string | null
  readonly error: string | null
  readonly refresh: (tileIds?: readonly string[]) => void
}

const isMissing = ({ runId, error, isRunning, refreshedAt }: TileResult): boolean =>
  runId === null && error === '' && !isRunning && refreshedAt === null

/** What there is of each tile. What nobody has run yet is run, once. */
export function useResults(dashboardId: string, values: FilterValues, revision: number): TileResults {
  const found = useCall(
    calls.results,
    { dashboardId, values },
    {
      silent: true,
      staleTime: 0,
      placeholderData: (before) => before,
      refetchInterval: ({ state }) =>
        state.data?.results.some(({ isRunning }) => isRunning) ? WHILE_RUNNING_MS : OTHERWISE_MS,
    },
  )
  const { mutate, isPending, error } = useAction(calls.refresh, {
    refreshes: [calls.results],
    isOwnDoing: false,
    silent: true,
  })
  const results = found.data?.results
  const asked = useRef('')
  const key = JSON.stringify([dashboardId, values, revision])
  useEffect(() => {
    if (!results || found.isPlaceholderData || asked.current === key || !results.some(isMissing)) return
    asked.current = key
    mutate({ dashboardId, values, onlyMissing: true })
  }, [results, found.isPlaceholderData, key, mutate, dashboardId, values])
  useEffect(() => {
    if (error?.codeName !== 'Conflict') return
    const timer = setTimeout(() => mutate({ dashboardId, values, onlyMissing: true }), UNTIL_OTHERS_END_MS)
    return () => clearTimeout(timer)
  }, [error, mutate, dashboardId, values])
  const times = (results ?? []).flatMap(({ refreshedAt }) => refreshedAt ?? [])
  return {
    of: results && new Map(results.map((one) => [one.tileId, one])),
    running: (results ?? []).filter(({ isRunning }) => isRunning).length,
    oldest: times.toSorted()[0] ?? null,
    isRefreshing: isPending,
    refreshableAt: found.data?.refreshableAt ?? null,
    error: error?.message ?? found.error?.message ?? null,
    refresh: (tileIds) => mutate({ dashboardId, values, tileIds: tileIds ? [...tileIds] : null }),
  }
}
