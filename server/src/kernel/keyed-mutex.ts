/** One piece of work after the other for each key, in the order of the calls. */
export function createKeyedMutex() {
  const tails = new Map<string, Promise<unknown>>()

  return {
    run<T>(key: string, work: () => Promise<T>): Promise<T> {
      const done = (tails.get(key) ?? Promise.resolve()).then(work)
      // The caller gets a failure; the next in the queue does not wait for it.
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
