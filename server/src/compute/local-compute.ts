import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { WarehouseSize } from '@boathouse/contract'
import { type Engine, EngineUnavailable } from '../engines/engine/engine.ts'
import type { EngineProvider, EngineSize } from '../engines/engine/provider.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { AccountEngine, type Further } from './account-engine.ts'
import type { Applicant } from './admission.ts'
import { capacityOf, GIB, thisMachine } from './capacity.ts'
import type { CpuUse } from './cpu-meter.ts'
import { createWarehousePool, type Lease, type PoolOf, type WarehousePool } from './warehouse-pool.ts'

const TEMP_BYTES = 10 * GIB
/** How long statements that were stopped have to let go before their warehouse ends regardless. */
const EVICTION_MS = 5_000
/** Its time of change is the last second in which the account's engine was alive. */
const ALIVE_FILE = 'alive'

/** Where an engine keeps catalogs: in its folder itself, and further ones in another. */
const DATA_FOLDERS = ['.', 'catalogs']

export interface ComputeOptions {
  /** Of the engine that has the account's own data; the service's own work is done there. */
  readonly provider: EngineProvider
  /** Of further engines that a warehouse may run in. */
  readonly others?: readonly EngineProvider[]
  /** Has a folder for each account. */
  readonly accountsDirectory: string
  /** The user of the operating system that an account's engine runs as. */
  readonly osUserOf: (accountId: string) => Promise<number | null>
  /** What an account has beside its own data, for the engine that has that. */
  readonly furtherOf?: (accountId: string) => Promise<Further>
  readonly clock: Clock
  readonly log: Log
  readonly machine?: EngineSize
  /** After this long without an answer nobody can say how an engine is. */
  readonly silentAfterMs?: number | undefined
}

interface OpenedEngine {
  readonly accountId: string
  readonly engine: AccountEngine
}

/** These warehouses ended with their engine, at this moment. */
export interface Loss {
  readonly pools: readonly PoolOf[]
  readonly reason: string
  readonly at: Date
}

/**
 * Warehouses made real on this machine: an account has an engine, or several, and each of its running warehouses is a
 * pool in one of them with slots of its own. Remembers nothing: what must outlive this process is kept by whoever asks.
 */
