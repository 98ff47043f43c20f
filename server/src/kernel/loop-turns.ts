/** Of what waits, so many begin in one turn of the event loop: a few milliseconds at most. */
const MOST_IN_TURN = 8

/**
 * Lets work that many want in the same moment begin a few at a time, in order. In between, the event loop takes what has
 * arrived for everybody else.
 */
export function createLoopTurns(most = MOST_IN_TURN): (begin: () => void) => void {
  const waiting: (() => void)[] = []
  let isRunning = false

  function turn(): void {
    // Each in a call of its own: what it does until it waits is over before the next one begins.
    for (const begin of waiting.splice(0, most)) setImmediate(begin)
    isRunning = waiting.length > 0
    if (isRunning) setImmediate(turn)
  }

  return (begin) => {
    waiting.push(begin)
    if (isRunning) return
    isRunning = true
    setImmediate(turn)
  }
}

/** One thread serves everyone, so there is one queue. */
export const inLoopTurn = createLoopTurns()
