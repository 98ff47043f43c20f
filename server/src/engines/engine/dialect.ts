import type { SessionVariable } from './session.ts'

/**
 * The words of an engine, for what the service asks of it on its own behalf. Each gives the text of one statement.
 * What users write is passed on as they wrote it, with `ExecuteOptions.written`: the engine renders it.
 */
export interface Dialect {
  /** From now on the session shows instants in this zone. */
  setTimeZone(zone: string): string
  /** Gives the value, or fails where its text cannot be read again. */
  valueOf(variable: SessionVariable): string
  /** Which of `SESSION_SETTINGS` it has. A statement of a session that chose another one is refused, and never runs without. */
  readonly settings: ReadonlySet<string>
  /** Around a query of one value: what makes it give that value as text, and the engine's name of its type. */
  readonly valueAndType: { readonly before: string; readonly after: string }
  /** Fails unless texts can be compared so. */
  useCollation(name: string): string
  /** Statements that make sample data in this database, each of which may be run again; null where there is none. */
  readonly sampleData: ((database: string) => readonly string[]) | null
}