export function createLocalCompute(options: ComputeOptions) {
  const { provider: home, others = [], accountsDirectory, osUserOf, furtherOf } = options
  const { clock, log, machine = thisMachine(), silentAfterMs } = options
  const engines = new Map<string, OpenedEngine>()
  const pools = new Map<string, WarehousePool>()
  let notifyLoss: ((loss: Loss) => void) | undefined
  let notifySilence: ((pools: readonly PoolOf[]) => void) | undefined

  const directoryOf = (accountId: string) => join(accountsDirectory, accountId)

  /** Beside the account's own data, each other engine has a folder of its own. */
  const placeOf = (accountId: string, provider: EngineProvider): string =>
    provider === home ? directoryOf(accountId) : join(directoryOf(accountId), 'engines', provider.id)

  function providerOf(name: string | undefined): EngineProvider {
    const found = name === undefined ? home : [home, ...others].find(({ id }) => id === name)
    if (!found) throw new EngineUnavailable(`There is no engine ${name} here.`)
    return found
  }

  function engineOf({ accountId, engine }: Pick<PoolOf, 'accountId' | 'engine'>): AccountEngine {
    const provider = providerOf(engine)
    const key = `${provider.id}/${accountId}`
    const known = engines.get(key)
    if (known) return known.engine
    const opened = new AccountEngine({
      space: { accountId, directory: placeOf(accountId, provider), tempBytes: TEMP_BYTES },
      osUser: () => osUserOf(accountId),
      ...(furtherOf && provider === home ? { further: () => furtherOf(accountId) } : {}),
      provider,
      machine,
      clock,
      log,
      silentAfterMs,
      onLost: (reason) => lose(opened, reason),
      onSilence: () => notifySilence?.(poolsIn(opened).map((pool) => pool.of)),
    })
    engines.set(key, { accountId, engine: opened })
    return opened
  }

  const enginesOf = (accountId: string): AccountEngine[] =>
    [...engines.values()].filter((one) => one.accountId === accountId).map(({ engine }) => engine)

  const poolsIn = (engine: AccountEngine): WarehousePool[] =>
    [...pools.values()].filter((pool) => engineOf(pool.of) === engine)

  function lose(engine: AccountEngine, reason: string): void {
    const lost = poolsIn(engine)
    for (const pool of lost) pools.delete(pool.of.id)
    // First those who keep the books: whoever waited asks again as soon as it is told.
    if (lost.length > 0) notifyLoss?.({ pools: lost.map((pool) => pool.of), reason, at: clock.now() })
    for (const pool of lost) pool.shut(null)
  }

  return {
    evictionMs: EVICTION_MS,
    directoryOf,

    onLoss(listener: (loss: Loss) => void): void {
      notifyLoss = listener
    },

    onSilence(listener: (pools: readonly PoolOf[]) => void): void {
      notifySilence = listener
    },

    isSilent(id: string): boolean {
      const pool = pools.get(id)
      return pool !== undefined && engineOf(pool.of).isSilent
    },

    /** What the machine really gives a warehouse of this size. */
    capacityOf: (size: WarehouseSize): EngineSize => capacityOf([size], machine),

    /** Opens a warehouse's pool, with the account's engine grown by its size. Rejects when the engine cannot start. */
    async start(pool: PoolOf): Promise<void> {
      const engine = await engineOf(pool).share(pool.id, pool.size)
      const engineId = providerOf(pool.engine).id
      pools.set(pool.id, createWarehousePool(pool, { engine, engineId }, clock))
    },

    /** Statements go on at the old size until the engine has the new one. */
    async resize(id: string, change: { size: WarehouseSize; runId: string }): Promise<void> {
      const pool = pools.get(id)
      if (!pool) return
      const account = engineOf(pool.of)
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
      await engineOf(pool.of).unshare(id)
    },

    /** A slot in a running warehouse. Null when it does not run (any more): start it, then ask again. */
    admit: async (id: string, applicant: Applicant): Promise<Lease | null> =>
      (await pools.get(id)?.admit(applicant)) ?? null,

    running: (): PoolOf[] => [...pools.values()].map((pool) => pool.of),

    /** A running warehouse that lets people in. */
    find(accountId: string, id: string): PoolOf | undefined {
      const pool = pools.get(id)
      return pool?.of.accountId === accountId && pool.isOpen() ? pool.of : undefined
    },

    isRunning: (id: string): boolean => pools.has(id),

    load(id: string): { running: number; queued: number } {
      return pools.get(id)?.counts() ?? { running: 0, queued: 0 }
    },

    idleSince: (id: string): Date | null => pools.get(id)?.idleSince() ?? null,

    /** The account's engine for the service's own work, of any length: it stays until that is done, and a minute longer. */
    useServiceEngine: <T>(accountId: string, work: (engine: Engine) => Promise<T>): Promise<T> =>
      engineOf({ accountId }).use(work),

    /** Ends the account's engines for good and removes its folder with everything in it. */
    async removeAccount(accountId: string): Promise<void> {
      // Also those that never ran, so that none begins meanwhile.
      const all = [home, ...others].map(({ id: engine }) => engineOf({ accountId, engine }))
      await Promise.all(all.map((engine) => engine.close()))
      await rm(directoryOf(accountId), { recursive: true, force: true })
    },

    /** Resolves when a result that an engine of this account has promised is on disk, or will not be. */
    async settled(accountId: string, queryId: string): Promise<void> {
      await Promise.all(enginesOf(accountId).map((engine) => engine.settled(queryId)))
    },

    /** Of all accounts that have a folder on this machine. */
    async accountIds(): Promise<string[]> {
      const found = await readdir(accountsDirectory, { withFileTypes: true }).catch(noneIfMissing)
      return found.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
    },

    /** Bytes of the account's own data, without results and spilled rows, which lie in other folders. */
    async storedBytes(accountId: string): Promise<number> {
      const places = [home, ...others].map((provider) => placeOf(accountId, provider))
      const sizes = await Promise.all(
        places.flatMap((place) => DATA_FOLDERS.map((folder) => bytesIn(join(place, folder)))),
      )
      return sizes.reduce((all, bytes) => all + bytes, 0)
    },

    /** Of the engine that a running warehouse shares with others of its account. */
    cpuOf(id: string): CpuUse | null {
      const pool = pools.get(id)
      return pool ? engineOf(pool.of).cpu : null
    },

    /** Gives the accounts whose engine is busier or less busy than at the last look. */
    async measureCpu(): Promise<string[]> {
      const looked = await Promise.all(
        [...engines.values()].map(async ({ accountId, engine }) => {
          const before = engine.cpu
          await engine.measureCpu()
          const { percent, hourPercent } = engine.cpu ?? {}
          return before?.percent === percent && before?.hourPercent === hourPercent ? [] : [accountId]
        }),
      )
      return [...new Set(looked.flat())]
    },

    async endUnusedEngines(): Promise<void> {
      await Promise.all([...engines.values()].map(({ engine }) => engine.endIfUnused()))
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
      await Promise.all([...engines.values()].map(({ engine }) => engine.close()))
      await Promise.all([home, ...others].map((provider) => provider.close()))
    },
  }
}

/** Of the files in a folder itself. */
async function bytesIn(directory: string): Promise<number> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(noneIfMissing)
  const files = entries.filter((entry) => entry.isFile())
  // One that goes meanwhile, as a log that was merged, has no bytes any more.
  const sizes = await Promise.all(
    files.map(async ({ name }) => (await stat(join(directory, name)).catch(() => null))?.size ?? 0),
  )
  return sizes.reduce((all, bytes) => all + bytes, 0)
}

function noneIfMissing(error: unknown): [] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
  throw error
}

export type LocalCompute = ReturnType<typeof createLocalCompute>
