import type { Outside } from '../../kernel/outside.ts'
import type { AccountCatalog } from './attachments.ts'
import type { UseEngine } from './engine.ts'
import type { DatabasePlace } from './names.ts'
import type { EngineProvider, EngineSize } from './provider.ts'
import type { Staging } from './staging.ts'

/** Opens engines on this machine, each in folders and as a user of the operating system. */
export interface LocalProvider extends EngineProvider<AccountSpace> {
  /** What users of the operating system it can run engines as; null: only as the one that the service runs as. */
  readonly users: UserRange | null
  /** Reads for clusters what programs send, in the engines of these accounts, from this place on; missing: it cannot. */
  readonly staging?: (useEngine: UseEngine, home: DatabasePlace) => Staging
}

/** By their numbers, both ends included. */
export interface UserRange {
  readonly first: number
  readonly last: number
}

/** The only part of the world that an engine on this machine may touch. */
export interface AccountSpace extends EngineSize {
  readonly accountId: string
  /** Holds the account's native data; created when missing. */
  readonly directory: string
  /** The folder in which `results/` looks for kept results; missing: `directory`. */
  readonly resultsDirectory?: string
  readonly tempBytes: number
  /** The user that its engine runs as, one of the provider's and no other account's; null where it has none. */
  readonly osUser: number | null
  /** Beside the one that it always has; an engine that cannot have further ones has none of them. */
  readonly catalogs?: readonly AccountCatalog[]
  /** Folders of the machine that the operator has opened to it, to be read. */
  readonly folders?: readonly string[]
  /** A folder with what the operator has added to engines. */
  readonly extensions?: string
  /** By which it reads what lies outside of the machine. Missing: it does not. */
  readonly outside?: Outside
}
