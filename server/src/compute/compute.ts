import type { WarehouseSize } from '@boathouse/contract'
import { type Engine, EngineUnavailable } from '../engines/engine/engine.ts'
import type { EngineKind, EngineSize } from '../engines/engine/provider.ts'
import type { AccountEngine, EngineNode } from './account-engine.ts'
import { type AccountEnginesOptions, createAccountEngines } from './account-engines.ts'
import type { Applicant } from './admission.ts'
import type { CpuUse } from './cpu-meter.ts'
import { createWarehousePool, type Lease, type PoolOf, type WarehousePool } from './warehouse-pool.ts'

/** How long statements that were stopped have to end before their warehouse ends regardless. */
const EVICTION_MS = 5_000
/** Of an engine that is not configured any more. */
const NOTHING: EngineSize = { threads: 0, memoryBytes: 0 }

/** These warehouses ended with their engine, at this moment. */
export interface Loss {
  readonly pools: readonly PoolOf[]
  readonly reason: string
  readonly at: Date
}

type AccountEngines = ReturnType<typeof createAccountEngines>

const engineIn = (engines: AccountEngines, { accountId, engine = null, id }: PoolOf): AccountEngine =>
  engines.of({ accountId, engine, warehouseId: id })

/**
 * Warehouses made real: an account has an engine of each kind that it uses, and each of its running warehouses is a pool
 * in one of them, with slots of its own. Remembers nothing: the callers keep what must outlive this process.
 */
export function createCompute(options: AccountEnginesOptions) {
  const { provisioners, clock } = options
  const pools = new Map<string, WarehousePool>()
  let notifyLoss: ((loss: Loss) => void) | undefined
  let notifySilence: ((pools: readonly PoolOf[]) => void) | undefined
  let notifyStep: ((of: { accountId: string; warehouseId: string }) => void) | undefined

  const engines = createAccountEngines(options, {
    onLost(engine, reason) {
      const lost = poolsIn(engine)
      for (const pool of lost) pools.delete(pool.of.id)
      // First the books: statements that waited ask again as soon as their pool is shut.
      if (lost.length > 0) notifyLoss?.({ pools: lost.map((pool) => pool.of), reason, at: clock.now() })
      for (const pool of lost) pool.shut(null)
    },
    onSilence: (engine) => notifySilence?.(poolsIn(engine).map((pool) => pool.of)),
    onStep: (of) => notifyStep?.(of),
  })

  const poolsIn = (engine: AccountEngine): WarehousePool[] =>
    [...pools.values()].filter((pool) => engineIn(engines, pool.of) === engine)

  return {
    evictionMs: EVICTION_MS,
    /** The kinds of engines that a warehouse may have, the home engine first. */
    kinds: provisioners.map(({ id, label, isCluster, isExisting, catalog }): EngineKind => ({
      id,
      label,
      ...(isCluster && { isCluster }),
      ...(isExisting && { isExisting }),
      ...(catalog !== undefined && { catalog }),
    })),

    onLoss(listener: (loss: Loss) => void): void {
      notifyLoss = listener
    },

    onSilence(listener: (pools: readonly PoolOf[]) => void): void {
      notifySilence = listener
    },

    /** Called whenever the start of a warehouse has come a step further. */
    onStep(listener: (of: { accountId: string; warehouseId: string }) => void): void {
      notifyStep = listener
    },

    startOf: engines.startOf,

    /** What a warehouse of this size really gets in an engine of this kind. */
    capacityOf: (size: WarehouseSize, kind: string | null = null): EngineSize =>
      engines.provisionerOf(kind)?.capacityOf([size]) ?? NOTHING,

    running: (): PoolOf[] => [...pools.values()].map((pool) => pool.of),

    ...startsAndStops(engines, pools, options),
    ...whatIsKnown(engines, pools),

    /** The account's home engine for the service's own work, of any length. */
    useServiceEngine: <T>(accountId: string, work: (engine: Engine) => Promise<T>): Promise<T> =>
      engines.use({ accountId, engine: null }, work),

    /** The same in the engine that is named. */
    useEngine: engines.use,
    runningOf: engines.runningOf,

    left: engines.left,
    endLeft: engines.endLeft,
    removeAccount: engines.remove,
    settled: engines.settled,
    storedBytes: engines.storedBytes,
    measureCpu: engines.measureCpu,
    endUnusedEngines: engines.endUnused,
    close: engines.close,
  }
}

