import type { SessionVariable } from './session.ts'

/**
 * The words of an engine: how it is told what the service asks of it on its own behalf. Each gives the text of one
 * statement. What users write is theirs, and passes as it is.
 */
export interface Dialect {
  /** From now on the session shows instants in this zone. */
  setTimeZone(zone: string): string
  /** Gives the value, or fails where its text cannot be read again. */
  valueOf(variable: SessionVariable): string
  /** Fails unless texts can be compared so. */
  useCollation(name: string): string
  /** Statements that make sample data in this database, each of which may be run again; null where there is none. */
  readonly sampleData: ((database: string) => readonly string[]) | null
}
