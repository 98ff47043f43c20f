import type { Attachments } from './attachments.ts'
import type { Catalogs } from './catalogs.ts'
import type { Describing } from './describing.ts'
import type { Descriptions } from './descriptions.ts'
import type { FileReaders } from './files.ts'
import type { EngineSize } from './provider.ts'

/**
 * What an engine may be able to do. What is null it cannot do. Each caller decides what happens then: nothing here can be
 * used without looking.
 */
export interface Capabilities {
  /** It remembers which statements took effect. Otherwise nobody can say it of one that was cut off. */
  readonly effects: EffectMemory | null
  /**
   * Running statements continue; resolves when the new size applies. Otherwise it keeps the size it was opened with.
   */
  readonly resize: ((size: EngineSize) => Promise<void>) | null
  /** It has catalogs and databases. Otherwise nothing is listed, and USE is refused. */
  readonly catalogs: Catalogs | null
  /** It describes its tables and views. Otherwise they are only listed. */
  readonly descriptions: Descriptions | null
  /** Makes an EXPLAIN of its own of one in the words of the service. Otherwise it shows no plans. */
  readonly explain: ((sql: string) => string) | null
  /** It can tell how a statement really ran, when this is handed to it with the statement. */
  readonly profiling: Profiling | null
  /** It can say what a statement would give and take without running it, when this is handed to it with the statement. */
  readonly describing: Describing | null
  /** It can have further catalogs. Otherwise there is the one that it always has. */
  readonly attachments: Attachments | null
  /** It reports how much of the disk tables use. Otherwise no sizes are shown. */
  readonly tableSizes: ((asked: AskedSizes) => Promise<ReadonlyMap<string, number>>) | null
  /** It reads files that users have handed to the service. Otherwise nothing is loaded from files. */
  readonly files: FileReaders | null
}

/** Tables of one database, by their names; those that are not found in time are left out. */
export interface AskedSizes {
  readonly catalog: string
  readonly database: string
  readonly names: readonly string[]
  readonly withinMs: number
}

export interface EffectMemory {
  /** Which of these statements took effect. One that is not named did not; of one that is `untold`, nobody will ever know. */
  tookEffect(queryIds: readonly string[]): Promise<ReadonlyMap<string, Effect | 'untold'>>
  /** Effects from before this moment are no longer remembered. */
  forget(before: Date): Promise<void>
}

/** Requests a profile. Only an engine that makes profiles provides this object, so that no other is asked for one. */
export interface Profiling {
  readonly of: 'plan'
}

export interface Effect {
  readonly rowsChanged: number | null
}
