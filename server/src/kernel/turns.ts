/** Who waits here goes on one by one, each in a turn of the event loop of its own: others are served in between. */
export function createTurns(): () => Promise<void> {
  const queue: (() => void)[] = []
  function next(): void {
    queue.shift()?.()
    if (queue.length > 0) setImmediate(next)
  }
  return () =>
    new Promise((resolve) => {
      queue.push(resolve)
      if (queue.length === 1) setImmediate(next)
    })
}
