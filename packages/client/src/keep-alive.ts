import { CHANNEL_TIMES } from '@boathouse/contract/limits'
import { type ClientMessage, CONN_NEW } from '@boathouse/contract/realtime'
import type { ClockLike, TimerId } from './clock.ts'

const MAX_CONN_IDS = 1000

const noConnections = (): readonly number[] => []

/** Sends messages, and keep-alives with the connections of the tabs when nothing else was sent for a while. */
export function createKeepAlive({ clock, send }: { clock: ClockLike; send: (text: string) => void }) {
  let connections = noConnections
  let timer: TimerId
  /** When we last sent anything, or else when the channel opened. */
  let saidAt = 0

  function say(message: ClientMessage): void {
    saidAt = clock.now()
    send(JSON.stringify(message))
  }

  const existingIds = (): number[] => [...new Set(connections())].filter((id) => id > CONN_NEW)

  function keepAlive(ids: readonly number[], since?: number): void {
    for (let start = 0; start === 0 || start < ids.length; start += MAX_CONN_IDS) {
      const connIds = ids.slice(start, start + MAX_CONN_IDS)
      say(start === 0 && since !== undefined ? { cmd: 1, connIds, since } : { cmd: 1, connIds })
    }
  }

  function keepAliveIfQuiet(): void {
    if (clock.now() - saidAt > CHANNEL_TIMES.keepAliveAfterMs) keepAlive(existingIds())
  }

  return {
    say,
    keepAlive,
    existingIds,
    setConnections(ids: () => readonly number[]): void {
      connections = ids
    },
    start(): void {
      saidAt = clock.now()
      timer = clock.setInterval(keepAliveIfQuiet, CHANNEL_TIMES.keepAliveCheckMs)
    },
    stop: () => clock.clearInterval(timer),
  }
}
