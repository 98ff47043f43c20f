import { systemClock } from '@boathouse/client/clock'
import type { ClockLike } from '@boathouse/client/clock'
import type { RealtimeClient } from '@boathouse/client/realtime-client'
import type { QueryClient } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { createQueryClient } from '../../lib/api.ts'
import { browserRealtime } from '../../lib/realtime.ts'

interface Services {
  readonly clock: ClockLike
  readonly realtime: () => RealtimeClient
  readonly queries: () => QueryClient
}

let shared: QueryClient | undefined

/** One cache for the page; it empties itself when the login changes. */
function pageQueries(): QueryClient {
  shared ??= createQueryClient()
  return shared
}

/** What the shell needs of the browser; tests hand it their own. */
export const ServicesContext = createContext<Services>({
  clock: systemClock,
  realtime: browserRealtime,
  queries: pageQueries,
})

export const useServices = (): Services => use(ServicesContext)
