import type { Capabilities } from './capabilities.ts'
import type { ClusterNode } from './cluster-space.ts'
import type { Dialect } from './dialect.ts'
import type { UsesAre } from './objects.ts'
import type { EngineSession, SessionState } from './session.ts'

/** What every engine does, and what it may be able to do beside. */
export interface Engine extends Capabilities {
  /** Which kind of engine it is: the id of its provider. */
  readonly kind: string
  readonly dialect: Dialect
  /** At which moment it looks up the objects that a statement uses. */
  readonly usesAre: UsesAre
  /**
   * Rejects with an `EngineUnavailable` when the engine has ended, and with a `SessionRefused` when it runs but
   * cannot enter that state, as with a database that was dropped meanwhile.
   */
  openSession(state: SessionState): Promise<EngineSession>
  /** Resolves when the rows that were to be kept of this statement are on disk, or will not be; see `results/form.ts`. */
  settled(queryId: string): Promise<void>
  /** Milliseconds of processors that its process has used, null: it is there; missing where it has none of its own. */
  readonly cpuMs?: () => Promise<number | null>
  /** Its processes, where it is a cluster of several. */
  readonly nodes?: () => readonly ClusterNode[]
  /**
   * Of a cluster: ends a statement by the cluster's own name for it, and resolves once it can change nothing any more.
   * Rejects with an `EngineUnavailable` where the cluster does not say so.
   */
  readonly endStatement?: (remoteId: string) => Promise<void>
  /** Resolves with the reason once the engine ended without being asked to; never rejects. */
  readonly lost: Promise<string>
  /** Ends every statement and releases every file; resolves when the account's files are free again. */
  close(): Promise<void>
}

/** Runs work in an account's engine, which stays for as long as that takes. */
export type UseEngine = <T>(accountId: string, work: (engine: Engine) => Promise<T>) => Promise<T>

/** An engine of an account, by the id of its kind; null: the one that has the account's own data. */
export interface EngineOf {
  readonly accountId: string
  readonly engine: string | null
}

/** The same in the engine that is named. Rejects with an `EngineUnavailable` where there is no such kind. */
export type UseEngineOf = <T>(of: EngineOf, work: (engine: Engine) => Promise<T>) => Promise<T>

export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable'
}
