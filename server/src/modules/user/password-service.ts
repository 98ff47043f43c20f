import { decodePassword, IDENTITY_MESSAGES, MESSAGES } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import type { Brake } from '../attempt/brake.ts'
import { type Author, userAuthor } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import type { RequireLetIn } from '../firewall/gate.ts'
import type { LinkPurpose, Links } from '../link/service.ts'
import type { Mails } from '../mail/service.ts'
import { loginBeganAt } from './login-store.ts'
import { endLoginsOf, type Logins } from './logins.ts'
import { reserveCurrentPassword, reserveLink, reserveResetRequest } from './password-brake.ts'
import { lockUser, userByEmail, userById, type UserRow } from './password-store.ts'
import type { RequireGoodPassword } from './password-rule.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { setPassword } from './people-store.ts'

/** Who has just signed in need not say the password again. */
const FRESH_LOGIN_MS = 15 * 60_000

export interface PasswordParts {
  readonly db: Kysely<Schema>
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly links: Links
  readonly mails: Mails
  readonly logins: Logins
  readonly brake: Brake
  readonly requireLetIn: RequireLetIn
  readonly requireGoodPassword: RequireGoodPassword
  readonly clock: Clock
}

const placeOf = (row: UserRow) => ({ accountId: row.account_id, region: row.region, user: row.user })

const linkHolder = (row: UserRow, from: Caller): Author => ({
  kind: 'user',
  name: row.user,
  userId: row.user_id,
  accountId: row.account_id,
  clientIp: from.clientIp,
})

interface Change {
  readonly row: UserRow
  readonly passwordHash: string
  readonly by: Author
  readonly action: 'password.change' | 'password.reset' | 'password.setUp'
}

