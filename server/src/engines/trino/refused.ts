import type { EngineError } from '../engine/outcome.ts'

/** A statement that is not run, or not to its end. */
export class StatementRefused extends Error {
  override readonly name = 'StatementRefused'

  constructor(readonly error: EngineError) {
    super(error.message)
  }
}

export const refused = (kind: EngineError['kind'], message: string): StatementRefused =>
  new StatementRefused({ kind, message })
