import type { Call } from '@boathouse/contract/call'
import type { CodeName } from '@boathouse/contract/codes'

/** Names beside the contract's: no answer, too late, not an envelope, or an unknown number. */
export type FailureName = CodeName | 'NetworkError' | 'TimedOut' | 'BadAnswer' | 'UnknownCode'

interface Failure {
  readonly codeName: FailureName
  readonly code: number
  readonly message: string
  readonly call: Call
  readonly raw?: unknown
  readonly cause?: unknown
}

/** What every failed call rejects with. */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly codeName: FailureName
  /** 0 without an envelope. */
  readonly code: number
  readonly call: Call
  /** The unparsed body, for codes above 50003 and for answers that are not envelopes. */
  readonly raw: unknown

  constructor(failure: Failure) {
    super(failure.message, { cause: failure.cause })
    this.codeName = failure.codeName
    this.code = failure.code
    this.call = failure.call
    this.raw = failure.raw
  }
}

export const isCallError = (error: unknown): error is CallError => error instanceof CallError
