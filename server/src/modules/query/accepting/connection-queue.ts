/** A place in the queue before a connection. */
export interface QueueEntry {
  /** Nobody was before it. */
  readonly isFirst: boolean
  /** Resolves when everything before it has ended. */
  readonly comes: Promise<void>
  end(): void
}

/** Of a connection that nobody else knows yet. */
export const NO_QUEUE: QueueEntry = { isFirst: true, comes: Promise.resolve(), end: () => undefined }

/**
 * Requests of one connection run one after the other, in the order in which they were sent: each finds the session as
 * the one before left it, and none holds a slot of the warehouse while it waits.
 */
export function createConnectionQueue() {
  const last = new Map<string, Promise<void>>()

  return {
    take(connection: string): QueueEntry {
      const before = last.get(connection)
      let end: (() => void) | undefined
      const ended = new Promise<void>((resolve) => (end = resolve))
      const comes = before ?? Promise.resolve()
      const allEnded = comes.then(() => ended)
      last.set(connection, allEnded)
      void allEnded.then(() => last.get(connection) === allEnded && last.delete(connection))
      return { isFirst: before === undefined, comes, end: () => end?.() }
    },
  }
}
