import { type Engine, type EngineOf, EngineUnavailable } from '../engines/engine/engine.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { AccountEngine } from './account-engine.ts'
import type { EngineProvisioner } from './provisioner.ts'

export interface AccountEnginesOptions {
  /** The kinds of engines that a warehouse may have. The first is the home engine, which has the account's own data. */
  readonly provisioners: readonly [EngineProvisioner, ...EngineProvisioner[]]
  readonly clock: Clock
  readonly log: Log
  /** After this long without an answer nobody can say how an engine is. */
  readonly silentAfterMs?: number | undefined
}

export interface EngineListeners {
  onLost(engine: AccountEngine, reason: string): void
  onSilence(engine: AccountEngine): void
}

/** Of each account one engine of each kind, made when it is first needed. */
export function createAccountEngines(
  { provisioners, clock, log, silentAfterMs }: AccountEnginesOptions,
  { onLost, onSilence }: EngineListeners,
) {
  const [home] = provisioners
  const opened = new Map<string, { readonly accountId: string; readonly engine: AccountEngine }>()

  const provisionerOf = (kind: string | null): EngineProvisioner | undefined =>
    kind === null ? home : provisioners.find(({ id }) => id === kind)

  function of({ accountId, engine: kind }: EngineOf): AccountEngine {
    const provisioner = provisionerOf(kind)
    if (!provisioner) throw new EngineUnavailable(`There is no engine ${kind} here.`)
    const key = `${provisioner.id}/${accountId}`
    const known = opened.get(key)
    if (known) return known.engine
    const engine = new AccountEngine({
      accountId,
      provisioner,
      clock,
      log,
      silentAfterMs,
      onLost: (reason) => onLost(engine, reason),
      onSilence: () => onSilence(engine),
    })
    opened.set(key, { accountId, engine })
    return engine
  }

  const all = () => [...opened.values()]

  return {
    of,
    provisionerOf,

    /** Runs work of the service in an engine, which stays until that is done, and a minute longer. */
    use: async <T>(engine: EngineOf, work: (engine: Engine) => Promise<T>): Promise<T> =>
      of(engine).use(work),

    /** Ends the engines of an account and removes their data, permanently. */
    async remove(accountId: string): Promise<void> {
      // Also those that never ran, so that none starts in the meantime.
      await Promise.all(provisioners.map(({ id }) => of({ accountId, engine: id }).close()))
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

    async endUnused(): Promise<void> {
      await Promise.all(all().map(({ engine }) => engine.endIfUnused()))
    },

    async close(): Promise<void> {
      await Promise.all(all().map(({ engine }) => engine.close()))
      await Promise.all(provisioners.map((provisioner) => provisioner.close()))
    },
  }
}
