import { createHash, randomBytes } from 'node:crypto'
import { IDENTITY_MESSAGES, MESSAGES } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import { deleteLinksExpiredBefore, expireLinks, findLink, insertLink, useLink } from './store.ts'

const HOUR_MS = 3_600_000

/** What a link allows, and for how long. */
const LIFE_MS = {
  activation: 24 * HOUR_MS,
  invitation: 7 * 24 * HOUR_MS,
  /** Follows the set-up of an account; looked at, never taken. */
  setUp: 24 * HOUR_MS,
  passwordReset: HOUR_MS,
  emailChange: 24 * HOUR_MS,
  accountDeletion: HOUR_MS,
  ssoConfirmation: HOUR_MS / 4,
} as const

export type LinkPurpose = keyof typeof LIFE_MS

/** A used or expired link is kept this long, so that its reader can be shown what it was. */
const REMEMBERED_MS = 30 * 24 * HOUR_MS

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

export interface NewLink {
  readonly purpose: LinkPurpose
  readonly subject: string
  readonly accountId: string | null
}

type FoundLink = Awaited<ReturnType<typeof findLink>>

function unusable(row: FoundLink): AppError {
  if (!row) return new AppError('LinkUnusable', MESSAGES.linkUnknown)
  return new AppError(
    'LinkUnusable',
    row.used_at ? IDENTITY_MESSAGES.linkUsed : IDENTITY_MESSAGES.linkExpired,
  )
}

export function createLinks({ db, clock }: { db: Kysely<Schema>; clock: Clock }) {
  const endAll = (trx: Transaction<Schema>, purposes: readonly LinkPurpose[], subject: string) =>
    expireLinks(trx, { purposes, subject, at: clock.now() })

  return {
    /** What they would allow has come about in another way. */
    endAll,

    /** Answers the token, which is not stored. Earlier links for the same purpose expire. */
    async create(trx: Transaction<Schema>, { purpose, subject, accountId }: NewLink): Promise<string> {
      const token = randomBytes(32).toString('base64url')
      const now = clock.now()
      await endAll(trx, [purpose], subject)
      await insertLink(trx, {
        token_hash: hashOf(token),
        purpose,
        subject,
        account_id: accountId,
        created_at: now,
        expires_at: new Date(now.getTime() + LIFE_MS[purpose]),
      })
      return token
    },

    /** Uses the link up, if the transaction of what it allows comes to its end. Of two at once one is refused. */
    async take(trx: Transaction<Schema>, purpose: LinkPurpose, token: string): Promise<string> {
      const link = { purpose, tokenHash: hashOf(token) }
      const taken = await useLink(trx, link, clock.now())
      if (!taken) throw unusable(await findLink(trx, link))
      return taken.subject
    },

    /** What a good link is about, without using it up. */
    async look(purpose: LinkPurpose, token: string): Promise<string> {
      const found = await findLink(db, { purpose, tokenHash: hashOf(token) })
      if (!found || found.used_at || found.expires_at <= clock.now()) throw unusable(found)
      return found.subject
    },

    forgetOld: () => deleteLinksExpiredBefore(db, new Date(clock.now().getTime() - REMEMBERED_MS)),
  }
}

export type Links = ReturnType<typeof createLinks>
