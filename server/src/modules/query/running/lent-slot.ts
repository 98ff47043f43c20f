/** A client that takes none of its rows for so long is slow, and not only far away. */
const LEND_AFTER_MS = 100

/** Gives the slot of a statement to others, and the way back. */
export type Lend = () => () => void

/** While its client is slow to take rows, a statement does nothing: it holds no slot for that. */
export async function lendingWhile(taken: Promise<void>, lend: Lend, afterMs = LEND_AFTER_MS): Promise<void> {
  let takeBack: (() => void) | undefined
  const timer = setTimeout(() => (takeBack = lend()), afterMs)
  try {
    await taken
  } finally {
    clearTimeout(timer)
    takeBack?.()
  }
}
