import type { Catalogs, Descriptions, Dialect, NamePage, TableType } from './dialect.ts'
import type { FileOrder, FileReaders, FileReport } from './files.ts'
import type { Authorize, ObjectChange, ObjectName } from './objects.ts'
import type { SystemRows } from './system-tables.ts'
import type { Outside } from '../kernel/outside.ts'

/**
 * What stands behind the query service. An engine belongs to one account, which may have several; everything in it that
 * must outlive a crash or a suspend is on disk or in `SessionState`, so any engine can be ended at any moment.
 * Every implementation passes `conformance.ts` for what it says that it can.
 */
export interface EngineProvider {
  readonly id: string
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

/** A catalog of an account beside its first one. */
export type AccountCatalog = OwnCatalog | ExternalCatalog

/** Over data that lies elsewhere, to be read only. */
export type ExternalCatalog = FolderCatalog | BucketCatalog | IcebergCatalog

/** Of the account's own data. */
export interface OwnCatalog {
  readonly kind: 'own'
  /** Names what is kept of it, whatever it is called. */
  readonly id: string
  readonly name: string
  /** Nobody was ever told that it is there, so that it is made if it is not. */
  readonly isNew: boolean
}

/** Over files that lie in a folder as database/table(/partition=value), to be read only. */
export interface FolderCatalog {
  readonly kind: 'folder'
  readonly id: string
  readonly name: string
  /** One of those that are open to the account; null: it is no longer. */
  readonly root: string | null
  /** Names of folders in it, from the outside in. */
  readonly below: readonly string[]
}

/** The same over files of a bucket, which are read by `Outside`. Where that is, and by which keys, it never learns. */
export interface BucketCatalog {
  readonly kind: 'bucket'
  readonly id: string
  readonly name: string
}

/** Over tables of a server that speaks Iceberg REST, likewise by `Outside`. */
export interface IcebergCatalog {
  readonly kind: 'iceberg'
  readonly id: string
  readonly name: string
}

/** What a catalog over files would show. */
export interface FolderReport {
  readonly databases: number
  readonly tables: number
  /** What would not be shown or not be read, as sentences. */
  readonly problems: readonly string[]
}

/** What every engine does, and what it may be able to do beside. */
export interface Engine extends Capabilities {
  readonly dialect: Dialect
  /**
   * Rejects with an `EngineUnavailable` when the engine has ended, and with a `SessionRefused` when it runs but
   * cannot enter that state, as with a database that was dropped meanwhile.
   */
  openSession(state: SessionState): Promise<EngineSession>
  /** Resolves when the rows that were to be kept of this statement are on disk, or will not be; see `results/form.ts`. */
  settled(queryId: string): Promise<void>
  /** Milliseconds of processors that its process has used; missing where it has none of its own. */
  readonly cpuMs?: () => Promise<number>
  /** Resolves with the reason once the engine ended without being asked to; never rejects. */
  readonly lost: Promise<string>
  /** Ends every statement and releases every file; resolves when the account's files are free again. */
  close(): Promise<void>
}

/**
 * What an engine may be able to do. What is null it cannot, and whoever asks for it has decided what happens then:
 * nothing here can be used without looking.
 */
export interface Capabilities {
  /** It remembers which statements took effect. Otherwise nobody can say it of one that was cut off. */
  readonly effects: EffectMemory | null
  /** Running statements go on; resolves when the new size holds. Otherwise it has the size it was opened with. */
  readonly resize: ((size: EngineSize) => Promise<void>) | null
  /** It has catalogs and databases. Otherwise nothing is listed and nobody moves. */
  readonly catalogs: Catalogs | null
  /** It tells what tables and views are made of. Otherwise they are listed, and no more is said of them. */
  readonly descriptions: Descriptions | null
  /** Makes an EXPLAIN of its own of one in the words of the service. Otherwise it shows no plans. */
  readonly explain: ((sql: string) => string) | null
  /** It can tell how a statement really ran, when this is handed to it with the statement. */
  readonly profiling: Profiling | null
  /** It can have further catalogs. Otherwise there is the one that it always has. */
  readonly attachments: Attachments | null
  /** It tells what tables take of the disk. Otherwise nobody is told. */
  readonly tableSizes: ((asked: AskedSizes) => Promise<ReadonlyMap<string, number>>) | null
  /**
   * It has names of databases and tables at hand, as they are now, however many there are. Otherwise, and where it gives
   * null, they are asked for in the words of `catalogs`.
   */
  readonly names: ((asked: AskedNames) => Promise<NamesFound | null>) | null
  /** It reads files that users have handed to the service. Otherwise nothing is loaded from files. */
  readonly files: FileReaders | null
}

/** Databases of a catalog, or tables or views of one of them. */
export type AskedNames = { readonly catalog: string; readonly page: NamePage } & (
  | { readonly of: 'databases' }
  | { readonly of: TableType; readonly database: string }
)

export interface NamesFound {
  /** Of all pages. */
  readonly total: number
  /** `tables`: of a database, how many tables and views it has. */
  readonly list: readonly { readonly name: string; readonly tables?: number }[]
}

/** Tables of one database, by their names; those that are not found in time are left out. */
export interface AskedSizes {
  readonly catalog: string
  readonly database: string
  readonly names: readonly string[]
  readonly withinMs: number
}

export interface Attachments {
  /** What it can have. */
  readonly kinds: ReadonlySet<AccountCatalog['kind']>
  /** Of a kind that it could have, if whoever runs the service had seen to it: what is missing. */
  whyNot(kind: AccountCatalog['kind']): string | null
  /** The true name of a catalog that is there beside the first one, whatever the letter case in which it is asked for. */
  named(name: string): string | null
  /** Of one that should be there and is not: why. */
  whyClosed(name: string): string | null
  /** Why one that is there cannot be read right now; null when it can. */
  check(name: string): Promise<string | null>
  /** From now on, for every session. */
  attach(catalog: AccountCatalog): Promise<void>
  /** Gone for every session, with all that is in it. */
  remove(catalog: Pick<AccountCatalog, 'id' | 'name'>): Promise<void>
  /**
   * Another name for every session; who stands in it goes on standing in it. False, and nothing is done, while a
   * statement or an open transaction may use it.
   */
  rename(name: string, to: string): Promise<boolean>
  /** Rejects with a `FolderRefused` when it could not be read at all. */
  tryOut(catalog: ExternalCatalog): Promise<FolderReport>
}

/** What a catalog would be over cannot be read, as a sentence. */
export class FolderRefused extends Error {
  override readonly name = 'FolderRefused'
}

export interface EffectMemory {
  /** Which of these statements took effect. One that is not named did not. */
  tookEffect(queryIds: readonly string[]): Promise<ReadonlyMap<string, Effect>>
  /** Effects from before this moment are no longer remembered. */
  forget(before: Date): Promise<void>
}

/** The wish for a profile, which only an engine that makes profiles can give to whoever wants one. */
interface Profiling {
  readonly of: 'plan'
}

/** Runs work in an account's engine, which stays for as long as that takes. */
export type UseEngine = <T>(accountId: string, work: (engine: Engine) => Promise<T>) => Promise<T>

/** A session is plain data: kept by the query service, replayed into whichever engine runs next. */
export interface SessionState {
  readonly catalog: string
  readonly database: string | null
  readonly timeZone: string
  readonly variables: Readonly<Record<string, string>>
  /** The name of whoever the session belongs to, which is its `current_user`; the service's own belong to nobody. */
  readonly user?: string
}

/** What a user chooses for a session, told with each statement, so that it holds in whichever engine runs it. */
export interface SessionSettings {
  /** By the names that SET knows; those that are missing are as the engine has them. */
  readonly chosen: Readonly<Record<string, string>>
  /** What `getvariable()` gives, by names in small letters. */
  readonly variables: Readonly<Record<string, SessionVariable>>
}

/** A value as the text that the engine makes of it, null for SQL's NULL, and the engine's name of its type. */
export interface SessionVariable {
  readonly text: string | null
  readonly type: string
}

export interface EngineSession {
  /** One statement; a text with several is refused. */
  execute(sql: string, options: ExecuteOptions): QueryRun
  close(): Promise<void>
  /** It ended by itself, see `sessionEnded`: another one must be opened. */
  readonly hasEnded?: boolean
}

/** `reads` changes nothing; `writes` may also read; `session` begins or ends a transaction. */
export type Purpose = 'reads' | 'writes' | 'session'

export interface ExecuteOptions {
  /**
   * What its sender took the statement for. The engine's own parser has the second word: when it reads something else,
   * nothing is run. Null, for the service's own statements only: whatever it is.
   */
  readonly takenFor: Purpose | null
  /** Decides on the objects that the statement uses, before it runs; see `objects.ts`. */
  readonly authorize: Authorize
  /** The active roles of whoever it runs for, which are its `current_role`; missing: as with the statement before. */
  readonly roles?: string
  /** What its user has set for the session; missing: the engine's own settings, and the variables as before. */
  readonly settings?: SessionSettings
  /** Rows beyond this many are not handed over; the outcome says that there were more. */
  readonly maxRows: number
  /** Cells of more UTF-16 units than this are handed over cut, see `longCells`; without it they are whole. */
  readonly longestCell?: number | undefined
  /** Names the statement: remembered in the same transaction as what it does, and its rows are kept under it. */
  readonly queryId: string
  /**
   * How much of the rows is kept to be read again; null: nothing. A result whose file would be larger than `maxBytes`
   * is kept with the rows handed over only.
   */
  readonly keep: { readonly maxRows: number; readonly maxBytes: number } | null
  /** The engine's `profiling`: collect the plan that really ran. Null: do not. */
  readonly profile: Profiling | null
  /** Rows of the tables of the service that the statement names; others have none. */
  readonly system?: SystemRows | null
  /** For an engine that reads files: do this with one, in the place of the statement, which only says so. */
  readonly file?: FileOrder | null
}

export interface QueryRun {
  /** The only source of truth about the end; never rejects. */
  readonly outcome: Promise<Outcome>
  /** Last known, cheap, never blocks. */
  progress(): Progress
  /** Idempotent; resolves when the engine has let go of the statement. */
  cancel(): Promise<void>
}

export interface Progress {
  /** 0 to 100, or null while the engine cannot tell. */
  readonly percentage: number | null
  /** Rows of what it reads from, as far as the engine estimates them: read so far, and all. Null while it cannot tell. */
  readonly rows: number | null
  readonly totalRows: number | null
}

export const PROGRESS_UNKNOWN: Progress = { percentage: null, rows: null, totalRows: null }

export type Outcome =
  | FinishedOutcome
  | (UnfinishedOutcome & { readonly state: 'failed'; readonly error: EngineError })
  | (UnfinishedOutcome & { readonly state: 'cancelled' })
  /** The engine ended in the middle; `effects` of the next one tells whether the statement took effect. */
  | { readonly state: 'lost'; readonly reason: string }

interface UnfinishedOutcome {
  /** What it has, or had when it ended with this statement. */
  readonly session: SessionFacts
  /** The statement could not be interrupted, so its session was given up for it. Nothing that it does takes effect. */
  readonly sessionEnded?: boolean
  /** As of one that finished. */
  readonly peakMemoryBytes?: number | null
  readonly measured?: Measured
  /** What is known of the file that it was about. */
  readonly file?: FileReport
}

/** What an engine measures of a run, as far as it does. */
export interface Measured {
  /** Until it was bound and its objects were decided on; null when it did not get so far. */
  readonly compileMs: number | null
  /** From its last row to the last one handed over. */
  readonly fetchMs: number | null
  /** The most that was seen written to disk for want of memory while it ran, as of the memory. */
  readonly peakSpillBytes: number | null
}

export interface FinishedOutcome {
  readonly state: 'finished'
  readonly result: ResultRows
  /** Of the values in `result`, whole, as text in UTF-8. */
  readonly bytes: number
  readonly kept: KeptResult | null
  readonly profile: ProfileNode | null
  /**
   * The most memory that was seen in use for statements while it ran, those that ran beside it included; null where
   * nobody looked in time.
   */
  readonly peakMemoryBytes: number | null
  readonly measured?: Measured
  readonly session: SessionFacts
  /**
   * What it created, dropped or renamed for everyone; missing when that is nothing. Of a transaction all of it is told
   * with the COMMIT.
   */
  readonly changed?: readonly ObjectChange[]
  /**
   * Told with `changed`, of what defines something: what was altered and is there under its old name, and whether
   * something may have changed that is told in neither list. Missing of an engine that cannot say.
   */
  readonly defined?: Defined
  /** Of a file that was read. */
  readonly file?: FileReport
}

export interface Defined {
  readonly altered: readonly ObjectName[]
  readonly isUntold: boolean
}

/** What of a session would be gone with its engine. */
export interface SessionFacts {
  readonly inTransaction: boolean
  readonly hasTemporary: boolean
}

export const NOTHING_TO_LOSE: SessionFacts = { inTransaction: false, hasTemporary: false }

export interface KeptResult {
  readonly rows: number
  /** False: the statement gave more rows than are kept. May still become so when the file turns out too large. */
  readonly complete: boolean
  /** 0: it is written after the answer. */
  readonly bytes: number
}

export interface ProfileNode {
  readonly operator: string
  readonly detail: string
  readonly timeMs: number
  readonly rows: number
  readonly children: readonly ProfileNode[]
}

export interface Effect {
  readonly rowsChanged: number | null
}

export interface ResultRows {
  readonly columns: readonly Column[]
  /** Exact text of every value, null for SQL's NULL. */
  readonly rows: readonly (readonly Cell[])[]
  /** The cells of `rows` that were cut, by row and column; missing when there are none. */
  readonly longCells?: readonly LongCell[] | undefined
  /** More rows existed than `maxRows`. */
  readonly truncated: boolean
  /** Rows written by a statement that writes rows; null for one that reads or defines. */
  readonly rowsChanged: number | null
}

export type Cell = string | null

/** A cell that has only its beginning: 0-based place, and its true length in UTF-16 units. */
export interface LongCell {
  readonly row: number
  readonly column: number
  readonly length: number
}

export interface Column {
  readonly name: string
  /** The engine's own spelling, as in `DECIMAL(18,2)`. */
  readonly type: string
  readonly family: ColumnFamily
}

/** How a value is aligned, compared and exported, whatever the engine calls its type. */
export type ColumnFamily = 'number' | 'text' | 'boolean' | 'temporal' | 'binary' | 'nested' | 'other'

export interface EngineError {
  /**
   * `syntax`: the statement makes no sense; `missing`: it names what is not there; `permission`: the engine
   * never does this, or not for whoever sent it; `data`: the values do not allow it; `resource`: memory, disk or another limit;
   * `unavailable`: the engine or session is gone and nothing was run; `internal`: a fault of the engine.
   */
  readonly kind: 'syntax' | 'missing' | 'permission' | 'data' | 'resource' | 'unavailable' | 'internal'
  readonly message: string
  /** Place in the statement's own text, 0-based UTF-16 offset, where the engine tells it. */
  readonly offset?: number
}

export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable'
}

export class SessionRefused extends Error {
  override readonly name = 'SessionRefused'

  constructor(readonly error: EngineError) {
    super(error.message)
  }
}
