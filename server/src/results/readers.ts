import { EngineUnavailable } from '../engines/engine/engine.ts'
import type { Clock } from '../kernel/clock.ts'
import type { OpenReader, ReaderPlace, ReaderProvider, ResultReader } from './reader.ts'

/** A reader is kept this long after its last use: a user who scrolls needs it again. */
const UNUSED_MS = 60_000

interface Held {
  readonly accountId: string
  readonly opened: Promise<OpenReader>
  uses: number
  lastUsedAt: number
}

export interface ReadersOptions {
  readonly provider: ReaderProvider
  readonly clock: Clock
}

/** One reader for each account that reads: started on its first use, ended when it is no longer used. */
export function createReaders({ provider, clock }: ReadersOptions) {
  const held = new Map<string, Held>()
  let isClosed = false

  function hold(place: ReaderPlace): Held {
    const known = held.get(place.accountId)
    if (known) return known
    if (isClosed) throw new EngineUnavailable('The service is shutting down.')
    const opened = provider.openReader(place)
    const one: Held = { accountId: place.accountId, opened, uses: 0, lastUsedAt: 0 }
    held.set(place.accountId, one)
    // A failed start is reported to those who await `opened`.
    opened.then(
      (reader) => reader.ended.then(() => letGo(one)),
      () => letGo(one),
    )
    return one
  }

  /** The next use opens another one. */
  function letGo(one: Held): void {
    if (held.get(one.accountId) === one) held.delete(one.accountId)
  }

  async function end(one: Held): Promise<void> {
    letGo(one)
    const reader = await one.opened.catch(() => null)
    await reader?.close()
  }

  async function useOnce<T>(one: Held, work: (reader: ResultReader) => Promise<T>): Promise<T> {
    one.uses++
    try {
      return await work(await one.opened)
    } finally {
      one.uses--
      one.lastUsedAt = clock.now().getTime()
    }
  }

  return {
    /** Only for work that changes nothing: retried once when its reader ends, perhaps because of another request. */
    async use<T>(place: ReaderPlace, work: (reader: ResultReader) => Promise<T>): Promise<T> {
      const one = hold(place)
      try {
        return await useOnce(one, work)
      } catch (error) {
        if (!(error instanceof EngineUnavailable) || isClosed) throw error
        await end(one)
        return useOnce(hold(place), work)
      }
    },

    async endUnused(): Promise<void> {
      const before = clock.now().getTime() - UNUSED_MS
      const unused = [...held.values()].filter((one) => one.uses === 0 && one.lastUsedAt <= before)
      await Promise.all(unused.map(end))
    },

    async close(): Promise<void> {
      isClosed = true
      await Promise.all([...held.values()].map(end))
    },
  }
}
