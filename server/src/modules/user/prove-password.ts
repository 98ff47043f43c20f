import { MESSAGES, SHELL_STATES } from '@boathouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { RateLimit } from '../attempt/rate-limit.ts'
import { type LoginAttempt, reserveLogin } from './login-rate-limit.ts'
import { signingIn, verifyPassword } from './passwords.ts'
import type { UserStore } from './store.ts'

export interface PasswordProofParts {
  readonly store: Pick<UserStore, 'findByName' | 'regionElsewhere'>
  readonly rateLimit: RateLimit
  /** Tests count what is hashed. */
  readonly verify?: typeof verifyPassword
}

export interface PasswordAttempt extends LoginAttempt {
  readonly password: string
}

/**
 * Who proves by their password to be this user. The attempt is counted before it is judged, and costs the same time whether
 * there is such a user or not.
 */
export const createPasswordProof =
  ({ store, rateLimit, verify = verifyPassword }: PasswordProofParts) =>
  async ({ clientIp, accountId, username, password }: PasswordAttempt) => {
    const attempt = await reserveLogin(rateLimit, { clientIp, accountId, username })
    const row = await store.findByName(accountId, username)
    const priority = signingIn({ clientIp, accountId, user: username, isKnown: attempt.isKnown })
    if (!(await verify(password, row?.password_hash, priority)) || !row) {
      const region = row ? null : await store.regionElsewhere(accountId)
      const message = region === null ? MESSAGES.loginFailed : MESSAGES.accountElsewhere(accountId, region)
      throw new AppError('LoginFailed', message)
    }
    await attempt.succeeded()
    if (row.shell_state === SHELL_STATES.Closed) throw new AppError('Conflict', MESSAGES.accountBeingSetUp)
    return row
  }
