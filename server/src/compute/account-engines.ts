import { type Engine, type EngineOf, EngineUnavailable } from '../engines/engine/engine.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { AccountEngine } from './account-engine.ts'
import type { EngineProvisioner } from './provisioner.ts'
import type { StartProgress } from './start-progress.ts'

export interface AccountEnginesOptions {
  /** The kinds of engines that a warehouse may have. The first is the home engine, which has the account's own data. */
  readonly provisioners: readonly [EngineProvisioner, ...EngineProvisioner[]]
  readonly clock: Clock
  readonly log: Log
  /** After this long without an answer nobody can say how an engine is. */
  readonly silentAfterMs?: number | undefined
}

interface Opened {
  readonly accountId: string
  readonly kind: string
  /** The only one that it is for. */
  readonly warehouseId: string | null
  readonly engine: AccountEngine
}

export interface EngineListeners {
  onLost(engine: AccountEngine, reason: string): void
  onSilence(engine: AccountEngine): void
  onStep(of: { readonly accountId: string; readonly warehouseId: string }): void
}

/** An engine, and the warehouse that it is for where each has one of its own. */
interface WarehouseEngine extends EngineOf {
  readonly warehouseId?: string
}

/** Of each account one engine of each kind, or one of each warehouse of that kind, made when it is first needed. */
export function createAccountEngines(
  { provisioners, clock, log, silentAfterMs }: AccountEnginesOptions,
  { onLost, onSilence, onStep }: EngineListeners,
) {
  const [home] = provisioners
  const opened = new Map<string, Opened>()
  /** By kind: how long a start took last. */
  const tookMs = new Map<string, number>()

  const provisionerOf = (kind: string | null): EngineProvisioner | undefined =>
    kind === null ? home : provisioners.find(({ id }) => id === kind)

  function of({ accountId, engine: kind, warehouseId }: WarehouseEngine): AccountEngine {
    const provisioner = provisionerOf(kind)
    if (!provisioner) throw new EngineUnavailable(`There is no engine ${kind} here.`)
    if (provisioner.isPerWarehouse && warehouseId === undefined) return anyRunning(accountId, provisioner)
    const own = provisioner.isPerWarehouse ? (warehouseId ?? null) : null
    const key = `${provisioner.id}/${accountId}/${own ?? ''}`
    const known = opened.get(key)
    if (known) return known.engine
    const engine = new AccountEngine({
      accountId,
      warehouseId: own,
      provisioner,
      clock,
      log,
      silentAfterMs,
      onLost: (reason) => onLost(engine, reason),
      onSilence: () => onSilence(engine),
      onStep: () => own !== null && onStep({ accountId, warehouseId: own }),
      onStarted: (ms) => tookMs.set(provisioner.id, ms),
    })
    opened.set(key, { accountId, kind: provisioner.id, warehouseId: own, engine })
    return engine
  }

  /** What an account has in such engines, each of them has. None is started for the service alone. */
  function anyRunning(accountId: string, { id, label }: EngineProvisioner): AccountEngine {
    const found = all().find((one) => one.accountId === accountId && one.kind === id && one.engine.running)
    if (found) return found.engine
    throw new EngineUnavailable(`No ${label} warehouse of this account runs. Resume one, then try again.`)
  }

  const all = () => [...opened.values()]

  return {
    of,
    provisionerOf,

    /** That of a warehouse which has one of its own; null: none of its processes runs. */
    async runningOf({ accountId, warehouseId }: { accountId: string; warehouseId: string }) {
      const own = all().find((one) => one.accountId === accountId && one.warehouseId === warehouseId)
      if (own?.engine.running) return own.engine.running
      await own?.engine.ended
      const left = await Promise.all(provisioners.map(async (one) => (await one.left?.()) ?? []))
      if (own?.engine.isStarting || left.flat().includes(warehouseId))
        throw new EngineUnavailable(
          'The cluster of this warehouse is being started or taken over. Ask again in a moment.',
        )
      return null
    },

    /** Runs work of the service in an engine, which stays until that is done, and a minute longer. */
    use: async <T>(engine: EngineOf, work: (engine: Engine) => Promise<T>): Promise<T> =>
      of(engine).use(work),

    /** Ends the engines of an account and removes their data, permanently. */
    async remove(accountId: string): Promise<void> {
      // Also those that never ran, so that none starts in the meantime.
      for (const { id, isPerWarehouse } of provisioners) if (!isPerWarehouse) of({ accountId, engine: id })
      const own = all().filter((one) => one.accountId === accountId)
      await Promise.all(own.map(({ engine }) => engine.close()))
      // The home engine last: its folder may hold those of the others.
      for (const provisioner of provisioners.toReversed()) await provisioner.remove(accountId)
    },

    /** Resolves when a result that an engine of this account has promised is on disk, or will not be. */
    async settled(accountId: string, queryId: string): Promise<void> {
      const own = all().filter((one) => one.accountId === accountId)
      await Promise.all(own.map(({ engine }) => engine.settled(queryId)))
    },

    async storedBytes(accountId: string): Promise<number> {
      const stored = await Promise.all(provisioners.map((one) => one.storedBytes(accountId)))
      return stored.reduce((sum, bytes) => sum + bytes, 0)
    },

    /** Gives the accounts of which an engine is busier or less busy than at the last look. */
    async measureCpu(): Promise<string[]> {
      const looked = await Promise.all(
        all().map(async ({ accountId, engine }) => {
          const before = engine.cpu
          await engine.measureCpu()
          const { percent, hourPercent } = engine.cpu ?? {}
          return before?.percent === percent && before?.hourPercent === hourPercent ? [] : [accountId]
        }),
      )
      return [...new Set(looked.flat())]
    },

    /** How far the start of a warehouse has come that has an engine of its own; null while it does not start. */
    startOf(warehouseId: string): (StartProgress & { readonly lastTookMs: number | null }) | null {
      const found = all().find((one) => one.warehouseId === warehouseId && one.engine.progress)
      const { progress } = found?.engine ?? {}
      return found && progress ? { ...progress, lastTookMs: tookMs.get(found.kind) ?? null } : null
    },

    /** Of warehouses whose engines still run from before this service. */
    async left(): Promise<string[]> {
      const found = await Promise.all(provisioners.map(async (one) => (await one.left?.()) ?? []))
      return found.flat()
    },

    async endLeft(warehouseId: string): Promise<void> {
      for (const provisioner of provisioners) await provisioner.endLeft?.(warehouseId)
    },

    async endUnused(): Promise<void> {
      await Promise.all(all().map(({ engine }) => engine.endIfUnused()))
    },

    async close(): Promise<void> {
      await Promise.all(all().map(({ engine }) => engine.close()))
      await Promise.all(provisioners.map((provisioner) => provisioner.close()))
    },
  }
}
