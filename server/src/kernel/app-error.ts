import type { CodeName } from '@boathouse/contract'
import type { ErrorDetail } from './error-detail.ts'

/** A failure whose cause is known. Thrown where it is known; translated once, at the door. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: CodeName
  /** For programs, where the code is too coarse. */
  readonly detail: ErrorDetail | undefined

  constructor(code: CodeName, message: string, options: { cause?: unknown; detail?: ErrorDetail } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : {})
    this.code = code
    this.detail = options.detail
  }
}
