/** What is computed on the thread that serves everyone is computed in pieces of so many milliseconds. */
const PIECE_MS = 2

let last: Promise<void> = Promise.resolve()

/** In each turn of the thread, one piece of work of all decoders that wait. */
const nextTurn = (): Promise<void> =>
  (last = last.then(() => new Promise<void>((resolve) => void setImmediate(resolve))))

/** Asked often, it waits when its time is over: `if (turns.isOver()) await turns.next()`. */
export function createTurnsOfDecoder() {
  let until = performance.now() + PIECE_MS
  return {
    isOver: (): boolean => performance.now() >= until,
    async next(): Promise<void> {
      await nextTurn()
      until = performance.now() + PIECE_MS
    },
  }
}
