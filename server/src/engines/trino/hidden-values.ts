import type { HiddenValues } from '../engine/objects.ts'
import type { EngineError } from '../engine/outcome.ts'

/** Kinds of errors whose messages name no values. */
const OF_TEXT = new Set<EngineError['kind']>(['syntax', 'missing', 'resource', 'unavailable', 'permission'])

/** An error for somebody who may not read all values that its message may hold. */
export const withoutValues = (error: EngineError, { why }: HiddenValues): EngineError =>
  OF_TEXT.has(error.kind)
    ? error
    : { kind: error.kind, message: `The statement failed. The value is not shown, because ${why}.` }
