import type { Transaction } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import type { AuditEvent } from '../audit/record.ts'
import type { Links } from '../link/service.ts'
import type { Mails } from '../mail/service.ts'
import { forgetAddressChange, setAddress } from './address-change-store.ts'
import { lockUser, userByEmail, type UserRow } from './password-store.ts'
import { orTaken } from './taken-name.ts'

export interface AddressChangeParts {
  readonly links: Pick<Links, 'create' | 'endAll'>
  readonly mails: Pick<Mails, 'write'>
  readonly clock: Clock
}

export interface NewAddress {
  readonly userId: string
  /** As the contract's `Email` leaves it. */
  readonly email: string
  /** Who set it for the user, in words; null: the user has confirmed it. */
  readonly setBy: string | null
}

type AddressAudit = Pick<AuditEvent, 'action' | 'object' | 'before' | 'after'>

const auditOfAddress = (row: Pick<UserRow, 'user_id' | 'user' | 'email'>, email: string): AddressAudit => ({
  action: 'user.set-email',
  object: { type: 'user', id: row.user_id, name: row.user },
  before: { email: row.email },
  after: { email },
})

interface Mailing {
  readonly trx: Transaction<Schema>
  readonly row: UserRow
  readonly to: NewAddress
}

/** For a user who has not chosen a password yet: the invitation that was mailed to the earlier address expires. */
async function inviteAgain(
  { links, mails }: AddressChangeParts,
  { trx, row, to }: Mailing,
  invitedBy: string,
) {
  const { account_id: accountId, account_name: accountName, user } = row
  const token = await links.create(trx, { purpose: 'invitation', subject: row.user_id, accountId })
  const details = { accountId, accountName, user, invitedBy, token }
  await mails.write(trx, { to: to.email, accountId, kind: 'invitation', details })
}

async function writeMails(parts: AddressChangeParts, mailing: Mailing) {
  const { trx, row, to } = mailing
  const { account_id: accountId, user } = row
  const details = { accountId, user }
  if (row.email !== null)
    await parts.mails.write(trx, { to: row.email, accountId, kind: 'emailChanged', details })
  const { setBy } = to
  if (setBy === null) return
  if (row.password_hash === null) await inviteAgain(parts, mailing, setBy)
  else
    await parts.mails.write(trx, {
      to: to.email,
      accountId,
      kind: 'emailSet',
      details: { ...details, setBy },
    })
}

/**
 * The only way to give a user another address, in a transaction of the caller, which has checked that it is allowed.
 * All links that were mailed to the earlier address expire, and that address is notified. Answers the entry for the
 * audit log; null if the address is the same, undefined if the user no longer exists.
 */
export async function changeAddress(
  parts: AddressChangeParts,
  trx: Transaction<Schema>,
  to: NewAddress,
): Promise<AddressAudit | null | undefined> {
  const row = await lockUser(trx, to.userId)
  if (!row) return undefined
  await forgetAddressChange(trx, row.user_id)
  if (row.email === to.email) return null
  await orTaken({ name: row.user, email: to.email }, () => setAddress(trx, row.user_id, to.email))
  const mailed = ['passwordReset', 'invitation', 'emailChange', 'ssoConfirmation'] as const
  await parts.links.endAll(trx, mailed, row.user_id)
  await writeMails(parts, { trx, row, to })
  return auditOfAddress(row, to.email)
}

/** Without a mail to anybody, where the user has no address yet: for the first start. Null: nothing was changed. */
export async function fillInAddress(
  trx: Transaction<Schema>,
  { userId, email }: Pick<NewAddress, 'userId' | 'email'>,
): Promise<AddressAudit | null> {
  const row = await lockUser(trx, userId)
  if (!row || row.email !== null || (await userByEmail(trx, row.account_id, email))) return null
  await setAddress(trx, userId, email)
  return auditOfAddress(row, email)
}
