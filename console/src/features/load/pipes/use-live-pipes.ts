import { pipe } from '@boathouse/contract/pipe'
import type { GlobalEvent } from '@boathouse/contract/realtime'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryKeyOf } from '../../../lib/api.ts'
import { useRealtime } from '../../../lib/realtime-context.tsx'

const CHANGED: GlobalEvent = 'GlobalEventTypePipeChanged'

/** What pages show of pipes and their files. */
export const SHOWN_OF_PIPES = [pipe.listPipes, pipe.findPipe, pipe.listPipeFiles] as const

/** While pipes load, the channel says so every second; what is shown of them is read again then, and after a lost channel. */
export function useLivePipes(): void {
  const realtime = useRealtime()
  const queries = useQueryClient()
  useEffect(() => {
    const look = () => {
      for (const call of SHOWN_OF_PIPES)
        void queries.invalidateQueries({ queryKey: queryKeyOf(call) }, { cancelRefetch: false })
    }
    const stops = [
      realtime.on('event', ({ type }) => type === CHANGED && look()),
      realtime.on('status', (status) => status === 'open' && look()),
    ]
    return () => stops.forEach((stop) => stop())
  }, [realtime, queries])
}
