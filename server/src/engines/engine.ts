/**
 * What stands behind the query service. An engine belongs to one account; everything in it that must
 * outlive a crash or a suspend is on disk or in `SessionState`, so any engine can be ended at any moment.
 * Every implementation passes `conformance.ts`.
 */
export interface EngineProvider {
  readonly id: string
  /** Opens the account's engine. Rejects with an `EngineUnavailable` when it cannot start. */
  open(space: AccountSpace): Promise<Engine>
  /** Ends what is held ready for the next `open`; engines that are open are closed by whoever opened them. */
  close(): Promise<void>
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
}

export interface Engine {
  /**
   * Rejects with an `EngineUnavailable` when the engine has ended, and with a `SessionRefused` when it runs but
   * cannot enter that state, as with a database that was dropped meanwhile.
   */
  openSession(state: SessionState): Promise<EngineSession>
  /** Which of these statements took effect. One that is not named did not. */
  tookEffect(queryIds: readonly string[]): Promise<ReadonlyMap<string, Effect>>
  /** Effects from before this moment are no longer remembered. */
  forgetEffects(before: Date): Promise<void>
  readonly results: KeptResults
  /** Running statements go on; resolves when the new size holds. */
  resize(size: EngineSize): Promise<void>
  /** Resolves with the reason once the engine ended without being asked to; never rejects. */
  readonly lost: Promise<string>
  /** Ends every statement and releases every file; resolves when the account's files are free again. */
  close(): Promise<void>
}

/** A session is plain data: kept by the query service, replayed into whichever engine runs next. */
export interface SessionState {
  readonly catalog: string
  readonly database: string | null
  readonly timeZone: string
  readonly variables: Readonly<Record<string, string>>
}

export interface EngineSession {
  /**
   * A hint that this will most likely be executed next: it may be read and bound already, and nothing of it is run. What
   * is wrong with it is told when it is executed.
   */
  makeReady(sql: string, options: ExecuteOptions): void
  /** One statement; a text with several is refused. */
  execute(sql: string, options: ExecuteOptions): QueryRun
  close(): Promise<void>
}

/** `reads` changes nothing; `writes` may also read; `session` begins or ends a transaction. */
export type Purpose = 'reads' | 'writes' | 'session'

export interface ExecuteOptions {
  /**
   * What its sender took the statement for. The engine's own parser has the second word: when it reads something else,
   * nothing is run. Null, for the service's own statements only: whatever it is.
   */
  readonly takenFor: Purpose | null
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
  /** Collect the plan that really ran. */
  readonly profile: boolean
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
  /** The engine ended in the middle; `tookEffect` of the next one tells whether the statement did. */
  | { readonly state: 'lost'; readonly reason: string }

export interface UnfinishedOutcome {
  readonly session: SessionFacts
  /** As of one that finished. */
  readonly peakMemoryBytes?: number | null
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
  readonly session: SessionFacts
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
  /** 0 until it is on disk; `results.list` tells. */
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

/**
 * Results of statements that have ended, by their query ids. They outlive the engine. Each rejects with a
 * `ResultRefused` when it cannot do it, as on a full disk.
 */
export interface KeptResults {
  /** Rows in their order; null when the result is not kept here (any more). */
  read(queryId: string, window: WindowOrder): Promise<ResultWindow | null>
  /** Always whole. */
  cell(queryId: string, place: { row: number; column: number }): Promise<{ text: Cell } | null>
  /**
   * Writes the whole result into `file`, which lies in the account's directory below `exports/`; null when it is not
   * kept. Memory stays flat.
   */
  export(queryId: string, format: ExportFormat, file: string): Promise<{ bytes: number } | null>
  drop(queryIds: readonly string[]): Promise<void>
  /** What is on disk. */
  list(): Promise<readonly { readonly queryId: string; readonly bytes: number }[]>
}

export interface WindowOrder {
  readonly offset: number
  readonly limit: number
  /** As of a statement. */
  readonly longestCell?: number | undefined
}

export type ExportFormat = 'csv' | 'json' | 'parquet'

export interface ResultWindow extends ResultRows {
  readonly totalRows: number
  readonly complete: boolean
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
   * never does this; `data`: the values do not allow it; `resource`: memory, disk or another limit;
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

/** A kept result is there, and cannot be read or written out. */
export class ResultRefused extends Error {
  override readonly name = 'ResultRefused'

  constructor(readonly error: EngineError) {
    super(error.message)
  }
}
