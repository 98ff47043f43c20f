import { setTimeout as sleep } from 'node:timers/promises'

/** A read that is under way, and the one that those share who asked meanwhile. */
interface Reading<T> {
  readonly at: number
  readonly running: Promise<T>
  next: Promise<T> | null
}

/**
 * Reads the same for many callers of one moment: those that ask while a read is under way share the next one. It begins
 * after they have asked, so that none of them gets what was true before, and `everyMs` after the one under way had begun.
 */
export function createSharedReads<T>(
  read: (key: string) => Promise<T>,
  everyMs = 0,
): (key: string) => Promise<T> {
  const under = new Map<string, Reading<T>>()

  function begin(key: string): Promise<T> {
    const running = read(key)
    const reading: Reading<T> = { at: performance.now(), running, next: null }
    under.set(key, reading)
    const ended = () => {
      if (under.get(key) === reading && reading.next === null) under.delete(key)
    }
    running.then(ended, ended)
    return running
  }

  return function shared(key) {
    const reading = under.get(key)
    if (!reading) return begin(key)
    const again = async () => {
      const waitMs = reading.at + everyMs - performance.now()
      if (waitMs > 0) await sleep(waitMs)
      return begin(key)
    }
    return (reading.next ??= reading.running.then(again, again))
  }
}
