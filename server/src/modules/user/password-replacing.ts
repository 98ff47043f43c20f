import type { Transaction } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Schema } from '../../store/schema.ts'
import type { Author } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import { endLoginsOf } from './logins.ts'
import type { UserRow } from './password-store.ts'
import { setPassword } from './people-store.ts'
import type { PasswordParts } from './password-service.ts'

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

/** Replaces passwords, one at a time for each user. */
export function createPasswordReplacing({
  links,
  mails,
  clock,
}: Pick<PasswordParts, 'links' | 'mails' | 'clock'>) {
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

  /** The new password, the end of all logins and of other links, and the mail about it: all or nothing. */
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

  return { alone, replace }
}

export type PasswordReplacing = ReturnType<typeof createPasswordReplacing>
