import { MESSAGES } from '@boathouse/contract'
import { isCallError } from '../../lib/api.ts'

/** SIGNIN-43, SIGNIN-57: what a refused step says in place; `noAnswer` where the service said nothing at all. */
export function refusalText(error: unknown, noAnswer: string): string {
  if (!isCallError(error)) throw error
  if (error.codeName === 'LoginFailed') return MESSAGES.loginFailed
  if (error.codeName === 'NotFound') return MESSAGES.accountMissing
  const silent = error.codeName === 'NetworkError' || error.codeName === 'TimedOut'
  return silent ? noAnswer : error.message || noAnswer
}
