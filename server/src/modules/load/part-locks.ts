/** One writer of a part at a time. The later one is more likely to have a working connection. */
export function createPartLocks() {
  const writing = new Map<string, { stop(): void; ended: Promise<void> }>()

  return {
    /** Stops the current writer of the same part, and waits until it has ended. */
    async take(key: string, stop: () => void): Promise<{ end(): void }> {
      for (let other = writing.get(key); other; other = writing.get(key)) {
        other.stop()
        await other.ended
      }
      let release: (() => void) | undefined
      const ended = new Promise<void>((resolve) => (release = resolve))
      writing.set(key, { stop, ended })
      return {
        end() {
          writing.delete(key)
          release?.()
        },
      }
    },
  }
}
