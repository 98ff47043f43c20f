/**
 * What stands behind the query service. An engine belongs to one account; everything in it that must
 * outlive a crash or a suspend is on disk or in `SessionState`, so any engine can be ended at any moment.
 * Every implementation passes `conformance.ts`.
 */
export interface EngineProvider {
  readonly id: string
  /** Opens the account's engine. Rejects with an `EngineUnavailable` when it cannot start. */
  open(space: AccountSpace): Promise<Engine>
}

/** The only part of the world an engine may touch. */
export interface AccountSpace {
  readonly accountId: string
  /** Holds the account's native data; created when missing. */
  readonly directory: string
  readonly threads: number
  readonly memoryBytes: number
  readonly tempBytes: number
}

export interface Engine {
  /**
   * Rejects with an `EngineUnavailable` when the engine has ended, and with a `SessionRefused` when it runs but
   * cannot enter that state, as with a database that was dropped meanwhile.
   */
  openSession(state: SessionState): Promise<EngineSession>
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
  /** Reads a single statement with the engine's own parser, without running it. */
  analyse(sql: string): Promise<Analysis>
  execute(sql: string, options: ExecuteOptions): QueryRun
  close(): Promise<void>
}

/** Not `readable` means that the engine refuses the text: it must then not be run either. */
export type Analysis =
  | {
      readonly readable: true
      /** The engine's own word in capitals, as in `SELECT` or `INSERT`. */
      readonly statementType: string
      /** Tables and views named in the text; null where the engine does not tell, which is not "none". */
      readonly tables: readonly string[] | null
    }
  | { readonly readable: false; readonly error: EngineError }

export interface ExecuteOptions {
  /** Rows beyond this many are not handed over; the outcome says that there were more. */
  readonly maxRows: number
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
}

export type Outcome =
  | { readonly state: 'finished'; readonly result: ResultRows }
  | { readonly state: 'failed'; readonly error: EngineError }
  | { readonly state: 'cancelled' }
  /** The engine ended in the middle; whether a writing statement took effect is not known here. */
  | { readonly state: 'lost'; readonly reason: string }

export interface ResultRows {
  readonly columns: readonly Column[]
  /** Exact text of every value, null for SQL's NULL. */
  readonly rows: readonly (readonly Cell[])[]
  /** More rows existed than `maxRows`. */
  readonly truncated: boolean
  /** Rows written by a statement that writes rows; null for one that reads or defines. */
  readonly rowsChanged: number | null
}

export type Cell = string | null

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
