import type { Clock } from './clock.ts'

const MAX_KEYS = 10_000

/** Counts what somebody tried in a sliding window; kept in memory, a brake rather than a lock. */
export function createAttempts(options: { clock: Clock; max: number; windowMs: number }) {
  const { clock, max, windowMs } = options
  const times = new Map<string, number[]>()

  const recent = (key: string): number[] => {
    const since = clock.now().getTime() - windowMs
    return (times.get(key) ?? []).filter((at) => at > since)
  }

  return {
    isExceeded: (key: string): boolean => recent(key).length >= max,
    add(key: string): void {
      const list = [...recent(key), clock.now().getTime()].slice(-max)
      times.delete(key)
      times.set(key, list)
      const oldest = times.keys().next()
      if (times.size > MAX_KEYS && !oldest.done) times.delete(oldest.value)
    },
    clear: (key: string): void => void times.delete(key),
  }
}

export type Attempts = ReturnType<typeof createAttempts>
