import { mkdir } from 'node:fs/promises'
import { version } from '@duckdb/node-api'
import { type AccountSpace, type Engine, type EngineProvider, EngineUnavailable } from '../engine.ts'
import { type DuckDbAccount, openAccount } from '../duckdb/account.ts'
import { FakeEngine } from './engine.ts'

/** Levers by which a test makes happen what it wants to see handled. */
export interface FakeProvider extends EngineProvider {
  readonly version: string
  /** Every open engine ends at once, as if its process had been killed. */
  crash(reason: string): void
  /** From now on statements start and go no further, until `release`. */
  hold(): void
  release(): void
  /** The next `open` is refused. */
  failNextOpen(message: string): void
}

/** DuckDB in memory and in this very process; a directory keeps its data for as long as the provider lives. */
export function createFakeProvider(): FakeProvider {
  const accounts = new Map<string, Promise<DuckDbAccount>>()
  const engines = new Map<string, FakeEngine>()
  const gate = createGate()
  let refusal: string | null = null

  function accountOf(space: AccountSpace): Promise<DuckDbAccount> {
    const known = accounts.get(space.directory)
    if (known) return known
    const opened = mkdir(space.directory, { recursive: true }).then(() =>
      openAccount(space, { inMemory: true }),
    )
    accounts.set(space.directory, opened)
    return opened.catch((error: Error) => {
      accounts.delete(space.directory)
      throw new EngineUnavailable(`The engine does not start: ${error.message}`, { cause: error })
    })
  }

  return {
    id: 'fake',
    version: version(),
    async open(space): Promise<Engine> {
      if (refusal !== null) {
        const message = refusal
        refusal = null
        throw new EngineUnavailable(message)
      }
      const before = engines.get(space.directory)
      if (before?.isRunning)
        throw new EngineUnavailable('The data of this account is in use by another process.')
      await before?.close()
      const engine = new FakeEngine(await accountOf(space), gate)
      engines.set(space.directory, engine)
      return engine
    },
    close: () => Promise.resolve(),
    crash(reason) {
      for (const engine of engines.values()) engine.crash(reason)
    },
    hold: () => gate.shut(),
    release: () => gate.open(),
    failNextOpen(message) {
      refusal = message
    },
  }
}

export interface Gate {
  /** Resolves while the gate is open, or as soon as it is. */
  passed(): Promise<void>
}

function createGate(): Gate & { shut(): void; open(): void } {
  let passed: Promise<void> = Promise.resolve()
  let open: (() => void) | undefined
  return {
    passed: () => passed,
    shut() {
      open?.()
      passed = new Promise((resolve) => (open = resolve))
    },
    open: () => open?.(),
  }
}
