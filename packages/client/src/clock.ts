export type TimerId = unknown

/** Time as an argument: tests move it by hand. Milliseconds throughout. */
export interface ClockLike {
  now(): number
  setTimeout(action: () => void, ms: number): TimerId
  clearTimeout(id: TimerId): void
  setInterval(action: () => void, ms: number): TimerId
  clearInterval(id: TimerId): void
}

export const systemClock: ClockLike = {
  // The wall clock continues while a laptop sleeps, so a channel that died in the meantime is noticed on waking.
  now: () => Date.now(),
  setTimeout: (action, ms) => globalThis.setTimeout(action, ms),
  clearTimeout: (id) => globalThis.clearTimeout(id as number),
  setInterval: (action, ms) => globalThis.setInterval(action, ms),
  clearInterval: (id) => globalThis.clearInterval(id as number),
}
