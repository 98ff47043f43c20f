import { type AlertDelivery, type alert, type Input, LIMITS, type Output } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Log } from '../../kernel/log.ts'
import type { WebhookSender } from '../../providers/webhook/webhooks.ts'
import type { RateLimit } from '../attempt/rate-limit.ts'
import { createAttempts } from './attempts.ts'
import { createDeliveryStore, type DeliveryRow } from './delivery-store.ts'
import type { ToldEvent } from './event-texts.ts'
import { createFanOut, type FanOutParts } from './fan-out.ts'
import { createAlertRules, type RuleParts } from './rules.ts'
import { createScheduleRules } from './schedule-rules.ts'

export type { ScheduleRules } from './schedule-rules.ts'

export interface AlertParts extends RuleParts, Pick<FanOutParts, 'mails'> {
  readonly sender: WebhookSender
  readonly rateLimit: Pick<RateLimit, 'reserve'>
  readonly log: Log
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Longer than an attempt takes. */
const LEASE_MS = 2 * MINUTE_MS
const AT_ONCE = { limit: 20, limitOfAccount: 4 }
const KEPT_MS = 7 * 24 * HOUR_MS
const TESTS = { free: 10, longestWaitMs: MINUTE_MS, pauseMs: 10 * MINUTE_MS }

const presented = (row: DeliveryRow): AlertDelivery => ({
  deliveryId: row.delivery_id,
  ruleId: row.rule_id,
  event: row.event as ToldEvent,
  state: row.state as AlertDelivery['state'],
  attempts: row.attempts,
  mailedTo: row.mailed_to,
  createdAt: row.created_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
  nextAttemptAt: row.state === 'waiting' ? row.next_attempt_at.toISOString() : null,
  status: row.status,
  answer: row.answer,
  error: row.error,
  body: row.body,
})

/** Alert rules, and the delivery of what they are about. */
export function createAlerts(parts: AlertParts) {
  const { db, sender, mails, rateLimit, clock } = parts
  const store = createDeliveryStore(db)
  const rules = createAlertRules(parts)
  const fanOut = createFanOut({ db, deliveries: store, mails, clock })
  const { tryOnce, outcomeOf, attempt } = createAttempts({ ...parts, store })
  const inMs = (ms: number): Date => new Date(clock.now().getTime() + ms)

  return {
    rules,

    ofSchedules: createScheduleRules(parts),

    /** A real event, to all that the rule names. It is not retried: who tests sees what happened. */
    async test({ accountId, userId, user }: Actor, ruleId: string): Promise<AlertDelivery> {
      await rateLimit.reserve({
        address: userId,
        refusal: 'You have sent several tests.',
        own: { key: `alert test of ${accountId}`, budget: TESTS },
      })
      const rule = await rules.find(accountId, ruleId)
      const row = await db.transaction().execute(async (trx) => {
        const told = { event: 'test' as const, facts: { rule: rule.name, user }, at: clock.now() }
        const deliveryId = await fanOut.write(trx, rule, told)
        return rule.url === null
          ? store.lock(trx, accountId, deliveryId)
          : store.setTried(trx, deliveryId, inMs(LEASE_MS))
      })
      if (!row) throw new AppError('NotFound', 'There is no such alert rule. It may have been deleted.')
      if (row.state !== 'waiting') return presented(row)
      const outcome = outcomeOf({ ...(await tryOnce(row)), isFinal: true }, row.attempts)
      return presented((await store.setOutcome(row, outcome)) ?? row)
    },

    async deliveries(
      { accountId }: Actor,
      { ruleId, cursor, limit }: Input<typeof alert.deliveries>,
    ): Promise<Output<typeof alert.deliveries>> {
      await rules.find(accountId, ruleId)
      const rows = await store.page({ ruleId, after: cursor, limit: limit + 1 })
      const deliveries = rows.slice(0, limit).map(presented)
      return { deliveries, nextCursor: rows.length > limit ? (deliveries.at(-1)?.deliveryId ?? null) : null }
    },

    /** Under the same id and with the next attempt, so that the receiver knows that it is sent again. */
    redeliver: ({ accountId }: Actor, deliveryId: string): Promise<AlertDelivery> =>
      db.transaction().execute(async (trx) => {
        const row = await store.lock(trx, accountId, deliveryId)
        if (!row) throw new AppError('NotFound', 'There is no such delivery. It may have been forgotten.')
        if (row.state === 'mailed') throw new AppError('Conflict', 'This was mailed, and to no webhook.')
        if (row.state === 'waiting') return presented(await store.setWaiting(trx, deliveryId, clock.now()))
        if ((await store.countWaiting(trx, accountId)) >= LIMITS.waitingAlertsPerAccount)
          throw new AppError(
            'LimitReached',
            `${LIMITS.waitingAlertsPerAccount} deliveries of the account wait, which is the maximum. Try again when some of them have ended.`,
          )
        return presented(await store.setWaiting(trx, deliveryId, clock.now()))
      }),

    passOn: fanOut.passOnAll,

    /** A few at a time, and few of each account. */
    async deliverDue(): Promise<void> {
      const due = await store.takeDue({ now: clock.now(), nextAt: inMs(LEASE_MS), ...AT_ONCE })
      await Promise.all(due.map(attempt))
    },

    forgetOld: () => store.deleteEndedBefore(inMs(-KEPT_MS)),
    close: () => sender.close(),
  }
}

export type Alerts = ReturnType<typeof createAlerts>
