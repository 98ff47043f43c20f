import type { Result } from './result.ts'
import type { Values } from './values.ts'

export interface SessionOptions {
  /** Which one runs the statements; your default one unless given. */
  readonly warehouse?: string | undefined
  readonly catalog?: string | undefined
  readonly database?: string | undefined
  /** The most rows that a statement returns; all of them unless given. */
  readonly rowLimit?: number | undefined
}

export interface Progress {
  /** 0 to 100, null while nobody can tell. */
  readonly percent: number | null
  /** Rows read so far of the tables it reads from, and all of them, as estimated; null while nobody can tell. */
  readonly rows: number | null
  readonly totalRows: number | null
  /** Place in the queue of the warehouse, from 1; null when it runs. */
  readonly queuePlace: number | null
}

export interface RunOptions {
  /**
   * For the parameters `:name` and `{{name}}` of the text. They are bound, and never read as SQL: each parameter needs one,
   * and a list stands behind IN.
   */
  readonly values?: Values | undefined
  /** Stops the statement; `run` then rejects with the signal's reason. One that had ended by then gives its result. */
  readonly signal?: AbortSignal | undefined
  /** Called while it waits and runs, at most a few times a second. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** Where names without a catalog or a database are looked up, and what runs the statements. */
export interface Place {
  readonly catalog: string
  readonly database: string
  readonly warehouse: string
}

/** A connection: it has a place, variables, temporary tables and a transaction. One statement runs at a time. */
export interface Session {
  /** Runs a text; of several statements, the result of the last. Rejects with a StatementError when one fails. */
  run(sql: string, options?: RunOptions): Promise<Result>
  /** The same with the result of every statement. */
  runAll(sql: string, options?: RunOptions): Promise<Result[]>
  /** As of the last statement. */
  place(): Place
  /** Ends the connection, and what still runs in it. */
  close(): void
}
