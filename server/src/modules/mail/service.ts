import type { Transaction } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { timeOrderedId } from '../../kernel/time-ordered-id.ts'
import type { Sealer } from '../../kernel/sealing.ts'
import type { Mailer } from '../../providers/mail/mailer.ts'
import type { Schema } from '../../store/schema.ts'
import { type LetterDetails, type LetterKind, LETTERS } from './letters.ts'
import { renderLetter } from './render-letter.ts'
import type { MailStore } from './store.ts'

const MINUTE_MS = 60_000
const AT_ONCE = 10
/** 1, 2, 4 … minutes apart: about eight hours in all. */
const MOST_ATTEMPTS = 10
const KEPT_MS = 30 * 24 * 60 * MINUTE_MS
const MOST_LISTED = 200
const ERROR_LENGTH = 500
const RESEALED_AT_ONCE = 500

export interface MailDraft<K extends LetterKind> {
  readonly to: string
  /** Null: about no account, or about one that will be gone before this mail is. */
  readonly accountId: string | null
  readonly kind: K
  readonly details: LetterDetails[K]
}

export interface MailParts {
  readonly store: MailStore
  readonly mailer: Mailer
  readonly sealer: Sealer
  /** Known once the server listens. */
  readonly publicUrl: () => string
  readonly clock: Clock
  readonly log: Log
}

const placeOf = (mailId: string): string => `mail ${mailId}`

/**
 * An outbox: a mail is written in the transaction of its cause, and delivered afterwards, at least once. It is sealed
 * until then, because its link could be used by anyone who reads it.
 */
export function createMails({ store, mailer, sealer, publicUrl, clock, log }: MailParts) {
  function rendered(mailId: string, kind: string, details: string) {
    // What was written by `write`, so kind and details fit.
    const letterOf = LETTERS[kind as LetterKind] as (
      details: unknown,
    ) => ReturnType<(typeof LETTERS)[LetterKind]>
    return renderLetter(letterOf(JSON.parse(sealer.open(details, placeOf(mailId)))), publicUrl())
  }

  const afterMinutes = (minutes: number): Date => new Date(clock.now().getTime() + minutes * MINUTE_MS)

  async function attempt(mail: Awaited<ReturnType<MailStore['takeDue']>>[number]): Promise<void> {
    const { mail_id: id, recipient: to, kind, details, attempts } = mail
    try {
      const outcome = await mailer.deliver({ id, to, ...rendered(id, kind, details ?? '') })
      await (outcome === 'sent' ? store.setSent(id, clock.now()) : store.setKept(id, clock.now()))
    } catch (error) {
      log.warn({ err: error, mailId: id, kind, attempts }, 'a mail could not be delivered')
      const reason = (error instanceof Error ? error.message : String(error)).slice(0, ERROR_LENGTH)
      if (attempts < MOST_ATTEMPTS) await store.setRetry(id, reason, afterMinutes(2 ** (attempts - 1)))
      else await store.setFailed(id, reason, clock.now())
    }
  }

  return {
    /** Becomes true or not with the transaction. */
    async write<K extends LetterKind>(trx: Transaction<Schema>, draft: MailDraft<K>): Promise<void> {
      const mailId = timeOrderedId()
      await store.insert(trx, {
        mail_id: mailId,
        account_id: draft.accountId,
        recipient: draft.to,
        kind: draft.kind,
        details: sealer.seal(JSON.stringify(draft.details), placeOf(mailId)),
        created_at: clock.now(),
      })
    },

    /** A few at a time: a slow mail server holds up mails and nothing else. */
    async deliverDue(): Promise<void> {
      // A server that dies while it delivers leaves them for the time after this.
      const due = await store.takeDue({ now: clock.now(), nextAt: afterMinutes(2), limit: AT_ONCE })
      await Promise.all(due.map(attempt))
    },

    /** For the operator, the newest first. */
    async outbox() {
      const mails = await store.newest(MOST_LISTED)
      return mails.map(
        ({ mail_id: mailId, recipient, kind, details, state, attempts, created_at, error }) => ({
          mailId,
          to: recipient,
          kind,
          state,
          attempts,
          error,
          createdAt: created_at.toISOString(),
          ...(details === null ? {} : rendered(mailId, kind, details)),
        }),
      )
    },

    /** With the newest key, all that another one has sealed. */
    async reseal(): Promise<void> {
      for (;;) {
        const stale = await store.sealedByOthers(sealer.newestPrefix, RESEALED_AT_ONCE)
        for (const { mail_id: mailId, details } of stale) {
          const place = placeOf(mailId)
          if (details !== null)
            await store.reseal(mailId, details, sealer.seal(sealer.open(details, place), place))
        }
        if (stale.length < RESEALED_AT_ONCE) return
      }
    },

    forgetOld: () => store.deleteBefore(new Date(clock.now().getTime() - KEPT_MS)),
    close: () => mailer.close(),
  }
}

export type Mails = ReturnType<typeof createMails>
