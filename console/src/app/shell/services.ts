import { createContext, use } from 'react'
import { browserClock } from '../../lib/clock.ts'
import type { ClockLike } from '../../lib/clock.ts'
import { browserRealtime } from '../../lib/realtime.ts'
import type { RealtimeClient } from '../../lib/realtime-client.ts'

interface Services {
  readonly clock: ClockLike
  readonly realtime: () => RealtimeClient
}

/** What the shell needs of the browser; tests hand it their own. */
export const ServicesContext = createContext<Services>({ clock: browserClock, realtime: browserRealtime })

export const useServices = (): Services => use(ServicesContext)
