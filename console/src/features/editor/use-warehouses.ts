import { warehouse } from '@boathouse/contract'
import type { Warehouse } from '@boathouse/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { queryKeyOf, useCall } from '../../lib/api.ts'
import type { Tone } from '../../ui/index.ts'
import { useEditorRuntime } from './editor-runtime.ts'
import { useEditorState } from './editor-store.ts'
import { runningRun } from './editor-tab.ts'

const REFRESH_MS = 10_000
/** Book section 4: every account begins with it. */
const DEFAULT_NAME = 'default_warehouse'

export const WAREHOUSE_TONES: Readonly<Record<Warehouse['status'], Tone>> = {
  Deploying: 'accent',
  Running: 'ok',
  Suspending: 'accent',
  Suspended: 'neutral',
  Resuming: 'accent',
  Updating: 'accent',
  Scaling: 'accent',
  Expanding: 'accent',
  Releasing: 'warn',
  Failed: 'err',
  Unknown: 'warn',
}

/** The account's warehouses; undefined while they are not known. */
export function useWarehouses(): readonly Warehouse[] | undefined {
  return useCall(warehouse.list, {}, { refetchInterval: REFRESH_MS, silent: true }).data?.warehouses
}

/** The one this tab's statements run on: what a statement chose, else the account's own. */
export const warehouseOf = (all: readonly Warehouse[], chosen: string): Warehouse | undefined =>
  all.find(({ name }) => name === (chosen || DEFAULT_NAME)) ?? (chosen === '' ? all[0] : undefined)

/** Running something may resume a warehouse, so its state is asked for when a run begins and ends. */
export function useFreshWarehouses(tabId: string): void {
  const { store } = useEditorRuntime()
  const queries = useQueryClient()
  const isRunning = useEditorState(store, ({ tabs }) => Boolean(tabs[tabId] && runningRun(tabs[tabId])))
  const before = useRef(isRunning)
  useEffect(() => {
    if (before.current === isRunning) return
    before.current = isRunning
    void queries.invalidateQueries({ queryKey: queryKeyOf(warehouse.list) })
  }, [isRunning, queries])
}
