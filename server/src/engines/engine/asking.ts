import type { ResultRows } from './rows.ts'

/** Where an engine is asked about what it holds: in the session of a user's connection, or in one of the service. */
export interface Asking {
  /**
   * Runs one statement there, in the engine's own words, and gives its rows: at most so many, or as many as the caller
   * takes of any statement. Rejects when it does not finish, with the error that the caller makes of that.
   */
  read(sql: string, most?: number): Promise<ResultRows>
  /** A transaction is open there. What it has created and dropped is visible in it alone. */
  readonly inTransaction: boolean
}
