import { originalOffset, type Quotes, type Rewriting } from '@boathouse/sql'
import type { Outcome } from './outcome.ts'

/**
 * That a text is a user's, as it was written, and what only the service knows of it. An engine puts it into its own words
 * where it runs it, never on the thread that serves everyone, and reports places of errors in the text as it was written.
 */
export interface Written {
  /** What its quotes and backslashes mean. */
  readonly quotes: Quotes
  /** What its `@@variables` stand for, by their names in small letters. */
  readonly systemVariables: Readonly<Record<string, string>>
  /** Of its parameters, those that stand for a variable of the session, and the name of that in small letters. */
  readonly variables: Readonly<Record<string, string>>
  /** Whose words it is written in, where the same word has two meanings; the engine's own when missing. */
  readonly words?: Words
  /** Names in small letters that stand behind a single @ for a variable of the session; missing: there are none. */
  readonly userVariables?: readonly string[]
  /** What functions about the session give, by their names in capitals, where only the service knows. */
  readonly functions?: Readonly<Record<string, string | null>>
}

/** MySQL's with pipes: `||` joins texts there, by sql_mode; without, it is OR. */
export type Words = 'engine' | 'mysql' | 'mysql with pipes'

/** The end of a statement that an engine has rendered, with the place of its error in the text as it was written. */
export function inWritten(outcome: Outcome, rendering: Rewriting | null): Outcome {
  const warnings = rendering?.remarks?.warnings ?? []
  if (outcome.state === 'finished' && warnings.length > 0) return { ...outcome, warnings }
  if (!rendering || outcome.state !== 'failed' || outcome.error.offset === undefined) return outcome
  const offset = originalOffset(rendering, outcome.error.offset)
  return { ...outcome, error: { ...outcome.error, offset } }
}
