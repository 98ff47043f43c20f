import type { Row } from '@boathouse/contract'

/** What is measured, and what it is measured against: both run one statement and hand over its rows. */
export interface SqlRunner {
  /** Rejects with the engine's message when the statement fails. */
  run(sql: string): Promise<readonly Row[]>
  close(): Promise<void>
}
