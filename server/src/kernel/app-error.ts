import type { CodeName } from '@boathouse/contract'

/** A failure whose cause is known. Thrown where it is known; translated once, at the door. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: CodeName

  constructor(code: CodeName, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}
