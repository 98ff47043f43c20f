import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Caller } from '../../kernel/actor.ts'
import type { Schema } from '../../store/schema.ts'
import { reserveResetRequest } from './password-rate-limit.ts'
import { userByEmail } from './password-store.ts'
import { insertResetRequest, takeResetRequest } from './reset-request-store.ts'
import type { PasswordParts } from './password-service.ts'

/** Mails written in one go. */
const MOST_RESETS = 100

/** Requests to reset a password, and the mails that answer them. */
export function createPasswordResetRequests({
  db,
  transaction,
  links,
  mails,
  rateLimit,
  clock,
}: PasswordParts) {
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
    /** The answer does not reveal whether there is such a user. */
    async requestReset(
      from: Caller,
      { accountId, email }: { accountId: string; email: string },
    ): Promise<void> {
      await reserveResetRequest(rateLimit, { clientIp: from.clientIp, accountId, email })
      const row = { request_id: randomUUID(), account_id: accountId, email, created_at: clock.now() }
      await insertResetRequest(db, row)
    },

    /** Mails links for the requests, in a job: the requester cannot measure how long it takes. */
    async mailResets(): Promise<void> {
      for (let written = 0; written < MOST_RESETS; written++) if (!(await transaction(mailReset))) return
    },
  }
}
