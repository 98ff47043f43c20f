import { createHmac, randomBytes } from 'node:crypto'

/** With which every secret begins, so that scanners and libraries recognise one. */
const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export const newWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64')

interface SignedAttempt {
  readonly deliveryId: string
  /** The first is 1. */
  readonly attempt: number
  readonly at: Date
  readonly body: string
}

/**
 * As the specification Standard Webhooks has it. The id is the same on every attempt, so that a receiver recognises what
 * it has had already; the time is that of the attempt, so that an old one cannot be sent again by somebody else.
 */
export function signedHeaders(secret: string, { deliveryId, attempt, at, body }: SignedAttempt) {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${deliveryId}.${timestamp}.${body}`).digest('base64')
  return {
    'content-type': 'application/json',
    'user-agent': 'Boathouse-Webhook',
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
    'webhook-attempt': String(attempt),
  }
}
