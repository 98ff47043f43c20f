import type { EngineError, Outcome } from '../../engine/outcome.ts'
import type { SessionFacts } from '../../engine/session.ts'
import type { HiddenValues } from '../../engine/objects.ts'
import { engineError, isFatal, isInterrupt } from '../errors.ts'
import { withoutValues } from './hidden-values.ts'
import { FailedIn } from './statement.ts'

export type Unfinished = Exclude<Outcome, { state: 'finished' | 'lost' }>

interface FailureParts {
  readonly facts: SessionFacts
  readonly mask: (message: string) => string
  readonly onFatal: (reason: string) => void
  /** Of the values that its sender may not read; null when there are none. */
  readonly hides: HiddenValues | null
}

/** How a statement ended that did not finish. */
export function failureOf(
  error: unknown,
  sql: string,
  { facts, mask, onFatal, hides }: FailureParts,
): Unfinished {
  const hasRun = error instanceof FailedIn
  const cause = hasRun ? error.cause : error
  if (isInterrupt(cause)) return { state: 'cancelled', session: facts }
  const whole: EngineError = engineError(cause, hasRun ? error.text : { sql, shift: 0 }, mask)
  const explained = hides ? withoutValues(whole, { cause, hides, hasRun }) : whole
  if (isFatal(cause)) onFatal(explained.message)
  return { state: 'failed', error: explained, session: facts }
}
