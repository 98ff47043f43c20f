import type { Actor } from '../../kernel/actor.ts'
import type { Log } from '../../kernel/log.ts'
import type { Queries } from '../query/service.ts'

/** Where a connection runs its statements. */
export interface ConnectionPlace {
  readonly catalog: string
  readonly database: string
  readonly warehouseId: string
}

interface KeptConnection {
  readonly id: number
  readonly actor: Actor
  readonly timer: NodeJS.Timeout
}

export interface KeptParts {
  readonly queries: Pick<Queries, 'killConnection'>
  readonly log: Log
  readonly keptMs?: number | undefined
}

/** So long a connection on which nothing runs waits for the next load. */
const KEPT_MS = 5_000
/** Others of a user's connections are the user's. */
const MOST_FREE_OF_USER = 4

const keyOf = ({ userId }: Actor, { catalog, database, warehouseId }: ConnectionPlace): string =>
  JSON.stringify([userId, catalog, database, warehouseId])

/**
 * Connections of loads, kept open for the next load of the same user to the same place: to open one and to close it takes
 * longer than a load of a few rows. Each is used by one load at a time.
 */
export function createKeptConnections({ queries, log, keptMs = KEPT_MS }: KeptParts) {
  const free = new Map<string, KeptConnection[]>()
  /** The free ones, and those that were taken. */
  const known = new Set<number>()
  const freeOfUser = new Map<string, number>()
  const closing = new Set<Promise<unknown>>()
  let isClosed = false

  function countFree({ userId }: Actor, change: 1 | -1): void {
    const now = (freeOfUser.get(userId) ?? 0) + change
    if (now > 0) freeOfUser.set(userId, now)
    else freeOfUser.delete(userId)
  }

  /** Nobody waits for it, but the end of the service. */
  function close(actor: Actor, id: number): void {
    known.delete(id)
    const closed = queries
      .killConnection(actor, id)
      .catch((error: unknown) => log.warn({ err: error }, 'the connection of a load was not closed'))
    closing.add(closed)
    void closed.finally(() => closing.delete(closed))
  }

  function removeFree(key: string, at: number): KeptConnection | undefined {
    const kept = free.get(key)
    const [one] = kept?.splice(at, 1) ?? []
    if (kept?.length === 0) free.delete(key)
    if (!one) return undefined
    clearTimeout(one.timer)
    countFree(one.actor, -1)
    return one
  }

  function expire(key: string, id: number): void {
    const at = free.get(key)?.findIndex((one) => one.id === id) ?? -1
    const one = at < 0 ? undefined : removeFree(key, at)
    if (one) close(one.actor, one.id)
  }

  return {
    /** One that is free; null: there is none, and a new one is to be opened. */
    take(actor: Actor, place: ConnectionPlace): number | null {
      // The one that was used last: the others have their time.
      return removeFree(keyOf(actor, place), -1)?.id ?? null
    },

    /** It is free, or another load has taken it. */
    isOfOthers: (id: number, taken: number | null): boolean => id !== taken && known.has(id),

    /** After what ran on it has finished. */
    give(actor: Actor, place: ConnectionPlace, id: number): void {
      if (isClosed || (freeOfUser.get(actor.userId) ?? 0) >= MOST_FREE_OF_USER) return close(actor, id)
      known.add(id)
      const key = keyOf(actor, place)
      const timer = setTimeout(() => expire(key, id), keptMs).unref()
      free.set(key, [...(free.get(key) ?? []), { id, actor, timer }])
      countFree(actor, 1)
    },

    /** Nothing is to run on it any more. */
    end: close,

    /** Resolves when all of them are closed that are free, and those that were being closed. */
    async close(): Promise<void> {
      isClosed = true
      const left = [...free].flatMap(([key, kept]) => kept.map(({ id }) => ({ key, id })))
      for (const { key, id } of left) expire(key, id)
      await Promise.all(closing)
    },
  }
}

export type KeptConnections = ReturnType<typeof createKeptConnections>
