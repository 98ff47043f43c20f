import type { Profiling } from './capabilities.ts'
import type { Describing } from './describing.ts'
import type { FileOrder } from './files.ts'
import type { Authorize } from './objects.ts'
import type { Outcome } from './outcome.ts'
import type { SessionSettings } from './session.ts'
import type { RowSink } from './sink.ts'
import type { SystemRows } from './system-tables.ts'
import type { Written } from './written.ts'

/** `reads` changes nothing; `writes` may also read; `session` begins or ends a transaction. */
export type Purpose = 'reads' | 'writes' | 'session'

export interface ExecuteOptions {
  /**
   * What its sender took the statement for. The engine's own parser has the second word: when it reads something else,
   * nothing is run. Null, for the service's own statements only: whatever it is.
   */
  readonly takenFor: Purpose | null
  /** Of a user's statement. Missing: the text is in the engine's own words, as what the service asks on its own behalf. */
  readonly written?: Written
  /** Decides on the objects that the statement uses, before it runs; see `objects.ts`. */
  readonly authorize: Authorize
  /** The active roles of its user, which are its `current_role`; missing: as with the statement before. */
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
  /**
   * Takes all rows, whatever `maxRows`, `longestCell` and `keep` say: the outcome then has the columns and no rows, and
   * nothing is kept. Missing or null: the outcome has the rows.
   */
  readonly sink?: RowSink | null
  /** The engine's `profiling`: collect the plan that really ran. Null: do not. */
  readonly profile: Profiling | null
  /**
   * The engine's `describing`: bind the statement and have it decided on as if it ran, then say what it would give and
   * take. It may have parameters. Nothing of it runs. Missing or null: run it.
   */
  readonly describe?: Describing | null
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
  /** Idempotent; resolves when the engine has stopped the statement. */
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
