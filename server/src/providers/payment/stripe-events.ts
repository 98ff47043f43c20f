import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { JSON_BOUNDS } from '../../kernel/json/bounds.ts'
import { parseBounded } from '../../kernel/json/parse.ts'
import type { ProviderEvent, ReadEvent } from './payment-provider.ts'

/** As Stripe advises: an event is signed anew each time that it is sent. */
const TOLERANCE_MS = 5 * 60_000

const Event = z.object({
  id: z.string().min(1).max(255),
  type: z.string(),
  data: z.object({ object: z.object({ id: z.string().optional() }) }),
})

interface Signature {
  readonly time: string
  readonly hashes: readonly string[]
}

/** `t=1700000000,v1=…,v1=…`; schemes of other names are for others. */
function readSignature(header: string): Signature {
  const parts = header.split(',').map((part) => part.split('=', 2))
  const of = (name: string) => parts.filter(([key]) => key?.trim() === name).map(([, value = '']) => value)
  return { time: of('t')[0] ?? '', hashes: of('v1') }
}

function isSigned(body: string, { time, hashes }: Signature, secrets: readonly string[]): boolean {
  return secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(`${time}.${body}`).digest()
    return hashes.some((hash) => {
      const given = Buffer.from(hash, 'hex')
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
  })
}

const kindOf = (type: string): ProviderEvent['about'] =>
  type.startsWith('setup_intent.') ? 'setup' : type.startsWith('payment_intent.') ? 'charge' : 'other'

/** Only what Stripe has signed within the last minutes is read. Several secrets: one is being replaced. */
export const readStripeEvents =
  (secrets: readonly string[]): ReadEvent =>
  ({ body, signature, now }) => {
    const claimed = readSignature(signature)
    if (!/^\d{1,12}$/.test(claimed.time) || !isSigned(body, claimed, secrets)) return 'forged'
    if (Math.abs(now.getTime() - Number(claimed.time) * 1000) > TOLERANCE_MS) return 'stale'
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
