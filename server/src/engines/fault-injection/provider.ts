import { mkdir } from 'node:fs/promises'
import type { AccountSpace, LocalProvider } from '../engine/local-space.ts'
import type { Capabilities } from '../engine/capabilities.ts'
import { type Engine, EngineUnavailable } from '../engine/engine.ts'
import type { NameRules } from '../engine/name-rules.ts'
import type { EngineSession, SessionState } from '../engine/session.ts'
import type { ReaderProvider } from '../../results/reader.ts'
import { openResultReader } from '../duckdb/reader/result-reader.ts'
import { FaultyEngine } from './engine.ts'
import { createGate, type Faults } from './faults.ts'

/** An account's data inside this process. It outlives the engines that are opened on it. */
export interface LocalAccount extends Capabilities, Pick<Engine, 'dialect' | 'settled' | 'usesAre'> {
  openSession(state: SessionState, onFatal: (reason: string) => void): Promise<EngineSession>
  /** Lets go of what it holds, with its data. */
  close(): Promise<void>
}

export interface FaultyProvider extends LocalProvider, ReaderProvider, Faults {
  readonly version: string
}

export interface FaultyOptions {
  readonly id: string
  readonly label: string
  readonly nameRules: NameRules
  readonly version: string
  readonly openAccount: (space: AccountSpace) => Promise<LocalAccount>
  /** Of what it can do, its engines say that they cannot. */
  readonly without?: readonly (keyof Capabilities)[]
}

/** Engines in this very process; a directory keeps its data until the provider is closed. */
export function createFaultyProvider(options: FaultyOptions): FaultyProvider {
  const { id, label, nameRules, version, without = [] } = options
  const accounts = new Map<string, Promise<LocalAccount>>()
  const engines = new Map<string, FaultyEngine>()
  const gate = createGate()
  let refusal: string | null = null

  function accountOf(space: AccountSpace): Promise<LocalAccount> {
    const known = accounts.get(space.directory)
    if (known) return known
    const opened = mkdir(space.directory, { recursive: true }).then(() => options.openAccount(space))
    accounts.set(space.directory, opened)
    return opened.catch((error: Error) => {
      accounts.delete(space.directory)
      throw new EngineUnavailable(`The engine did not start: ${error.message}`, { cause: error })
    })
  }

  return {
    id,
    label,
    nameRules,
    users: null,
    version,
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
      const engine = new FaultyEngine(await accountOf(space), { kind: id, gate, without })
      engines.set(space.directory, engine)
      return engine
    },
    async openReader({ directory }) {
      const reader = await openResultReader({ directory, threads: 2 })
      let tellEnd: (() => void) | undefined
      const ended = new Promise<void>((resolve) => (tellEnd = resolve))
      return { ...reader, ended, close: () => reader.close().then(() => tellEnd?.()) }
    },
    async close() {
      await Promise.all([...engines.values()].map((engine) => engine.close()))
      const all = [...accounts.values()]
      accounts.clear()
      for (const account of all) await (await account).close()
    },
    crash(reason) {
      for (const engine of engines.values()) engine.crash(reason)
    },
    hold: () => gate.shut(),
    release: () => gate.open(),
    heldStatements: () =>
      [...engines.values()].reduce((sum, engine) => sum + (engine.isRunning ? engine.held : 0), 0),
    failNextOpen(message) {
      refusal = message
    },
  }
}
