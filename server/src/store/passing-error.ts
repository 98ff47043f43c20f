import { errorCode } from './error-code.ts'

/** 57P03: the server is starting or stopping. 57P01: it was told to stop while we connected. */
const passingCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', '57P01', '57P03'])

/** Whether an attempt to connect failed only because the server is away for the moment. */
export function isPassing(error: unknown): boolean {
  // The driver gives no code when the server dies in the middle of the greeting.
  if (error instanceof Error && error.message === 'Connection terminated unexpectedly') return true
  return passingCodes.has(errorCode(error) ?? '')
}
