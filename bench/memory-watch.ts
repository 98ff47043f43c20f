import { processes } from './processes.ts'

const LOOK_EVERY_MS = 50

async function rssOf(pid: number): Promise<number> {
  return (await processes()).find((facts) => facts.pid === pid)?.rssBytes ?? 0
}

/** Follows the memory of a process; the number of bytes at the start and the most there ever were. */
export function watchMemory(pid: number): { stop(): Promise<{ before: number; most: number }> } {
  const over = new AbortController()
  const watching = (async () => {
    const before = await rssOf(pid)
    let most = before
    while (!over.signal.aborted) {
      most = Math.max(most, await rssOf(pid))
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    }
    return { before, most }
  })()
  return {
    stop() {
      over.abort()
      return watching
    },
  }
}
