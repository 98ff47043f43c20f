import { type Call } from '@boathouse/contract/call'
import { cluster } from '@boathouse/contract/cluster'
import { type GlobalEvent } from '@boathouse/contract/realtime'
import { warehouse } from '@boathouse/contract/warehouse'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryKeyOf } from '../../lib/api.ts'
import { useRealtime } from '../../lib/realtime-context.tsx'

const LOADED: readonly Call[] = [warehouse.list, warehouse.describe, cluster.describe]

/** What is loaded again after which event: a warehouse has changed, statements run in it, its engine is busier. */
const FOLLOWING: Partial<Record<GlobalEvent, readonly Call[]>> = {
  GlobalEventTypeWarehouseChanged: [...LOADED, warehouse.activity, warehouse.usage],
  GlobalEventTypeActivityChanged: LOADED,
  GlobalEventTypeLoadChanged: LOADED,
}

/** The channel reports every change of a warehouse or its load; the pages follow, also after a lost channel. */
export function useLiveWarehouses(): void {
  const realtime = useRealtime()
  const queries = useQueryClient()
  useEffect(() => {
    const look = (calls: readonly Call[] = []) => {
      for (const call of calls) void queries.invalidateQueries({ queryKey: queryKeyOf(call) })
    }
    const stops = [
      realtime.on('event', ({ type }) => look(FOLLOWING[type as GlobalEvent])),
      realtime.on('status', (status) => status === 'open' && look(LOADED)),
    ]
    return () => stops.forEach((stop) => stop())
  }, [realtime, queries])
}
