import { LIMITS, MESSAGE_TYPES, type Trial } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import type { Mails } from '../mail/service.ts'
import { writeMessages } from '../message/service.ts'
import { moveAccountsOf } from './money.ts'
import { ORG_IDENTITIES, ORG_SOURCES } from './open-account.ts'
import { administratorsOf, originOf } from './organisation-store.ts'
import type { MoveName } from './states.ts'
import { insertTrial, lockOpenTrial, takeDue, takeEndingSoon, trialOf, updateTrial } from './trial-store.ts'

const DAY_MS = 24 * 3_600_000
const AT_ONCE = 20
/** Mails about a trial go to as many administrators. */
const READERS = 20
/** Users are notified of the end this long before. */
const NOTIFIED_BEFORE_DAYS = 3

export interface TrialDraft {
  readonly organisationId: string
  /** The root account and the user who is shown that the trial has started. */
  readonly accountId: string
  readonly userId: string
  readonly at: Date
}

/** With the account itself, in one transaction. */
export async function startTrial(trx: Transaction<Schema>, draft: TrialDraft): Promise<void> {
  const { organisationId, accountId, userId, at } = draft
  const ends_at = new Date(at.getTime() + LIMITS.trialDays * DAY_MS)
  await insertTrial(trx, { organisation_id: organisationId, started_at: at, ends_at })
  await writeMessages(trx, { accountId, userIds: [userId], type: MESSAGE_TYPES.TrialStarted, at })
}

/** The current day counts; setting back the clock does not make the trial longer. */
export function daysLeft(endsAt: Date, now: Date): number {
  const days = Math.ceil((endsAt.getTime() - now.getTime()) / DAY_MS)
  return Math.min(LIMITS.trialDays, Math.max(0, days))
}

type EndMove = Extract<MoveName, 'freeze' | 'freeze until deletion'>

/** An organisation that pays another way never needs a card, and is never deleted without one. */
async function endMoveOf(trx: Transaction<Schema>, organisationId: string): Promise<EndMove> {
  const { source, identity } = await originOf(trx, organisationId)
  const paysOtherwise = source === ORG_SOURCES.Marketplace || identity === ORG_IDENTITIES.Contract
  return paysOtherwise ? 'freeze' : 'freeze until deletion'
}

export interface TrialOptions {
  readonly db: Kysely<Schema>
  readonly clock: Clock
  readonly mails: Pick<Mails, 'write'>
  readonly credit: {
    /** Organisations whose trial runs and whose usage has reached its credit. */
    spentTrials(trx: Transaction<Schema>, limit: number): Promise<string[]>
    hasCard(trx: Transaction<Schema>, organisationId: string): Promise<boolean>
  }
  /** Called after the states of these accounts have changed. */
  readonly onMoved: (accountIds: readonly string[]) => void
}

export function createTrials({ db, clock, mails, credit, onMoved }: TrialOptions) {
  /** A trial whose credit is used up has ended, whatever the day. */
  async function takeSpent(trx: Transaction<Schema>) {
    const [organisationId] = await credit.spentTrials(trx, 1)
    return organisationId === undefined ? undefined : lockOpenTrial(trx, organisationId)
  }

  const notifyNext = (): Promise<boolean> =>
    db.transaction().execute(async (trx) => {
      const now = clock.now()
      const soon = new Date(now.getTime() + NOTIFIED_BEFORE_DAYS * DAY_MS)
      const trial = await takeEndingSoon(trx, soon)
      if (!trial) return false
      const readers = await administratorsOf(trx, trial.organisation_id, READERS)
      for (const { email: to, account_id: accountId, account_name: accountName } of readers) {
        const details = { accountId, accountName, daysLeft: daysLeft(trial.ends_at, now) }
        if (to !== null) await mails.write(trx, { to, accountId, kind: 'trialEnding', details })
      }
      const [first] = readers
      if (first)
        await writeMessages(trx, {
          accountId: first.account_id,
          userIds: readers.map((reader) => reader.user_id),
          type: MESSAGE_TYPES.TrialEnding,
          at: now,
        })
      await updateTrial(trx, trial.organisation_id, { end_told_at: now })
      return true
    })

  const endNext = (): Promise<string[] | null> =>
    db.transaction().execute(async (trx) => {
      const now = clock.now()
      const trial = (await takeDue(trx, now)) ?? (await takeSpent(trx))
      if (!trial) return null
      const organisationId = trial.organisation_id
      await updateTrial(trx, organisationId, { ended_at: now })
      // With a card, the accounts stay open.
      if (await credit.hasCard(trx, organisationId)) return []
      const move = await endMoveOf(trx, organisationId)
      const daysKept = move === 'freeze' ? null : LIMITS.retentionDays
      for (const reader of await administratorsOf(trx, organisationId, READERS)) {
        const { email: to, account_id: accountId, account_name: accountName } = reader
        const details = { accountId, accountName, daysKept }
        if (to !== null) await mails.write(trx, { to, accountId, kind: 'trialEnded', details })
      }
      return moveAccountsOf(trx, { organisationId, move, at: now, reason: 'trial ended' })
    })

  return {
    /** Each trial in a transaction of its own: what it does and that it was done are one. */
    async advance(): Promise<void> {
      for (let i = 0; i < AT_ONCE && (await notifyNext()); i++);
      for (let i = 0; i < AT_ONCE; i++) {
        const frozen = await endNext()
        if (frozen === null) return
        onMoved(frozen)
      }
    },

    async of(actor: Actor): Promise<Trial | null> {
      const row = await trialOf(db, actor.accountId)
      if (!row) return null
      return {
        startedAt: row.started_at.toISOString(),
        endsAt: row.ends_at.toISOString(),
        days: LIMITS.trialDays,
        daysLeft: row.ended_at ? 0 : daysLeft(row.ends_at, clock.now()),
        usd: LIMITS.trialUsd,
        hasEnded: row.ended_at !== null,
        dataKeptUntil: row.delete_at?.toISOString() ?? null,
      }
    },
  }
}

export type Trials = ReturnType<typeof createTrials>
