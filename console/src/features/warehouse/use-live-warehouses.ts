import { type Call } from '@boathouse/contract/call'
import { type GlobalEvent } from '@boathouse/contract/realtime'
import { warehouse } from '@boathouse/contract/warehouse'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryKeyOf } from '../../lib/api.ts'
import { useRealtime } from '../../lib/realtime-context.tsx'

const CHANGED: GlobalEvent = 'GlobalEventTypeWarehouseChanged'
const FOLLOWING: readonly Call[] = [warehouse.list, warehouse.describe, warehouse.activity, warehouse.usage]

/** How many statements run is not told by events. */
export const LOAD_MS = 5_000

/** Whatever changes a warehouse, here or elsewhere, is told by the channel; what is shown follows. */
export function useLiveWarehouses(): void {
  const realtime = useRealtime()
  const queries = useQueryClient()
  useEffect(
    () =>
      realtime.on('event', ({ type }) => {
        if (type !== CHANGED) return
        for (const call of FOLLOWING) void queries.invalidateQueries({ queryKey: queryKeyOf(call) })
      }),
    [realtime, queries],
  )
}
