import type { EngineError } from '../engine/outcome.ts'

/** A statement that this engine does not run, or not to its end. */
export class Refused extends Error {
  override readonly name = 'Refused'

  constructor(readonly error: EngineError) {
    super(error.message)
  }
}

export const refused = (kind: EngineError['kind'], message: string, offset?: number): Refused =>
  new Refused({ kind, message, ...(offset === undefined ? {} : { offset }) })
