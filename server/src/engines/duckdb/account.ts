import type { DuckDBConnection } from '@duckdb/node-api'
import type { Effect, EngineSession, SessionState } from '../engine.ts'
import { forgetEffects, prepareEffects, readEffects } from './effects.ts'
import { type Sandbox, type SandboxSpace, openSandbox } from './sandbox.ts'
import { openDuckDbSession } from './session.ts'

/** One account's DuckDB with all that the service wants of it, in the process that holds it. */
export interface DuckDbAccount {
  openSession(state: SessionState, onFatal: (reason: string) => void): Promise<EngineSession>
  tookEffect(queryIds: readonly string[]): Promise<ReadonlyMap<string, Effect>>
  forgetEffects(before: Date): Promise<void>
  close(): void
}

export async function openAccount(space: SandboxSpace, inMemory = false): Promise<DuckDbAccount> {
  const sandbox = await openSandbox(space, inMemory)
  try {
    return await furnish(sandbox)
  } catch (error) {
    sandbox.instance.closeSync()
    throw error
  }
}

async function furnish(sandbox: Sandbox): Promise<DuckDbAccount> {
  /** For the service's own questions; no user's statement runs on it. */
  const own: DuckDBConnection = await sandbox.instance.connect()
  await prepareEffects(own)
  return {
    openSession: (state, onFatal) => openDuckDbSession({ ...sandbox, onFatal }, state),
    tookEffect: (queryIds) => readEffects(own, queryIds),
    forgetEffects: (before) => forgetEffects(own, before),
    close() {
      own.closeSync()
      sandbox.instance.closeSync()
    },
  }
}
