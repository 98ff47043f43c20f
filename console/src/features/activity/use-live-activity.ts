import type { Call } from '@boathouse/contract/call'
import { query } from '@boathouse/contract/query'
import type { GlobalEvent } from '@boathouse/contract/realtime'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { queryKeyOf } from '../../lib/api.ts'
import { useRealtime } from '../../lib/realtime-context.tsx'

const CHANGED: GlobalEvent = 'GlobalEventTypeActivityChanged'

/** While statements run, the channel says so every second; these calls are made again then, and after a lost channel. */
export function useLiveActivity(...calls: readonly Call[]): void {
  const realtime = useRealtime()
  const queries = useQueryClient()
  const paths = calls.map(({ path }) => path).join()
  useEffect(() => {
    const look = () => {
      for (const call of [query.running, query.detail, query.history])
        if (paths.split(',').includes(call.path))
          void queries.invalidateQueries({ queryKey: queryKeyOf(call) }, { cancelRefetch: false })
    }
    const stops = [
      realtime.on('event', ({ type }) => type === CHANGED && look()),
      realtime.on('status', (status) => status === 'open' && look()),
    ]
    return () => stops.forEach((stop) => stop())
  }, [realtime, queries, paths])
}

/** The time of this moment, by the second while something is counted; in milliseconds since 1970. */
export function useNow(isCounting: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isCounting) return undefined
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isCounting])
  return now
}
