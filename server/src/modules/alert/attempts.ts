import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { OutsideRefused } from '../../kernel/outside.ts'
import type { Sealer } from '../../kernel/sealing.ts'
import type { WebhookAnswer, WebhookSender } from '../../providers/webhook/webhooks.ts'
import type { DeliveryRow, DeliveryStore, Outcome } from './delivery-store.ts'
import { placeOfSecret } from './rules.ts'
import { signedHeaders } from './signature.ts'

interface AttemptParts {
  readonly store: Pick<DeliveryStore, 'ruleOf' | 'setOutcome'>
  readonly sender: Pick<WebhookSender, 'send'>
  readonly sealer: Sealer
  readonly clock: Clock
  readonly log: Log
}

interface Tried extends Pick<Outcome, 'status' | 'answer' | 'error'> {
  /** No further attempt is made. */
  readonly isFinal: boolean
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

const isAccepted = ({ status }: WebhookAnswer): boolean => status >= 200 && status < 300

function problemOf({ status }: WebhookAnswer): string {
  return status >= 300 && status < 400
    ? `It redirects with the status ${status}, and that is not followed.`
    : `It answers with the status ${status}.`
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** One attempt to deliver to a webhook, and what follows from it. */
export function createAttempts({ store, sender, sealer, clock, log }: AttemptParts) {
  async function tryOnce({ delivery_id, rule_id, attempts, body }: DeliveryRow): Promise<Tried> {
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

  function outcomeOf({ error, isFinal, ...tried }: Tried, attempts: number): Outcome {
    const wait = isFinal ? undefined : WAITS_MS[attempts - 1]
    const state = error === '' ? 'delivered' : wait === undefined ? 'failed' : 'waiting'
    return { ...tried, state, error, at: clock.now(), nextAt: new Date(clock.now().getTime() + (wait ?? 0)) }
  }

  async function attempt(delivery: DeliveryRow): Promise<void> {
    const tried = await tryOnce(delivery).catch((error: unknown) => {
      log.error({ err: error, deliveryId: delivery.delivery_id }, 'a webhook could not be delivered')
      return { status: null, answer: '', error: 'This service could not send it.', isFinal: false }
    })
    await store.setOutcome(delivery, outcomeOf(tried, delivery.attempts))
  }

  return { tryOnce, outcomeOf, attempt }
}
