import type { EngineError, Outcome, SessionFacts } from '../../engine.ts'
import { engineError, isFatal, isInterrupt } from '../errors.ts'
import { FailedIn } from './statement.ts'

export type Unfinished = Exclude<Outcome, { state: 'finished' | 'lost' }>

interface FailureParts {
  readonly facts: SessionFacts
  readonly mask: (message: string) => string
  readonly onFatal: (reason: string) => void
}

/** How a statement ended that did not finish. */
export function failureOf(error: unknown, sql: string, { facts, mask, onFatal }: FailureParts): Unfinished {
  const cause = error instanceof FailedIn ? error.cause : error
  if (isInterrupt(cause)) return { state: 'cancelled', session: facts }
  const explained: EngineError =
    error instanceof FailedIn
      ? engineError(error.cause, error.text, mask)
      : engineError(error, { sql, shift: 0 }, mask)
  if (isFatal(cause)) onFatal(explained.message)
  return { state: 'failed', error: explained, session: facts }
}
