import { MESSAGES } from '@boathouse/contract/rules'
import { isCallError } from '../../lib/api.ts'

/** The words of the service, to be shown in place; `noAnswer` without any answer. */
export function refusalText(error: unknown, noAnswer: string): string {
  if (!isCallError(error)) throw error
  const silent = error.codeName === 'NetworkError' || error.codeName === 'TimedOut'
  return silent ? noAnswer : error.message || noAnswer
}

/** The steps of sign-in have words of their own for two of them. */
export function signInRefusal(error: unknown, noAnswer: string): string {
  if (isCallError(error) && error.codeName === 'LoginFailed') return MESSAGES.loginFailed
  if (isCallError(error) && error.codeName === 'NotFound') return MESSAGES.accountMissing
  return refusalText(error, noAnswer)
}
