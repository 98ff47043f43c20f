import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { WarehouseSize } from '@boathouse/contract'
import { type Engine, type EngineProvider, type EngineSize, EngineUnavailable } from '../engines/engine.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { AccountEngine } from './account-engine.ts'
import type { Applicant } from './admission.ts'
import { capacityOf, GIB, thisMachine } from './capacity.ts'
import { createWarehousePool, type Lease, type PoolOf, type WarehousePool } from './warehouse-pool.ts'

const TEMP_BYTES = 10 * GIB
/** How long statements that were stopped have to let go before their warehouse ends regardless. */
const EVICTION_MS = 5_000
/** Its time of change is the last second in which the account's engine was alive. */
const ALIVE_FILE = 'alive'

export interface ComputeOptions {
  readonly provider: EngineProvider
  readonly dataDir: string
  readonly clock: Clock
  readonly log: Log
  readonly machine?: EngineSize
}

/** These warehouses ended with their engine, at this moment. */
export interface Loss {
  readonly pools: readonly PoolOf[]
  readonly reason: string
  readonly at: Date
}

/**
 * Warehouses made real on this machine: each account has one engine process, and each of its running warehouses is a
 * pool in it with slots of its own. Remembers nothing: what must outlive this process is kept by whoever asks.
 */
export function createLocalCompute(options: ComputeOptions) {
  const { provider, dataDir, clock, log, machine = thisMachine() } = options
  const accounts = new Map<string, AccountEngine>()
  const pools = new Map<string, WarehousePool>()
  let tellLoss: ((loss: Loss) => void) | undefined

  const directoryOf = (accountId: string) => join(dataDir, 'accounts', accountId)

  function accountOf(accountId: string): AccountEngine {
    const known = accounts.get(accountId)
    if (known) return known
    const account = new AccountEngine({
      space: { accountId, directory: directoryOf(accountId), tempBytes: TEMP_BYTES },
      provider,
      machine,
      clock,
      log,
      onLost: (reason) => lose(accountId, reason),
    })
    accounts.set(accountId, account)
    return account
  }

  function lose(accountId: string, reason: string): void {
    const lost = [...pools.values()].filter((pool) => pool.of.accountId === accountId)
    for (const pool of lost) pools.delete(pool.of.id)
    // First those who keep the books: whoever waited asks again as soon as it is told.
    if (lost.length > 0) tellLoss?.({ pools: lost.map((pool) => pool.of), reason, at: clock.now() })
    for (const pool of lost) pool.shut(null)
  }

  return {
    evictionMs: EVICTION_MS,
    directoryOf,

    onLoss(listener: (loss: Loss) => void): void {
      tellLoss = listener
    },

    /** What the machine really gives a warehouse of this size. */
    capacityOf: (size: WarehouseSize): EngineSize => capacityOf([size], machine),

    /** Opens a warehouse's pool, with the account's engine grown by its size. Rejects when the engine cannot start. */
    async start(pool: PoolOf): Promise<void> {
      const engine = await accountOf(pool.accountId).share(pool.id, pool.size)
      pools.set(pool.id, createWarehousePool(pool, engine, clock))
    },

    /** Statements go on at the old size until the engine has the new one. */
    async resize(id: string, change: { size: WarehouseSize; runId: string }): Promise<void> {
      const pool = pools.get(id)
      if (!pool) return
      const account = accountOf(pool.of.accountId)
      await account.share(id, change.size)
      if (pools.get(id) === pool) return pool.change(change)
      await account.unshare(id)
      throw new EngineUnavailable('The engine of this account ended while its size changed.')
    },

    rename: (id: string, name: string): void => pools.get(id)?.change({ name }),

    /** Lets nobody in any more. False, and nothing happens, when it is not idle for as long as asked. */
    shutIfIdle(id: string, since: Date): boolean {
      const pool = pools.get(id)
      const idleSince = pool?.idleSince()
      if (!pool || !idleSince || idleSince > since) return false
      pool.shut(null)
      return true
    },

    /** Ends a warehouse: what waits and what runs is told `reason`, and has `evictionMs` to let go. */
    async stop(id: string, reason: Error): Promise<void> {
      const pool = pools.get(id)
      if (!pool) return
      await pool.evict(reason, EVICTION_MS)
      // The engine may have ended in the meantime and taken the pool along.
      if (pools.get(id) !== pool) return
      pools.delete(id)
      await accountOf(pool.of.accountId).unshare(id)
    },

    /** A slot in a running warehouse. Null when it does not run (any more): start it, then ask again. */
    admit: async (id: string, applicant: Applicant): Promise<Lease | null> =>
      (await pools.get(id)?.admit(applicant)) ?? null,

    running: (): PoolOf[] => [...pools.values()].map((pool) => pool.of),

    /** A running warehouse that lets people in, by its name. */
    find(accountId: string, name: string): PoolOf | undefined {
      const wanted = name.toLowerCase()
      for (const pool of pools.values()) {
        const { of } = pool
        if (of.accountId === accountId && of.name.toLowerCase() === wanted && pool.isOpen()) return of
      }
      return undefined
    },

    isRunning: (id: string): boolean => pools.has(id),

    load(id: string): { running: number; queued: number } {
      return pools.get(id)?.counts() ?? { running: 0, queued: 0 }
    },

    idleSince: (id: string): Date | null => pools.get(id)?.idleSince() ?? null,

    /** The account's engine for a short piece of the service's own work; ends by itself a minute after the last. */
    serviceEngine: (accountId: string): Promise<Engine> => accountOf(accountId).use(async (engine) => engine),

    /** The same for work of any length: the engine stays until it is done. */
    useServiceEngine: <T>(accountId: string, work: (engine: Engine) => Promise<T>): Promise<T> =>
      accountOf(accountId).use(work),

    async endUnusedEngines(): Promise<void> {
      await Promise.all([...accounts.values()].map((account) => account.endIfUnused()))
    },

    /** When the account's engine was last known to live; null when it never left a sign. */
    async lastAlive(accountId: string): Promise<Date | null> {
      try {
        return (await stat(join(directoryOf(accountId), ALIVE_FILE))).mtime
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
        throw error
      }
    },

    async close(): Promise<void> {
      await Promise.all([...accounts.values()].map((account) => account.close()))
      await provider.close()
    },
  }
}

export type LocalCompute = ReturnType<typeof createLocalCompute>
