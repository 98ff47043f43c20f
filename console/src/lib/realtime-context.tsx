import type { RealtimeClient } from '@boathouse/client/realtime-client'
import { createContext, type ReactNode, use } from 'react'

const RealtimeContext = createContext<RealtimeClient | null>(null)

export function RealtimeProvider({ client, children }: { client: RealtimeClient; children: ReactNode }) {
  return <RealtimeContext value={client}>{children}</RealtimeContext>
}

/** The page's one realtime channel; it follows the login automatically. */
export function useRealtime(): RealtimeClient {
  const client = use(RealtimeContext)
  if (client === null)
    throw new Error('useRealtime is used outside of a RealtimeProvider; put the page inside the shell.')
  return client
}
