import { errorCode } from './error-code.ts'

/** 57P03: the server is starting or stopping. 57P01: it was stopped while we connected. */
const passingCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', '57P01', '57P03'])

/** The driver gives no code when the server dies in the middle of something, or has died before it. */
const passingWords = [
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
]

/** Whether something failed only because the server is away for the moment. */
export function isPassing(error: unknown): boolean {
  if (error instanceof Error && passingWords.includes(error.message)) return true
  return passingCodes.has(errorCode(error) ?? '')
}
