import type { Engine } from './engine.ts'
import type { NameRules } from './name-rules.ts'

/** A kind of engine, such as the one that every account has its own data in. */
export interface EngineKind {
  /** Names it in rows and in calls; never changes. */
  readonly id: string
  /** Names it for people. */
  readonly label: string
  /** Each of its warehouses is a cluster of processes. */
  readonly isCluster?: true
  /** That cluster is one that exists already, for all of them: they neither start, stop nor resize it. */
  readonly isExisting?: true
  /** The catalog in which sessions in its warehouses begin; missing: the one that every account has. */
  readonly catalog?: string
}

/**
 * Opens engines of one kind. An engine belongs to one account, which may have several; everything in it that must outlive
 * a crash or a suspend is on disk or in `SessionState`, so any engine can be ended at any moment. `Space` is what its
 * provisioner (`compute/provisioner.ts`) gives an engine: for one on this machine see `local-space.ts`.
 * Every implementation passes `conformance.ts` for what it says that it can.
 */
export interface EngineProvider<Space> extends EngineKind {
  /** By which statements are read before it is known where they run. */
  readonly nameRules: NameRules
  /** Opens the account's engine. Rejects with an `EngineUnavailable` when it cannot start. */
  open(space: Space): Promise<Engine>
  /** Ends what is held ready for the next `open`. Engines that are open are closed by their openers. */
  close(): Promise<void>
}

export interface EngineSize {
  readonly threads: number
  readonly memoryBytes: number
}
