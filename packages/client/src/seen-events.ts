/** More than come while a channel is down; older ones cannot arrive a second time. */
const REMEMBERED = 1000

/** Which events of a login were heard, by their sequence numbers. These need not arrive in order. */
export function createSeenEvents() {
  const seen = new Set<number>()
  let highest = 0
  return {
    /** 0 when none was heard. */
    highest: () => highest,
    /** False when it was seen before. Events without a number are always new. */
    add(seq: number): boolean {
      if (seq === 0) return true
      if (seen.has(seq)) return false
      seen.add(seq)
      highest = Math.max(highest, seq)
      const [oldest] = seen
      if (seen.size > REMEMBERED && oldest !== undefined) seen.delete(oldest)
      return true
    },
    clear(): void {
      seen.clear()
      highest = 0
    },
  }
}

export type SeenEvents = ReturnType<typeof createSeenEvents>
