import { systemClock, type ClockLike } from '@boathouse/client/clock'
import { createEmitter, type Emitter } from '@boathouse/client/emitter'
import { useSyncExternalStore } from 'react'
import { type CallEvent, callEvents } from './call-events.ts'

const DEBOUNCE_MS = 5_000

/** The address that is blocked, or null. */
export interface IpBlock {
  get: () => string | null
  subscribe: (listener: () => void) => () => void
}

/**
 * The first refusal shows the page at once; further ones change nothing for five seconds, so answers that cross each
 * other do not make it flicker. Waiting for five quiet seconds first would never show it to somebody whose page polls
 * every three.
 */
export function createIpBlock(
  events: Pick<Emitter<CallEvent>, 'subscribe'>,
  clock: Pick<ClockLike, 'now'>,
): IpBlock {
  const changed = createEmitter<void>()
  let blocked: string | null = null
  let shownAt = Number.NEGATIVE_INFINITY

  function set(next: string | null): void {
    if (next === blocked) return
    blocked = next
    changed.emit()
  }

  events.subscribe((event) => {
    if (event.type === 'ipClear') set(null)
    if (event.type !== 'ipBlocked') return
    if (clock.now() - shownAt < DEBOUNCE_MS) return
    shownAt = clock.now()
    set(event.ip)
  })
  return { get: () => blocked, subscribe: (listener) => changed.subscribe(listener) }
}

const ipBlock: IpBlock = createIpBlock(callEvents, systemClock)

export const useIpBlock = (): string | null => useSyncExternalStore(ipBlock.subscribe, ipBlock.get)
