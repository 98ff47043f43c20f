/** One piece of work after the other for each key, in the order in which they were asked for. */
export function createKeyedMutex() {
  const tails = new Map<string, Promise<unknown>>()

  return {
    run<T>(key: string, work: () => Promise<T>): Promise<T> {
      const done = (tails.get(key) ?? Promise.resolve()).then(work)
      // Whoever asked hears of a failure; the next in line is not held up by it.
      const tail = done
        .catch(() => undefined)
        .finally(() => {
          if (tails.get(key) === tail) tails.delete(key)
        })
      tails.set(key, tail)
      return done
    },
  }
}

export type KeyedMutex = ReturnType<typeof createKeyedMutex>
