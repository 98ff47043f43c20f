/** A read that is under way, and the one that those share who asked meanwhile. */
interface Reading<T> {
  readonly running: Promise<T>
  next: Promise<T> | null
}

/**
 * Reads the same for many callers of one moment: those that ask while a read is under way share the next one. It begins
 * after they have asked, so that none of them gets what was true before.
 */
export function createSharedReads<T>(read: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const under = new Map<string, Reading<T>>()

  function begin(key: string): Promise<T> {
    const running = read(key)
    const reading: Reading<T> = { running, next: null }
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
    const again = () => begin(key)
    return (reading.next ??= reading.running.then(again, again))
  }
}
