import type { RealtimeStatus } from '@boathouse/client/realtime-client'
import { useCallback, useSyncExternalStore } from 'react'
import { useEditorRuntime } from '../editor-runtime.ts'

/** How the realtime channel is doing. */
export function useConnection(): RealtimeStatus {
  const { realtime } = useEditorRuntime()
  const subscribe = useCallback((changed: () => void) => realtime.on('status', changed), [realtime])
  return useSyncExternalStore(subscribe, realtime.status)
}
