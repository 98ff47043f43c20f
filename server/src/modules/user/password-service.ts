import { randomUUID } from 'node:crypto'
import { decodePassword, IDENTITY_MESSAGES, MESSAGES } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import type { RateLimit } from '../attempt/rate-limit.ts'
import { type Author, userAuthor } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import type { RequireLetIn } from '../firewall/gate.ts'
import type { LinkPurpose, Links } from '../link/service.ts'
import type { Mails } from '../mail/service.ts'
import { loginBegan } from './login-store.ts'
import { endLoginsOf, type Logins } from './logins.ts'
import { reserveChange, reserveLink, reserveResetRequest } from './password-rate-limit.ts'
import { lockUser, userByEmail, userById, type UserRow } from './password-store.ts'
import type { RequireGoodPassword } from './password-rule.ts'
import { administering, hashPassword, type PasswordPriority, signingIn, verifyPassword } from './passwords.ts'
import { setPassword } from './people-store.ts'
import { insertResetRequest, takeResetRequest } from './reset-request-store.ts'

/** Who has just signed in need not say the password again. */
const FRESH_LOGIN_MS = 15 * 60_000
/** Mails written in one go. */
const MOST_RESETS = 100

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

const placeOf = (row: UserRow) => ({ accountId: row.account_id, region: row.region, user: row.user })

const linkPriority = ({ clientIp }: Caller, { account_id: accountId, user }: UserRow): PasswordPriority =>
  signingIn({ clientIp, accountId, user })

const linkHolder = (row: UserRow, from: Caller): Author => ({
  kind: 'user',
  name: row.user,
  userId: row.user_id,
  accountId: row.account_id,
  clientIp: from.clientIp,
})

const beingChanged = () =>
  new AppError(
    'Conflict',
    'This password is already being changed. Wait a moment, then sign in with the new one.',
  )

interface Change {
  readonly row: UserRow
  readonly passwordHash: string
  readonly by: Author
  readonly action: 'password.change' | 'password.reset' | 'password.setUp'
}

export function createPasswords(parts: PasswordParts) {
  const { db, transaction, links, mails, logins, rateLimit, requireLetIn, requireGoodPassword, clock } = parts

  /** By user: of one user, one password is hashed and replaced at a time. Others are refused before they cost anything. */
  const changing = new Set<string>()
  async function alone<T>(userId: string, work: () => Promise<T>): Promise<T> {
    if (changing.has(userId)) throw beingChanged()
    changing.add(userId)
    try {
      return await work()
    } finally {
      changing.delete(userId)
    }
  }

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
    const attempt = await reserveLink(rateLimit, from.clientIp)
    const row = await userById(db, await links.look(purpose, token))
    if (!row) throw new AppError('LinkUnusable', MESSAGES.linkUnknown)
    await attempt.giveBack()
    await requireLetIn({ accountId: row.account_id, clientIp: from.clientIp })
    return row
  }

  /** Hashing comes first: it takes long, and the transaction locks the user. */
  async function byLink(
    purpose: 'passwordReset' | 'invitation',
    input: { from: Caller; token: string; password: string; priority: PasswordPriority },
  ) {
    const userId = await links.look(purpose, input.token)
    return alone(userId, () => replaceByLink(purpose, userId, input))
  }

  async function replaceByLink(
    purpose: 'passwordReset' | 'invitation',
    userId: string,
    input: { from: Caller; token: string; password: string; priority: PasswordPriority },
  ) {
    const passwordHash = await hashPassword(decodePassword(input.password), input.priority)
    const { ended, row } = await transaction(async (trx) => {
      // The user before the link, as in every other change of a password: two at once wait for each other in priority.
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

  /** False when nothing is left to do. */
  async function mailReset(trx: Transaction<Schema>): Promise<boolean> {
    const asked = await takeResetRequest(trx)
    if (!asked) return false
    const { account_id: accountId, email } = asked
    const row = await userByEmail(trx, accountId, email)
    if (!row) return true
    const token = await links.create(trx, { purpose: 'passwordReset', subject: row.user_id, accountId })
    const details = { accountId, user: row.user, token }
    await mails.write(trx, { to: email, accountId, kind: 'passwordReset', details })
    return true
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

    /** Says nothing of whether there is such a user. */
    async requestReset(
      from: Caller,
      { accountId, email }: { accountId: string; email: string },
    ): Promise<void> {
      await reserveResetRequest(rateLimit, { clientIp: from.clientIp, accountId, email })
      const row = { request_id: randomUUID(), account_id: accountId, email, created_at: clock.now() }
      await insertResetRequest(db, row)
    },

    /** Of what was asked for. How long that takes is seen by nobody who asked. */
    async mailResets(): Promise<void> {
      for (let written = 0; written < MOST_RESETS; written++) if (!(await transaction(mailReset))) return
    },

    resetLink: async (from: Caller, token: string) => placeOf(await followLink(from, 'passwordReset', token)),

    async reset(from: Caller, input: { token: string; email: string; password: string }) {
      requireGoodPassword(input.password)
      const row = await followLink(from, 'passwordReset', input.token)
      // SIGNIN-55: only whoever holds the link is told.
      if (row.email !== input.email) throw new AppError('EmailDiffers', IDENTITY_MESSAGES.emailDiffers)
      return byLink('passwordReset', { from, ...input, priority: linkPriority(from, row) })
    },

    async invitationLink(from: Caller, token: string) {
      const row = await followLink(from, 'invitation', token)
      return { ...placeOf(row), accountName: row.account_name, email: row.email ?? '' }
    },

    async setUp(from: Caller, input: { token: string; password: string }) {
      requireGoodPassword(input.password)
      const row = await followLink(from, 'invitation', input.token)
      return byLink('invitation', { from, ...input, priority: linkPriority(from, row) })
    },

    /** A link by which somebody new chooses a password; the one sent before is no longer good. */
    async invite(trx: Transaction<Schema>, userId: string, invitedBy: string): Promise<void> {
      const row = await userById(trx, userId)
      if (!row?.email) throw new AppError('BadInput', 'A user without a mail address cannot be invited.')
      const { account_id: accountId, account_name: accountName, user } = row
      const token = await links.create(trx, { purpose: 'invitation', subject: userId, accountId })
      const details = { accountId, accountName, user, invitedBy, token }
      await mails.write(trx, { to: row.email, accountId, kind: 'invitation', details })
    },
  }
}

export type Passwords = ReturnType<typeof createPasswords>
