import { z } from 'zod'
import { JSON_BOUNDS } from '../../kernel/json/bounds.ts'
import { parseBounded } from '../../kernel/json/parse.ts'
import type { ProviderEvent, ReadEvent } from './payment-provider.ts'
import { isSignedByStripe } from './stripe-api.ts'

/** As Stripe advises: an event is signed again each time that it is sent. */
const TOLERANCE_MS = 5 * 60_000

const Event = z.object({
  id: z.string().min(1).max(255),
  type: z.string(),
  data: z.object({ object: z.object({ id: z.string().optional() }) }),
})

/** Of `t=1700000000,v1=…,v1=…`, when it was signed. */
const timeOf = (signature: string): string => /(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature)?.[1] ?? ''

const kindOf = (type: string): ProviderEvent['about'] =>
  type.startsWith('setup_intent.') ? 'setup' : type.startsWith('payment_intent.') ? 'charge' : 'other'

/** Only what Stripe has signed within the last minutes is read. Several secrets: one is being replaced. */
export const readStripeEvents =
  (secrets: readonly string[]): ReadEvent =>
  async ({ body, signature, now }) => {
    const time = timeOf(signature)
    if (time === '' || !(await isSignedByStripe(body, signature, secrets))) return 'forged'
    // The package does not refuse what is signed in the future.
    if (Math.abs(now.getTime() - Number(time) * 1000) > TOLERANCE_MS) return 'stale'
    let event: unknown
    try {
      event = parseBounded(body, JSON_BOUNDS)
    } catch {
      return 'unreadable'
    }
    const read = Event.safeParse(event)
    if (!read.success) return 'unreadable'
    const { id, type, data } = read.data
    return { id, about: kindOf(type), ref: data.object.id ?? '' }
  }
