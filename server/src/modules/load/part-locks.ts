/** One writer of a part at a time. Whoever comes later is likelier to have a line that still works. */
export function createPartLocks() {
  const writing = new Map<string, { stop(): void; ended: Promise<void> }>()

  return {
    /** Stops whoever writes the same, and waits until they have let go of it. */
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
