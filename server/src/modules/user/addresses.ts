import { IDENTITY_MESSAGES, MESSAGES } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Schema } from '../../store/schema.ts'
import type { RateLimit } from '../attempt/rate-limit.ts'
import { recordAudit } from '../audit/record.ts'
import type { RequireLetIn } from '../firewall/gate.ts'
import type { Links } from '../link/service.ts'
import type { RequireAcceptedAddress } from '../mail/accepted-address.ts'
import { type AddressChangeParts, changeAddress } from './address-change.ts'
import { askedAddress, putAddressChange } from './address-change-store.ts'
import { reserveAddressChange, reserveLink } from './password-rate-limit.ts'
import { lockUser, userById, type UserRow } from './password-store.ts'

export interface AddressParts extends AddressChangeParts {
  readonly db: Kysely<Schema>
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly links: Links
  readonly passwords: {
    proveForAddress(actor: Actor, password: string | undefined): Promise<void>
  }
  readonly rateLimit: RateLimit
  readonly requireLetIn: RequireLetIn
  readonly requireAccepted: RequireAcceptedAddress
}

const shown = (row: UserRow, email: string) => ({
  accountId: row.account_id,
  region: row.region,
  user: row.user,
  email,
})

/** The addresses that users choose for themselves. */
export function createAddresses(parts: AddressParts) {
  const { db, transaction, links, mails, passwords, rateLimit, requireLetIn, requireAccepted, clock } = parts

  async function follow(from: Caller, token: string): Promise<{ row: UserRow; email: string }> {
    const attempt = await reserveLink(rateLimit, from.clientIp)
    const userId = await links.look('emailChange', token)
    const [row, email] = [await userById(db, userId), await askedAddress(db, userId)]
    // A password was set in between: the request for this address may not be the user's.
    if (!row || email === undefined) throw new AppError('LinkUnusable', IDENTITY_MESSAGES.linkExpired)
    await attempt.giveBack()
    await requireLetIn({ accountId: row.account_id, clientIp: from.clientIp })
    return { row, email }
  }

  return {
    /** Only a user who can read mail at the address learns whether another user has it. */
    async request(
      { actor }: Caller & { readonly actor: Actor },
      { email, password }: { readonly email: string; readonly password?: string | undefined },
    ): Promise<{ mailedTo: string }> {
      requireAccepted(email)
      await reserveAddressChange(rateLimit, actor, email)
      await passwords.proveForAddress(actor, password)
      await transaction(async (trx) => {
        const row = await lockUser(trx, actor.userId)
        if (!row) throw new AppError('LoginRequired', MESSAGES.loginTimedOut)
        if (row.email === email) throw new AppError('Conflict', `${email} is your mail address already.`)
        const { account_id: accountId, user, user_id } = row
        await putAddressChange(trx, { user_id, email, asked_at: clock.now() })
        const token = await links.create(trx, { purpose: 'emailChange', subject: user_id, accountId })
        const details = { accountId, user, token }
        await mails.write(trx, { to: email, accountId, kind: 'emailConfirmation', details })
      })
      return { mailedTo: email }
    },

    async link(from: Caller, token: string) {
      const { row, email } = await follow(from, token)
      return shown(row, email)
    },

    async confirm(from: Caller, token: string) {
      const { row, email } = await follow(from, token)
      const { account_id: accountId, user_id: userId, user: name } = row
      await transaction(async (trx) => {
        // The user before the link, as in every change of a password.
        await lockUser(trx, userId)
        await links.take(trx, 'emailChange', token)
        if ((await askedAddress(trx, userId)) !== email)
          throw new AppError('LinkUnusable', IDENTITY_MESSAGES.linkExpired)
        const audit = await changeAddress(parts, trx, { userId, email, setBy: null })
        const by = { kind: 'user', name, userId, accountId, clientIp: from.clientIp } as const
        if (audit) await recordAudit(trx, { accountId, at: clock.now(), by, ...audit })
      })
      return shown(row, email)
    },
  }
}

export type Addresses = ReturnType<typeof createAddresses>
