const TRIES = 5
const BETWEEN_MS = 200

/**
 * Stops a request when the signal is aborted. `gaveUp` is aborted when that cannot be done: the request is unknown to the
 * server, perhaps because it has not arrived yet, or there is no server. What is stopped, or has ended, answers as usual.
 */
export function createStopping(kill: () => Promise<{ stopped: boolean }>, signal: AbortSignal | undefined) {
  const giveUp = new AbortController()
  let hasEnded = false

  async function stop(): Promise<void> {
    for (let left = TRIES; left > 0; left--) {
      if (hasEnded) return
      const isStopped = await kill().then(
        ({ stopped }) => stopped,
        () => false,
      )
      if (isStopped) return
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS))
    }
    giveUp.abort(signal?.reason)
  }

  const aborted = () => void stop()
  signal?.addEventListener('abort', aborted, { once: true })
  return {
    gaveUp: giveUp.signal,
    end(): void {
      hasEnded = true
      signal?.removeEventListener('abort', aborted)
    },
  }
}
