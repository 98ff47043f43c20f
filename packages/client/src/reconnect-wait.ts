import { CHANNEL_TIMES } from '@boathouse/contract/limits'

export interface ReconnectWait {
  /** Milliseconds to wait before the next try. */
  next(): number
  reset(): void
}

export function createReconnectWait(): ReconnectWait {
  let upcoming: number = CHANNEL_TIMES.reconnectFirstMs
  return {
    next() {
      const wait = upcoming
      upcoming = Math.min(upcoming * 2, CHANNEL_TIMES.reconnectMaxMs)
      return wait
    },
    reset() {
      upcoming = CHANNEL_TIMES.reconnectFirstMs
    },
  }
}
