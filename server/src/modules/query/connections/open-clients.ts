interface OpenClient {
  readonly userId: string
  readonly closing: AbortController
}

/** The connections of programs that are open in this server, so that a door learns when somebody else closes one. */
export function createOpenClients() {
  const open = new Map<number, OpenClient>()

  return {
    /** Aborted when the connection is closed, by its client or by somebody else. */
    add(id: number, userId: string): AbortSignal {
      const closing = new AbortController()
      open.set(id, { userId, closing })
      return closing.signal
    },

    closed(id: number): void {
      open.get(id)?.closing.abort()
      open.delete(id)
    },

    byUser(): ReadonlyMap<string, readonly number[]> {
      const ids = new Map<string, number[]>()
      for (const [id, { userId }] of open) ids.set(userId, [...(ids.get(userId) ?? []), id])
      return ids
    },
  }
}

export type OpenClients = ReturnType<typeof createOpenClients>
