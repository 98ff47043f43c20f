import { join } from 'node:path'
import { type Engine, type EngineProvider, EngineUnavailable } from '../engines/engine.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'

/** Told of every change, so that the state shown of a warehouse is the state of a real process. */
export interface ComputeObserver {
  starting(accountId: string): Promise<void>
  running(accountId: string): Promise<void>
  stopped(accountId: string): Promise<void>
}

export interface ComputeOptions {
  readonly provider: EngineProvider
  readonly dataDir: string
  readonly observer: ComputeObserver
  readonly clock: Clock
  readonly log: Log
}

const THREADS = 2
const GIB = 1024 ** 3
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000
/** An engine that lived this long starts afresh with its pauses. */
const STEADY_MS = 60_000

interface Account {
  engine: Promise<Engine> | null
  /** Until when a new start is refused after the engine died again and again. */
  notBefore: number
  pauseMs: number
}

/**
 * One engine process for each account, started on first need and again, with growing pauses, after it died.
 * Nothing acknowledged lives in it: it can be killed at any moment.
 */
export function createLocalCompute({ provider, dataDir, observer, clock, log }: ComputeOptions) {
  const accounts = new Map<string, Account>()
  let isClosed = false

  async function start(accountId: string, account: Account): Promise<Engine> {
    await observer.starting(accountId)
    try {
      const engine = await provider.open({
        accountId,
        directory: join(dataDir, 'accounts', accountId),
        threads: THREADS,
        memoryBytes: 2 * GIB,
        tempBytes: 10 * GIB,
      })
      const startedAt = clock.now().getTime()
      void engine.lost.then((reason) => forget(accountId, account, { reason, startedAt }))
      await observer.running(accountId)
      return engine
    } catch (error) {
      await forget(accountId, account, { reason: String(error), startedAt: clock.now().getTime() })
      throw error
    }
  }

  async function forget(accountId: string, account: Account, end: { reason: string; startedAt: number }) {
    const now = clock.now().getTime()
    account.engine = null
    account.pauseMs =
      now - end.startedAt > STEADY_MS ? FIRST_PAUSE_MS : Math.min(account.pauseMs * 2, LONGEST_PAUSE_MS)
    account.notBefore = now + account.pauseMs
    log.warn({ accountId, reason: end.reason }, 'the engine of an account ended')
    if (!isClosed) await observer.stopped(accountId)
  }

  return {
    engineFor(accountId: string): Promise<Engine> {
      if (isClosed) return Promise.reject(new EngineUnavailable('The service is shutting down.'))
      const account = accounts.get(accountId) ?? { engine: null, notBefore: 0, pauseMs: FIRST_PAUSE_MS / 2 }
      accounts.set(accountId, account)
      const waitMs = account.notBefore - clock.now().getTime()
      if (!account.engine && waitMs > 1_000)
        return Promise.reject(
          new EngineUnavailable(
            `The engine of this account ended repeatedly. It is started again in ${Math.ceil(waitMs / 1000)} s.`,
          ),
        )
      account.engine ??= start(accountId, account)
      return account.engine
    },

    async close(): Promise<void> {
      isClosed = true
      for (const [accountId, account] of accounts) {
        const engine = await account.engine?.catch(() => null)
        await engine?.close()
        await observer.stopped(accountId)
      }
    },
  }
}

export type LocalCompute = ReturnType<typeof createLocalCompute>
