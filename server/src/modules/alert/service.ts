import { type AlertDelivery, type alert, type Input, LIMITS, type Output } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Log } from '../../kernel/log.ts'
import { OutsideRefused } from '../../kernel/outside.ts'
import type { WebhookAnswer, WebhookSender } from '../../providers/webhook/webhook-sender.ts'
import type { RateLimit } from '../attempt/rate-limit.ts'
import { createDeliveryStore, type DeliveryRow, type Outcome } from './delivery-store.ts'
import type { ToldEvent } from './event-texts.ts'
import { createFanOut, type FanOutParts } from './fan-out.ts'
import { createAlertRules, placeOfSecret, type RuleParts } from './rules.ts'
import { signedHeaders } from './signature.ts'

export interface AlertParts extends RuleParts, Pick<FanOutParts, 'mails'> {
  readonly sender: WebhookSender
  readonly rateLimit: Pick<RateLimit, 'reserve'>
  readonly log: Log
}

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
/** Between attempts: a day in all. */
const WAITS_MS = [
  10 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  6 * HOUR_MS,
  10 * HOUR_MS,
]
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

const isAccepted = ({ status }: WebhookAnswer): boolean => status >= 200 && status < 300

function problemOf({ status }: WebhookAnswer): string {
  return status >= 300 && status < 400
    ? `It redirects with the status ${status}, and that is not followed.`
    : `It answers with the status ${status}.`
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** Alert rules, and the delivery of what they are about. */
export function createAlerts(parts: AlertParts) {
  const { db, sender, sealer, mails, rateLimit, clock, log } = parts
  const store = createDeliveryStore(db)
  const rules = createAlertRules(parts)
  const fanOut = createFanOut({ db, deliveries: store, mails, clock })
  const inMs = (ms: number): Date => new Date(clock.now().getTime() + ms)

  type Tried = Pick<Outcome, 'status' | 'answer' | 'error'>

  async function tryOnce({
    delivery_id,
    rule_id,
    attempts,
    body,
  }: DeliveryRow): Promise<Tried & { isFinal: boolean }> {
    const none = { status: null, answer: '', isFinal: false }
    const rule = await store.ruleOf(rule_id)
    if (!rule?.enabled || rule.url === null || rule.secret === null)
      return { ...none, isFinal: true, error: 'The rule was turned off, or has no webhook any more.' }
    const secret = sealer.open(rule.secret, placeOfSecret(rule_id))
    const headers = signedHeaders(secret, {
      deliveryId: delivery_id,
      attempt: attempts,
      at: clock.now(),
      body,
    })
    try {
      const answer = await sender.send({ url: rule.url, headers, body })
      const error = isAccepted(answer) ? '' : problemOf(answer)
      return { status: answer.status, answer: answer.body, error, isFinal: false }
    } catch (error) {
      if (error instanceof OutsideRefused) return { ...none, error: sentence(error.message) }
      throw error
    }
  }

  function outcomeOf(
    { error, isFinal, ...tried }: Awaited<ReturnType<typeof tryOnce>>,
    attempts: number,
  ): Outcome {
    const wait = isFinal ? undefined : WAITS_MS[attempts - 1]
    const state = error === '' ? 'delivered' : wait === undefined ? 'failed' : 'waiting'
    return { ...tried, state, error, at: clock.now(), nextAt: inMs(wait ?? 0) }
  }

  async function attempt(delivery: DeliveryRow): Promise<void> {
    try {
      const outcome = outcomeOf(await tryOnce(delivery), delivery.attempts)
      await store.setOutcome(delivery.delivery_id, outcome)
    } catch (error) {
      // It is due again after the lease.
      log.error({ err: error, deliveryId: delivery.delivery_id }, 'a webhook could not be delivered')
    }
  }

  return {
    rules,

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
      return presented((await store.setOutcome(row.delivery_id, outcome)) ?? row)
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