export function createPasswords(parts: PasswordParts) {
  const { db, transaction, links, mails, logins, brake, requireLetIn, requireGoodPassword, clock } = parts

  /** The new password, the end of all logins and of other links for it, the mail that tells of it: all or nothing. */
  async function replace(
    trx: Transaction<Schema>,
    { row, passwordHash, by, action }: Change,
  ): Promise<string[]> {
    await setPassword(trx, row.user_id, { hash: passwordHash, at: clock.now() })
    const ended = await endLoginsOf(trx, row.user_id)
    await links.endAll(trx, ['passwordReset', 'invitation'], row.user_id)
    if (row.email && action !== 'password.setUp')
      await mails.write(trx, {
        to: row.email,
        accountId: row.account_id,
        kind: 'passwordChanged',
        details: { accountId: row.account_id, user: row.user },
      })
    await recordAudit(trx, {
      accountId: row.account_id,
      at: clock.now(),
      by,
      action,
      object: { type: 'user', id: row.user_id, name: row.user },
      before: null,
      after: { loginsEnded: ended.length },
    })
    return ended
  }

  async function followLink(from: Caller, purpose: LinkPurpose, token: string): Promise<UserRow> {
    const attempt = await reserveLink(brake, from.clientIp)
    const row = await userById(db, await links.look(purpose, token))
    if (!row) throw new AppError('LinkUnusable', MESSAGES.linkUnknown)
    await attempt.giveBack()
    await requireLetIn({ accountId: row.account_id, clientIp: from.clientIp })
    return row
  }

  /** Hashing comes first: it takes long, and the transaction locks the user. */
  async function byLink(
    purpose: 'passwordReset' | 'invitation',
    input: { from: Caller; token: string; password: string },
  ) {
    const passwordHash = await hashPassword(decodePassword(input.password))
    const userId = await links.look(purpose, input.token)
    const { ended, row } = await transaction(async (trx) => {
      // The user before the link, as in every other change of a password: two at once wait for each other in turn.
      const row = await lockUser(trx, userId)
      await links.take(trx, purpose, input.token)
      if (!row) throw new AppError('LinkUnusable', MESSAGES.linkUnknown)
      const action = purpose === 'invitation' ? 'password.setUp' : 'password.reset'
      return {
        row,
        ended: await replace(trx, { row, passwordHash, by: linkHolder(row, input.from), action }),
      }
    })
    logins.notifyEnded(ended)
    return placeOf(row)
  }

  /** A stolen login must not become a stolen account. */
  async function requireCurrentPassword(
    actor: Actor,
    row: UserRow,
    given: string | undefined,
  ): Promise<void> {
    const since = await loginBeganAt(db, Buffer.from(actor.loginId, 'hex'))
    if (given === undefined) {
      if (clock.now().getTime() - since.getTime() <= FRESH_LOGIN_MS) return
      throw new AppError('LoginFailed', MESSAGES.currentPasswordMissing)
    }
    const attempt = await reserveCurrentPassword(brake, actor)
    if (!(await verifyPassword(decodePassword(given), row.password_hash ?? undefined)))
      throw new AppError('LoginFailed', IDENTITY_MESSAGES.currentPasswordWrong)
    await attempt.giveBack()
  }

  return {
    async change(
      from: Caller & { readonly actor: Actor },
      input: { username: string; password: string; currentPassword?: string | undefined },
    ): Promise<void> {
      const { actor } = from
      requireGoodPassword(input.password)
      if (input.username.toLowerCase() !== actor.user.toLowerCase())
        throw new AppError(
          'NoPermission',
          'Everyone changes their own password. An administrator can send a link.',
        )
      const row = await userById(db, actor.userId)
      if (!row) throw new AppError('LoginRequired', MESSAGES.loginTimedOut)
      await requireCurrentPassword(actor, row, input.currentPassword)
      const passwordHash = await hashPassword(decodePassword(input.password))
      const ended = await transaction((trx) =>
        replace(trx, { row, passwordHash, by: userAuthor(from), action: 'password.change' }),
      )
      logins.notifyEnded(ended)
    },

    /** Who is signed in shows that it is still them. */
    async prove(actor: Actor, password: string): Promise<void> {
      const row = await userById(db, actor.userId)
      if (!row) throw new AppError('LoginRequired', MESSAGES.loginTimedOut)
      await requireCurrentPassword(actor, row, password)
    },

    /** Says nothing of whether there is such a user. */
    async requestReset(
      from: Caller,
      { accountId, email }: { accountId: string; email: string },
    ): Promise<void> {
      await reserveResetRequest(brake, { clientIp: from.clientIp, accountId, email })
      const row = await userByEmail(db, accountId, email)
      if (!row) return
      await transaction(async (trx) => {
        const subject = { purpose: 'passwordReset', subject: row.user_id, accountId } as const
        const token = await links.create(trx, subject)
        const details = { accountId, user: row.user, token }
        await mails.write(trx, { to: email, accountId, kind: 'passwordReset', details })
      })
    },

    resetLink: async (from: Caller, token: string) => placeOf(await followLink(from, 'passwordReset', token)),

    async reset(from: Caller, input: { token: string; email: string; password: string }) {
      requireGoodPassword(input.password)
      const row = await followLink(from, 'passwordReset', input.token)
      // SIGNIN-55: only whoever holds the link is told.
      if (row.email !== input.email) throw new AppError('EmailDiffers', IDENTITY_MESSAGES.emailDiffers)
      return byLink('passwordReset', { from, ...input })
    },

    async invitationLink(from: Caller, token: string) {
      const row = await followLink(from, 'invitation', token)
      return { ...placeOf(row), accountName: row.account_name, email: row.email ?? '' }
    },

    async setUp(from: Caller, input: { token: string; password: string }) {
      requireGoodPassword(input.password)
      await followLink(from, 'invitation', input.token)
      return byLink('invitation', { from, ...input })
    },

    /** A link by which somebody new chooses a password; the one sent before is no longer good. */
    async invite(trx: Transaction<Schema>, userId: string, invitedBy: string): Promise<void> {
      const row = await userById(trx, userId)
      if (!row?.email) throw new AppError('BadInput', 'Somebody without a mail address cannot be invited.')
      const { account_id: accountId, account_name: accountName, user } = row
      const token = await links.create(trx, { purpose: 'invitation', subject: userId, accountId })
      const details = { accountId, accountName, user, invitedBy, token }
      await mails.write(trx, { to: row.email, accountId, kind: 'invitation', details })
    },
  }
}

export type Passwords = ReturnType<typeof createPasswords>
