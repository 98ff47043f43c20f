import { decodePassword, IDENTITY_MESSAGES, MESSAGES } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Schema } from '../../store/schema.ts'
import type { Author } from '../audit/author.ts'
import type { LinkPurpose } from '../link/service.ts'
import { reserveLink } from './password-rate-limit.ts'
import { lockUser, userById, type UserRow } from './password-store.ts'
import { hashPassword, type PasswordPriority, signingIn } from './passwords.ts'
import type { PasswordReplacing } from './password-replacing.ts'
import type { PasswordParts } from './password-service.ts'

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

/** Passwords that are chosen with a link: of a reset, or of an invitation. */
export function createPasswordLinks(parts: PasswordParts, { alone, replace }: PasswordReplacing) {
  const { db, transaction, links, mails, logins, rateLimit, requireLetIn, requireGoodPassword } = parts

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

  return {
    resetLink: async (from: Caller, token: string) => placeOf(await followLink(from, 'passwordReset', token)),

    async reset(from: Caller, input: { token: string; email: string; password: string }) {
      requireGoodPassword(input.password)
      const row = await followLink(from, 'passwordReset', input.token)
      // Only the holder of the link learns this.
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

    /** Mails a link with which a new user chooses a password; the earlier one expires. */
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
