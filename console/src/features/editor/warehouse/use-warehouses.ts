import type { GlobalEvent } from '@boathouse/contract/realtime'
import { DEFAULT_WAREHOUSE_NAME, warehouse, type Warehouse } from '@boathouse/contract/warehouse'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { queryKeyOf, useCall } from '../../../lib/api.ts'
import type { Tone } from '../../../ui/index.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { useEditorState } from '../tabs/editor-store.ts'
import { runningRun } from '../tabs/editor-tab.ts'

const CHANGED: GlobalEvent = 'GlobalEventTypeWarehouseChanged'
/** A tab that chose none uses it. */
export const DEFAULT_WAREHOUSE = DEFAULT_WAREHOUSE_NAME

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

/** Those that statements may run in; undefined while they are not known. */
export function useWarehouses(): readonly Warehouse[] | undefined {
  return useCall(warehouse.list, {}, { silent: true }).data?.warehouses.filter(({ isUsable }) => isUsable)
}

/** The one this tab's statements run on: what a statement chose, else the account's own. */
export const warehouseOf = (all: readonly Warehouse[], chosen: string): Warehouse | undefined =>
  all.find(({ name }) => name === (chosen || DEFAULT_WAREHOUSE)) ?? (chosen === '' ? all[0] : undefined)

/**
 * Their states are loaded when one has changed, and, because running something may resume one, when a run starts and
 * ends.
 */
export function useFreshWarehouses(tabId: string): void {
  const { store, realtime } = useEditorRuntime()
  const queries = useQueryClient()
  const isRunning = useEditorState(store, ({ tabs }) => Boolean(tabs[tabId] && runningRun(tabs[tabId])))
  const refresh = useCallback(
    () => void queries.invalidateQueries({ queryKey: queryKeyOf(warehouse.list) }),
    [queries],
  )
  const before = useRef(isRunning)
  useEffect(() => {
    if (before.current === isRunning) return
    before.current = isRunning
    refresh()
  }, [isRunning, refresh])
  useEffect(() => {
    const stops = [
      realtime.on('event', ({ type }) => type === CHANGED && refresh()),
      // Changes in between were missed.
      realtime.on('status', (status) => status === 'open' && refresh()),
    ]
    return () => stops.forEach((stop) => stop())
  }, [realtime, refresh])
}
