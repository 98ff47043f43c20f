import { createHash } from 'node:crypto'
import { IDENTITY_MESSAGES } from '@boathouse/contract'
import type { Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { errorCode } from '../../store/error-code.ts'
import type { Author } from '../audit/author.ts'
import type { SsoParts } from './service.ts'
import type { SsoRow } from './store.ts'
import type { Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

const CONFIRMATION_MS = 15 * 60_000

const MINUTE_MS = 60_000

/** Nobody's mailbox is filled by others. */
const MAILS = { free: 3, longestWaitMs: 10 * MINUTE_MS, pauseMs: 60 * MINUTE_MS }

export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** Of an address as of a mail that is not its owner's: enough to know it by. */
const masked = (email: string): string => email.replace(/^(.).*(@.*)$/, '$1…$2')

export type ConnectionParts = Pick<
  SsoParts,
  'store' | 'transaction' | 'users' | 'links' | 'mails' | 'rateLimit' | 'requireLetIn' | 'clock'
>

/** Binds a user to a subject, in a transaction of the caller. */
export type Connect = (trx: Transaction<Schema>, row: SsoRow, connected: Connected) => Promise<void>

export interface Connected {
  readonly userId: string
  readonly subject: string
  readonly by: Author
}

export async function unlessTaken(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (errorCode(error) !== UNIQUE_VIOLATION) throw error
    throw new AppError('Conflict', IDENTITY_MESSAGES.ssoConnectedElsewhere, { cause: error })
  }
}

const UNIQUE_VIOLATION = '23505'

/** Asks users by mail to confirm that the person at the issuer is them. */
export function createConfirmations(parts: ConnectionParts, connect: Connect) {
  const { store, transaction, users, links, mails, rateLimit, requireLetIn, clock } = parts

  async function confirmationOf(token: string) {
    const userId = await links.look('ssoConfirmation', token)
    const found = await store.confirmation(userId, clock.now())
    const person = found && (await users.withId(userId))
    if (!found || !person) throw new AppError('LinkUnusable', IDENTITY_MESSAGES.linkExpired)
    return { ...found, user: person.user }
  }

  const reserveLink = (clientIp: string) =>
    rateLimit.reserve({
      address: clientIp,
      refusal: 'Too many invalid links.',
      own: rateLimit.fromAddress('link from', clientIp, {
        free: 30,
        longestWaitMs: 30_000,
        pauseMs: 15 * MINUTE_MS,
      }),
    })

  return {
    /** Mails a link to the address that is kept; what the issuer said decides only whether there is such a user. */
    async askToConfirm(
      from: Caller,
      row: SsoRow,
      asked: { readonly subject: string; readonly email: string; readonly secretHash: Buffer },
    ): Promise<{ mailedTo: string }> {
      const { account_id: accountId, issuer, client_id: clientId } = row
      const person = await users.withEmail(accountId, asked.email)
      if (!person || (await store.boundAs(person.userId)))
        throw new AppError('LoginFailed', IDENTITY_MESSAGES.ssoUnknownUser)
      await requireLetIn({ accountId, clientIp: from.clientIp })
      const { userId, user, email } = person
      await rateLimit.reserve({
        address: from.clientIp,
        refusal: 'Too many mails were requested.',
        own: { key: `single sign-on of ${userId}`, budget: MAILS },
      })
      await transaction(async (trx) => {
        await store.putConfirmation(trx, {
          secret_hash: asked.secretHash,
          account_id: accountId,
          user_id: userId,
          issuer,
          client_id: clientId,
          subject: asked.subject,
          expires_at: new Date(clock.now().getTime() + CONFIRMATION_MS),
        })
        const token = await links.create(trx, { purpose: 'ssoConfirmation', subject: userId, accountId })
        const details = { accountId, user, issuer, token }
        await mails.write(trx, { to: email, accountId, kind: 'ssoConfirmation', details })
      })
      return { mailedTo: masked(email) }
    },

    async confirmationLink({ clientIp }: Caller, token: string) {
      const attempt = await reserveLink(clientIp)
      const { account_id: accountId, user, issuer } = await confirmationOf(token)
      await attempt.giveBack()
      return { accountId, user, issuer }
    },

    /** By the link and in the browser that began: who only reads the mail, or only began, gets nowhere. */
    async confirm(from: Caller, { token, secret }: { token: string; secret: string }): Promise<string> {
      const attempt = await reserveLink(from.clientIp)
      const found = await confirmationOf(token)
      const { user_id: userId, account_id: accountId, subject, user } = found
      if (!found.secret_hash.equals(hashOf(secret)))
        throw new AppError('SsoFailed', IDENTITY_MESSAGES.ssoOtherBrowser)
      await requireLetIn({ accountId, clientIp: from.clientIp })
      const row = await store.settings(accountId)
      if (!row || row.issuer !== found.issuer || row.client_id !== found.client_id)
        throw new AppError('SsoFailed', IDENTITY_MESSAGES.ssoOver)
      const by: Author = { kind: 'user', name: user, userId, accountId, clientIp: from.clientIp }
      await unlessTaken(() =>
        transaction(async (trx) => {
          await links.take(trx, 'ssoConfirmation', token)
          if (
            !(await store.takeConfirmation(trx, userId, found.secret_hash)) ||
            (await store.boundAs(userId))
          )
            throw new AppError('SsoFailed', IDENTITY_MESSAGES.ssoOver)
          await connect(trx, row, { userId, subject, by })
        }),
      )
      await attempt.giveBack()
      return userId
    },
  }
}
