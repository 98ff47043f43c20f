import { slotsOf, type WarehouseSize } from '@boathouse/contract'
import type { Engine } from '../engines/engine/engine.ts'
import type { Clock } from '../kernel/clock.ts'
import { type Applicant, createAdmission } from './admission.ts'

/** A warehouse as compute knows it: who it belongs to, what it is called, how large it is, which run of it this is. */
export interface PoolOf {
  readonly accountId: string
  readonly id: string
  readonly name: string
  readonly size: WarehouseSize
  /** The kind of engine that it runs in; missing or null: the home engine, which has the account's own data. */
  readonly engine?: string | null
  /** Names this time of running, for the meter. */
  readonly runId: string
}

/** The right to run one statement in a warehouse. Its holder must release it. */
export interface Lease {
  readonly engine: Engine
  /** Of its provider. */
  readonly engineId: string
  readonly warehouse: { readonly id: string; readonly name: string; readonly size: WarehouseSize }
  /** Aborted, with the error to answer as its reason, when the warehouse ends before the statement does. */
  readonly evicted: AbortSignal
  /** While its statement waits for its client, another one may run. Gives the way back. */
  lend(): () => void
  release(): void
}

/** A running warehouse: slots, a queue before them, and since when it has had nothing to do. */
export function createWarehousePool(
  beginning: PoolOf,
  { engine, engineId }: Pick<Lease, 'engine' | 'engineId'>,
  clock: Clock,
) {
  const admission = createAdmission(slotsOf(beginning.size))
  const leases = new Set<AbortController>()
  let pool = beginning
  let idleSince = clock.now()

  const isIdle = (): boolean => {
    const { held, waiting } = admission.counts()
    return held === 0 && waiting === 0
  }

  return {
    engine,
    get of(): PoolOf {
      return pool
    },

    /** Null when the warehouse ended before there was a slot, and nobody had asked for that. */
    async admit(applicant: Applicant): Promise<Lease | null> {
      const slot = await admission.enter(applicant)
      if (!slot) return null
      const eviction = new AbortController()
      leases.add(eviction)
      const { id, name, size } = pool
      return {
        engine,
        engineId,
        warehouse: { id, name, size },
        evicted: eviction.signal,
        lend: () => slot.lend(),
        release() {
          if (!leases.delete(eviction)) return
          slot.release()
          idleSince = clock.now()
        },
      }
    },

    change(change: Partial<Pick<PoolOf, 'name' | 'size' | 'runId'>>): void {
      pool = { ...pool, ...change }
      admission.setSlots(slotsOf(pool.size))
    },

    /** Since when nothing runs and nothing waits; null while something does. */
    idleSince: (): Date | null => (isIdle() ? idleSince : null),

    counts: () => {
      const { held, waiting } = admission.counts()
      return { running: held, queued: waiting }
    },

    isOpen: (): boolean => admission.isOpen(),

    /** Admits no more statements. Those in the queue fail with `reason`, or get null and apply again without one. */
    shut(reason: Error | null): void {
      void admission.close(reason)
    },

    /** Stops the running statements; resolves when all slots are released, or after `withinMs`. */
    async evict(reason: Error, withinMs: number): Promise<void> {
      const drained = admission.close(reason)
      for (const eviction of leases) eviction.abort(reason)
      let timer: NodeJS.Timeout | undefined
      const deadline = new Promise<void>((resolve) => (timer = setTimeout(resolve, withinMs)))
      await Promise.race([drained, deadline])
      clearTimeout(timer)
    },
  }
}

export type WarehousePool = ReturnType<typeof createWarehousePool>