type Pools = Map<string, WarehousePool>

const startsAndStops = (
  engines: AccountEngines,
  pools: Pools,
  { clock }: Pick<AccountEnginesOptions, 'clock'>,
) => ({
  /** Opens a warehouse's pool, with its engine grown by its size. Rejects when the engine cannot start. */
  async start(pool: PoolOf): Promise<void> {
    const engine = await engineIn(engines, pool).share(pool.id, pool.size)
    pools.set(pool.id, createWarehousePool(pool, { engine, engineId: engine.kind }, clock))
  },

  /** Statements keep running at the old size until the engine has the new one. */
  async resize(id: string, change: { size: WarehouseSize; runId: string }): Promise<void> {
    const pool = pools.get(id)
    if (!pool) return
    const engine = engineIn(engines, pool.of)
    await engine.share(id, change.size)
    if (pools.get(id) === pool) return pool.change(change)
    await engine.unshare(id)
    throw new EngineUnavailable('The engine of this account ended while its size changed.')
  },

  rename: (id: string, name: string): void => pools.get(id)?.change({ name }),

  /** Admits no more statements. False, and nothing happens, when it is not idle for as long as asked. */
  shutIfIdle(id: string, since: Date): boolean {
    const pool = pools.get(id)
    const idleSince = pool?.idleSince()
    if (!pool || !idleSince || idleSince > since) return false
    pool.shut(null)
    return true
  },

  /** Ends a warehouse: queued and running statements get `reason`, and have `evictionMs` to end. */
  async stop(id: string, reason: Error): Promise<void> {
    const pool = pools.get(id)
    if (!pool) return
    await pool.evict(reason, EVICTION_MS)
    // The engine may have ended in the meantime and taken the pool along.
    if (pools.get(id) !== pool) return
    pools.delete(id)
    await engineIn(engines, pool.of).unshare(id)
  },

  /** A slot in a running warehouse. Null when it does not run (any more): start it, then ask again. */
  admit: async (id: string, applicant: Applicant): Promise<Lease | null> =>
    (await pools.get(id)?.admit(applicant)) ?? null,
})

const whatIsKnown = (engines: AccountEngines, pools: Pools) => ({
  /** A running warehouse that admits statements. */
  find(accountId: string, id: string): PoolOf | undefined {
    const pool = pools.get(id)
    return pool?.of.accountId === accountId && pool.isOpen() ? pool.of : undefined
  },

  isRunning: (id: string): boolean => pools.has(id),

  isSilent(id: string): boolean {
    const pool = pools.get(id)
    return pool !== undefined && engineIn(engines, pool.of).isSilent
  },

  load: (id: string): { running: number; queued: number } =>
    pools.get(id)?.counts() ?? { running: 0, queued: 0 },

  idleSince: (id: string): Date | null => pools.get(id)?.idleSince() ?? null,

  /** Of the engine that a running warehouse shares with others of its account. */
  cpuOf(id: string): CpuUse | null {
    const pool = pools.get(id)
    return pool ? engineIn(engines, pool.of).cpu : null
  },

  /** What a running warehouse runs on, and the ids of all that share it. */
  nodesOf(
    id: string,
  ): { readonly nodes: readonly EngineNode[]; readonly sharedBy: readonly string[] } | null {
    const pool = pools.get(id)
    if (!pool) return null
    const engine = engineIn(engines, pool.of)
    const sharedBy = [...pools.values()].filter((other) => engineIn(engines, other.of) === engine)
    return { nodes: engine.nodes, sharedBy: sharedBy.map((other) => other.of.id) }
  },

  /** When an engine of the account was last known to run; null when it never left a sign. */
  lastAlive: async (accountId: string, kind: string | null = null): Promise<Date | null> =>
    (await engines.provisionerOf(kind)?.lastAlive(accountId)) ?? null,
})

export type ComputeService = ReturnType<typeof createCompute>
