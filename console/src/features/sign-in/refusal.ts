import { MESSAGES } from '@boathouse/contract/rules'
import { isCallError } from '../../lib/api.ts'

/** What the service said, to be told in place; `noAnswer` where it said nothing at all. */
export function refusalText(error: unknown, noAnswer: string): string {
  if (!isCallError(error)) throw error
  const silent = error.codeName === 'NetworkError' || error.codeName === 'TimedOut'
  return silent ? noAnswer : error.message || noAnswer
}

/** SIGNIN-43, SIGNIN-57: the steps of sign-in have words of their own for two of them. */
export function signInRefusal(error: unknown, noAnswer: string): string {
  if (isCallError(error) && error.codeName === 'LoginFailed') return MESSAGES.loginFailed
  if (isCallError(error) && error.codeName === 'NotFound') return MESSAGES.accountMissing
  return refusalText(error, noAnswer)
}
