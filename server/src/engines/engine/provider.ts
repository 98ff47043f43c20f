import type { Outside } from '../../kernel/outside.ts'
import type { AccountCatalog } from './attachments.ts'
import type { Engine } from './engine.ts'
import type { NameRules } from './name-rules.ts'

/**
 * What stands behind the query service. An engine belongs to one account, which may have several; everything in it that
 * must outlive a crash or a suspend is on disk or in `SessionState`, so any engine can be ended at any moment.
 * Every implementation passes `conformance.ts` for what it says that it can.
 */
export interface EngineProvider {
  readonly id: string
  /** By which statements are read before it is known where they run. */
  readonly nameRules: NameRules
  /** What users of the operating system it can run engines as; null: only as the one that the service runs as. */
  readonly users: UserRange | null
  /** Opens the account's engine. Rejects with an `EngineUnavailable` when it cannot start. */
  open(space: AccountSpace): Promise<Engine>
  /** Ends what is held ready for the next `open`; engines that are open are closed by whoever opened them. */
  close(): Promise<void>
}

/** By their numbers, both ends included. */
export interface UserRange {
  readonly first: number
  readonly last: number
}

export interface EngineSize {
  readonly threads: number
  readonly memoryBytes: number
}

/** The only part of the world an engine may touch. */
export interface AccountSpace extends EngineSize {
  readonly accountId: string
  /** Holds the account's native data; created when missing. */
  readonly directory: string
  readonly tempBytes: number
  /** The user that its engine runs as, one of the provider's and no other account's; null where it has none. */
  readonly osUser: number | null
  /** Beside the one that it always has; an engine that cannot have further ones has none of them. */
  readonly catalogs?: readonly AccountCatalog[]
  /** Folders of the machine that whoever runs the service has opened to it, to be read. */
  readonly folders?: readonly string[]
  /** A folder with what whoever runs the service has added to engines. */
  readonly extensions?: string
  /** By which it reads what lies outside of the machine. Missing: it does not. */
  readonly outside?: Outside
}
