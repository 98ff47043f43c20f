import type { ClockLike } from '../clock.ts'

export interface FakeClock extends ClockLike {
  /** Runs everything due on the way, in order, each at its own time. */
  advance(ms: number): void
  /** How many timeouts and intervals are set. */
  timers(): number
}

interface Timer {
  dueAt: number
  readonly everyMs: number | null
  readonly action: () => void
}

const MAX_RUNS = 100_000

/** Time that only the test moves. Starts at `startAt`, milliseconds since 1970. */
export function fakeClock(startAt = 1_750_000_000_000): FakeClock {
  const timers = new Map<number, Timer>()
  let now = startAt
  let lastId = 0

  function add(timer: Timer): number {
    timers.set(++lastId, timer)
    return lastId
  }

  function nextDue(until: number): [number, Timer] | undefined {
    let next: [number, Timer] | undefined
    for (const entry of timers)
      if (entry[1].dueAt <= until && (!next || entry[1].dueAt < next[1].dueAt)) next = entry
    return next
  }

  const clear = (id: unknown) => {
    timers.delete(id as number)
  }

  return {
    now: () => now,
    setTimeout: (action, ms) => add({ dueAt: now + ms, everyMs: null, action }),
    setInterval: (action, ms) => add({ dueAt: now + ms, everyMs: ms, action }),
    clearTimeout: clear,
    clearInterval: clear,
    timers: () => timers.size,
    advance(ms) {
      const until = now + ms
      for (let runs = 0, due = nextDue(until); due; due = nextDue(until), runs++) {
        if (runs > MAX_RUNS)
          throw new Error('The fake clock runs in circles: a timer sets itself without a wait.')
        const [id, timer] = due
        now = timer.dueAt
        if (timer.everyMs === null) timers.delete(id)
        else timer.dueAt += timer.everyMs
        timer.action()
      }
      now = until
    },
  }
}
