import { decodePassword, IDENTITY_MESSAGES, MESSAGES } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import type { RateLimit } from '../attempt/rate-limit.ts'
import { userAuthor } from '../audit/author.ts'
import type { RequireLetIn } from '../firewall/gate.ts'
import type { Links } from '../link/service.ts'
import type { Mails } from '../mail/service.ts'
import { loginBegan } from './login-store.ts'
import type { Logins } from './logins.ts'
import { reserveChange } from './password-rate-limit.ts'
import { lockUser, userById, type UserRow } from './password-store.ts'
import type { RequireGoodPassword } from './password-rule.ts'
import { administering, hashPassword, verifyPassword } from './passwords.ts'
import { createPasswordReplacing } from './password-replacing.ts'
import { createPasswordLinks } from './password-links.ts'
import { createPasswordResetRequests } from './password-reset-requests.ts'

/** Who has just signed in need not say the password again. */
const FRESH_LOGIN_MS = 15 * 60_000

export interface PasswordParts {
  readonly db: Kysely<Schema>
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly links: Links
  readonly mails: Mails
  readonly logins: Logins
  readonly rateLimit: RateLimit
  readonly requireLetIn: RequireLetIn
  readonly requireGoodPassword: RequireGoodPassword
  readonly clock: Clock
}

export function createPasswords(parts: PasswordParts) {
  const { db, transaction, logins, rateLimit, requireGoodPassword, clock } = parts
  const replacing = createPasswordReplacing(parts)
  const { alone, replace } = replacing

  /** A stolen login must not become a stolen account. */
  async function requireCurrentPassword(
    actor: Actor,
    row: UserRow,
    given: string | undefined,
  ): Promise<void> {
    const since = await loginBegan(db, actor.loginId)
    if (!since) throw new AppError('LoginRequired', MESSAGES.loginTimedOut)
    if (given === undefined) {
      if (clock.now().getTime() - since.getTime() <= FRESH_LOGIN_MS) return
      throw new AppError('LoginFailed', MESSAGES.currentPasswordMissing)
    }
    if (!(await verifyPassword(decodePassword(given), row.password_hash, administering(actor))))
      throw new AppError('LoginFailed', IDENTITY_MESSAGES.currentPasswordWrong)
  }

  /** The login as well: it may have been ended by another change while this one was hashed. */
  async function changeOwn(
    from: Caller & { readonly actor: Actor },
    input: { password: string; currentPassword?: string | undefined },
  ): Promise<void> {
    const { actor } = from
    await reserveChange(rateLimit, actor)
    const row = await userById(db, actor.userId)
    if (!row) throw new AppError('LoginRequired', MESSAGES.loginTimedOut)
    await requireCurrentPassword(actor, row, input.currentPassword)
    const passwordHash = await hashPassword(decodePassword(input.password), administering(actor))
    const ended = await transaction(async (trx) => {
      const now = await lockUser(trx, actor.userId)
      if (!now || now.password_hash !== row.password_hash || !(await loginBegan(trx, actor.loginId)))
        throw new AppError('LoginRequired', MESSAGES.loginTimedOut)
      return replace(trx, { row: now, passwordHash, by: userAuthor(from), action: 'password.change' })
    })
    logins.notifyEnded(ended)
  }

  return {
    ...createPasswordLinks(parts, replacing),
    ...createPasswordResetRequests(parts),

    async change(
      from: Caller & { readonly actor: Actor },
      input: { username: string; password: string; currentPassword?: string | undefined },
    ): Promise<void> {
      const { actor } = from
      requireGoodPassword(input.password)
      if (input.username.toLowerCase() !== actor.user.toLowerCase())
        throw new AppError(
          'NoPermission',
          'Only the user can change this password. An administrator can send a link.',
        )
      await alone(actor.userId, () => changeOwn(from, input))
    },

    /** Who is signed in shows that it is still them. */
    async prove(actor: Actor, password: string): Promise<void> {
      const row = await userById(db, actor.userId)
      if (!row) throw new AppError('LoginRequired', MESSAGES.loginTimedOut)
      await requireCurrentPassword(actor, row, password)
    },

    /** The same for a mail address. Who has no password, and so signs in at an issuer, has just done so. */
    async proveForAddress(actor: Actor, password: string | undefined): Promise<void> {
      const row = await userById(db, actor.userId)
      if (!row) throw new AppError('LoginRequired', MESSAGES.loginTimedOut)
      if (password === undefined && row.password_hash !== null)
        throw new AppError('LoginFailed', MESSAGES.currentPasswordMissing)
      await requireCurrentPassword(actor, row, row.password_hash === null ? undefined : password)
    },
  }
}

export type Passwords = ReturnType<typeof createPasswords>
